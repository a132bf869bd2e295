"""Exact points at which two sides of a relation are compared: zero, one, small, large, and a few between."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from fractions import Fraction
from math import prod

import sympy
from sympy.core.function import AppliedUndef

VALUES = (0, 1, sympy.Rational(1, 1000), 1000, sympy.Rational(7, 3), sympy.Rational(2, 5))
MORE_VALUES = (2, 3, 5, 4, -1, sympy.Rational(-7, 3))  # for what must be whole, or negative
TRIES = 8
LARGEST_EXPONENT = 5
LONGEST = 256  # bits of a value at a point; with longer ones the provers take long
ASSUMED = ("is_integer", "is_positive", "is_nonnegative", "is_negative", "is_nonpositive", "is_nonzero", "is_even",
           "is_odd")


def unknowns(*sides: sympy.Expr) -> tuple:
    """Symbols of the two sides, and functions of which nothing is known, in a fixed order."""
    found = set().union(*(side.atoms(sympy.Symbol, AppliedUndef) & (side.free_symbols | side.atoms(AppliedUndef))
                          for side in sides))
    inside = set().union(set(), *(f.free_symbols for f in found if isinstance(f, AppliedUndef)))
    elsewhere = set().union(*(side.xreplace({f: sympy.Dummy() for f in found if isinstance(f, AppliedUndef)})
                              .free_symbols for side in sides))
    return tuple(sorted((f for f in found if f not in inside - elsewhere), key=str))


def points(*sides: sympy.Expr, tries: int = TRIES, nonnegative: tuple = ()) -> Iterator[dict]:
    """Points that respect what is assumed of the symbols; all of them for one symbol, else some at random.

    Parameters
    ----------
    nonnegative : tuple of symbols
        Those that range over [0, oo), whatever is assumed of them.
    """
    symbols = unknowns(*sides)
    powers = set().union(*(power.exp.free_symbols for side in sides for power in side.atoms(sympy.Pow, sympy.exp)))
    allowed = {symbol: [value for value in _values(symbol) if (symbol not in powers or value <= LARGEST_EXPONENT)
                        and (symbol not in nonnegative or value >= 0)]
               for symbol in symbols}
    if not all(allowed.values()):
        return
    if len(symbols) <= 1:
        for values in itertools.product(*allowed.values()):
            yield dict(zip(symbols, values, strict=True))
        return
    rng = random.Random(0)
    for start in (1, 0):
        yield {symbol: sympy.Integer(start) if start in values else values[0] for symbol, values in allowed.items()}
    for _ in range(tries):
        yield {symbol: rng.choice(values) for symbol, values in allowed.items()}


def _values(symbol) -> list:
    def fits(value):
        return all(getattr(value, name) is not False for name in ASSUMED if getattr(symbol, name) is True)

    fitting = [value for value in map(sympy.sympify, VALUES) if fits(value)]
    return fitting if len(fitting) > 1 and not symbol.is_integer else \
        fitting + [value for value in map(sympy.sympify, MORE_VALUES) if fits(value)]


def value_at(expression: sympy.Expr, point: dict) -> sympy.Expr | None:
    """The value at a point as an exact real number, or None."""
    try:
        value = sympy.Rational(*_evaluated(expression, point, {}).as_integer_ratio())
    except NoRational:
        value = expression.subs(point)
    if value.has(sympy.Sum, sympy.Product, sympy.Integral, sympy.Derivative):
        value = value.doit()
    if not (value.is_number and value.is_real and value.is_finite):
        return None
    return None if any(n.p.bit_length() > LONGEST for n in value.atoms(sympy.Rational)) else value


class NoRational(Exception):
    """The expression is no rational function, or has no value at the point."""


def _evaluated(expression, point: dict, known: dict) -> Fraction:
    """A rational function at a rational point in plain fractions: a tenth of the time of a substitution."""
    if expression in known:
        return known[expression]
    if expression in point or expression.is_Rational:
        number = point.get(expression, expression)
        value = Fraction(int(number.p), int(number.q))
    elif expression.is_Add:
        value = sum((_evaluated(part, point, known) for part in expression.args), Fraction(0))
    elif expression.is_Mul:
        value = prod((_evaluated(part, point, known) for part in expression.args), start=Fraction(1))
    elif expression.is_Pow:
        base, power = (_evaluated(part, point, known) for part in expression.args)
        if power.denominator > 1 or abs(power) > LONGEST or not base and power < 0:
            raise NoRational
        value = base ** int(power)
    else:
        raise NoRational
    known[expression] = value
    return value


def written(point: dict) -> str:
    """A point as text."""
    return ", ".join(f"{symbol} = {value}" for symbol, value in point.items()) or "the numbers themselves"


def short(number) -> str:
    """A number as text, rounded where it is long."""
    return str(number) if len(str(number)) <= 12 else f"{float(number):.6g}"
