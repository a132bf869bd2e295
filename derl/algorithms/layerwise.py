r"""Algorithm 1: layer-by-layer batch exploration with deterministic policies, and the loop that its relatives share.

    for k = 1, 2, ..., K:                                                                      (explore)
        plan optimistically in the MDP truncated at h_k, ridge regression on all batches so far  (plan_truncated)
        deploy the greedy policy, N trajectories
        Delta_k = (2 beta / N) sum_{n,h <= h_k} |phi(s_h^n, a_h^n)|_{(Lambda_h^k)^{-1}}
        Delta_k < threshold(h_k) finishes layer h_k: the policy is near-optimal for the MDP truncated there

Algorithm 1 has the reward of the instance and the threshold epsilon h_k / (2H). Its relatives differ in the reward
(Algorithm 3, `derl.algorithms.reward_free`), in the threshold, and in the layer that they begin with: H for those that
explore all layers at once.

**One threshold for all layers** (`flat_exploration`). The count of violations of all layers together allows the same
threshold in every layer: Delta_k < s epsilon, for a share s of epsilon fixed beforehand. Without layers
(`direct_exploration`, batched LSVI-UCB) every deployment plans for the whole horizon, and the first one with
Delta_k < s epsilon is the last. It needs up to H - 1 deployments less, but no policy is known to be good for a shorter
horizon before the end.

Source: Algorithm 1 (`alg:DERL_Deterministic_Policy_Algorithm`); lines 327 and 1053 for the algorithm without layers;
the one threshold is a result of this book.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from derl.algorithms.dataset import Regressions
from derl.algorithms.gathering import KEEPS, gathering
from derl.algorithms.outcome import InvalidParameter, Outcome, Record, accuracy
from derl.deployment.protocol import Deployer, KnownPart, known_part
from derl.estimation.backup import BACKUP_VERSIONS, Backup, optimistic_backup
from derl.estimation.bonus import mean_bonus
from derl.estimation.design import Design
from derl.inputs import choice, real
from derl.inputs.threads import one_thread
from derl.mdp import policies
from derl.theory.constants import bonus_scale, bonus_scale_with_batch

Rewards = Callable[[int, np.ndarray], np.ndarray]


@dataclass(frozen=True)
class ExplorationRule:
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


def layerwise_exploration(deployer: Deployer, epsilon: float, delta: float, c_beta: float = 1.0,
                          version: str = "repaired", tail: int | str = 0, beta: float | None = None,
                          keep: str = "transitions") -> Outcome:
    """Explore layer by layer and return an epsilon-optimal policy.

    Parameters
    ----------
    deployer : Deployer
        Draws the batches; its N and K are those of the theorem.
    epsilon, delta : float
        Accuracy > 0 and failure probability in (0, 1).
    c_beta : float, > 0
        Absolute constant in beta = c_beta d H sqrt(log(dH / (delta epsilon))).
    version : {"repaired", "as-printed", "clipped"}
        How Q is capped; see `derl.estimation.backup`.
    tail : int or "uniform"
        Action of every layer beyond h_k. "uniform" is what the paper prints; it needs the policy class "any".
    beta : float or None
        The scale of the bonus itself, in place of the formula.
    keep : {"transitions", "sums"}
        "sums" draws and keeps visits and moments in place of all transitions (`derl.deployment.sums`): for many
        states. The law is the same, the draws are others; `dataset.counts` is a `Sums` then.

    Returns
    -------
    Outcome
        `converged` is False when K deployments did not suffice.

    Raises
    ------
    InvalidParameter
        epsilon <= 0, delta outside (0, 1), c_beta <= 0, an unknown version or keep.

    Examples
    --------
    >>> from derl import Deployer, algorithms, instances, planning
    >>> mdp = instances.optimism_trap()
    >>> for version in ("as-printed", "repaired"):
    ...     deployer = Deployer(mdp, batch_size=10**12, max_deployments=141, seed=0)
    ...     found = algorithms.layerwise_exploration(deployer, 0.2, 0.1, version=version)
    ...     print(version, found.deployments, round(planning.gap(mdp, found.policy), 6))
    ...
    as-printed 12 0.24
    repaired 13 0.0
    """
    epsilon, delta = accuracy(epsilon, delta)
    choice(version, "version", BACKUP_VERSIONS, InvalidParameter)
    choice(keep, "keep", KEEPS, InvalidParameter)
    known = known_part(deployer)
    c_beta = real(c_beta, "c_beta", above=0, error=InvalidParameter)
    beta = bonus_scale(known.dim, known.horizon, epsilon, delta, c_beta) if beta is None else beta
    return explore(deployer, ExplorationRule(
        rewards=lambda layer, norms: known.rewards[layer],
        threshold=lambda layer: epsilon * layer / (2 * known.horizon),
        beta=real(beta, "beta", above=0, error=InvalidParameter), version=version, tail=tail, keep=keep))


def flat_exploration(deployer: Deployer, epsilon: float, delta: float, share: float = 0.5, tail: int | str = 0,
                     beta: float | None = None) -> Outcome:
    """Explore layer by layer; a layer is finished when Delta_k < share * epsilon.

    Parameters
    ----------
    deployer : Deployer
        Its N and K as `derl.theory.layerwise.samples.budget` gives them.
    epsilon, delta : float
        Accuracy > 0 and failure probability in (0, 1).
    share : float, in (0, 1)
    tail : int or "uniform"
        Action of the layers beyond h_k.
    beta : float or None
        Scale of the bonus; by default (3/2) d H sqrt(log(2dKNH/delta)).

    Raises
    ------
    InvalidParameter
    """
    return explore(deployer, _flat_rule(deployer, epsilon, delta, share, beta, tail=tail))


def direct_exploration(deployer: Deployer, epsilon: float, delta: float, share: float = 0.5,
                       beta: float | None = None) -> Outcome:
    """Explore all layers at once; the first deployment with Delta_k < share * epsilon is the last.

    Parameters and errors as in `flat_exploration`.
    """
    return explore(deployer, _flat_rule(deployer, epsilon, delta, share, beta, first=known_part(deployer).horizon))


def _flat_rule(deployer: Deployer, epsilon: float, delta: float, share: float, beta: float | None, **where
               ) -> ExplorationRule:
    epsilon, delta = accuracy(epsilon, delta)
    share = real(share, "share", above=0, below=1, error=InvalidParameter)
    known = known_part(deployer)
    if beta is None:
        beta = bonus_scale_with_batch(known.dim, known.horizon, delta, deployer.max_deployments, deployer.batch_size)
    return ExplorationRule(
        rewards=lambda layer, norms: known.rewards[layer], threshold=lambda layer: share * epsilon,
        beta=real(beta, "beta", above=0, error=InvalidParameter), **where)


@one_thread
def explore(deployer: Deployer, rule: ExplorationRule,
            on_finish: Callable[[int, np.ndarray], None] | None = None) -> Outcome:
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
