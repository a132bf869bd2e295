"""Parameters of instance families: what is allowed, said in one line."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterable
from fractions import Fraction

from derl.mdp.validation import InvalidInstance


def whole(name, value, low, high=None) -> int:
    """An integer in low..high (no upper end when high is None)."""
    integral = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not integral or value < low or (high is not None and value > high):
        allowed = f"an integer >= {low}" if high is None else f"an integer in {low}..{high}"
        raise InvalidInstance(f"{name} is {value!r}; it must be {allowed}")
    return int(value)


def fraction(name, value, low=Fraction(0), high=Fraction(1, 2)) -> Fraction:
    """A number in [low, high] as a Fraction: floats at their exact binary value, text such as "1/10" is read."""
    try:
        if isinstance(value, bool) or isinstance(value, float) and not math.isfinite(value):
            raise ValueError
        number = Fraction(value) if isinstance(value, (str, numbers.Rational)) else Fraction(float(value))
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        number = None
    shown = str(value) if isinstance(value, numbers.Rational) else repr(value)
    if number is None or not low <= number <= high:
        raise InvalidInstance(f"{name} is {shown}; it must be a number in [{low}, {high}]")
    return number


def indices(name, value, count, n_choices) -> tuple[int, ...]:
    """`count` indices in 0..n_choices-1; a single integer stands for the same index every time."""
    if isinstance(value, numbers.Integral):
        value = [value] * count
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InvalidInstance(f"{name} is {value!r}; it must be {count} integers in 0..{n_choices - 1}, or one")
    value = list(value)
    if len(value) != count:
        raise InvalidInstance(f"{name} has {len(value)} entries; it must have {count}")
    return tuple(whole(f"{name}[{i}]", entry, 0, n_choices - 1) for i, entry in enumerate(value))
