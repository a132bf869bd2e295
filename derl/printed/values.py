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


MOST = 100_000  # steps of one evaluation: 64 bits, a part of an expression; among intervals 640 bits, or a tenth of one
LONGEST = 8_000  # bits of a fraction beside intervals, as on the pages of a book


def value(node: Node, letters: Mapping[str, Any], numbers: Callable[[Fraction], Any] | None = None,
          package: str = "") -> Any:
    """The value of a formula.

    Parameters
    ----------
    letters : mapping
        Name of a letter, or text of a given piece -> its value: a number, a sympy expression, an array, a ball, or a
        function for a letter that is applied to arguments. O, Omega and Theta have a value only as functions.
    numbers : callable or None
        What each number of the text becomes; by default `sympy.Rational` where a letter is an expression of sympy, and
        a fraction otherwise.
    package : str
        What an irrational number becomes where no letter decides: "iv" is an interval of mpmath, "" a float.

    Raises
    ------
    Unreadable
        A letter has no value, or the formula has none at this point, or needs more than `MOST` steps.
    """
    package = arithmetic.family(letters.values()) or package
    if numbers is None and package == "sympy":
        numbers = sys.modules["sympy"].Rational
    exact = not any(isinstance(found, float) for found in letters.values())
    try:
        with sys.modules["numpy"].errstate(divide="raise", invalid="raise", over="raise") if package == "numpy" else \
                nullcontext():
            found = _Evaluation(letters, numbers, package, exact, [0]).of(node)
    except (ArithmeticError, ValueError, TypeError) as problem:
        if isinstance(problem, Unreadable):
            raise
        why = "a division by zero" if isinstance(problem, ZeroDivisionError) else problem
        raise Unreadable(f"the formula has no value there: {why}") from problem
    if package == "sympy" and found in (sys.modules["sympy"].zoo, sys.modules["sympy"].nan):
        raise Unreadable("the formula has no value there: a division by zero")
    return found


@dataclass(frozen=True)
class _Evaluation:
    """Values of letters; what they decide: the package of the result, whether floats were among them; and steps."""

    letters: Mapping[str, Any]
    numbers: Callable[[Fraction], Any] | None
    package: str
    exact: bool
    spent: list[int]

    def of(self, node: Node) -> Any:
        """The value of a part of the formula."""
        return self.counted(self._of(node))

    def counted(self, found: Any) -> Any:
        """What was found by a step."""
        size = 10 if self.package == "iv" else 1
        if isinstance(found, Fraction):
            bits = found.numerator.bit_length() + found.denominator.bit_length()
            if self.package == "iv" and bits > LONGEST:
                found = arithmetic.lifted(found, "iv")
            size = 1 + bits // (640 if self.package == "iv" else 64)
        elif self.package == "sympy" and hasattr(found, "args"):
            size = 2 + len(found.args)
            if found.is_Rational:
                size += (found.p.bit_length() + found.q.bit_length()) // 8
        self.spent[0] += size
        if self.spent[0] > MOST:
            raise ValueError(f"more than {MOST} steps are needed")
        return found

    def _of(self, node: Node) -> Any:
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
        if any(getattr(bound, "free_symbols", ()) for bound in (low, high)):
            return self.closed(node, low, high)
        first, last = (int(bound) for bound in (low, high))
        if first != low or last != high or last - first > arithmetic.LARGEST_WHOLE:
            raise ValueError(f"a sum from {low} to {high}")
        found = Fraction(0)
        for at in map(Fraction, range(first, last + 1)):
            term = replace(self, letters={**self.letters, node.value: at}).of(node.parts[2])
            found = self.counted(arithmetic.add(found, term)) if at > first else term
        return found

    def closed(self, node: Node, low: Any, high: Any) -> Any:
        """A sum of powers of its index up to a letter of sympy: Faulhaber's polynomial."""
        sympy = sys.modules["sympy"]
        index = sympy.Dummy(node.value, integer=True)
        low, high = (arithmetic.lifted(bound, "sympy") for bound in (low, high))
        term = arithmetic.lifted(replace(self, letters={**self.letters, node.value: index}).of(node.parts[2]), "sympy")
        # with fewer than no terms the sum is 0, and the polynomial is not
        if not (low.is_integer and high.is_integer and (high - low + 1).is_nonnegative and term.is_polynomial(index)):
            raise ValueError(f"a sum from {low} to {high}: it is computed up to a letter where both ends are whole, "
                             f"the last is at least the first less 1, and the terms are polynomials in {node.value}")
        return sympy.summation(term, (index, low, high))
