"""The value of a formula that was read, at given letters."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
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
    package = arithmetic.family(letters.values())
    if numbers is None and package == "sympy":
        numbers = sys.modules["sympy"].Rational
    exact = not any(isinstance(found, float) for found in letters.values())
    try:
        with sys.modules["numpy"].errstate(divide="raise", invalid="raise", over="raise") if package == "numpy" else \
                nullcontext():
            found = _Evaluation(letters, numbers, package, exact).of(node)
    except (ArithmeticError, ValueError, TypeError) as problem:
        if isinstance(problem, Unreadable):
            raise
        raise Unreadable(f"the formula has no value there: {problem}") from problem
    if package == "sympy" and found in (sys.modules["sympy"].zoo, sys.modules["sympy"].nan):
        raise Unreadable("the formula has no value there: a division by zero")
    return found


@dataclass(frozen=True)
class _Evaluation:
    """Values of letters, and what they decide: of which package the result is, and whether floats were among them."""

    letters: Mapping[str, Any]
    numbers: Callable[[Fraction], Any] | None
    package: str
    exact: bool

    def of(self, node: Node) -> Any:
        """The value of a part of the formula."""
        kind = node.kind
        if kind == "number":
            return self.numbers(node.value) if self.numbers else node.value
        if kind in ("letter", "given"):
            return self.letter(node.value)
        if kind in ("apply", "powered"):
            return self.applied(node) if kind == "apply" else self.powered(node)
        if kind == "order" and self.is_function(node.value):
            return self.letters[node.value](*map(self.of, node.parts))
        if kind == "order":
            raise Unreadable(f"{node.value} is the order of something and no number")
        if kind == "series":
            return self.series(node)
        if kind == "quotient" and node.value and not self.is_function(node.value):
            raise Unreadable(f"what is divided by, {node.value}(...), needs a bracket")
        if kind in ("ceil", "floor") and node.parts[0].kind == "log" and len(node.parts[0].parts) == 2:
            return arithmetic.rounded_log(kind, *map(self.of, node.parts[0].parts), self.package)
        parts = [self.of(part) for part in node.parts]
        if kind == "root":
            return arithmetic.root(node.value, *parts, self.package)
        if kind == "log" and len(parts) == 2:
            return arithmetic.log_to(*parts, self.package)
        if kind in ("power", "log", "exp", "sin", "cos"):
            return DONE[kind](*parts, self.package)
        if kind in ("ceil", "floor"):
            return DONE[kind](*parts, self.exact)
        return DONE[kind](*parts)

    def letter(self, name: str) -> Any:
        if name not in self.letters:
            if name != "e":
                raise Unreadable(f"{name} has no value")
            return arithmetic.exp(Fraction(1), "sympy" if self.numbers and "sympy" in sys.modules else self.package)
        found = self.letters[name]
        if arithmetic.family((found,)) == "numpy" and found.dtype.kind in "iu":  # whole numbers of numpy overflow
            found = found.astype(float) if found.ndim else int(found)
        if type(found) is int:
            found = Fraction(found)
        return self.numbers(found) if self.numbers and isinstance(found, Fraction) else found

    def is_function(self, name: str) -> bool:
        found = self.letters.get(name)
        return callable(found) and (isinstance(found, type) or not hasattr(found, "free_symbols"))

    def applied(self, node: Node) -> Any:
        """A function of its arguments, or the product of a number and a bracket: the value decides which is meant."""
        parts = [self.of(part) for part in node.parts]
        if self.is_function(node.value):
            return self.letters[node.value](*parts)
        if len(parts) > 1:
            raise Unreadable(f"{node.value} has {len(parts)} arguments, and its value is no function")
        return arithmetic.times(self.letter(node.value), parts[0])

    def powered(self, node: Node) -> Any:
        """`f(x)^2` is the square of a function; `d(H+1)^2` is a product, of which one factor is a square."""
        argument, exponent = map(self.of, node.parts)
        if self.is_function(node.value):
            return arithmetic.power(self.letters[node.value](argument), exponent, self.package)
        return arithmetic.times(self.letter(node.value), arithmetic.power(argument, exponent, self.package))

    def series(self, node: Node) -> Any:
        low, high = map(self.of, node.parts[:2])
        first, last = (int(bound) for bound in (low, high))
        if first != low or last != high or last - first > arithmetic.LARGEST_WHOLE:
            raise ValueError(f"a sum from {low} to {high}")
        found = [replace(self, letters={**self.letters, node.value: Fraction(at)}).of(node.parts[2])
                 for at in range(first, last + 1)]
        return arithmetic.add(*found) if found else Fraction(0)
