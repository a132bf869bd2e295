r"""Algorithm 1: layer-by-layer batch exploration with deterministic policies and a known reward.

Deployment k explores the layers 1..h_k. It plans by optimistic value iteration in the MDP truncated at h_k, deploys
the greedy policy, and measures on the new batch

    Delta_k = (2 beta / N) sum_{n,h <= h_k} |phi(s_h^n, a_h^n)|_{(Lambda_h^k)^{-1}} .

If Delta_k < epsilon h_k / (2H), layer h_k is finished: the policy is near-optimal for the MDP truncated there.

Source: Algorithm 1 (`alg:DERL_Deterministic_Policy_Algorithm`).
"""

from __future__ import annotations

from derl.algorithms.exploration import Rule, explore
from derl.algorithms.gathering import KEEPS
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy
from derl.boundary import choice, real
from derl.deployment.protocol import Deployer, known_part
from derl.estimation.backup import BACKUP_VERSIONS
from derl.theory.constants import bonus_scale


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
    return explore(deployer, Rule(
        rewards=lambda layer, norms: known.rewards[layer],
        threshold=lambda layer: epsilon * layer / (2 * known.horizon),
        beta=real(beta, "beta", above=0, error=InvalidParameter), version=version, tail=tail, keep=keep))
