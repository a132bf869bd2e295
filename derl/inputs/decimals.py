"""Numbers at face value: what a formula in exact arithmetic means when somebody types 0.1, 1e30 or "1/10"."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from derl import inputs


def face_value(value):
    """The number that a float prints, exactly: 0.1 is 1/10 and 1e30 is 10^30; anything else as it is."""
    if isinstance(value, float | np.floating) and math.isfinite(value):
        return Fraction(repr(float(value)))
    return value


def exact_whole(value, name: str, low: int, error: type[inputs.Invalid]) -> int:
    """A whole number >= `low`, floats at face value; errors as in `derl.inputs.whole`."""
    inputs.whole(value, name, low, error=error)
    return int(face_value(value))


def exact_real(value, name: str, error: type[inputs.Invalid], **bounds) -> Fraction:
    """A number, or text such as "1/10", as a Fraction, floats at face value; bounds as in `derl.inputs.real`."""
    if isinstance(value, str):
        try:
            value = Fraction(value)
        except (ValueError, ZeroDivisionError):
            pass  # refused in the next line
    return Fraction(face_value(inputs.real(value, name, error=error, **bounds)))
