"""Constants that contain themselves: the least solution of x >= step(x), and whole numbers given by their logarithm."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TypeVar

import numpy as np

from derl.theory.foundations.setting import InvalidConstant

Value = TypeVar("Value", int, float, np.ndarray)
RELATIVE = 1e-13  # where the iteration stops, relative to 1 + |x|
ROUNDING = 1e-12  # relative; above the rounding errors of float64 in these formulas, and always upwards
MOST_DIGITS = 10**6


def least_fixed_point(step: Callable[[Value], Value], start: Value, tolerance: float = RELATIVE) -> Value:
    """The least x >= start with step(x) <= x, for an increasing step with step(start) >= start, or start itself.

    Parameters
    ----------
    step : callable
        Increasing. A contraction near its fixed point, as everything is that grows like a logarithm: then the
        distance to the fixed point is a fraction of the tolerance.
    start : int, float or array
        Not above the least fixed point. Arrays are iterated entry by entry until the last entry stands still.
    tolerance : float, >= 0
        The iteration ends when step(x) <= x + tolerance (1 + |x|); 0 for whole numbers, which are then exact.

    Returns
    -------
    x, never below start; inf where there is no fixed point and the iteration overflows.
    """
    x = start
    while True:
        following = step(x)
        above = following > x + tolerance * (1 + abs(x))
        if not (above.any() if isinstance(above, np.ndarray) else above):
            return x
        x = following


def whole_exp(logarithm: float, name: str = "N") -> int:
    """ceil(exp(x)), at least 1, as an integer of any size up to a million digits, never below exp(x).

    x is taken larger by `ROUNDING` of 1 + |x|, which pays for the rounding of what it was computed from.

    Raises
    ------
    InvalidConstant
        The number would have more digits.
    """
    digits = logarithm / math.log(10)
    if not digits < MOST_DIGITS:
        raise InvalidConstant(f"{name} would have about {digits:.3g} digits; at most {MOST_DIGITS} are computed, "
                              "so c_K must be further from 1")
    logarithm += ROUNDING * (1 + abs(logarithm))
    if logarithm < 36:
        return max(1, math.ceil(math.exp(logarithm)))
    power = max(0, math.floor(logarithm / math.log(2)) - 53)
    return math.ceil(math.exp(logarithm - power * math.log(2))) << power
