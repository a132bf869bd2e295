"""Deciding inequalities for all parameters at once, in exact arithmetic.

Tools, all sufficient and none of them numerical:

    at_least            left - right has no negative coefficient, so left >= right on [0, oo)^n;
    exceeds               the same, and strictly; nonnegative, positive: the same with right = 0;
    by_sign             left > right because sympy derives it from what is assumed of the symbols;
    nonnegative_from    f >= 0 on [a, oo) if f is continuous, f(a) >= 0 and f' >= 0 there (repeated for f', f'');
    equal               an identity between expressions;
    same_fraction       an identity between rational functions, by cancelling;
    same_operator       an identity by multiplying out; with non-commuting symbols true for matrices of every size;
    below               value < bound for numbers built from rationals and logarithms, by exact enclosures.

Each answers with a `Decided`, which is true only when there is a proof. False means "not shown this way". A `Decided`
keeps its question, so that the judge can try a slightly stronger claim and name a point where it is false.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from math import comb, prod

import sympy

from derl.exact.base import Invalid
from derl.exact.continuity import continuous
from derl.exact.decided import Decided
from derl.exact.logarithms import enclosure
from derl.exact.points import points, value_at
from derl.exact.quotients import LARGEST_POWER, LONGEST, remembered, without_minus, zero

DIGITS = 20
LARGEST = 100  # whole numbers up to which logarithms may be put together


def at_least(left, right, *variables: sympy.Symbol) -> Decided:
    """Whether left >= right because the difference has rational coefficients, none of them negative.

    The variables range over [0, oo); substitute x = a + t beforehand for x >= a. A zero of the denominator at the
    border is the caller's business.

    Raises
    ------
    Invalid
        If a variable is assumed to be negative, or to be a matrix: sympy has simplified the sides for that.
    """
    _range_over_half_lines(variables)
    return Decided(sympy.sympify(left), sympy.sympify(right), ">=", variables,
                   lambda a, b: _without_minus(a - b, *variables))


def nonnegative(expression, *variables: sympy.Symbol) -> Decided:
    """Whether numerator and denominator of a rational function have rational coefficients, none of them negative."""
    return at_least(expression, 0, *variables)


def exceeds(left, right, *variables: sympy.Symbol) -> Decided:
    """As `at_least`, and strictly, because the numerator of the difference has a constant term that is not zero."""
    _range_over_half_lines(variables)
    return Decided(sympy.sympify(left), sympy.sympify(right), ">", variables,
                   lambda a, b: _without_minus(a - b, *variables) and _not_zero_at_zero(a - b, variables))


def positive(expression, *variables: sympy.Symbol) -> Decided:
    """As `nonnegative`, and strictly."""
    return exceeds(expression, 0, *variables)


def by_sign(left, right=0) -> Decided:
    """Whether left > right follows from the signs that the symbols are assumed to have."""
    return Decided(sympy.sympify(left), sympy.sympify(right), ">", (), lambda a, b: _known(a - b, "is_positive"))


def by_sign_at_least(left, right=0) -> Decided:
    """Whether left >= right follows from the signs that the symbols are assumed to have."""
    return Decided(sympy.sympify(left), sympy.sympify(right), ">=", (), lambda a, b: _known(a - b, "is_nonnegative"))


def nonnegative_from(function, variable: sympy.Symbol, start, *others: sympy.Symbol, depth: int = 3) -> Decided:
    """Whether function >= 0 for all variable >= start (and all others >= 0), by at most `depth` derivatives.

    The function is made of sums, products, powers, logarithms and exponentials, so that it is continuous from the start
    on. A start at which the variable is assumed not to be is refused: sympy has simplified |v| to v for it.

    Raises
    ------
    Invalid
        If the variable is assumed to be >= 0 and the start is not known to be, or another one cannot be >= 0.
    """
    _range_over_half_lines(others)
    shift = sympy.Symbol("shift", nonnegative=True)
    if variable.is_nonnegative and not (start + shift).is_nonnegative:
        raise Invalid(f"{variable} is assumed to be >= 0; the start is {start}")
    moved = sympy.sympify(function).subs(variable, start + shift)
    return Decided(moved, sympy.Integer(0), ">=", (shift, *others),
                   lambda a, b: _from_zero(a - b, shift, others, depth))


def equal(left, right) -> Decided:
    """Whether two expressions are the same for all values of their symbols."""
    return Decided(sympy.sympify(left), sympy.sympify(right), "=", (), _same)


def same_operator(left, right) -> Decided:
    """Whether two expressions are equal when multiplied out; for non-commuting symbols, matrices of every size."""
    return Decided(sympy.sympify(left), sympy.sympify(right), "=", (), _multiplied_out)


def same_fraction(left, right) -> Decided:
    """Whether two rational functions are equal after cancelling."""
    return Decided(sympy.sympify(left), sympy.sympify(right), "=", (), _cancelled)


def below(value, bound, bits: int = 96) -> Decided:
    """Whether value < bound for expressions built from rationals and logarithms of rationals, by exact enclosures.

    Both sides are polynomials in log(q), q >= 1 rational, with rational coefficients >= 0.

    Raises
    ------
    Invalid
        If a side is something else, as 1/log(2) is: it decreases where the logarithm grows.
    """
    return Decided(sympy.sympify(bound), sympy.sympify(value), ">", (),
                   lambda a, b: _replace_logarithms(b, bits)[1] < _replace_logarithms(a, bits)[0])


def _range_over_half_lines(variables: tuple) -> None:
    for variable in variables:
        if variable.is_nonnegative is False:
            raise Invalid(f"{variable} ranges over [0, oo), and its symbol is assumed to be no number >= 0")


@remembered
def _multiplied_out(left, right) -> bool:
    return _short(left - right) and sympy.expand(left - right) == 0


@remembered
def _cancelled(left, right) -> bool:
    known = zero(left - right)
    return _short(left - right) and sympy.cancel(left - right) == 0 if known is None else known


def _short(expression) -> bool:
    """Whether it has at most `LONGEST` terms when it is multiplied out: (1 + x)^(10^9) would take all memory."""
    return _terms(expression) <= LONGEST


def _terms(expression) -> float:
    """At least the number of terms that multiplying out gives, in sums, products and powers with whole parts."""
    if not expression.args or expression.is_symbol:
        return 1
    parts = [_terms(part) for part in expression.args]
    if expression.is_Mul:
        return prod(parts)
    if not expression.is_Pow:
        return sum(parts)
    power, rest = expression.exp.as_coeff_Add()
    count, power = parts[0], abs(int(power)) if power.is_finite else float("inf")
    if count == 1 or not power:
        return count * _terms(rest)
    if count > LONGEST or power > LARGEST_POWER:
        return float("inf")
    return (comb(count + power - 1, power) if expression.base.is_commutative else count**power) * _terms(rest)


@remembered
def _same(left, right) -> bool:
    """Whether simplifying finds no difference; multiplying out, or a look at two points, is the cheap answer first."""
    difference = left - right
    known = zero(difference)
    if known is not None:
        return known
    if not _short(difference):
        return False
    if sympy.expand(difference) == 0:
        return True
    for point in islice(points(left, right), 2):
        value = value_at(difference, point)
        if value is not None and _differs_from_zero(value):
            return False
    return simplified(difference) == 0


def _differs_from_zero(value) -> bool:
    """Whether an exact number is not zero, by its first digits where it is no fraction: simplifying it takes longer."""
    if value.is_Rational:
        return value != 0
    digits = sympy.N(value, DIGITS)
    return digits.is_Float and digits._prec > 1 and abs(digits) > 10.0**-DIGITS  # 1: none of the digits is known


def simplified(expression):
    """sympy's `simplify`; logarithms stay apart where whole numbers are large.

    It would make log(x^n) of n log x, and multiply (1 + x)^n out, which takes all memory for n = 10^9. What has too
    many terms to be multiplied out stays as it is.
    """
    if not _short(expression):
        return expression
    rationals = [number for number in expression.atoms(sympy.Rational) if number.is_finite]
    if not expression.has(sympy.log) or max((abs(n.p) * n.q for n in rationals), default=0) <= LARGEST and sympy.ilcm(
            1, 1, *(n.q for n in rationals)) <= LARGEST:
        return sympy.simplify(expression)
    held = {log: sympy.Dummy(real=log.is_real, positive=log.is_positive, nonnegative=log.is_nonnegative)
            for log in expression.atoms(sympy.log)}
    back = {dummy: log for log, dummy in held.items()}
    return sympy.simplify(expression.xreplace(held)).xreplace(back)


@remembered
def _without_minus(expression, *variables: sympy.Symbol) -> bool:
    known = without_minus(expression, variables)
    if known is not None:
        return known
    numerator, denominator = sympy.fraction(sympy.together(expression))
    if not (_short(numerator) and _short(denominator)):
        return False
    unused = sympy.Dummy()  # Poly wants at least one generator
    try:
        parts = [sympy.Poly(sympy.expand(part), *variables, unused) for part in (numerator, denominator)]
    except sympy.PolynomialError:
        return False
    coefficients = [c for part in parts for c in part.coeffs()]
    if not all(c.is_Rational for c in coefficients):
        return False
    return all(c >= 0 for c in coefficients) or all(c <= 0 for c in coefficients)


@remembered
def _not_zero_at_zero(expression, variables: tuple) -> bool:
    numerator = sympy.fraction(sympy.together(expression))[0]
    return simplified(numerator.subs(dict.fromkeys(variables, 0))) != 0


@remembered
def _known(expression, sign: str) -> bool:
    return _short(expression) and (
        getattr(expression, sign) is True
        or expression.is_rational_function() and getattr(sympy.factor(expression), sign) is True)


@remembered
def _from_zero(function, shift: sympy.Symbol, others: tuple, depth: int) -> bool:
    if not _short(function):
        return False
    value = function.subs(shift, 0)
    if value.is_negative:  # the cheap answers first
        return False
    if _without_minus(function, shift, *others):
        return True
    function = simplified(function)
    if _without_minus(function, shift, *others):
        return True
    if depth == 0 or not _without_minus(simplified(value), *others) or not continuous(function, shift, *others):
        return False
    return _from_zero(sympy.diff(function, shift), shift, others, depth - 1)


def tangent() -> list[tuple[str, Decided]]:
    """log z <= z - 1 on both sides of 1, which every inequality of means uses. Steps of a check."""
    s, z = sympy.symbols("s z", nonnegative=True)
    return [
        ("log z <= z - 1 for z >= 1", nonnegative_from(z - 1 - sympy.log(z), z, 1)),
        ("log z <= z - 1 for z = 1/(1+s) <= 1", nonnegative_from(sympy.log(1 + s) - s / (1 + s), s, 0)),
    ]


@remembered
def _replace_logarithms(expression, bits: int) -> tuple[Fraction, Fraction]:
    logs = sorted(expression.atoms(sympy.log), key=str)
    symbols = sympy.symbols(f"x:{len(logs)}")
    polynomial = expression.subs(dict(zip(logs, symbols, strict=True)))
    if not (polynomial.is_polynomial(*symbols) if logs else polynomial.is_Rational) or not all(
            f.args[0].is_Rational and f.args[0] >= 1 for f in logs):
        raise Invalid(f"{expression} is no polynomial in logarithms of rational numbers >= 1")
    if logs and not _without_minus(polynomial, *symbols):
        raise Invalid(f"{expression} is not monotone in its logarithms")
    ends = [enclosure(Fraction(int(f.args[0].p), int(f.args[0].q)), bits) for f in logs]
    values = [polynomial.subs({s: sympy.Rational(end[side].numerator, end[side].denominator)
                               for s, end in zip(symbols, ends, strict=True)}) for side in (0, 1)]
    return tuple(Fraction(int(v.p), int(v.q)) for v in values)
