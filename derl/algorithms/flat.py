r"""Algorithm 1 with one threshold for all layers, and batched LSVI-UCB without layers.

The count of violations of all layers together allows the same threshold in every layer: Delta_k < s epsilon finishes
layer h_k, for a share s of epsilon fixed beforehand. Without layers (`direct_exploration`) every deployment plans for
the whole horizon, and the first one with Delta_k < s epsilon is the last. It needs up to H - 1 deployments less, but
no policy is known to be good for a shorter horizon before the end.

Source: lines 327 and 1053 for the algorithm without layers; the threshold is a result of this book.
"""

from __future__ import annotations

import numpy as np
from threadpoolctl import threadpool_limits

from derl.algorithms.layerwise import explore, plan_truncated
from derl.algorithms.outcome import InvalidParameter, Outcome, Record, require_accuracy, require_positive
from derl.deployment.protocol import Deployer
from derl.estimation.design import fit
from derl.theory.constants_sharp import C_BETA, bonus_scale_sharp


def flat_exploration(deployer: Deployer, epsilon: float, delta: float, share: float = 0.5, tail: int | str = 0,
                     beta: float | None = None) -> Outcome:
    """Explore layer by layer; a layer is finished when Delta_k < share * epsilon.

    Parameters
    ----------
    deployer : Deployer
        Its N and K as `derl.theory.constants_sharp.budget` gives them.
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
    beta, known = _checked(deployer, epsilon, delta, share, beta), deployer.known
    return explore(deployer, lambda layer, norms: known.rewards[layer], lambda layer: share * epsilon, beta, "repaired",
                   tail)


@threadpool_limits.wrap(limits=1)  # many small matrices: threads cost ten times what they bring
def direct_exploration(deployer: Deployer, epsilon: float, delta: float, share: float = 0.5,
                       beta: float | None = None) -> Outcome:
    """Explore all layers at once; the first deployment with Delta_k < share * epsilon is the last.

    Parameters and errors as in `flat_exploration`.
    """
    beta, known = _checked(deployer, epsilon, delta, share, beta), deployer.known
    horizon = known.horizon
    data = np.zeros((horizon, known.n_states, known.n_actions, known.n_states))
    trace = []
    for k in range(1, deployer.max_deployments + 1):
        designs = [fit(known.phi[h], data[h]) for h in range(horizon)]
        plan = plan_truncated(known, designs, lambda layer, norms: known.rewards[layer], beta, "repaired")
        policy = np.stack([step.policy for step in plan])
        batch = deployer.deploy(policy)
        visits, norms = batch.visits / deployer.batch_size, np.stack([step.norms for step in plan])
        trace.append(Record(
            deployment=k, layer=horizon, statistic=2 * beta * float((visits * norms).sum()), threshold=share * epsilon,
            mean_square_norms=tuple((visits * norms**2).sum(axis=(1, 2)).tolist()),
            log_dets=tuple(design.log_det for design in designs), policy=policy, exact=batch.exact))
        data += batch.counts
        if trace[-1].finished:
            break
    return Outcome(policy=policy, deployments=len(trace), trajectories=len(trace) * deployer.batch_size,
                   converged=trace[-1].finished, trace=tuple(trace), beta=beta, dataset=data)


def _checked(deployer, epsilon, delta, share, beta) -> float:
    require_accuracy(epsilon, delta)
    if isinstance(share, bool) or not isinstance(share, int | float) or not 0 < share < 1:
        raise InvalidParameter(f"share is {share!r}; it must be a number with 0 < share < 1")
    known = deployer.known
    if beta is None:
        beta = bonus_scale_sharp(known.dim, known.horizon, delta, deployer.max_deployments,
                                 float(np.log(deployer.batch_size)), c_beta=C_BETA)
    require_positive(beta, "beta")
    return beta
