"""Rational functions as two polynomials with rational coefficients, computed by ring arithmetic.

Multiplying out through expression trees is what takes the time of a symbolic step; in a ring of polynomials it is some
hundred times cheaper. What is no rational function here (logarithms, roots, the number e, symbols that do not commute,
unknown exponents) is None, and left to sympy.
"""

from __future__ import annotations

from functools import lru_cache, reduce
from operator import mul

import sympy
from sympy.polys.domains import QQ
from sympy.polys.rings import PolyElement, ring

KEPT = 2**14  # answers that are remembered
LARGEST_POWER = 400
LONGEST = 20_000  # terms of a polynomial

remembered = lru_cache(KEPT)  # answers about expressions, which never change; checks ask again with one number altered
simplified = remembered(sympy.simplify)


class NoQuotient(Exception):
    """The expression is no rational function with rational coefficients, or too large a one."""


@remembered
def quotient(expression: sympy.Expr, variables: tuple) -> tuple[PolyElement, PolyElement] | None:
    """Numerator and denominator, not reduced, or None; the denominator is not the polynomial 0."""
    if not all(variable.is_commutative for variable in variables):
        return None  # the ring would take A B for B A
    unused = sympy.Dummy()  # a ring wants at least one generator
    polynomials, *generators = ring([*variables, unused], QQ)
    known = dict(zip(variables, generators, strict=False))
    try:
        return _built(expression, known, polynomials)
    except NoQuotient:
        return None


def _built(expression, known: dict, polynomials) -> tuple[PolyElement, PolyElement]:
    if expression in known:
        return known[expression], polynomials.one
    if expression.is_Rational:
        return polynomials(QQ(int(expression.p), int(expression.q))), polynomials.one
    if expression.is_Add:
        return reduce(_sum, (_built(part, known, polynomials) for part in expression.args))
    if expression.is_Mul:
        parts = [_built(part, known, polynomials) for part in expression.args]
        return tuple(_small(reduce(mul, side)) for side in zip(*parts, strict=True))
    if expression.is_Pow and expression.exp.is_Integer and abs(expression.exp) <= LARGEST_POWER:
        above, below = _built(expression.base, known, polynomials)
        if expression.exp < 0:
            above, below = below, above
            if not below:
                raise NoQuotient
        power = abs(int(expression.exp))
        return _small(above**power), _small(below**power)
    raise NoQuotient


def _sum(one: tuple, other: tuple) -> tuple:
    if one[1] == other[1]:
        return one[0] + other[0], one[1]
    return _small(one[0] * other[1] + other[0] * one[1]), _small(one[1] * other[1])


def _small(polynomial: PolyElement) -> PolyElement:
    if len(polynomial) > LONGEST:
        raise NoQuotient
    return polynomial


def without_minus(expression: sympy.Expr, variables: tuple) -> bool | None:
    """Whether numerator and denominator have coefficients of one sign; None where that does not settle the question.

    True proves expression >= 0 for all variables >= 0 where the denominator is not zero. False says that it is negative
    somewhere there.
    """
    found = quotient(expression, variables)
    if found is None:
        return None
    coefficients = [c for side in found for c in side.values()]
    if all(c >= 0 for c in coefficients) or all(c <= 0 for c in coefficients):
        return True
    for point in _corners(len(variables)):
        above, below = (side.evaluate(list(zip(side.ring.gens, point, strict=True))) for side in found)
        if above * below < 0:
            return False
    return None


def _corners(size: int):
    """Points with entries 0, 1, small and large, the same everywhere or other in one place; 0 for the unused one."""
    few = (QQ(0), QQ(1), QQ(1, 1000), QQ(1000), QQ(7, 3))
    for most in few:
        yield [most] * size + [QQ(0)]
    for place in range(size):
        for most in few[:2]:
            for one in few:
                yield [*[most] * place, one, *[most] * (size - place - 1), QQ(0)]


def zero(expression: sympy.Expr) -> bool | None:
    """Whether a rational function of all its symbols is 0 everywhere; None where it is no rational function."""
    symbols = tuple(sorted(expression.free_symbols, key=str))
    found = quotient(expression, symbols)
    return None if found is None else not found[0]
