r"""Block exploration: L layers per deployment, so ceil(H/L) deployments, at about d^L times the samples.

    in every state take a G-optimal design over the actions: it dominates every action, P(.|s,a) <= g P(.|s, design)
    for each block of L layers:
        cover the block: policies that span the mean features of the layer before it       (none before the first block)
        deploy: one of these policies at random up to the block, designs from there on
        keep the trajectories in parts, one for each later cover and one for the plan; in each part one set per layer
    plan for the reward by value iteration on the last parts, without a bonus

With one block this needs no reachability at all, and nothing is estimated before the only deployment. A design acts in
every state separately, so that a random first state costs nothing there.

What the theorems ask for is `derl.theory.beyond.exchange.shares`. With data="pooled" every planning uses all
trajectories; that is how one would do it with few of them, and no theorem here covers it.

Source: a result of this book.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.algorithms.block_model import BlockModel
from derl.algorithms.block_setup import DATA, Setup
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy
from derl.algorithms.spanner import Spanner, robust_spanner
from derl.boundary import choice, whole
from derl.boundary.threads import one_thread
from derl.deployment.protocol import Deployer, KnownPart, known_part
from derl.estimation.design import Design
from derl.mdp.policies import Mixture, as_probabilities
from derl.theory.beyond import exchange


@dataclass(frozen=True, eq=False)
class BlockRecord:
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
        Of the class "any", with K >= ceil(H/block). The theorems' N is `exchange.batch_size`.
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
        `converged`: whether N is that of the theorem; without `nu_min`, whether it is for some nu <= 1.

    Raises
    ------
    InvalidParameter
    """
    epsilon, delta = accuracy(epsilon, delta)
    known = known_part(deployer)
    setup = Setup.of(known, deployer.batch_size, epsilon, delta, whole(block, "block", 1, error=InvalidParameter),
                     nu_min, choice(data, "data", DATA, InvalidParameter), gamma, initial)
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


def cover(setup: Setup, kept: Kept, planning: int, layer: int) -> Spanner:
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

    def model(self, setup: Setup, planning: int, layers: int) -> BlockModel:
        """Fitted to the first layers kept for a planning."""
        model = BlockModel.of(setup.known, self.counts[planning][:layers], setup.ridge, self.fitted)
        if setup.data == "pooled":  # later plannings have the same counts, and those of later layers
            self.fitted = model.layers
        return model

    def deploy(self, deployer: Deployer, policy, setup: Setup, k: int) -> bool:
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
