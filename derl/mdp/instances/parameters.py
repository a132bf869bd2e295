"""Parameters of instance families: each value is checked, and a refusal is one line."""

from __future__ import annotations

import math
from collections.abc import Iterable
from fractions import Fraction
from numbers import Integral

from derl.inputs import number, real, shown, whole
from derl.mdp.limits import ENTRIES
from derl.mdp.validation import InvalidInstance

MOST = 2**40  # numbers in one array


def count(name, value, low, high=None) -> int:
    """A whole number in low..high (no upper end when high is None)."""
    return whole(value, name, low, high, InvalidInstance)


def size(name, value, low=1) -> int:
    """A whole number from low on that an array can have as a length."""
    return whole(count(name, value, low), name, low, ENTRIES, InvalidInstance)


def possible(*sizes: int) -> None:
    """Refuse an array that no machine can hold."""
    if math.prod(sizes) > MOST:
        raise InvalidInstance(f"an array of the instance would have {shown(math.prod(sizes))} numbers; at most {MOST} "
                              "are possible")


def fraction(name, value, low=Fraction(0), high=Fraction(1, 2)) -> Fraction:
    """A number in [low, high] as a Fraction: floats at their exact binary value, text such as "1/10" is read."""
    value = number(value, name, InvalidInstance) if isinstance(value, str) else value
    return Fraction(real(value, name, low, high, error=InvalidInstance))


def listed(name, value) -> list:
    """The entries of a sequence; a text is refused."""
    try:
        if not isinstance(value, str | bytes):
            return list(value)
    except Exception:  # a foreign object may fail in any way at being listed
        pass
    raise InvalidInstance(f"{name} is {shown(value)}; it must be a sequence")


def indices(name, value, size, n_choices) -> tuple[int, ...]:
    """`size` indices in 0..n_choices-1; a single number stands for the same index every time."""
    if isinstance(value, Integral):
        return (count(name, value, 0, n_choices - 1),) * size
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InvalidInstance(f"{name} is {shown(value)}; it must be {size} whole numbers in 0..{n_choices - 1}, "
                              "or one")
    value = listed(name, value)
    if len(value) != size:
        raise InvalidInstance(f"{name} has {len(value)} entries; it must have {size}")
    return tuple(count(f"{name}[{i}]", entry, 0, n_choices - 1) for i, entry in enumerate(value))
