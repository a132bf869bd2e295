"""Parameters of the hidden-object games: what is allowed, said in one line."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np


class InvalidGame(ValueError):
    """A parameter of a game is outside its range; the message says which and what is allowed."""


def integer(name: str, value, least: int) -> int:
    """`value` as an int >= `least`; floats such as 1e30 are read as the decimal number that they print.

    Raises
    ------
    InvalidGame
        If the value is not a whole number in range.
    """
    if isinstance(value, float | np.floating):
        decimal = Decimal(repr(float(value)))
        if decimal.is_finite() and decimal == decimal.to_integral_value():
            value = int(decimal)
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
        raise InvalidGame(f"{name} is {value!r}; it must be a whole number >= {least}")
    return int(value)


def half_bias(bias) -> Fraction:
    """The bias of a coin as a Fraction in [0, 1/2].

    Raises
    ------
    InvalidGame
        If it is outside.
    """
    bias = Fraction(bias)
    if not 0 <= bias <= Fraction(1, 2):
        raise InvalidGame(f"bias is {bias}; it must be in [0, 1/2]")
    return bias
