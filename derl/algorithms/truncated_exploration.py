r"""Exploration without reachability: blocks of L layers, one deployment each, every linear reward afterwards.

    for each block of layers h_0, ..., h_0 + L - 1                    (the last layer H needs none)
        choose policies that span the mean features of all policies in layer h_0 - 1, in the estimated model
               where uncertain pairs are cut                          (derl.algorithms.spanner)
        deploy: one of them, drawn uniformly, in front of h_0, and from h_0 on in every state an optimal design
               over its actions                                       (derl.algorithms.state_designs)
        for every layer of the block
            Sigma = I + sum phi phi^T;  cut the pairs with |phi|_{Sigma^-1} > kappa   (derl.estimation.truncated)
    plan for any reward in the estimated model; a pair that is cut is worth nothing

No reachability coefficient enters: what is cut is too rare to matter. N trajectories of the theorem
(`derl.theory.beyond.truncation.batch_size`, cover "spanner") make every plan epsilon-optimal with probability 1 -
delta. With fewer, `kappa`, `eta` and `dummy` can be set by hand; no theorem covers that.

Rounding: numbers are float64. The grid of the policies is coarse enough to be represented, but a design with
excess exactly 1 + 1/H, or a norm exactly at the cut, may fall on the other side.

Source: the theorem without reachability of the chapter "Beyond the paper".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.algorithms.dataset import Collected
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy
from derl.algorithms.spanner import Spanner, robust_spanner
from derl.algorithms.state_designs import state_designs
from derl.deployment.protocol import Deployer, KnownPart, known_part
from derl.estimation.truncated import CutLayer, CutModel
from derl.inputs import display, real, whole
from derl.inputs.threads import one_thread
from derl.mdp.policies import Mixture, as_probabilities, compose
from derl.theory.beyond.truncation import blocks, truncation


@dataclass(frozen=True, eq=False, repr=False)
class CutRecord(display.Fields):
    """One deployment.

    Attributes
    ----------
    deployment : int
    layers : tuple of int
        Of its block, from 1.
    n_policies : int
        Of the spanner in front of it; 0 where there is nothing in front, or nothing that can be reached.
    calls, replacements : int
        Of the spanner's search.
    cut : tuple of int
        Available pairs that are cut, layer by layer.
    excess : float
        The worst design of a state: max_a phi^T V^+ phi over its rank.
    policy : Mixture or (H, S, A)
    """

    deployment: int
    layers: tuple[int, ...]
    n_policies: int
    calls: int
    replacements: int
    cut: tuple[int, ...]
    excess: float
    policy: object


@dataclass(frozen=True, eq=False, repr=False)
class CutDataset(Collected):
    """What the exploration hands to planning; a pair that is cut is worth nothing."""

    known: KnownPart
    model: CutModel

    def plan_rewards(self, rewards: np.ndarray) -> np.ndarray:
        """The greedy policy (H, S) for linear rewards (H, S, A)."""
        known, model = self.known, self.model
        q = np.where(known.available[-1], rewards[-1], -np.inf)
        policy = [q.argmax(axis=1)]
        for h in reversed(range(len(model.layers))):
            layer = model.layers[h]
            q = np.where(layer.kept, rewards[h], 0.0) + layer.regress(q.max(axis=1), known.phi[h])
            q = np.where(known.available[h], q, -np.inf)
            policy.append(q.argmax(axis=1))
        return np.stack(policy[::-1])


@one_thread
def truncated_block_exploration(deployer: Deployer, epsilon: float, delta: float, block: int = 1,
                                kappa: float | None = None, eta: float | None = None,
                                dummy: float | None = None) -> Outcome:
    """Explore blocks of layers, one deployment each, and cut what is too rare.

    Parameters
    ----------
    deployer : Deployer
        Of the class "any", with K >= ceil((H-1)/L).
    epsilon, delta : float
        Accuracy in (0, H] and failure probability in (0, 1).
    block : int
        L, 1..H-1: layers that one deployment explores.
    kappa, eta, dummy : float or None
        Level of the cut, mesh of the policies, and where the spanners start, in place of the theorem's.

    Returns
    -------
    Outcome
        Its `dataset` is a `CutDataset`, which plans for any theta (H, d); its `policy` is the plan for the rewards of
        the instance. `converged`: every design and every spanner ended by its rule.

    Raises
    ------
    InvalidParameter
    """
    epsilon, delta = accuracy(epsilon, delta)
    known = known_part(deployer)
    block = whole(block, "block", 1, max(known.horizon - 1, 1), InvalidParameter)
    numbers = _numbers(known, deployer.batch_size, block, epsilon, delta)
    kappa, eta, dummy = (real(default if given is None else given, name, above=0, error=InvalidParameter)
                         for name, given, default in zip(("kappa", "eta", "dummy"), (kappa, eta, dummy), numbers,
                                                         strict=True))
    parts = blocks(known.horizon, block)
    if deployer.max_deployments < len(parts):
        raise InvalidParameter(f"max_deployments is {deployer.max_deployments}; there are {len(parts)} blocks")
    model = CutModel(known.phi[:0], known.available[:0], (), np.zeros(known.n_states))
    trace: list[CutRecord] = []
    for layers in parts:
        spanner = cover(model, eta / (2 * known.dim), dummy) if model.layers else None
        policy, excess = exploring(known, spanner.policies if spanner else (), layers)
        batch = deployer.deploy(policy)
        start = model.start if model.layers else batch.initial / (deployer.batch_size + 1)
        explored = model.layers + tuple(
            CutLayer.of(known.phi[h - 1], known.available[h - 1], batch.counts[h - 1].astype(np.float64), kappa)
            for h in layers)
        model = CutModel(known.phi[:len(explored)], known.available[:len(explored)], explored, start)
        cut = tuple(int((known.available[h - 1] & ~explored[h - 1].kept).sum()) for h in layers)
        searched = (len(spanner.policies), spanner.calls, spanner.replacements) if spanner else (0, 0, 0)
        trace.append(CutRecord(len(trace) + 1, layers, *searched, cut, excess, policy))
    dataset = CutDataset(known, model)
    return Outcome(policy=dataset.plan_rewards(known.rewards), deployments=len(trace),
                   trajectories=len(trace) * deployer.batch_size,
                   converged=all(record.excess <= 1 + 1 / known.horizon for record in trace), trace=tuple(trace),
                   beta=0.0, dataset=dataset)


def cover(model: CutModel, mesh: float, dummy: float) -> Spanner:
    """Policies that span the mean features of all policies in the last layer of the model, in its coordinates."""
    features = model.layers[-1].coefficients

    def oracle(direction):
        policy = model.best(direction / np.abs(features @ direction).max(), mesh)
        return policy, model.mean_features(policy)

    return robust_spanner(oracle, features.shape[-1], dummy)


def exploring(known: KnownPart, policies: tuple[np.ndarray, ...], layers: tuple[int, ...]):
    """What to deploy for a block: the policies in front, then designs; and the excess of the worst design."""
    designs, excess = zip(*(state_designs(known.phi[h - 1], known.available[h - 1], 1 + 1 / known.horizon)
                            for h in layers), strict=True)
    anything = compose(known, np.zeros((0, known.n_states), np.intp), 0, 0)  # in front, where nothing is reached
    members = []
    for head in policies or (anything,):
        member = as_probabilities(known, compose(known, head, layers[0] - 1, 0)).copy()
        member[layers[0] - 1:layers[-1]] = designs
        members.append(member)
    policy = members[0] if len(members) == 1 else Mixture(tuple(members), np.full(len(members), 1 / len(members)))
    return policy, max(excess)


def _numbers(known: KnownPart, size: int, block: int, epsilon: float, delta: float) -> tuple[float, float, float]:
    """The theorem's kappa, eta and dummy; for H = 1 there is nothing to explore."""
    if known.horizon == 1:
        return 1.0, 1.0, 1.0
    found = truncation(max(known.dim, 2), known.horizon, block, min(epsilon, known.horizon), delta, size)
    return found.kappa, found.eta, found.dummy
