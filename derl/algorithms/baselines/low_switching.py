r"""Low-switching LSVI-UCB, and the direct reduction of its bound on policy switches.

LSVI-UCB that renews its policy only when a determinant has grown by eta since the last time, in any layer:

    det Lambda_h >= eta det Lambda_h^last   for some h.

All layers are renewed together. On every path there are at most d H log_eta(1 + K/d) switches, and a stale bonus is at
most sqrt(eta) times the current one. Between two switches nothing is decided, so the trajectories are drawn at once
(`Deployer.deploy_until`): a run of 1e12 episodes costs as much as its 200 policies.

What is returned is the uniform mixture of all policies; its loss is the mean loss, exactly. The run stops when the mean
of the observed widths sum_h min(2 beta b_h, H) and its noise are at most epsilon (`derl.theory.comparison.online`).

Definition 2.1: with N = 1 a deployment is an episode and the rule is that of the paper. The policy changes at random
times, so "number of switches" is no number of deployments of a size fixed beforehand. With N > 1 the rule is looked at
after every batch; a policy kept for L trajectories is then ceil(L/N) deployments of equal size.

`direct_reduction` is that with the number of trajectories fixed beforehand, and one policy drawn at the end: a promise
with probability 2/3 only, by Markov's inequality.

Source: Gao, Xie, Du and Yang (2021), as used in Table 1 and Appendix A. The rule (determinants, eta = 2) is certain up
to its constant; beta is that of Jin et al. (2020), its constant c is nominal; the stop by widths is this book's.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from derl.algorithms.dataset import Regressions
from derl.algorithms.layerwise import plan_truncated
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy
from derl.deployment.protocol import Deployer, KnownPart, known_part
from derl.estimation.bonus import bonus
from derl.estimation.design import Design, fit
from derl.inputs import display, real, seeds, whole
from derl.inputs.threads import one_thread
from derl.mdp.policies import Mixture
from derl.theory.comparison.online import bonus_scale_online, episodes_of_the_reduction, noise

DRAW = 23  # keeps the stream of the last draw apart from others with the same seed


@dataclass(frozen=True, eq=False, repr=False)
class Stretch(display.Fields):
    """Deployments of one policy without a break.

    Attributes
    ----------
    deployment : int
        The first of them, from 1.
    repeats : int
        How many.
    statistic : float
        Bound of the mean loss of all policies up to the end of the stretch, or NaN where only the last is known.
    policy : (H, S) int
    values : (S,)
        Optimistic values of layer 1.
    """

    deployment: int
    repeats: int
    statistic: float
    policy: Any
    values: np.ndarray


def mixture(stretches: Iterable[Stretch]) -> Mixture:
    """A policy drawn uniformly from all that were deployed: the mean loss is its loss."""
    weights: dict[bytes, float] = {}
    members = {}
    for stretch in stretches:
        key = np.asarray(stretch.policy, "<i8").tobytes()
        members[key] = stretch.policy
        weights[key] = weights.get(key, 0) + stretch.repeats
    shares = np.array(list(weights.values()), dtype=np.float64)
    return Mixture(tuple(members.values()), shares / shares.sum())


def low_switching_lsvi(deployer: Deployer, epsilon: float, delta: float, c_beta: float = 1.0, eta: float = 2.0,
                       beta: float | None = None) -> Outcome:
    """LSVI-UCB with rare updates.

    Parameters
    ----------
    deployer : Deployer
        N = 1 for the paper's algorithm.
    epsilon, delta : float
        Accuracy > 0 and failure probability in (0, 1).
    c_beta : float, > 0
        Constant of the bonus scale, beta = c_beta d H sqrt(log(2 d K N H/delta)).
    eta : float, >= 1
        A determinant that has grown by this factor renews the policy; 1 renews it after every deployment.
    beta : float or None
        The scale of the bonus itself, in place of the formula.

    Returns
    -------
    Outcome
        `policy` is the mixture of all policies, `trace` one record per policy.

    Raises
    ------
    InvalidParameter
    """
    epsilon, delta = accuracy(epsilon, delta)
    return rare_updates(deployer, scale(deployer, delta, c_beta, beta), real(eta, "eta", 1, error=InvalidParameter),
                        delta, epsilon)


def direct_reduction(deployer: Deployer, epsilon: float, delta: float, c_beta: float = 1.0, eta: float = 2.0,
                     beta: float | None = None, budget: int | None = None, seed=0) -> Outcome:
    """A regret bound with few switches, turned into one good policy with probability 2/3.

    Parameters
    ----------
    deployer : Deployer
    epsilon, delta, c_beta, eta, beta
        As in `low_switching_lsvi`.
    budget : int or None
        Trajectories in all; by default the K~ after which the mean loss is at most epsilon/3.
    seed : int >= 0, None, numpy.random.Generator or numpy.random.SeedSequence
        Seed of the last step, which draws the policy that is returned.

    Returns
    -------
    Outcome
        `policy` is one of those deployed. `converged` says whether the deployer had enough deployments.

    Raises
    ------
    InvalidParameter
    """
    epsilon, delta = accuracy(epsilon, delta)
    known, seed = known_part(deployer), seeds.root(seed, InvalidParameter)
    eta = real(eta, "eta", above=1, error=InvalidParameter)
    if budget is None:
        budget = episodes_of_the_reduction(known.dim, known.horizon, epsilon, delta, c_beta, eta, beta)
    needed = -(-whole(budget, "budget", 1, error=InvalidParameter) // deployer.batch_size)
    found = rare_updates(deployer, scale(deployer, delta, c_beta, beta), eta, delta, most=needed)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(DRAW,)))
    last = rng.choice(len(found.policy.policies), p=found.policy.weights)
    return Outcome(policy=found.policy.policies[last], deployments=found.deployments, trajectories=found.trajectories,
                   converged=found.deployments >= needed, trace=found.trace, beta=found.beta, dataset=found.dataset)


def scale(deployer: Deployer, delta: float, c_beta: float, beta: float | None) -> float:
    """The bonus scale that is given, or the formula with all trajectories that the deployer allows in its logarithm."""
    known = known_part(deployer)
    c_beta = real(c_beta, "c_beta", above=0, error=InvalidParameter)
    delta = real(delta, "delta", above=0, below=1, error=InvalidParameter)
    if beta is None:
        most = deployer.max_deployments * deployer.batch_size
        beta = bonus_scale_online(known.dim, known.horizon, delta, most, c_beta)
    return float(real(beta, "beta", above=0, error=InvalidParameter))


@one_thread
def rare_updates(deployer: Deployer, beta: float, eta: float, delta: float, epsilon: float | None = None,
                 most: int | None = None) -> Outcome:
    """The loop; without epsilon it ends after `most` deployments."""
    known, most = known_part(deployer), min(most or deployer.max_deployments, deployer.max_deployments)
    hidden = noise(known.horizon, delta, most)
    data = np.zeros((known.horizon, known.n_states, known.n_actions, known.n_states))
    trace: list[Stretch] = []
    spent, made, statistic = 0.0, 0, math.inf
    while made < most and not (epsilon is not None and statistic <= epsilon):
        designs = [fit(phi, counts) for phi, counts in zip(known.phi, data, strict=True)]
        plan = plan_truncated(known, designs, lambda h, norms: known.rewards[h], beta, "repaired")
        policy = np.stack([step.policy for step in plan])
        width = bonus(np.stack([step.norms for step in plan]), 2 * beta, known.horizon)
        since, start, over = np.zeros_like(data), made, False
        growth = Growth(known, designs, policy, eta)
        while made < most and not over:
            # the stop is looked at whenever the number of deployments has doubled, so it is overshot at most twice
            ahead = min(most - made, max(made, 1))
            batch, extra = deployer.deploy_until(policy, ahead, growth.beyond(since), block=max(1, made // 8))
            since, made = since + batch.counts, made + extra
            spent += float((batch.visits * width).sum()) / deployer.batch_size
            statistic = spent / made + hidden / math.sqrt(made * deployer.batch_size)
            over = growth(since) >= 1 or epsilon is not None and statistic <= epsilon
        data += since
        trace.append(Stretch(start + 1, made - start, statistic, policy, plan[0].values))
    return Outcome(policy=mixture(trace), deployments=made, trajectories=made * deployer.batch_size,
                   converged=epsilon is None or statistic <= epsilon, trace=tuple(trace), beta=beta,
                   dataset=Regressions(known, data))


class Growth:
    """How far the determinants have grown since the last switch: counts (H, S, A, S) -> 1 where one reaches eta.

    log(det Lambda_h / det Lambda_h^last) is log det(I + sum n R^{-T} phi phi^T R^{-1}), which loses no digits where
    the counts are huge.
    """

    def __init__(self, known: KnownPart, designs: list[Design], policy: np.ndarray, eta: float):
        self._layers, self._states = np.ogrid[:known.horizon, :known.n_states]
        self._policy, self._target = policy, math.log(eta)
        features = np.stack([design.whitened(phi) for design, phi in zip(designs, known.phi, strict=True)])
        self._features = features[self._layers, self._states, policy]  # (H, S, d)

    def beyond(self, before: np.ndarray) -> Callable[[np.ndarray], float]:
        """The same for what comes in addition to `before`."""
        return lambda counts: self(before + counts)

    def __call__(self, counts: np.ndarray) -> float:
        if not self._target:
            return 1.0 if counts.any() else 0.0
        visits = counts[self._layers, self._states, self._policy].sum(axis=2)
        gram = (self._features * visits[..., None]).transpose(0, 2, 1) @ self._features
        return float(np.linalg.slogdet(np.eye(gram.shape[1]) + gram)[1].max()) / self._target
