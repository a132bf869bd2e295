"""Deciding inequalities for all parameters at once, in exact arithmetic.

Three tools, all sufficient and none of them numerical:

    nonnegative         a rational function without negative coefficients is >= 0 on [0, oo)^n;
    nonnegative_from    f >= 0 on [a, oo) if f(a) >= 0 and f' >= 0 there (repeated for f', f'');
    same_operator       an identity between products of non-commuting symbols, true for matrices of every size.

Each answers True only when it has a proof. False means "not shown this way", so a control must be chosen such that
the planted statement is really false.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from derl.theory.logarithms import enclosure


def nonnegative(expression, *variables: sympy.Symbol) -> bool:
    """Whether numerator and denominator of a rational function have rational coefficients, none of them negative.

    The variables range over [0, oo); substitute x = a + t beforehand for x >= a. A zero of the denominator at the
    border is the caller's business.
    """
    numerator, denominator = sympy.fraction(sympy.together(sympy.sympify(expression)))
    unused = sympy.Dummy()  # Poly wants at least one generator
    try:
        parts = [sympy.Poly(sympy.expand(part), *variables, unused) for part in (numerator, denominator)]
    except sympy.PolynomialError:
        return False
    coefficients = [c for part in parts for c in part.coeffs()]
    if not all(c.is_Rational for c in coefficients):
        return False
    return all(c >= 0 for c in coefficients) or all(c <= 0 for c in coefficients)


def positive(expression, *variables: sympy.Symbol) -> bool:
    """As `nonnegative`, and strictly positive because the numerator has a positive constant term."""
    numerator = sympy.fraction(sympy.together(sympy.sympify(expression)))[0]
    at_zero = numerator.subs(dict.fromkeys(variables, 0))
    return nonnegative(expression, *variables) and sympy.simplify(at_zero) != 0


def nonnegative_from(function, variable: sympy.Symbol, start, *others: sympy.Symbol, depth: int = 3) -> bool:
    """Whether function >= 0 for all variable >= start (and all others >= 0), by at most `depth` derivatives."""
    shift = sympy.Symbol("shift", nonnegative=True)
    if nonnegative(sympy.simplify(function.subs(variable, start + shift)), shift, *others):
        return True
    value = sympy.simplify(function.subs(variable, start))
    if depth == 0 or not nonnegative(value, *others):
        return False
    return nonnegative_from(sympy.diff(function, variable), variable, start, *others, depth=depth - 1)


def same_operator(left, right) -> bool:
    """Whether two expressions in non-commuting symbols are equal, hence for matrices of every size."""
    return sympy.expand(sympy.sympify(left) - right) == 0


def below(value, bound, bits: int = 96) -> bool:
    """Whether value < bound for expressions built from rationals and logarithms of rationals, by exact enclosures.

    Both sides are polynomials in log(q), q rational, with coefficients >= 0.
    """
    return _replace_logarithms(value, bits)[1] < _replace_logarithms(bound, bits)[0]


def _replace_logarithms(expression, bits: int) -> tuple[Fraction, Fraction]:
    expression = sympy.sympify(expression)
    logs = sorted(expression.atoms(sympy.log), key=str)
    ends = [enclosure(Fraction(int(f.args[0].p), int(f.args[0].q)), bits) for f in logs]
    symbols = sympy.symbols(f"x:{len(logs)}")
    polynomial = expression.subs(dict(zip(logs, symbols, strict=True)))
    if logs and (not nonnegative(polynomial, *symbols) or any(low < 0 for low, _ in ends)):
        raise ValueError(f"{expression} is not monotone in its logarithms")
    values = [polynomial.subs({s: sympy.Rational(end[side].numerator, end[side].denominator)
                               for s, end in zip(symbols, ends, strict=True)}) for side in (0, 1)]
    return tuple(Fraction(int(v.p), int(v.q)) for v in values)
