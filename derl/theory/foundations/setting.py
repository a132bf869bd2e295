"""The four numbers that every theorem of the paper starts from, validated once."""

from __future__ import annotations

import math
from dataclasses import dataclass

from derl.inputs import Invalid, real, whole

# far beyond any instance, far from where floats overflow
LARGEST = 10**12  # dimension, horizon, c_K
LEAST, MOST = 1e-100, 1e100  # accuracy, failure probability, absolute constants


class InvalidConstant(Invalid):
    """A parameter of a formula is outside its range; the message says which and what is allowed."""


@dataclass(frozen=True)
class Setting:
    """Dimension, horizon, accuracy and failure probability, in the order of every signature.

    Attributes
    ----------
    d, horizon : int, 1 to 10^12
    epsilon : float, > 0
        1e-100 to 1e100.
    delta : float, in (0, 1)
        At least 1e-100.

    Raises
    ------
    InvalidConstant
    """

    d: int
    horizon: int
    epsilon: float
    delta: float

    def __post_init__(self):
        for name in ("d", "horizon"):
            object.__setattr__(self, name, whole(getattr(self, name), name, 1, LARGEST, InvalidConstant))
        object.__setattr__(self, "epsilon", real(self.epsilon, "epsilon", LEAST, MOST, error=InvalidConstant))
        object.__setattr__(self, "delta", real(self.delta, "delta", LEAST, below=1, error=InvalidConstant))


def trade_off(c_K: float) -> float:
    """c_K > 1: K = c_K d H + 1 deployments. The paper requires c_K >= 2; any c_K > 1 is enough.

    Raises
    ------
    InvalidConstant
    """
    return real(c_K, "c_K", above=1, high=LARGEST, error=InvalidConstant)


def log_of(batch_size: float, name: str = "batch_size") -> float:
    """log N of a batch size N >= 1, whole or not, of any size.

    Raises
    ------
    InvalidConstant
    """
    if isinstance(batch_size, int) and not isinstance(batch_size, bool):  # also beyond the range of float64
        return math.log(whole(batch_size, name, 1, error=InvalidConstant))
    return math.log(real(batch_size, name, low=1, error=InvalidConstant))
