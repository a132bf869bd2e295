"""Comparisons of exact numbers, and several relations as one step.

`exactly`, `at_most`, `less_than` compare numbers that were computed, without rounding. Like a `Decided` each answers
with its truth, its room, and the falsehood next to it; the witness is the numbers themselves. `every` joins
relations: it asks each of them. `bookkeeping` marks what is no claim about numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np
import sympy

from derl.exact.base import as_fraction
from derl.exact.decided import DENIED, Decided, NearMiss
from derl.exact.points import short

MORE = Fraction(1001, 1000)
HUGE = 10**300  # a factor that is shown as a float
CONTAINERS = (str, bytes, list, tuple, dict, set, frozenset)  # Python orders them by their first entries, or as subsets
HELD = {"=": lambda a, b: a == b, ">=": lambda a, b: a >= b, ">": lambda a, b: a > b}


@dataclass(frozen=True)
class Compared:
    """Whether `left relation right` holds for exact numbers; for "=" also for tuples, lists, tables and matrices.

    Parameters
    ----------
    relation : {">=", ">", "="}
    """

    left: Any
    right: Any
    relation: str

    def __post_init__(self):
        object.__setattr__(self, "truth", _holds(self.left, self.right, self.relation))

    def __bool__(self) -> bool:
        return self.truth

    @property
    def trivial(self) -> bool:
        """Never: both sides come from somewhere."""
        return False

    def witness(self) -> str:
        """What was compared, where the comparison fails."""
        return "" if self.truth else f"{_text(self.left)} {DENIED[self.relation]} {_text(self.right)}"

    def near_miss(self) -> NearMiss | None:
        """The falsehood next to a true comparison, or None where there is no number in it."""
        if self.relation == "=":
            changed = _changed(self.right)
            if changed is None:
                return None
            planted, change = changed
            return NearMiss(f"the right side {change}", "the numbers themselves", "none",
                            not _holds(self.left, planted, "="), float(MORE))
        if self.right > 0:
            factor = MORE * _exact(self.left) / _exact(self.right)
            return NearMiss(f"the right side times {short(factor)}", "the numbers themselves",
                            f"factor {short(factor / MORE)}", not _holds(self.left, self.right * factor, self.relation),
                            float(min(factor, HUGE)))
        more = _exact(self.left) - _exact(self.right)
        return NearMiss(f"the right side plus {short(more + Fraction(1, 1000))}", "the numbers themselves", short(more),
                        not _holds(self.left, self.right + more + Fraction(1, 1000), self.relation))


@dataclass(frozen=True)
class Every:
    """A step of several relations: it holds where all hold, and is asked where all can be asked."""

    parts: tuple

    def __post_init__(self):
        object.__setattr__(self, "truth", all(bool(part) for part in self.parts))

    def __bool__(self) -> bool:
        return self.truth

    @property
    def trivial(self) -> bool:
        """Whether all parts are."""
        return all(getattr(part, "trivial", False) for part in self.parts)

    def witness(self) -> str:
        """The witness of the first part that is false at a named point."""
        return next(filter(None, (part.witness() for part in self.parts if not part and hasattr(part, "witness"))), "")

    def near_miss(self) -> NearMiss | None:
        """The closest falsehood among those of the parts; None where some part has none."""
        found = []
        for part in self.parts:
            if getattr(part, "trivial", False):
                continue
            miss = part.near_miss() if hasattr(part, "near_miss") else None
            if miss is None or not miss.rejected:
                return miss
            found.append(miss)
        closest = min(found, key=lambda miss: float("inf") if miss.factor is None else abs(miss.factor))
        extra = f"one of {len(found)} relations: " if len(found) > 1 else ""
        return NearMiss(extra + closest.planted, closest.at, closest.room, True, closest.factor)


@dataclass(frozen=True)
class Bookkeeping:
    """A truth that says how objects are built, not what is claimed of them; shown as such and not counted."""

    truth: bool
    trivial = True

    def __bool__(self) -> bool:
        return self.truth

    def witness(self) -> str:
        """None: nothing is claimed."""
        return ""

    def near_miss(self) -> None:
        """None: nothing is claimed."""


def exactly(left, right) -> Compared:
    """Whether two exact numbers, or two containers of them, are the same."""
    return Compared(left, right, "=")


def at_most(left, right) -> Compared:
    """Whether left <= right for exact numbers."""
    return Compared(right, left, ">=")


def less_than(left, right) -> Compared:
    """Whether left < right for exact numbers."""
    return Compared(right, left, ">")


def every(*parts: Decided | Compared | Every | Iterable) -> Every:
    """All relations as one step; a part may be an iterable of relations.

    Raises
    ------
    ValueError
        If there is no relation, or a part has none: that would hold by silence.
    TypeError
        If a part of a part is neither a relation nor a truth value: every number but 0 and every text counts as true.
    """
    groups = [[part] if _is_relation(part) else list(part) for part in parts]
    if not groups or not all(groups):
        raise ValueError("a step of no relations says nothing")
    flat = [one for group in groups for one in group]
    if wrong := [one for one in flat if not _is_relation(one)]:
        raise TypeError(f"a step joins relations, and was given {_text(wrong[0])}")
    return Every(tuple(flat))


def _is_relation(part) -> bool:
    return hasattr(part, "truth") or isinstance(part, bool | np.bool_)


def bookkeeping(truth) -> Bookkeeping:
    """Mark a truth as no claim about numbers."""
    return Bookkeeping(bool(truth))


def _holds(left, right, relation: str) -> bool:
    for side in (left, right):
        if isinstance(side, float | np.floating) and not np.isinf(side) or isinstance(side, sympy.Float):
            raise ValueError(f"an exact comparison was given the rounded number {side!r}")
    if hasattr(left, "shape") or hasattr(right, "shape"):
        left, right = _listed(left), _listed(right)
    for side in (left, right):
        if _undefined(side):
            raise ValueError(f"an exact comparison was given {_text(side)}, which is no number")
        if relation != "=" and isinstance(side, CONTAINERS):
            raise ValueError(f"an inequality compares two numbers, and was given {_text(side)}")
    return bool(HELD[relation](left, right))


def _listed(array):
    return array.tolist() if hasattr(array, "tolist") else array


def _undefined(side) -> bool:
    """Whether 0/0 or the like is in it: it counts as the same as itself."""
    if isinstance(side, dict):
        side = list(side.items())
    if isinstance(side, list | tuple | set | frozenset):
        return any(map(_undefined, side))
    return isinstance(side, float) and side != side or isinstance(side, sympy.Expr) and side.has(sympy.nan, sympy.zoo)


def _exact(number):
    if isinstance(number, Rational):
        return as_fraction(number)
    number = sympy.sympify(number)
    return Fraction(int(number.p), int(number.q)) if number.is_Rational else Fraction(str(sympy.N(number, 18)))


def _changed(side) -> tuple[Any, str] | None:
    """The right side of an equality with one number in it changed, and how; None where it has no number."""
    if isinstance(side, str) or side is None:
        return None
    if isinstance(side, float):  # in an array that has to be a copy of another
        return (side * float(MORE), "times 1001/1000") if side else (0.001, "plus 1/1000")
    if isinstance(side, bool | np.bool_):
        return not side, "negated"
    if isinstance(side, sympy.Expr) and side.is_infinite:
        return sympy.Integer(10**6), "replaced by 10^6"
    if isinstance(side, Rational | sympy.Expr):
        return (side * MORE if not isinstance(side, sympy.Expr) else side * sympy.Rational(1001, 1000),
                "times 1001/1000") if side != 0 else (Fraction(1, 1000), "plus 1/1000")
    if isinstance(side, set | frozenset):
        return (side - {min(side, key=str)}, f"without {_text(min(side, key=str))}") if side else None
    if isinstance(side, dict):
        return _first(side.items(), lambda key, new: side | {key: new})
    if hasattr(side, "tolist"):
        return _changed(side.tolist())
    if isinstance(side, tuple | list):
        kind = type(side) if type(side) in (tuple, list) else tuple
        return _first(enumerate(side), lambda at, new: kind([*side[:at], new, *side[at + 1:]]))
    return None


def _first(entries: Iterable, build: Callable) -> tuple[Any, str] | None:
    """Change the first entry that is not zero, or else the first that can be changed."""
    best = None
    for key, entry in entries:
        changed = _changed(entry)
        if changed and (best is None or entry != 0 and not best[2]):
            best = (build(key, changed[0]), f"at {key}: {changed[1]}".replace(": at", ","), entry != 0)
    return best and best[:2]


def _text(value) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
