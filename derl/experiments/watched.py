"""A deployer that keeps what it handed out, and what an outsider who knows the model reads from it.

The record does not change a run: the algorithm sees a `Deployer`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.algorithms.layerwise import plan_truncated
from derl.deployment import Deployer
from derl.estimation.design import fit
from derl.mdp import planning
from derl.mdp.linear_mdp import LinearMDP

NOTHING = 1e-9  # a loss below is rounding
FAIR = 1e-9  # optimism up to rounding


class Watched(Deployer):
    """A deployer; `stages[k]` are the counts (H, S, A, S) before its deployment k + 1, float64."""

    def __init__(self, mdp: LinearMDP, *words, **options):
        super().__init__(mdp, *words, **options)
        self.stages = [np.zeros((mdp.horizon, mdp.n_states, mdp.n_actions, mdp.n_states))]

    def deploy(self, policy):
        """As the parent's."""
        batch = super().deploy(policy)
        self.stages.append(self.stages[-1] + batch.counts)
        return batch

    def deploy_until(self, *words, **options):
        """As the parent's; its deployments are one stage."""
        batch, made = super().deploy_until(*words, **options)
        self.stages = [self.stages[-1] + batch.counts]
        return batch, made


@dataclass(frozen=True)
class Plans:
    """What the optimistic plans of a run were worth.

    Attributes
    ----------
    optimistic : float
        Share of the plans whose value is at least the optimum of the truncated MDP.
    ratio : float
        The largest |phi^T w - P V| / |phi|_{Lambda^{-1}} of all plans, pairs and layers: what beta has to be.
    """

    optimistic: float
    ratio: float


def plans(mdp: LinearMDP, stages, layers, beta: float, rewards=None) -> Plans:
    """The plans that were made from `stages` (k arrays of counts) for the first `layers` (k numbers) layers."""
    known = Deployer(mdp, 1, 1).known
    rewards = rewards or (lambda h, norms: known.rewards[h])
    best = {layer: planning.optimal(mdp, layer).value for layer in set(layers)}
    good, worst = 0, 0.0
    for counts, layer in zip(stages, layers, strict=True):
        designs = [fit(known.phi[h], counts[h]) for h in range(layer)]
        plan = plan_truncated(known, designs, rewards, beta, "repaired")
        good += bool(mdp.initial @ plan[0].values >= best[layer] - FAIR)
        for h in range(layer - 1):  # beyond the last layer there is nothing to regress
            values = plan[h + 1].values
            error = np.abs(known.phi[h] @ (designs[h].weights(values) - mdp.mu[h] @ values))
            open_pairs = known.available[h]
            worst = max(worst, float((error[open_pairs] / plan[h].norms[open_pairs]).max()))
    return Plans(good / len(layers), worst)


def loss(mdp: LinearMDP, policy, theta=None) -> float:
    """Exact suboptimality; 0 where it is rounding."""
    found = planning.gap(mdp, policy, theta=theta)
    return found if found > NOTHING else 0.0


def settled(losses, epsilon: float) -> int | None:
    """The first place (from 1) from which on no loss is above epsilon; None where the last one is."""
    above = [k for k, value in enumerate(losses, 1) if value > epsilon]
    first = above[-1] + 1 if above else 1
    return first if first <= len(losses) else None


def mixture_settled(losses, repeats, epsilon: float) -> int | None:
    """The first number of deployments from which on the mean loss of all deployments stays at most epsilon.

    Between two changes of the policy the mean moves one way, so it is enough to look at the changes.
    """
    losses, repeats = np.asarray(losses, float), np.asarray(repeats, float)
    total, made = np.cumsum(losses * repeats), np.cumsum(repeats)
    above = np.flatnonzero(total > epsilon * made)
    if not len(above):
        return 1
    last = above[-1]
    if last == len(losses) - 1:
        return None
    # (total + m loss)/(made + m) <= epsilon
    more = (total[last] - epsilon * made[last]) / (epsilon - losses[last + 1])
    return int(made[last] + np.ceil(more - 1e-9))


def adversarial(mdp: LinearMDP, seed: int = 0) -> np.ndarray:
    """Linear rewards (M, H, d): each direction in the last layer, each in every layer, and three drawn from the seed.

    In another basis than the axes a single direction need not be a reward in [0, 1]; those that are not are left out.
    """
    dim, horizon = mdp.dim, mdp.horizon
    last = np.zeros((dim, horizon, dim))
    last[:, -1] = np.eye(dim)
    everywhere = np.repeat(np.eye(dim)[:, None], horizon, axis=1)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(43,)))
    candidates = np.concatenate([last, everywhere, rng.random((3, horizon, dim))])
    rewards = np.einsum("hsad,mhd->mhsa", mdp.phi, candidates)
    fair = ((rewards >= -1e-12) & (rewards <= 1 + 1e-12)).all(axis=(1, 2, 3))
    return candidates[fair]
