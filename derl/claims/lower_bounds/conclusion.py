"""These checks examine the last inequalities in the proof of Theorem B.3, and refute one of them.

With c = ceil(log_d NH) >= 1, the inequalities of lines 777, 781, 785 and 822 are taken for all sizes, by derivatives
and in two cases (c = 1 and c >= 2). In line 781 the exponent is repaired.
"""

from __future__ import annotations

from fractions import Fraction
from math import factorial

import sympy

from derl.claims import claim, printed, steps
from derl.exact.compared import at_most, every, exactly, less_than
from derl.exact.symbolic import at_least, by_sign, equal, nonnegative
from derl.theory.lower_bounds.knowledge import guess_excess

CEILING = r"\lceil\log_dNH\rceil"  # c
MISSED = r"P_{\mathcal M,\psi}(F)"
GUESSES = ((2, 3, 1, 2), (2, 3, 2, 2), (3, 2, 1, 2), (2, 3, 1, 3))  # (d, digits, N, K)
E_ABOVE = sum(Fraction(1, factorial(k)) for k in range(8)) + Fraction(1, 5000)  # above e: the rest is < 1/(7 7!)


def _increasing_from_zero(function, variable):
    """Whether function > 0 for all variable in (0, 1): it vanishes at 0 and its derivative is positive there."""
    derivative = sympy.factor(sympy.diff(function, variable))
    y = sympy.Symbol("y", positive=True)  # variable = y/(1+y)
    mapped = sympy.simplify(derivative.subs(variable, y / (1 + y)))
    return function.subs(variable, 0) == 0 and mapped.is_positive is True


def _logarithm(power, H, place):
    """log of a power at a place of H, its base written as a quotient."""
    base, exponent = power.as_base_exp()
    return (exponent * sympy.expand_log(sympy.log(sympy.cancel(base.subs(H, place))), force=True)).subs(H, place)


@claim("ineq-levels-fit", false={"c = 1/2: two levels of the frontier need a c of 1": {"fewest": sympy.Rational(1, 2)}})
def levels_fit(text, fewest=1):
    """K L <= H-2 for c >= 1: The largest K and the L of the text, with c = ceil(log_d NH) = 1 + s; then every smaller
    K."""
    s, t, h = sympy.symbols("s t h", nonnegative=True)
    c, H = fewest + s, text.range("H").low + h
    K, L = (text(left, {CEILING: c}, H=H) for left in (r"K\le", "L="))
    used, room = text.sides(r"KL\le", K=K, L=L, H=H)
    return steps([
        (text.shown(r"KL\le") + " at the largest K", at_least(room, used, s, h)),
        ("smaller K leave more room", nonnegative(sympy.expand((K - (K - t)) * L), s, t, h)),
        ("c >= 1: N H > 1", at_least((1 + s) * H, 2, s, h)),
    ], "all H >= 3, N >= 1, d >= 2")


@claim("ineq-one-over-e", refutes=True, false={"exponent H-1": {"shift": -1}})
def power_is_below_inverse_e(text, shift=0):
    """(1-1/H)^H < 1/e for every H: The logarithm of the reverse inequality, by a derivative; and H = 3 in rationals."""
    H, x = sympy.Symbol("H", positive=True), sympy.Symbol("x", positive=True)  # x = 1/H
    left, right = text.sides(r"...\ge", H=H)
    function = sympy.expand(x * (_logarithm(right, H, 1 / x) - (1 + shift * x) * _logarithm(left, H, 1 / x)))
    three, bound = text.sides(r"...\ge", H=sympy.Integer(3))
    return steps([
        ("log(1/e) > H log(1-1/H) for all H >= 2", _increasing_from_zero(function, x)),
        ("H = 3: less by a factor", less_than(three * sympy.Rational(3, 2) ** -shift * E_ABOVE, bound * sympy.E)),
    ], "every H >= 2")


@claim("ineq-one-over-e-repaired", false={"an exponent (H-2)/(2c) + 1, above (H-1)/2 at c = 1": {"more": 1}})
def power_with_smaller_exponent(text, more=0):
    """(1-1/H)^(H-1) > 1/e, and the exponent of the chain: log(1+y) < y with y = 1/(H-1); and (H-2)/(2c) <= (H-1)/2 for
    c >= 1."""
    y, H, c = sympy.symbols("y H c", positive=True)
    s, h = sympy.symbols("s h", nonnegative=True)
    left, right = text.sides("...>", H=H)
    gap = sympy.expand(y * (_logarithm(left, H, 1 + 1 / y) - _logarithm(right, H, 1 + 1 / y)))
    chain, least = text.sides(r"...\ge", after="hence", H=H, c=c)
    (base, first), (same, second) = left.as_base_exp(), chain.as_base_exp()
    smallest = text.range("H").low
    first, second = (e.subs({H: smallest + h, c: text.range("c").low + s}) for e in (first, second + more))
    return [
        (text.shown("...>") + ": log(1+y) < y for y > 0",
         every(exactly(gap.subs(y, 0), 0), by_sign(sympy.simplify(sympy.diff(gap, y))), less_than(1, smallest))),
        (text.shown(r"...\ge", after="hence") + ": the same base, to a smaller power", every(
            equal(base, same), at_least(second * sympy.log(right), first * sympy.log(least), s, h))),
    ]


