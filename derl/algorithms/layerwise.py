r"""Algorithm 1: layer-by-layer batch exploration with deterministic policies and a known reward.

Deployment k explores the layers 1..h_k. It plans by optimistic value iteration in the MDP truncated at h_k, deploys
the greedy policy, and measures on the new batch

    Delta_k = (2 beta / N) sum_{n,h <= h_k} |phi(s_h^n, a_h^n)|_{(Lambda_h^k)^{-1}} .

If Delta_k < epsilon h_k / (2H), layer h_k is finished: the policy is near-optimal for the MDP truncated there.

Source: Algorithm 1 (`alg:DERL_Deterministic_Policy_Algorithm`).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from threadpoolctl import threadpool_limits

from derl.algorithms.outcome import Outcome, Record, require_accuracy, require_choice, require_positive
from derl.deployment.protocol import Deployer
from derl.estimation.backup import BACKUP_VERSIONS, Backup, optimistic_backup
from derl.estimation.design import Design, fit
from derl.mdp import policies
from derl.theory.constants import bonus_scale

Rewards = Callable[[int, np.ndarray], np.ndarray]


def layerwise_exploration(deployer: Deployer, epsilon: float, delta: float, c_beta: float = 1.0,
                          version: str = "repaired", tail: int | str = 0, beta: float | None = None) -> Outcome:
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

    Returns
    -------
    Outcome
        `converged` is False when K deployments did not suffice.

    Raises
    ------
    InvalidParameter
        epsilon <= 0, delta outside (0, 1), c_beta <= 0, an unknown version.
    """
    require_accuracy(epsilon, delta)
    require_choice(version, BACKUP_VERSIONS, "version")
    known = deployer.known
    if beta is None:
        beta = bonus_scale(known.dim, known.horizon, epsilon, delta, c_beta)
    require_positive(beta, "beta")
    return explore(deployer, lambda layer, norms: known.rewards[layer],
                   lambda layer: epsilon * layer / (2 * known.horizon), beta, version, tail)


@threadpool_limits.wrap(limits=1)  # many small matrices: threads cost ten times what they bring
def explore(deployer: Deployer, rewards: Rewards, threshold: Callable[[int], float], beta: float, version: str,
            tail: int | str, on_finish: Callable[[int, np.ndarray], None] | None = None) -> Outcome:
    """The loop that Algorithms 1 and 3 share; they differ in the reward and in the threshold.

    Parameters
    ----------
    rewards : callable
        (layer index from 0, elliptical norms (S, A)) -> rewards (S, A).
    threshold : callable
        Layer h from 1 -> what Delta_k must fall below.
    on_finish : callable or None
        Called with (k, counts (H, S, A, S) of the deployments 1..k) when deployment k has finished a layer.
    """
    known = deployer.known
    horizon, n_deployments = known.horizon, deployer.max_deployments
    data = np.zeros((horizon, known.n_states, known.n_actions, known.n_states))
    layer, trace, policy = 1, [], None
    for k in range(1, n_deployments + 1):
        designs = [fit(known.phi[h], data[h]) for h in range(layer)]
        plan = plan_truncated(known, designs, rewards, beta, version)
        policy = policies.compose(known, np.stack([step.policy for step in plan]), layer, tail)
        batch = deployer.deploy(policy)
        visits = batch.visits[:layer] / deployer.batch_size
        norms = np.stack([step.norms for step in plan])
        trace.append(Record(
            deployment=k, layer=layer, statistic=2 * beta * float((visits * norms).sum()), threshold=threshold(layer),
            mean_square_norms=tuple((visits * norms**2).sum(axis=(1, 2)).tolist()),
            log_dets=tuple(design.log_det for design in designs), policy=policy, exact=batch.exact))
        data += batch.counts
        if trace[-1].finished:
            if on_finish:
                on_finish(k, data)
            if layer == horizon:
                break
            layer += 1
    converged = bool(trace) and trace[-1].finished and trace[-1].layer == horizon
    return Outcome(policy=policy, deployments=len(trace), trajectories=len(trace) * deployer.batch_size,
                   converged=converged, trace=tuple(trace), beta=beta, dataset=data)


def plan_truncated(known, designs: list[Design], rewards: Rewards, beta: float, version: str) -> list[Backup]:
    """Optimistic value iteration in the MDP truncated at layer `len(designs)`, first layer first."""
    values = np.zeros(known.n_states)
    plan: list[Backup] = []
    for h in reversed(range(len(designs))):
        norms = designs[h].norms(known.phi[h])
        available = None if known.available is None else known.available[h]
        step = optimistic_backup(known.phi[h], rewards(h, norms), values, designs[h], beta, known.horizon, available,
                                 version, norms)
        values = step.values
        plan.append(step)
    return plan[::-1]
