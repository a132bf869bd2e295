r"""Algorithm 7: mix a pessimistic and an optimistic policy, so that exploring costs little in every deployment.

    for k = 1, ..., K:
        pi_pess <- pessimistic value iteration on D_1, ..., D_{k-1}
        pi_opt  <- what an exploring algorithm would deploy, given D_1, ..., D_{k-1}
        deploy the mixture: each trajectory follows pi_pess with probability 1 - alpha and pi_opt with probability alpha

The printed algorithm cannot be run literally. Read in every version as follows:

    D = {D_1, ..., D_k} contains the batch that is still to be collected  -> D_1, ..., D_{k-1};
    for k = 1 there are no data                -> the pessimist takes the first action everywhere, or plans on
                                                  `logged` data of earlier service;
    no policy is returned -> the optimist's policy once the optimist has finished by its own
                                                  rule, else a pessimistic plan on all data;
    the loop has no stopping rule              -> it ends when the optimist has finished, or after K deployments;
    how the optimist reads a batch of which only a part is its own        -> see below.

**The optimist is a black box**, as in the paper: any exploring algorithm of this module. It is given a deployer
that looks like the real one; whenever it deploys a policy, that policy is mixed with the pessimistic one, and it gets
the whole batch. More data never hurt a regression. What must be right is its stopping rule. Algorithm 1 stops on

    Delta_k = (2 beta / N) sum_{n, h <= h_k} |phi_h^n|_{Lambda^{-1}}   over the trajectories of its own policy.

Counts do not tell whose trajectory is whose; but each term is nonnegative and N trajectories are drawn from the
mixture, so the expected mean over all of them is at least alpha times the expected mean over the optimist's. Hence the
threshold is multiplied by alpha:

    (2 beta / N) sum over all N trajectories  <  alpha epsilon h_k / (2H).

Passing it bounds the uncertainty along the optimist's own policy as in Algorithm 1. Algorithm 2 stops by estimated
covariances, not by the batch, and is used as it is; it needs alpha N instead of N.

Source: Algorithm 7 (`alg:Mixture_Policy_Strategy`), constraint (35).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from derl.algorithms.arbitrary import arbitrary_policy_exploration
from derl.algorithms.baselines.pevi import Pessimistic, pessimistic_value_iteration
from derl.algorithms.dataset import Regressions
from derl.algorithms.layerwise import ExplorationRule, explore
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy
from derl.deployment.counts import Batch
from derl.deployment.protocol import Deployer, KnownPart, known_part
from derl.inputs import choice, display, real
from derl.mdp.policies import Mixture, Policy
from derl.theory.constants import bonus_scale

OPTIMISTS = ("layerwise", "arbitrary")
Optimist = Callable[[Any], Outcome]


@dataclass(frozen=True, eq=False, repr=False)
class MixtureRecord(display.Fields):
    """One deployment of the mixture.

    Attributes
    ----------
    deployment : int
        k, from 1.
    policy : Mixture
        What was deployed: the pessimistic policy first, then the optimist's (one policy, or several).
    pessimistic : (H, S) int
    optimistic : policy
        What the optimist wanted to deploy.
    lower : (S,)
        The value that the pessimist promises for its policy, by first state.
    optimistic_trajectories : int
        How many of the N trajectories followed the optimist.
    exact : bool
        Whether the batch was drawn exactly.
    exploration : record or None
        The optimist's own record of this deployment; Algorithm 1's statistic and threshold, for instance.
    """

    deployment: int
    policy: Mixture
    pessimistic: np.ndarray
    optimistic: Policy
    lower: np.ndarray
    optimistic_trajectories: int
    exact: bool
    exploration: Any = None


class MixingDeployer:
    """Looks like a `Deployer` to the optimist; what it deploys is the mixture.

    Parameters
    ----------
    deployer : Deployer
        Of the class "any".
    alpha : float, in (0, 1]
    plan : callable
        Counts (H, S, A, S) so far -> `Pessimistic`.
    logged : (H, S, A, S)
        Counts that the pessimist has before the first deployment. The optimist does not see them.
    """

    def __init__(self, deployer: Deployer, alpha: float, plan: Callable[[np.ndarray], Pessimistic], logged: np.ndarray):
        self._deployer, self._alpha, self._plan = deployer, alpha, plan
        self.counts = np.array(logged, dtype=np.float64)
        self.records: list[MixtureRecord] = []

    def deploy(self, policy: Policy) -> Batch:
        """Deploy (1 - alpha) pessimistic + alpha policy, and hand the whole batch to the optimist."""
        plan = self._plan(self.counts)
        mixture = mixed(plan.policy, policy, self._alpha)
        batch = self._deployer.deploy(mixture)
        self.counts += batch.counts
        self.records.append(MixtureRecord(
            deployment=len(self.records) + 1, policy=mixture, pessimistic=plan.policy, optimistic=policy,
            lower=plan.values[0], optimistic_trajectories=int(batch.members[1:].sum()), exact=batch.exact))
        return batch

    @property
    def known(self) -> KnownPart:
        """What an algorithm may know beforehand."""
        return self._deployer.known

    @property
    def batch_size(self) -> int:
        """N: all trajectories of a batch, the pessimist's among them."""
        return self._deployer.batch_size

    @property
    def max_deployments(self) -> int:
        """K."""
        return self._deployer.max_deployments

    @property
    def policy_class(self) -> str:
        """Which policies may be deployed."""
        return self._deployer.policy_class


