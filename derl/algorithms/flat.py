r"""Algorithm 1 with one threshold for all layers, and batched LSVI-UCB without layers.

The count of violations of all layers together allows the same threshold in every layer: Delta_k < s epsilon finishes
layer h_k, for a share s of epsilon fixed beforehand. Without layers (`direct_exploration`) every deployment plans for
the whole horizon, and the first one with Delta_k < s epsilon is the last. It needs up to H - 1 deployments less, but
no policy is known to be good for a shorter horizon before the end.

Source: lines 327 and 1053 for the algorithm without layers; the threshold is a result of this book.
"""

from __future__ import annotations

from derl.algorithms.exploration import Rule, explore
from derl.algorithms.outcome import InvalidParameter, Outcome, accuracy
from derl.boundary import real
from derl.deployment.protocol import Deployer, known_part
from derl.theory.constants import bonus_scale_with_batch


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
    return explore(deployer, _rule(deployer, epsilon, delta, share, beta, tail=tail))


def direct_exploration(deployer: Deployer, epsilon: float, delta: float, share: float = 0.5,
                       beta: float | None = None) -> Outcome:
    """Explore all layers at once; the first deployment with Delta_k < share * epsilon is the last.

    Parameters and errors as in `flat_exploration`.
    """
    return explore(deployer, _rule(deployer, epsilon, delta, share, beta, first=known_part(deployer).horizon))


def _rule(deployer: Deployer, epsilon: float, delta: float, share: float, beta: float | None, **where) -> Rule:
    epsilon, delta = accuracy(epsilon, delta)
    share = real(share, "share", above=0, below=1, error=InvalidParameter)
    known = known_part(deployer)
    if beta is None:
        beta = bonus_scale_with_batch(known.dim, known.horizon, delta, deployer.max_deployments, deployer.batch_size)
    return Rule(rewards=lambda layer, norms: known.rewards[layer], threshold=lambda layer: share * epsilon,
                beta=real(beta, "beta", above=0, error=InvalidParameter), **where)
