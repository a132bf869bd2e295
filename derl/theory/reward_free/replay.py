r"""Algorithm 3 replayed in ball arithmetic, beside the true values of its own rewards r^k.

Batches come from a callable. `likely_batches` gives balls that hold each count with the probability of Hoeffding's
inequality (as `derl.theory.layerwise.replay` does), so that one replay speaks of all batches but a set of known, tiny
probability; a callable that returns integers replays one possible history exactly. A count is written as
n(s, a) P(s' | s, a) + D(s, a, s') with its deviation D, because the regression errs by

    phi^T w - P V = phi^T Lambda^{-1} (sum phi D V - sum mu V),

and balls around D are narrower than the difference of two balls. Each deployment records

    deficit   V*_h(s, r^k | h_k) - V^k_h(s)                         positive where "optimistic" values are too low,
    excess    |phi^T w_h^k - P_h V^k_{h+1}|/(beta |phi|_{Lambda^{-1}})         at most 1 where Equation (14) holds,
    noise     |sum phi (V^k_{h+1}(s') - P_h V^k_{h+1})|_{Lambda^{-1}}          what Lemma D.1 bounds.

Needs python-flint (`derl[rigor]`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce

import numpy as np

from derl.exact.balls import (
    Undecided,
    ball,
    balls,
    below,
    bonus_scale,
    log_scale,
    lower,
    minimum,
    precise,
    upper,
)
from derl.inputs.parts import part
from derl.mdp.exact import ExactMDP
from derl.theory.layerwise.replay import DEVIATION

__all__ = ["Batch", "Deployment", "ball", "balls", "bonus_scale", "concentration_scale", "likely_batches", "lower",
           "replay_exploration", "upper"]

# (k, policy (H, S)) -> visits n (H, S, A) and deviations D (H, S, A, S), as balls
Batch = Callable[[int, np.ndarray], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True, eq=False)
class Deployment:
    """One deployment of Algorithm 3 in balls.

    Attributes
    ----------
    layer : int
        h_k, from 1.
    policy : (H, S) int
    finished : bool
        Whether Delta_k fell below its threshold.
    values, deficit : (h_k, S) balls
        V_h^k, and the true optimal value of r^k in the MDP truncated at h_k minus V_h^k.
    predicted, excess : (h_k, S, A) balls
        w^T phi, and the relative error above; zero where the action is not available.
    noise : (h_k,) balls
    """

    layer: int
    policy: np.ndarray
    finished: bool
    values: np.ndarray
    deficit: np.ndarray
    predicted: np.ndarray
    excess: np.ndarray
    noise: np.ndarray


def replay_exploration(mdp: ExactMDP, batch: Batch, n_trajectories: int, n_deployments: int, epsilon: Fraction,
                       beta, version: str = "as-printed") -> list[Deployment]:
    """Run at most `n_deployments` deployments of Algorithm 3, tail action: the first available one.

    Parameters
    ----------
    beta : ball
        The scale of the bonus, see `bonus_scale`.
    version : {"as-printed", "repaired"}
        With the bonus capped at H before it is added to w^T phi, or not. Written once more, independently of
        `derl.estimation.backup`, on purpose.

    Raises
    ------
    Undecided
        A comparison that the balls do not settle.
    """
    arb = part("flint", "ball arithmetic").arb

    with precise():
        horizon, n_states, n_actions, _ = mdp.phi.shape
        phi, mu = balls(mdp.phi), balls(mdp.mu)
        visits = np.full((horizon, n_states, n_actions), arb(0), dtype=object)
        deviations = np.full((*visits.shape, n_states), arb(0), dtype=object)
        layer, done = 1, []
        for k in range(1, n_deployments + 1):
            record, norms = _plan(phi, mu, visits[:layer], deviations, mdp.available, beta, version)
            policy = np.vstack([record["policy"], mdp.available[layer:].argmax(axis=2)])
            seen, deviated = batch(k, policy)
            statistic = 2 * beta * sum((seen[:layer] * norms).ravel(), arb(0)) / n_trajectories
            finished = below(statistic, ball(epsilon * layer / (horizon * (4 * horizon + 2))))
            done.append(Deployment(layer, finished=finished, **(record | {"policy": policy})))
            visits, deviations = visits + seen, deviations + deviated
            if finished and layer == horizon:
                break
            layer += finished
        return done


def concentration_scale(dim: int, horizon: int, n_deployments: int, n_trajectories: int, delta: Fraction, c: Fraction):
    """c d H sqrt(log(dKNH/delta)), the right-hand side of Lemma D.1, as a ball."""
    return log_scale(Fraction(dim * n_deployments * n_trajectories * horizon) / delta, c * dim * horizon)


def likely_batches(mdp: ExactMDP, n_trajectories: int) -> tuple[Batch, Callable[[], float]]:
    """Balls around the counts of each deployment, and a function that bounds the log-probability of leaving one.

    A count out of n with success probability p lies in n p +- sqrt(n t) except with probability 2 exp(-2t), t = 40.
    """
    arb = part("flint", "ball arithmetic").arb

    P, random = mdp.transitions(), []

    def split(n, law):
        """Deviations of a multinomial: balls that sum to zero (the last one is minus the sum of the others)."""
        possible, off = np.flatnonzero(law), np.full(len(law), arb(0), dtype=object)
        for t in possible[:-1]:
            random.append(t)
            off[t] = arb(0, (n.abs_upper() * DEVIATION).sqrt().abs_upper())
        off[possible[-1]] = -off.sum()
        return off

    def draw(k: int, policy: np.ndarray):
        visits, deviations = np.full(P.shape[:3], arb(0), dtype=object), np.full(P.shape, arb(0), dtype=object)
        present = n_trajectories * balls(mdp.initial) + split(arb(n_trajectories), mdp.initial)
        for h in range(mdp.horizon):
            following = np.full(mdp.n_states, arb(0), dtype=object)
            for s in (s for s, a in enumerate(policy[h]) if present[s] != 0):
                a = policy[h, s]
                visits[h, s, a], deviations[h, s, a] = present[s], split(present[s], P[h, s, a])
                following = following + present[s] * balls(P[h, s, a]) + deviations[h, s, a]
            present = following
        return visits, deviations

    return draw, lambda: math.log(2 * len(random)) - 2 * DEVIATION if random else -math.inf


def _drift(deviations, values):
    """sum D V for deviations that sum to zero: the last value is subtracted from all, so that constants cancel."""
    arb = part("flint", "ball arithmetic").arb

    touched = [t for t, deviation in enumerate(deviations) if not (deviation.is_exact() and deviation == 0)]
    return sum((deviations[t] * (values[t] - values[touched[-1]]) for t in touched[:-1]), arb(0))


def _greedy(q: dict) -> int:
    """The action that is certainly the best; an exact tie goes to the lower index, as in the algorithm."""
    for a, mine in q.items():
        if all(mine > other if b < a else mine >= other for b, other in q.items() if b != a):
            return a
    raise Undecided(", ".join(map(str, q.values())))


def _plan(phi, mu, visits, deviations, available, beta, version):
    """Optimistic values of the truncated MDP, true values of the same rewards, and the norms of all features."""
    flint = part("flint", "ball arithmetic")
    arb, arb_mat = flint.arb, flint.arb_mat

    layers, n_states, n_actions = visits.shape
    dim, cap = phi.shape[3], arb(len(phi))
    shape = (layers, n_states)
    values, truth = np.full(shape, arb(0), dtype=object), np.full(shape, arb(0), dtype=object)
    policy, noise = np.zeros(shape, dtype=np.int64), np.full(layers, arb(0), dtype=object)
    excess = np.full((*shape, n_actions), arb(0), dtype=object)
    predicted = np.full((*shape, n_actions), arb(0), dtype=object)
    norms = np.full((*shape, n_actions), arb(0), dtype=object)
    following = best = np.full(n_states, arb(0), dtype=object)
    for h in reversed(range(layers)):
        rows = phi[h].reshape(-1, dim)
        design = rows.T @ (visits[h].reshape(-1, 1) * rows) + balls(np.eye(dim, dtype=int))
        # LU keeps zeros exact; the default of flint spreads the widest ball over the whole inverse
        identity = arb_mat(balls(np.eye(dim, dtype=int)).tolist())
        inverse = np.array(arb_mat(design.tolist()).solve(identity, algorithm="lu").tolist(), dtype=object)
        sums = [_drift(row, following) for row in deviations[h].reshape(-1, n_states)]
        drift = rows.T @ np.array(sums, dtype=object)
        exact = mu[h] @ following  # w = exact + Lambda^{-1} (drift - exact)
        error = inverse @ (drift - exact)
        noise[h] = (drift @ inverse @ drift).sqrt()
        for s in range(n_states):
            q, q_true = {}, []
            for a in np.flatnonzero(available[h, s]):
                feature = phi[h, s, a]
                bonus = beta * (feature @ inverse @ feature).sqrt()
                norms[h, s, a] = bonus / beta
                reward = minimum(bonus, cap) / cap
                predicted[h, s, a] = feature @ (exact + error)
                excess[h, s, a] = abs(feature @ error) / bonus
                added = minimum(bonus, cap) if version == "as-printed" else bonus
                q[a] = minimum(predicted[h, s, a] + reward + added, cap)
                q_true.append(reward + feature @ (mu[h] @ best))
            policy[h, s] = _greedy(q)
            values[h, s], truth[h, s] = q[policy[h, s]], reduce(lambda one, two: one.max(two), q_true)
        following, best = values[h], truth[h]
    record = {"policy": policy, "values": values, "deficit": truth - values, "predicted": predicted,
              "excess": excess, "noise": noise}
    return record, norms
