"""These checks examine the last inequalities in the proof of Theorem B.3, and refute one of them.

With c = ceil(log_d NH) >= 1, the inequalities of lines 777, 781, 785 and 822 are taken for all sizes, by derivatives
and in two cases (c = 1 and c >= 2). In line 781 the exponent is repaired.
"""

from __future__ import annotations

from fractions import Fraction
from math import factorial

import sympy

from derl.claims import Evidence, check, control, steps
from derl.theory.exact.compared import at_most, every, exactly, less_than
from derl.theory.exact.symbolic import at_least, by_sign, equal, nonnegative
from derl.theory.lower_bounds.knowledge import guess_excess

GUESSES = ((2, 3, 1, 2), (2, 3, 2, 2), (3, 2, 1, 2), (2, 3, 1, 3))  # (d, digits, N, K)
E_ABOVE = sum(Fraction(1, factorial(k)) for k in range(8)) + Fraction(1, 5000)  # above e: the rest is < 1/(7 7!)


def _increasing_from_zero(function, variable):
    """Whether function > 0 for all variable in (0, 1): it vanishes at 0 and its derivative is positive there."""
    derivative = sympy.factor(sympy.diff(function, variable))
    y = sympy.Symbol("y", positive=True)  # variable = y/(1+y)
    mapped = sympy.simplify(derivative.subs(variable, y / (1 + y)))
    return function.subs(variable, 0) == 0 and mapped.is_positive is True


def _power_below_inverse_e(exponent_shift):
    """The function of x = 1/H that is positive iff (1-1/H)^(H + shift) < 1/e: -(1 + shift x) log(1-x) - x."""
    x = sympy.Symbol("x", positive=True)
    return -(1 + exponent_shift * x) * sympy.log(1 - x) - x, x


@check("ineq-levels-fit", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="K L <= H-2 for c >= 1")
def levels_fit(divisor=2) -> Evidence:
    """(H-2) - K(c+1) with K = (H-2)/(2c) - t and c = 1 + s."""
    s, t, h = sympy.symbols("s t h", nonnegative=True)
    c, H = 1 + s, 3 + h
    K = (H - 2) / (divisor * c)
    room = sympy.together((H - 2) - K * (c + 1))
    return steps([
        ("K(c+1) <= H-2 at the largest K", nonnegative(room, s, h)),
        ("smaller K leave more room", nonnegative(sympy.expand((K - (K - t)) * (c + 1)), s, t, h)),
        ("c >= 1: N H >= 3 > 1", at_least((1 + s) * H, 3, s, h)),
    ], "all H >= 3, N >= 1, d >= 2")


control(levels_fit, "K <= (H-2)/c with L = c+1", {"divisor": 1})


@check("ineq-one-over-e", method="symbolic", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="(1-1/H)^H < 1/e for every H")
def power_is_below_inverse_e(shift=0) -> Evidence:
    """The logarithm of the reverse inequality, by a derivative; and H = 3 in rationals."""
    function, x = _power_below_inverse_e(shift)
    return steps([
        ("-H log(1-1/H) > 1 for all H >= 2", _increasing_from_zero(function, x)),
        ("H = 3: (2/3)^3 e < 1", less_than(Fraction(2, 3) ** (3 + shift) * E_ABOVE, 1)),
    ], "every H >= 2")


control(power_is_below_inverse_e, "exponent H-1", {"shift": -1})


@check("ineq-one-over-e-repaired", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="(1-1/H)^(H-1) > 1/e, and the exponent of the chain")
def power_with_smaller_exponent(exponent=1, least=1) -> Evidence:
    """log(1+y) < y with y = 1/(H-1); and (H-2)/(2c) <= (H-1)/2 for c >= 1."""
    y = sympy.Symbol("y", positive=True)
    s, h = sympy.symbols("s h", nonnegative=True)
    gap = exponent * y - sympy.log(1 + y)  # at y = 0 it vanishes; its derivative is y/(1+y)
    slope = sympy.simplify(sympy.diff(gap, y))
    H, c = 2 + h, least + s
    return steps([
        "logarithm",
        ("log(1+y) < y for y > 0", every(exactly(gap.subs(y, 0), 0), by_sign(slope))),
        ("H/(H-1) = 1 + 1/(H-1)", equal(H / (H - 1), 1 + 1 / (H - 1))),
        "exponent",
        ("(H-2)/(2c) <= (H-1)/2", at_least((H - 1) / 2, (H - 2) / (2 * c), s, h)),
    ], "every H >= 2 and c >= 1: P(F) >= e^(-1/2) > 1/e")


