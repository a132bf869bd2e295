r"""Algorithm 1 replayed in ball arithmetic: every decision certified for all likely batches at once.

A batch is random, so one run proves little. Here each count is a ball that contains it with the probability that
Hoeffding's inequality gives: of n trajectories, n p +- sqrt(n t) take a transition of probability p, except with
probability 2 exp(-2t). The algorithm runs on the balls. If every comparison that it makes has the same answer for all
points of the balls, then the whole run, and the policy returned, is the same for all batches but those of total
probability 2 m exp(-2t), with m the number of random transitions. N may have any number of digits.

Needs python-flint (`derl[rigor]`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from derl.exact.balls import ball, balls, below, lower, minimum, precise
from derl.inputs.parts import part
from derl.mdp.exact import ExactMDP

DEVIATION = 40  # t above: each random count is outside its ball with probability at most 2 exp(-80)


@dataclass(frozen=True)
class Replay:
    """A certified run.

    Attributes
    ----------
    policies : tuple of (H, S) int
        The policy of each deployment; the last one is returned.
    layers : tuple of int
        h_k for each deployment.
    converged : bool
    log_exception : float
        Natural logarithm of the probability that a batch lies outside the balls (-inf if nothing was random).
    gap : Fraction
        Exact suboptimality of the returned policy.
    deficit : Fraction
        Certified lower bound on V*_1 - V^k_1 at the first state and the last deployment: positive where the values that
        the algorithm calls optimistic are not.
    """

    policies: tuple[np.ndarray, ...]
    layers: tuple[int, ...]
    converged: bool
    log_exception: float
    gap: Fraction
    deficit: Fraction

    @property
    def policy(self) -> np.ndarray:
        """The returned policy."""
        return self.policies[-1]


@dataclass(frozen=True, eq=False)
class Model:
    """What a replay needs of an instance, which need not keep every rule of Assumption 1; fields as in `ExactMDP`."""

    phi: np.ndarray
    mu: np.ndarray
    theta: np.ndarray
    available: np.ndarray


def replay(model: Model | ExactMDP, n_trajectories: int, max_deployments: int, epsilon: Fraction, beta,
           version: str = "as-printed") -> Replay:
    """Run Algorithm 1 on an instance with rational entries and first state 0.

    Parameters
    ----------
    n_trajectories : int
        N, of any size.
    beta : ball
        The scale of the bonus, see `derl.exact.balls.bonus_scale`.
    version : {"as-printed", "repaired"}
        With the bonus capped at H before it is added, or not. Written once more, independently of
        `derl.estimation.backup`, on purpose.

    Raises
    ------
    Undecided
    """
    arb = part("flint", "ball arithmetic").arb

    with precise():
        phi, available = model.phi, model.available
        horizon, n_states = phi.shape[:2]
        P, rewards, features = _constants(model)
        data = np.full((horizon, n_states, phi.shape[2], n_states), arb(0), dtype=object)
        layer, layers, policies, n_random, converged = 1, [], [], 0, False
        for _ in range(max_deployments):
            policy, norms, values = _plan(features, rewards, data[:layer], available, beta, version)
            policy = np.vstack([policy, available[layer:].argmax(axis=2)])
            counts, random = _batch(P, policy, n_trajectories)
            n_random += random
            statistic = sum((2 * beta * counts[h, s].sum() / n_trajectories * norms[h, s]
                             for h in range(layer) for s in range(n_states) if counts[h, s].sum() != 0), arb(0))
            layers.append(layer)
            policies.append(policy)
            for h in range(horizon):
                for s in range(n_states):
                    data[h, s, policy[h, s]] += counts[h, s]
            if below(statistic, ball(epsilon * layer / (2 * horizon))):
                if layer == horizon:
                    converged = True
                    break
                layer += 1
        exception = math.log(2 * n_random) - 2 * DEVIATION if n_random else -math.inf
        best, mine = _values(P[:layer], rewards, available, policy)
        return Replay(tuple(policies), tuple(layers), converged, exception, best - mine, lower(ball(best) - values[0]))


@lru_cache(maxsize=4)
def _constants(model: Model | ExactMDP) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Transitions, rewards, and features as balls: one instance is replayed with many N and beta."""
    return (np.einsum("hsad,hdt->hsat", model.phi, model.mu), np.einsum("hsad,hd->hsa", model.phi, model.theta),
            balls(model.phi))


