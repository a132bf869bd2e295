"""How many trajectories one deployment needs: the printed conditions, evaluated."""

from __future__ import annotations

import math

from derl.inputs import Invalid, real, whole
from derl.theory.texts import said

SPLIT = "is added"  # before the condition of `res-one-deployment-mean`
SMALLER = "the smaller one of"  # before both numbers of its lower half
VERSIONS = ("mean", "selected", "bounded")


class InvalidOneDeployment(Invalid):
    """A parameter of one deployment is outside its range."""


def plans(delta: float) -> int:
    """k of `res-one-deployment-probability`: how many plans are made, one of which is chosen."""
    return int(said("res-one-deployment-probability")("k=", delta=delta))


def shares(horizon: int, leverage: float) -> list[float]:
    """a_h of `res-one-deployment-mean` over their sum, for the layers before the last one."""
    found = [((horizon - h) ** 2 * leverage**h) ** (1 / 3) for h in range(1, horizon)]
    return [one / math.fsum(found) for one in found]


def batch_size(dim: int, horizon: int, epsilon: float, delta: float, leverage: float, version: str) -> int:
    """The least N that the theorem of a version allows.

    Parameters
    ----------
    dim, horizon : int, >= 1
    epsilon : float, > 0
    delta : float in (0, 1)
        Not used by "mean", below 1/2 for "selected".
    leverage : float, >= 1
        g, computed from the features.
    version : {"mean", "selected", "bounded"}
        `res-one-deployment-mean`, `res-one-deployment-probability`, `res-one-deployment-confidence`.

    Raises
    ------
    InvalidOneDeployment
    """
    dim, horizon = whole(dim, "dim", 1, error=InvalidOneDeployment), whole(horizon, "horizon", 1,
                                                                           error=InvalidOneDeployment)
    leverage = real(leverage, "leverage", low=1, error=InvalidOneDeployment)
    epsilon = real(epsilon, "epsilon", above=0, error=InvalidOneDeployment)
    delta = real(delta, "delta", above=0, below=1, error=InvalidOneDeployment)
    if horizon * math.log(leverage) > 600:
        raise InvalidOneDeployment(f"N would be above {leverage:.3g}^{horizon - 1}; it must be below 1e300")
    if horizon == 1:
        return 1
    at = {"d": dim, "H": horizon, "g": leverage, "epsilon": epsilon}
    if version == "mean":
        return max(1, math.ceil(said("res-one-deployment-mean")(r"N\ge", after=SPLIT, **at)))
    if version == "selected":
        if delta >= 0.5 or epsilon > 1:
            raise InvalidOneDeployment(f"epsilon is {epsilon} and delta {delta}; the choice among plans needs epsilon "
                                       "<= 1 and delta < 1/2")
        return plans(delta) * int(said("res-one-deployment-probability")("n=", **at | {"g": max(leverage, 2.0)}))
    text = said("res-one-deployment-confidence")
    levels = {f"t_{h}": text("t_h=", H=horizon, h=h, delta=delta) for h in range(1, horizon)}
    roots = (_summand(dim, horizon, leverage, h, levels[f"t_{h}"]) for h in range(1, horizon))
    return max(1, math.ceil((math.fsum(roots) / epsilon) ** 2))


def necessary_loss(dim: int, horizon: int, batch_size: int) -> float:
    """What every algorithm loses in the mean on some odd-one-out lock; d, H >= 2.

    Source: `res-one-deployment-mean`.
    """
    text = said("res-one-deployment-mean")
    return float(min(text("", after=SMALLER), text("", after=SMALLER, skip=1, d=dim, H=horizon, N=batch_size)))


def _summand(dim: int, horizon: int, leverage: float, h: int, level: float) -> float:
    """The summand of layer h in the condition of `res-one-deployment-confidence`."""
    constant = said("res-bounded-regression")(r"x^\top\Lambda x\le", R=2, d=dim, t=level, n=1)
    return (horizon - h) * math.sqrt(leverage**h * constant)