control(power_with_smaller_exponent, "(1-1/H)^(H-1) >= e^(-1/2)", {"exponent": sympy.Rational(1, 2)})
control(power_with_smaller_exponent, "least c = 1/2: the exponent is H-2, above (H-1)/2",
        {"least": sympy.Rational(1, 2)})


@check("ineq-miss-probability", method="symbolic", arithmetic="exact", covers="everything",
       gap="none",
       title="P(F) >= 3/4 in two cases")
def miss_probability(claimed=Fraction(2, 3), shown=Fraction(3, 4)) -> Evidence:
    """Shows P(F) >= `shown` in two cases and compares with `claimed`, which exceeds 1-1/e."""
    h, s, y = sympy.symbols("h s y", nonnegative=True)
    reached, bound = sympy.Rational(shown), sympy.Rational(claimed)
    H = 4 + h
    K = (H - 2) / 2
    case_one = 1 - 1 / H - (K - 1) / H**2
    exponential = sympy.exp(-y) - (1 - y)  # derivative 1 - exp(-y) >= 0, value 0 at 0
    return steps([
        "number e",
        ("1-1/e < 2/3 because e < 3", less_than(1 - 1 / E_ABOVE, Fraction(2, 3))),
        "c at least 2",
        ("exp(-y) >= 1-y",
         every(exactly(exponential.subs(y, 0), 0), exactly(sympy.diff(exponential, y), 1 - sympy.exp(-y)))),
        ("c >= 2: (H-2)/(2c) <= (H-1)/4", at_least((H - 1) / 4, (H - 2) / (2 * (2 + s)), s, h)),
        ("c >= 2: e^(-1/4) >= 1-1/4", at_most(reached, 1 - sympy.Rational(1, 4))),
        "c equal to 1",
        ("c = 1: d >= NH, so N/d^2 <= 1/H^2", at_least(1 / H**2, 1 / (H * (H + s)), s, h)),
        ("c = 1: Bernoulli's bound is 1 - 3/(2H) + 2/H^2",
         equal(case_one + sympy.Rational(3, 2) / H, 1 + 2 / H**2)),
        ("c = 1: at least as much", at_least(case_one, reached, h)),
        "number e",
        ("that exceeds the claim", at_most(bound, reached)),
    ], "all d >= 2, H >= 3, N >= 1, K <= (H-2)/(2c); K = 0 where H = 3")


control(miss_probability, "P(F) >= 4/5", {"claimed": Fraction(4, 5)})
control(miss_probability, "what the printed chain shows, 1/e < 3/8", {"shown": Fraction(3, 8)}, variant="printed")


@check("ineq-final-failure", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="(d-1)/d P(F) >= 1/(2e)")
def final_failure(smallest=2, missed=None) -> Evidence:
    """The output's probabilities of the d places sum to 1, for symbolic d; a history in F shows no place, by games."""
    s, pf = sympy.symbols("s P", nonnegative=True)
    d, j = smallest + s, sympy.symbols("j", integer=True)
    size, chosen = sympy.Symbol("d", integer=True, positive=True), sympy.IndexedBase("p")
    named = sympy.Sum(chosen[j] / size, (j, 1, size))  # the place is j with probability 1/d, the output names it: p_j
    total = sympy.Sum(chosen[j], (j, 1, size))
    excess = [guess_excess(*game, (game[1] - 1 if missed is None else missed)) for game in GUESSES]
    return steps([
        "failure",
        ("(d-1)/d >= 1/2", at_least((d - 1) / d, sympy.Rational(1, 2), s)),
        "average over places",
        ("averaged over d places the output names the right one with probability 1/d",
         equal(sympy.factor_terms(named).subs(total, 1), 1 / size)),
        "failure",
        ("P(F) - P(F)/d = (d-1)/d P(F)", equal(pf, pf / d + (d - 1) / d * pf)),
        ("P(F) >= 3/4 and e < 3 give 3/8 > 1/3 > 1/(2e)",
         every(less_than(1 / (2 * Fraction(271, 100)), Fraction(3, 4) / 2),
               less_than(1 / E_ABOVE, Fraction(100, 271)))),
        "unknown place",
        (f"no algorithm knows the place on F, (d, digits, N, K) in {GUESSES}", exactly(max(excess), 0)),
    ], "all d >= 2, every algorithm that sees trajectories only")


control(final_failure, "d = 1 allowed: (d-1)/d = 0", {"smallest": 1})
control(final_failure, "F: the last digit was not matched; at d = 2 a wrong one then shows the right one",
        {"missed": 3})