def _plan(features, rewards, data, available, beta, version):
    """Optimistic value iteration in the truncated MDP: greedy policy (h_k, S), norms of its features, first values."""
    arb = part("flint", "ball arithmetic").arb

    horizon, n_states, _, dim = features.shape
    values = [arb(0)] * n_states
    policy = np.zeros((len(data), n_states), dtype=np.int64)
    chosen = np.empty((len(data), n_states), dtype=object)
    for h in reversed(range(len(data))):
        inverse = _inverse_design(features[h], data[h], dim)
        target = [sum((features[h, s, a, i] * sum((data[h, s, a, t] * values[t] for t in range(n_states)), arb(0))
                       for s in range(n_states) for a in np.flatnonzero(available[h, s])), arb(0)) for i in range(dim)]
        weights = [sum((inverse[i, j] * target[j] for j in range(dim)), arb(0)) for i in range(dim)]
        following = []
        for s in range(n_states):
            best = None
            for a in np.flatnonzero(available[h, s]):
                vector = features[h, s, a]
                square = sum((vector[i] * inverse[i, j] * vector[j] for i in range(dim) for j in range(dim)), arb(0))
                norm = square.sqrt()
                bonus = minimum(beta * norm, arb(horizon)) if version == "as-printed" else beta * norm
                predicted = sum((w * x for w, x in zip(weights, vector, strict=True)), arb(0))
                q = minimum(predicted + ball(rewards[h, s, a]) + bonus, arb(horizon))
                # an exact tie goes to the lower index, as in the algorithm
                if best is None or (not (q.is_exact() and best[0].is_exact() and q == best[0]) and below(best[0], q)):
                    best = (q, a, norm)
            following.append(best[0])
            policy[h, s], chosen[h, s] = best[1], best[2]
        values = following
    return policy, chosen, values


def _inverse_design(features, data, dim):
    """Inverse of I + sum n phi phi^T, as a matrix of balls."""
    flint = part("flint", "ball arithmetic")
    arb, arb_mat = flint.arb, flint.arb_mat

    design = [[arb(int(i == j)) for j in range(dim)] for i in range(dim)]
    for s, a in np.ndindex(features.shape[:2]):
        visits = data[s, a].sum()
        if visits == 0:
            continue
        for i in range(dim):
            for j in range(dim):
                design[i][j] += visits * features[s, a, i] * features[s, a, j]
    return arb_mat(design).inv()


def _batch(P, policy, n_trajectories):
    """Balls around the counts of one deployment (H, S, S), and how many of them are random."""
    arb = part("flint", "ball arithmetic").arb

    horizon, n_states = policy.shape
    counts = np.full((horizon, n_states, n_states), arb(0), dtype=object)
    present = [arb(n_trajectories)] + [arb(0)] * (n_states - 1)
    n_random = 0
    for h in range(horizon):
        following = [arb(0)] * n_states
        for s in range(n_states):
            if present[s] == 0:
                continue
            for t in range(n_states):
                p = P[h, s, policy[h, s], t]
                if p == 0:
                    continue
                count = present[s] * ball(p)
                if p != 1:
                    radius = (present[s].abs_upper() * DEVIATION).sqrt()
                    count = count + arb(0, radius.abs_upper())
                    n_random += 1
                counts[h, s, t] = count
                following[t] = following[t] + count
        present = following
    return counts, n_random


def _values(P, rewards, available, policy) -> tuple[Fraction, Fraction]:
    """Optimal value and value of the policy from state 0, in rationals."""
    best = mine = np.full(P.shape[1], Fraction(0), dtype=object)
    for h in reversed(range(P.shape[0])):
        q = rewards[h] + P[h] @ best
        best = np.array([max(q[s, a] for a in np.flatnonzero(available[h, s])) for s in range(P.shape[1])])
        own = rewards[h] + P[h] @ mine
        mine = np.array([own[s, policy[h, s]] for s in range(P.shape[1])])
    return Fraction(best[0]), Fraction(mine[0])
