r"""Batched optimistic exploration: the loop that Algorithms 1 and 3 and their relatives share.

    for k = 1, 2, ..., K:
        plan optimistically in the MDP truncated at h_k          (ridge regression on all batches so far)
        deploy the greedy policy, N trajectories
        Delta_k < threshold(h_k) finishes layer h_k              (twice the mean bonus of the batch)

They differ in the reward, in the threshold, and in the layer that they begin with: H for those that explore all layers
at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from derl.algorithms.dataset import Regressions
from derl.algorithms.gathering import gathering
from derl.algorithms.outcome import Outcome, Record
from derl.boundary.threads import one_thread
from derl.deployment.protocol import Deployer, KnownPart, known_part
from derl.estimation.backup import Backup, optimistic_backup
from derl.estimation.bonus import mean_bonus
from derl.estimation.design import Design
from derl.mdp import policies

Rewards = Callable[[int, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Rule:
    """How an algorithm explores.

    Attributes
    ----------
    rewards : callable
        (layer index from 0, elliptical norms (S, A)) -> rewards (S, A).
    threshold : callable
        Layer h from 1 -> what Delta_k must fall below.
    beta : float, > 0
    version : {"repaired", "as-printed", "clipped"}
        How Q is capped; see `derl.estimation.backup`.
    tail : int or "uniform"
        Action of every layer beyond h_k.
    first : int
        h_1, the layer that the first deployment explores.
    keep : {"transitions", "sums"}
        What is kept of the deployments; see `derl.algorithms.gathering`.
    """

    rewards: Rewards
    threshold: Callable[[int], float]
    beta: float
    version: str = "repaired"
    tail: int | str = 0
    first: int = 1
    keep: str = "transitions"


@one_thread
def explore(deployer: Deployer, rule: Rule, on_finish: Callable[[int, np.ndarray], None] | None = None) -> Outcome:
    """Run the loop.

    Parameters
    ----------
    on_finish : callable or None
        Called with (k, what is kept of the deployments 1..k) when deployment k has finished a layer.
    """
    known = known_part(deployer)
    gathered = gathering(rule.keep, known)
    layer, trace, policy = rule.first, [], None
    for k in range(1, deployer.max_deployments + 1):
        designs = gathered.designs(layer)
        plan = plan_truncated(known, designs, rule.rewards, rule.beta, rule.version)
        policy = policies.compose(known, np.stack([step.policy for step in plan]), layer, rule.tail)
        batch = gathered.deploy(deployer, policy)
        visits, norms = batch.visits[:layer] / deployer.batch_size, np.stack([step.norms for step in plan])
        trace.append(Record(
            deployment=k, layer=layer, statistic=mean_bonus(visits, norms, rule.beta), threshold=rule.threshold(layer),
            mean_square_norms=tuple((visits * norms**2).sum(axis=(1, 2)).tolist()),
            log_dets=tuple(design.log_det for design in designs), policy=policy, exact=batch.exact))
        if trace[-1].finished:
            if on_finish:
                on_finish(k, gathered.data)
            if layer == known.horizon:
                break
            layer += 1
    return Outcome(policy=policy, deployments=len(trace), trajectories=len(trace) * deployer.batch_size,
                   converged=trace[-1].finished and trace[-1].layer == known.horizon, trace=tuple(trace),
                   beta=rule.beta, dataset=Regressions(known, gathered.data))


def plan_truncated(known: KnownPart, designs: list[Design], rewards: Rewards, beta: float,
                   version: str) -> list[Backup]:
    """Optimistic value iteration in the MDP truncated at layer `len(designs)`, first layer first."""
    values = np.zeros(known.n_states)
    plan: list[Backup] = []
    for h in reversed(range(len(designs))):
        norms = designs[h].norms(known.phi[h])
        step = optimistic_backup(known.phi[h], rewards(h, norms), values, designs[h], beta, known.horizon,
                                 known.available[h], version, norms)
        values = step.values
        plan.append(step)
    return plan[::-1]