def mixed(pessimistic: np.ndarray, optimistic: Policy, alpha: float) -> Mixture:
    """(1 - alpha) pessimistic + alpha optimistic, by whole trajectories; an optimist that is a mixture is unfolded."""
    if isinstance(optimistic, Mixture):
        return Mixture((pessimistic, *optimistic.policies), np.array([1 - alpha, *(alpha * optimistic.weights)]))
    return Mixture((pessimistic, optimistic), np.array([1 - alpha, alpha]))


def safe_mixture(deployer: Deployer, epsilon: float, delta: float, alpha: float,
                 optimistic: str | Optimist = "layerwise", c_beta: float = 1.0, beta: float | None = None,
                 tail: int | str = 0, logged: np.ndarray | None = None) -> Outcome:
    """Explore with a fraction alpha of every batch and serve the rest with a policy that the data support.

    Parameters
    ----------
    deployer : Deployer
        Of the class "any"; K is the largest number of deployments.
    epsilon, delta : float
        Accuracy > 0 and failure probability in (0, 1).
    alpha : float, in (0, 1]
        Fraction of the trajectories that explore. alpha <= epsilon/(2H) keeps the loss by exploring below epsilon/2;
        1 is the optimist alone.
    optimistic : {"layerwise", "arbitrary"} or callable
        Algorithm 1; Algorithm 2 in its version "self-certifying"; or any function deployer -> Outcome that uses only
        `known`, `batch_size`, `max_deployments`, `policy_class` and `deploy` of its deployer.
    c_beta : float, > 0
        Absolute constant in beta = c_beta d H sqrt(log(dH / (delta epsilon))), for the pessimist and for Algorithm 1.
        Algorithm 2 multiplies its own scales by it.
    beta : float or None
        The scale itself, in place of the formula.
    tail : int or "uniform"
        Action of Algorithm 1 beyond h_k.
    logged : (H, S, A, S) or None
        Counts of earlier service for the pessimist.

    Returns
    -------
    Outcome
        `trace`: one `MixtureRecord` per deployment. `dataset.counts`: all counts, the logged ones included.
        `converged`: whether the optimist finished; `policy` is then the optimist's and a pessimistic plan on all data
        otherwise.

    Raises
    ------
    InvalidParameter
        A parameter outside its range, or a deployer that allows deterministic policies only.

    Source: Algorithm 7.

    Examples
    --------
    >>> from derl import Deployer, algorithms, instances
    >>> mdp = instances.random_simplex(n_states=6, n_actions=2, dim=3, horizon=2, seed=0)
    >>> deployer = Deployer(mdp, 10**12, 13, "any", seed=0)
    >>> found = algorithms.safe_mixture(deployer, 0.2, 0.1, alpha=0.1)
    >>> found.converged, found.deployments <= 13
    (True, True)
    """
    epsilon, delta = accuracy(epsilon, delta)
    alpha = real(alpha, "alpha", above=0, high=1, error=InvalidParameter)
    c_beta = real(c_beta, "c_beta", above=0, error=InvalidParameter)
    known = known_part(deployer)
    if deployer.policy_class != "any":
        raise InvalidParameter(f"the deployer is of the class {deployer.policy_class!r}; a mixture needs 'any'")
    beta = bonus_scale(known.dim, known.horizon, epsilon, delta, c_beta) if beta is None else beta
    beta = real(beta, "beta", above=0, error=InvalidParameter)
    shape = (known.horizon, known.n_states, known.n_actions, known.n_states)
    logged = np.zeros(shape) if logged is None else logged
    if np.shape(logged) != shape:
        raise InvalidParameter(f"logged has shape {np.shape(logged)}; it must be {shape}")

    def plan(counts):
        return pessimistic_value_iteration(known.phi, known.rewards, counts, beta, known.available)

    mixing = MixingDeployer(deployer, float(alpha), plan, logged)
    optimist = _optimist(optimistic, epsilon, delta, float(alpha), beta, tail, c_beta)
    found = optimist(mixing)
    trace = [replace(record, exploration=own) for record, own in zip(mixing.records, found.trace, strict=True)]
    policy = found.policy if found.converged else plan(mixing.counts).policy
    return Outcome(policy=policy, deployments=len(trace), trajectories=len(trace) * deployer.batch_size,
                   converged=found.converged, trace=tuple(trace), beta=beta, dataset=Regressions(known, mixing.counts))


def _optimist(optimistic: str | Optimist, epsilon: float, delta: float, alpha: float, beta: float, tail: int | str,
              c_beta: float) -> Optimist:
    if callable(optimistic) and not isinstance(optimistic, type):
        return optimistic
    if choice(optimistic, "optimistic", OPTIMISTS, InvalidParameter) == "arbitrary":
        return lambda mixing: arbitrary_policy_exploration(mixing, epsilon, delta, version="self-certifying",
                                                           c_beta=c_beta)

    def algorithm_1(mixing: MixingDeployer) -> Outcome:
        known = mixing.known
        return explore(mixing, ExplorationRule(rewards=lambda layer, norms: known.rewards[layer],
                                    threshold=lambda layer: alpha * epsilon * layer / (2 * known.horizon),
                                    beta=beta, tail=tail))

    return algorithm_1
