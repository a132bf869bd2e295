r"""Block exploration: L layers per deployment, so ceil(H/L) deployments, at about d^L times the samples.

    in every state take a G-optimal design over the actions: it dominates every action, P(.|s,a) <= g P(.|s, design)
    for each block of L layers:
        cover the block: policies that span the mean features of the layer before it       (none before the first block)
        deploy: one of these policies at random up to the block, designs from there on
        keep the trajectories in parts, one for each later cover and one for the plan; in each part one set per layer
    plan for the reward by value iteration on the last parts, without a bonus

With one block this needs no reachability at all, and nothing is estimated before the only deployment. A design acts in
every state separately, so that a random first state costs nothing there.

The theorems require the sizes of `derl.theory.beyond.exchange.shares`. With data="pooled" every planning uses all
trajectories; that is how one would do it with few of them, and no theorem here covers it.

A linear model is estimated from the counts, one data set per layer. The data of a layer are used for that layer alone,
so that what is regressed at a layer, a function of later data, is independent of the noise there.

Source: a result of this book.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from derl.algorithms.dataset import Collected
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy, first_states
from derl.algorithms.spanner import Spanner, robust_spanner
from derl.algorithms.state_designs import designed
from derl.deployment.protocol import Deployer, KnownPart, known_part
from derl.estimation.design import Design, fit
from derl.inputs import choice, display, real, whole
from derl.inputs.threads import one_thread
from derl.mdp.planning import greedy
from derl.mdp.policies import Mixture, as_probabilities
from derl.theory.beyond import exchange

DATA = ("split", "pooled")
POOLED_RIDGE = 1.0


@dataclass(frozen=True, eq=False, repr=False)
class BlockRecord(display.Fields):
    """One deployment.

    Attributes
    ----------
    deployment : int
        From 1.
    layer : int
        First layer of the block, from 1.
    layers : int
        Layers of the block.
    n_policies : int
        Policies of the cover; 0 for the first block, which needs none.
    replacements, calls : int
        Of the search for the cover.
    policy : (H, S, A) or Mixture
    exact : bool
    """

    deployment: int
    layer: int
    layers: int
    n_policies: int
    replacements: int
    calls: int
    policy: object
    exact: bool


@one_thread
def block_exploration(deployer: Deployer, epsilon: float, delta: float, block: int = 1, nu_min: float | None = None,
                      data: str = "split", gamma: float | None = None,
                      initial: int | np.ndarray | None = None) -> Outcome:
    """Explore `block` layers per deployment, then plan for the instance's own reward.

    Parameters
    ----------
    deployer : Deployer
        Of the class "any", with K >= ceil(H/block). The theorems' N is `exchange.batch_size`, and with `mean=True`
        the smaller one.
    epsilon, delta : float
        Accuracy > 0 and failure probability in (0, 1).
    block : int, >= 1
        L. From H on there is one deployment.
    nu_min : float in (0, 1], or None
        Reachability at the first layer of each later block: it decides how a batch is divided and where the cover
        stops. None: half of each batch is for the plan, and the cover stops where the accuracy does.
    data : {"split", "pooled"}
        "split": every planning has trajectories of its own, as the proofs need; "pooled": all have all.
    gamma : float in (0, 1), optional
        What the cover may leave out, in place of that of the theorem.
    initial : int, (S,) or None
        First state, or its distribution, where it is known beforehand; the covers need it.

    Returns
    -------
    Outcome
        `converged`: whether N is at least the smaller one of the theorems (`res-mean-error`,
        `res-blocks-mean`); without `nu_min`, whether the plan has enough, and the covers have for some nu < 1.

    Raises
    ------
    InvalidParameter
    """
    epsilon, delta = accuracy(epsilon, delta)
    known = known_part(deployer)
    setup = BlockSetup.of(known=known, batch_size=deployer.batch_size, epsilon=epsilon, delta=delta,
                          block=whole(block, "block", 1, error=InvalidParameter), nu_min=nu_min,
                          data=choice(data, "data", DATA, InvalidParameter), gamma=gamma, initial=initial)
    blocks = exchange.blocks(known.horizon, block)
    if deployer.max_deployments < len(blocks):
        raise InvalidParameter(f"max_deployments is {deployer.max_deployments}; there are {len(blocks)} blocks")
    kept, trace, found = Kept(len(blocks)), [], None
    for k, layers in enumerate(blocks):
        if k:
            found = cover(setup, kept, k, layers.start - 1)
        policy = behind_the_cover(known, found, setup.designs, layers.start)
        exact = kept.deploy(deployer, policy, setup, k)
        trace.append(BlockRecord(k + 1, layers.start + 1, len(layers), len(found.policies) if found else 0,
                                 found.replacements if found else 0, found.calls if found else 0, policy, exact))
    model = kept.model(setup, -1, known.horizon)
    return Outcome(policy=model.plan_rewards(known.rewards), deployments=len(blocks),
                   trajectories=len(blocks) * deployer.batch_size, converged=setup.enough, trace=tuple(trace),
                   beta=setup.scale, dataset=model)


def cover(setup: BlockSetup, kept: Kept, planning: int, layer: int) -> Spanner:
    """Policies that span what any policy can reach in a layer, from the parts kept for this planning."""
    model = kept.model(setup, planning - 1, layer)
    start = kept.starts[planning - 1] if setup.start is None else setup.start
    means: dict[bytes, np.ndarray] = {}

    def oracle(direction):
        policy = model.towards(setup.rounded(direction), layer)
        key = policy.tobytes()
        if key not in means:  # many directions have the same policy
            means[key] = model.mean_feature(policy, layer, start)
        return policy, means[key]

    return robust_spanner(oracle, setup.known.dim, setup.gamma)


def behind_the_cover(known: KnownPart, found: Spanner | None, designs: np.ndarray, layer: int):
    """One policy of the cover at random before a layer, designs from there on; where there is none, designs alone."""
    if found is None or not found.policies:
        return designs
    heads = [as_probabilities(known, policy, layer) for policy in found.policies]
    return Mixture(tuple(np.concatenate([head, designs[layer:]]) for head in heads),
                   np.full(len(heads), 1 / len(heads)))


class Kept:
    """The counts by planning and layer: one planning for each block but the first, and the last one."""

    def __init__(self, plannings: int):
        self.counts: list[list[np.ndarray]] = [[] for _ in range(plannings)]
        self.starts: list[np.ndarray] = []
        self.fitted: tuple[Design, ...] = ()

    def model(self, setup: BlockSetup, planning: int, layers: int) -> BlockModel:
        """Fitted to the first layers kept for a planning."""
        model = BlockModel.of(setup.known, self.counts[planning][:layers], setup.ridge, self.fitted)
        if setup.data == "pooled":  # later plannings have the same counts, and those of later layers
            self.fitted = model.layers
        return model

    def deploy(self, deployer: Deployer, policy, setup: BlockSetup, k: int) -> bool:
        """Deployment k, from 0; each layer of the block goes to the plannings that are still to come."""
        layers, later = exchange.blocks(setup.known.horizon, setup.block)[k], len(self.counts) - k
        if setup.data == "pooled":
            batch = deployer.deploy(policy)
            for counts in self.counts[k:]:
                counts += [batch.counts[h] for h in layers]
            if not k:
                self.starts = [batch.initial / batch.initial.sum()] * (later - 1)
            return batch.exact
        batches = list(deployer.deploy_in_parts(policy, setup.parts(k)))
        exact = all(batch.exact for batch in batches)
        for counts in self.counts[k:]:
            counts += [batches.pop(0).counts[h] for h in layers]
        if not k:
            self.starts = [batch.initial / batch.initial.sum() for batch in batches]
        return exact


@dataclass(frozen=True, eq=False, repr=False)
class BlockSetup(display.Fields):
    """What is fixed before the first deployment.

    Attributes
    ----------
    designs : (H, S, A)
    leverage : float
        g.
    ridge, scale, gamma : float
    spacing : float
        Of the grid on which directions are rounded; 0 for none.
    amounts : tuple of int
        Trajectories for the plan, for a cover, and for the law of the first state in a cover.
    start : (S,) or None
    enough : bool
        Whether N is that of the theorem.
    """

    known: KnownPart
    batch_size: int
    block: int
    data: str
    designs: np.ndarray
    leverage: float
    ridge: float
    scale: float
    gamma: float
    spacing: float
    amounts: tuple[int, int, int]
    start: np.ndarray | None
    enough: bool

    @classmethod
    def of(cls, *, known: KnownPart, batch_size: int, epsilon: float, delta: float, block: int = 1,
           nu_min: float | None = None, data: str = "split", gamma: float | None = None,
           initial: int | np.ndarray | None = None) -> BlockSetup:
        """Designs, sizes of the parts, ridge and gamma; arguments as of `block_exploration`."""
        found = [designed(phi.shape, phi.tobytes(), mask.tobytes())
                 for phi, mask in zip(known.phi, known.available, strict=True)]
        leverage = max(1.0, *(largest for _, largest in found))
        number = len(exchange.blocks(known.horizon, block))
        if gamma is not None:
            gamma = real(gamma, "gamma", above=0, below=1, error=InvalidParameter)
        if data == "pooled":
            own, enough = min(0.25, math.sqrt(known.dim / batch_size)), False
            level, scale, spacing, amounts = POOLED_RIDGE, 0.0, 0.0, (batch_size, 0, 0)
        else:
            nu, task = nu_min, (known.dim, known.horizon, epsilon, delta, block, leverage)
            if number > 1 and nu is None:
                nu = exchange.covered(*task, batch_size // (2 * (number - 1)))
            wanted, least = exchange.shares(*task, nu), exchange.shares(*task, nu, mean=True)
            enough, chosen = batch_size >= least.batch_size, wanted
            if nu_min is not None and enough and batch_size < wanted.batch_size:
                chosen = least
            amounts = divided(batch_size, chosen, number, nu_min is None)
            if number > 1 and nu_min is None:
                enough = nu < 1 and amounts[0] // 2 >= least.plan
            level, scale, own = wanted.ridge, wanted.scale, wanted.gamma
            spacing = 0.0 if number == 1 else wanted.accuracy / (2 * math.sqrt(known.dim))
        designs = np.stack([weights for weights, _ in found])
        return cls(known, batch_size, block, data, designs, leverage, level, scale,
                   own if gamma is None else gamma, spacing, amounts,
                   first_states(known, initial), enough and gamma is None)

    def rounded(self, direction: np.ndarray) -> np.ndarray:
        """A point of the grid, towards 0."""
        return np.trunc(direction / self.spacing) * self.spacing if self.spacing else direction

    def parts(self, k: int) -> list[int]:
        """Sizes of the parts of deployment k: for each planning to come, one part per layer; then first states."""
        known, blocks = self.known, exchange.blocks(self.known.horizon, self.block)
        later = len(blocks) - 1 - k
        factors = exchange.domination(known.dim, self.leverage, known.horizon, self.block)
        ranges = tuple(float(known.horizon - 1 - h) for h in range(known.horizon))
        by_cover = exchange.costs(known.dim, factors, (1.0,) * known.horizon, 1.0, self.block)[k][1]
        by_plan = exchange.costs(known.dim, factors, ranges, 1.0, self.block)[k][1]
        sizes = [part for _ in range(later) for part in portions(self.amounts[1], by_cover)]
        starts = [self.amounts[2]] * later if k == 0 else []
        return sizes + portions(self.batch_size - sum(sizes) - sum(starts), by_plan) + starts


def divided(batch_size: int, wanted: exchange.Shares, number: int, even: bool) -> tuple[int, int, int]:
    """N in proportion to what the theorem wants; half for the plan where no nu says how much covers need."""
    if number == 1:
        return batch_size, 0, 0
    if not even and batch_size >= wanted.batch_size:
        return batch_size, wanted.cover, wanted.start
    rest = wanted.cover + wanted.start
    share = 1 / 2 if even else min(wanted.plan / wanted.batch_size, 1.0)
    each = batch_size * (1 - share) / (number - 1)
    return batch_size, int(each * (wanted.cover / rest)), max(1, int(each * (wanted.start / rest)))


def portions(size: int, shares: Sequence[float]) -> list[int]:
    """A part of the trajectories by layers, rounded up; one for each is set aside for that."""
    if size < len(shares):
        raise InvalidParameter(f"batch_size is too small to be divided: {size} trajectories for {len(shares)} layers; "
                               "take more, or data='pooled'")
    sizes = [max(1, math.ceil((size - len(shares)) * share)) for share in shares]
    sizes[int(np.argmax(shares))] += size - sum(sizes)
    return sizes


@dataclass(frozen=True, eq=False, repr=False)
class BlockModel(Collected):
    """What the counts of the first layers say of the dynamics.

    Attributes
    ----------
    known : KnownPart
    ridge : float
        lambda; Sigma_h = lambda I + sum phi phi^T.
    layers : tuple of Design
        Regressions on phi/sqrt(lambda) of the layers 0, 1, ...: predictions are the same.
    """

    known: KnownPart
    ridge: float
    layers: tuple[Design, ...]

    @classmethod
    def of(cls, known: KnownPart, counts: Sequence[np.ndarray], ridge: float,
           fitted: tuple[Design, ...] = ()) -> BlockModel:
        """Fit the layers to their counts, each (S, A, S), after those that are fitted already."""
        phi = known.phi[: len(counts)] / np.sqrt(ridge)
        return cls(known, ridge, fitted + tuple(fit(phi[h], counts[h]) for h in range(len(fitted), len(counts))))

    def predicted(self, layer: int, values: np.ndarray) -> np.ndarray:
        """phi' w^ for every state and action: values (S,) -> (S, A), (S, m) -> (S, A, m)."""
        return self._scaled[layer] @ (self.layers[layer].operator @ values)

    @cached_property
    def _scaled(self) -> np.ndarray:
        return self.known.phi[: len(self.layers)] / np.sqrt(self.ridge)

    def plan_rewards(self, rewards: np.ndarray) -> np.ndarray:
        """The greedy policy (H, S) for rewards (H, S, A), values kept in [0, what is left]."""
        known, policy, values = self.known, [], np.zeros(self.known.n_states)
        for h in reversed(range(known.horizon)):
            q = rewards[h] + (self.predicted(h, values) if h < known.horizon - 1 else 0.0)
            actions, values = self._best(np.clip(q, 0.0, known.horizon - h), h)
            policy.append(actions)
        return np.stack(policy[::-1])

    def towards(self, theta: np.ndarray, layer: int) -> np.ndarray:
        """The policy (layer + 1, S) that is believed to make theta' E[phi] of a layer largest, |theta| <= 1."""
        actions, values = self._best(self.known.phi[layer] @ theta, layer)
        policy = [actions]
        for h in reversed(range(layer)):
            actions, values = self._best(in_unit(self.predicted(h, values)), h)
            policy.append(actions)
        return np.stack(policy[::-1])

    def mean_feature(self, policy: np.ndarray, layer: int, start: np.ndarray) -> np.ndarray:
        """E[phi] of a layer (d,) under a policy in the fitted model, projected to the unit ball."""
        values = self.known.phi[layer][self._states, policy[layer]]
        for h in reversed(range(layer)):
            values = in_unit(self.predicted(h, values)[self._states, policy[h]])
        mean = start @ values
        return mean / max(1.0, float(np.linalg.norm(mean)))

    def _best(self, q: np.ndarray, h: int) -> tuple[np.ndarray, np.ndarray]:
        """The greedy actions (S,) among those that exist in a layer, and their values."""
        if not self._all_available:
            q = np.where(self.known.available[h], q, -np.inf)
        actions = greedy(q)
        return actions, q[self._states, actions]

    @cached_property
    def _all_available(self) -> bool:
        return bool(self.known.available.all())

    @cached_property
    def _states(self) -> np.ndarray:
        return np.arange(self.known.n_states)


def in_unit(values: np.ndarray) -> np.ndarray:
    """Values cut to [-1, 1]; `np.clip` takes three times as long for the few of a small instance."""
    return np.minimum(np.maximum(values, -1.0), 1.0)
