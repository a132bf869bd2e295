"""The value of a formula that was read, at given letters."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from derl.printed import arithmetic
from derl.printed.reading import Node, Unreadable

DONE = {
    "sum": arithmetic.add, "product": arithmetic.times, "quotient": arithmetic.over, "power": arithmetic.power,
    "log": arithmetic.log, "exp": arithmetic.exp, "sin": arithmetic.sin, "cos": arithmetic.cos,
    "min": arithmetic.least, "max": arithmetic.greatest, "ceil": arithmetic.ceil, "floor": arithmetic.floor,
    "abs": arithmetic.absolute, "factorial": arithmetic.factorial, "binomial": arithmetic.binomial,
    "negative": lambda part: -part,
}


def value(node: Node, letters: Mapping[str, Any], numbers: Callable[[Fraction], Any] | None = None) -> Any:
    """The value of a formula.

    Parameters
    ----------
    letters : mapping
        Name of a letter, or text of a given piece -> its value: a number, a sympy expression, an array, a ball, or a
        function for a letter that is applied to arguments. O, Omega and Theta have a value only as functions.
    numbers : callable or None
        What each number of the text becomes; by default `sympy.Rational` where a letter is an expression of sympy, and
        a fraction otherwise.

    Raises
    ------
    Unreadable
        A letter has no value, or the formula has none at this point.
    """
    if numbers is None and arithmetic.family(letters.values()) == "sympy":
        numbers = sys.modules["sympy"].Rational
    try:
        return _value(node, letters, numbers)
    except (ZeroDivisionError, ValueError, OverflowError) as problem:
        if isinstance(problem, Unreadable):
            raise
        raise Unreadable(f"the formula has no value there: {problem}") from problem


def _value(node: Node, letters: Mapping[str, Any], numbers) -> Any:
    kind = node.kind
    if kind == "number":
        return numbers(node.value) if numbers else node.value
    if kind in ("letter", "given"):
        return _of_letter(node.value, letters, numbers)
    if kind == "apply":
        applied = _of_letter(node.value, letters, numbers)
        parts = [_value(part, letters, numbers) for part in node.parts]
        if callable(applied) and not hasattr(applied, "free_symbols"):
            return applied(*parts)
        if len(parts) > 1:
            raise Unreadable(f"{node.value} has {len(parts)} arguments, and its value is no function")
        return arithmetic.times(applied, parts[0])
    if kind == "order":
        if not callable(letters.get(node.value)):
            raise Unreadable(f"{node.value} is the order of something and no number")
        return letters[node.value](*(_value(part, letters, numbers) for part in node.parts))
    if kind == "series":
        return _series(node, letters, numbers)
    parts = [_value(part, letters, numbers) for part in node.parts]
    if kind == "root":
        return arithmetic.root(node.value, *parts)
    if kind == "log" and len(parts) == 2:
        return arithmetic.log_to(*parts)
    return DONE[kind](*parts)


def _of_letter(name: str, letters: Mapping[str, Any], numbers) -> Any:
    if name in letters:
        found = letters[name]
        return Fraction(found) if type(found) is int else found
    if name == "e":
        return sys.modules["sympy"].E if numbers is not None and "sympy" in sys.modules else math.e
    raise Unreadable(f"{name} has no value")


def _series(node: Node, letters: Mapping[str, Any], numbers) -> Any:
    low, high = (_value(part, letters, numbers) for part in node.parts[:2])
    first, last = (int(bound) for bound in (low, high))
    if first != low or last != high or last - first > arithmetic.LARGEST_WHOLE:
        raise ValueError(f"a sum from {low} to {high}")
    found = [_value(node.parts[2], {**letters, node.value: Fraction(at)}, numbers) for at in range(first, last + 1)]
    return arithmetic.add(*found) if found else Fraction(0)