@claim("ineq-miss-probability", as_printed={"what the printed chain shows, 1/e < 3/8": {"shown": Fraction(3, 8)}})
def miss_probability(text, shown=Fraction(3, 4)):
    """P(F) >= 3/4 in two cases: Shows P(F) >= `shown` in two cases and compares with the bound of the text."""
    h, s, y = sympy.symbols("h s y", nonnegative=True)
    reached, bound = sympy.Rational(shown), text(r"P_{\mathcal M,\psi}(F)\ge", numbers=sympy.Rational)
    most, least = text.function(r"K\le", CEILING, "H"), text.range("H").low
    H = least + 1 + h  # at the least H the largest K is below 1
    K = most(sympy.Integer(1), H)
    case_one = 1 - 1 / H - (K - 1) / H**2
    exponential = sympy.exp(-y) - (1 - y)  # derivative 1 - exp(-y) >= 0, value 0 at 0
    return steps([
        "number e",
        ("the bound of the text is at most 2/3, as e < 3",
         every(at_most(bound, 1 - 1 / E_ABOVE), less_than(1 - 1 / E_ABOVE, Fraction(2, 3)))),
        "c at least 2",
        ("exp(-y) >= 1-y",
         every(exactly(exponential.subs(y, 0), 0), exactly(sympy.diff(exponential, y), 1 - sympy.exp(-y)))),
        ("c >= 2: K <= (H-1)/4", at_least((H - 1) / 4, most(2 + s, H), s, h)),
        ("c >= 2: e^(-1/4) >= 1-1/4", at_most(reached, 1 - sympy.Rational(1, 4))),
        "c equal to 1",
        ("c = 1: no deployment at the least H", less_than(most(1, least), 1)),
        ("c = 1: d >= NH, so N/d^2 <= 1/H^2", at_least(1 / H**2, 1 / (H * (H + s)), s, h)),
        ("c = 1: Bernoulli's bound is 1 - 3/(2H) + 2/H^2",
         equal(case_one + sympy.Rational(3, 2) / H, 1 + 2 / H**2)),
        ("c = 1: at least as much", at_least(case_one, reached, h)),
        "number e",
        ("that is at least 2/3", at_most(Fraction(2, 3), reached)),
    ], "all d >= 2, H >= 3, N >= 1, K <= (H-2)/(2c); K = 0 where H = 3")


@claim("ineq-final-failure",
       false={"F: the last digit was not matched; at d = 2 a wrong one then shows the right one": {"missed": 3}})
def final_failure(text, other=printed("ineq-miss-probability"), missed=None):
    """(d-1)/d P(F) >= 1/(2e): The output's probabilities of the d places sum to 1, for symbolic d; a history in F shows
    no place, by games."""
    s, pf = sympy.symbols("s P", nonnegative=True)
    d, H, c = text.range("d").low + s, *sympy.symbols("H c", integer=True, positive=True)
    excess = [guess_excess(*game, (game[1] - 1 if missed is None else missed)) for game in GUESSES]
    output = text.function(r"P_{\mathcal M,\psi}(\text{the output does not choose the optimal state})\ge", "d", MISSED)
    bound = text(r"...\ge", after=r"optimal state})\ge", numbers=sympy.Rational)
    reached = sympy.Rational(3, 4)
    return steps([
        "failure",
        ("(d-1)/d >= 1/2", at_least(output(d, reached), reached / 2, s)),
        "failure",
        ("P(F) - P(F)/d = (d-1)/d P(F)", equal(pf, pf / d + output(d, pf))),
        ("P(F) >= 3/4 gives 3/8, above the bound of the text", less_than(bound, reached / 2)),
        ("the range is that of the bound on P(F)", every(
            equal(text(r"K\le", {CEILING: c}, H=H), other(r"K\le", {CEILING: c}, H=H)),
            exactly(text.range("H").low, other.range("H").low))),
        "unknown place",
        (f"no algorithm knows the place on F, (d, digits, N, K) in {GUESSES}", exactly(max(excess), 0)),
    ], "all d >= 2, every algorithm that sees trajectories only")
