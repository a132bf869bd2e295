"""These checks refute steps of Algorithm 2 and of its analysis as printed, each by an exact counterexample.

The loops run in fractions on small instances: two unit vectors, four actions with short features, two layers with a set
of policies, and data on which a value falls below -1. Three constraints are compared as rational functions.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import numpy as np
import sympy

from derl.claims import Evidence, check, control, steps
from derl.estimation.covariance import backward_pass
from derl.estimation.design import Design
from derl.theory.exact.compared import less_than
from derl.theory.exact.matrices import ridge
from derl.theory.exact.symbolic import positive


def root(x: Fraction, digits: int = 100) -> Fraction:
    """The square root, rounded down to a whole multiple of 2^-digits; exact for squares of such multiples."""
    return Fraction(isqrt(x.numerator * 4**digits // x.denominator), 2**digits)


def one_hot_loop(regularisation: int, nu_squared: Fraction) -> list[int]:
    """Actions in the order in which they were taken until 1/sqrt(regularisation + n) <= 3 nu^2/8; squares compared."""
    taken = [0]  # pi_{h,1} = a_1
    while True:
        counts = [taken.count(0), taken.count(1)]
        if Fraction(1, regularisation + min(counts)) <= (3 * nu_squared / 8) ** 2:
            return taken
        taken.append(counts.index(min(counts)))


@check("err-double-regularisation", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="The loop stops above its threshold")
def printed_value_is_not_optimistic(regularisation=4) -> Evidence:
    """Runs the loop on two unit vectors; the squared uncertainty where the printed value stopped."""
    taken = one_hot_loop(regularisation, Fraction(1, 2))
    counts = (taken.count(0), taken.count(1))
    return Evidence(Fraction(1, 2 + min(counts)), Fraction(9, 256) + Fraction(1, 1000), "lower",
                    "H = 1, d = 2, phi = e_k, nu^2 = 1/2, exact covariances",
                    detail=f"stopped after {counts}; threshold squared 9/256")


control(printed_value_is_not_optimistic, "2 I inverted, not 4 I", {"regularisation": 2}, variant="corrected")


@check("err-first-policy", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="Trace of the matrix against the length of the list")
def first_policy_is_not_deployed(kept=False) -> Evidence:
    """Sigma~ - 2 I has one unit of trace per covariance; the list Pi_h has one policy less."""
    taken = one_hot_loop(4, Fraction(1, 2))
    listed = taken if kept else taken[1:]  # Pi_h is filled by pi_{h,2}, pi_{h,3}, ...
    summed = [Fraction(taken.count(k)) for k in (0, 1)]  # the diagonal of Sigma~ - 2 I
    mixture = [len(listed) * Fraction(listed.count(k), len(listed)) for k in (0, 1)]  # |Pi_h| E_mix phi phi^T
    return Evidence(sum(summed) - sum(mixture), 1, "identity", "H = 1, d = 2, phi = e_k")


control(first_policy_is_not_deployed, "pi_{h,1} kept in the list", {"kept": True}, variant="corrected")


@check("res-cover-not-empty", method="symbolic", arithmetic="exact", covers="everything",
       gap="none", title="nu^2/sqrt 5 exceeds the threshold")
def loop_cannot_stop_at_once(threshold=Fraction(3, 8)) -> Evidence:
    """u of the least eigenvalue, at most the mean diagonal entry: (phi^T u)^2 <= sqrt 5 |phi|_{(4I + Lambda)^{-1}}."""
    return steps([("1/5 > threshold^2, doubly regularised", less_than(threshold**2, Fraction(1, 5))),
                  ("1/3 > threshold^2, with 2 I",
                   less_than(threshold**2, Fraction(1, 3)))], "all d, all features, all nu")


control(loop_cannot_stop_at_once, "threshold nu^2/2", {"threshold": Fraction(1, 2)})


@check("alg-arbitrary", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="Sigma~ - 2 I is not |Pi_h| times the covariance of the mixture")
@check("err-set-of-policies", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="Least eigenvalue of |Pi_h| times the covariance of the mixture")
def set_forgets_multiplicities(keep_multiplicities=False, regularisation=2) -> Evidence:
    """The loop picks a_2 as long as b < a; the set holds it once. The stop is decided with 100 binary digits."""
    covariances = {"a_1": (Fraction(1), Fraction(0)), "a_2": (Fraction(3, 4), Fraction(1, 4))}
    (a, b), found = covariances["a_2"], ["a_2"]
    while 3 * root(1 / (regularisation + a)) + root(1 / (regularisation + b)) > 4 * Fraction(3, 32):
        choice = "a_2" if b < a else "a_1"
        found.append(choice)
        a, b = a + covariances[choice][0], b + covariances[choice][1]
    listed = found if keep_multiplicities else sorted(set(found))
    least = min(sum(covariances[name][k] for name in listed) for k in (0, 1))
    return Evidence(least, Fraction(1, 2), "upper", "H = 2, nu_2^2 = 1/4; claimed: at least 1",
                    detail=f"{len(found)} iterations, {len(set(found))} different policies")


control(set_forgets_multiplicities, "a list with multiplicities", {"keep_multiplicities": True}, variant="corrected")


@check("err-clip-from-above", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="A value below -1")
def value_below_minus_one(version="as-printed", copies=6000) -> Evidence:
    """Algorithm 6 on data that a linear MDP with d = 2 produces with positive probability."""
    half = Fraction(1, 2)
    points = [Fraction(0), Fraction(9, 20), Fraction(11, 20)]
    phi = np.array([[[t, 1 - t] for t in points]] * 3, dtype=object)  # (S, A, d): the same three actions everywhere
    counts = np.zeros((3, 3, 3), dtype=int)
    counts[0, 1, 2] = counts[0, 2, 1] = copies  # the states 1 and 2 of the next layer are x and y
    _, operator = ridge(phi, counts)
    one = Fraction(1)
    zero = 0 * one
    last = np.array([[half, half], [one, zero], [zero, one]], dtype=object)
    first = phi[:, 0]  # the policy takes t = 0
    initial = np.array([one, zero, zero], dtype=object)
    estimate = backward_pass([first, last], [Design(None, operator)], initial, version)
    return Evidence((estimate[0, 0] + 1) / 2, -1, "upper", f"d = 2, H = 2, {2 * copies} trajectories, reward phi_1^2",
                    detail="true values lie in [1/2, 1]")


control(value_below_minus_one, "values clipped to [0, 1]", {"version": "repaired"}, variant="corrected")
control(value_below_minus_one, "ten copies of the state, too few", {"copies": 10})


@check("err-covariance-factor", method="exhaustive", arithmetic="exact", covers="one counterexample", gap="none",
       refutes=True, title="An entry is off by twice as much as its value")
def covariance_error_is_doubled(read="entry") -> Evidence:
    """Error of an entry over error of the value for R^{12}, with a regression that is off; Step 1 uses 1."""
    half, one = Fraction(1, 2), Fraction(1)
    first, initial = np.array([[one]], dtype=object), np.array([one], dtype=object)
    last = np.array([[half, half], [one, 0 * one]], dtype=object)
    reward = (1 + last[:, 0] * last[:, 1]) / 2
    found = []
    for weight in (Fraction(1, 3), Fraction(2, 5)):  # what the regression makes of the transition to the first state
        operator = np.array([[weight, 1 - weight]], dtype=object)
        entry = backward_pass([first, last], [Design(None, operator)], initial, "repaired")[0, 1]
        found.append((entry, initial @ first @ operator @ reward))
    (entry, value), (other, off) = found
    return Evidence(abs(other - entry if read == "entry" else off - value) / abs(off - value), Fraction(3, 2), "lower",
                    "H = 2, d = 2 in the last layer; every clip inactive")


control(covariance_error_is_doubled, "the value itself", {"read": "value"})


@check("err-reward-accuracy", method="symbolic", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="Constraint (30) does not give (29)")
def constraint_misses_the_accuracy(constant=32) -> Evidence:
    """x/(1-x) at x = nu^4/constant, divided by nu^4/64, for nu -> 0, where it is smallest; (29) needs at most 1."""
    nu = sympy.Symbol("nu", positive=True)
    x = nu**4 / constant
    return Evidence(sympy.limit(sympy.simplify(x / (1 - x) / (nu**4 / 64)), nu, 0), Fraction(3, 2), "lower",
                    "all nu in (0, 1]: x/(1-x) >= x")


control(constraint_misses_the_accuracy, "the constant 65 instead of 32", {"constant": 65}, variant="corrected")


@check("err-resolution", method="symbolic", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="1/N exceeds 1/(2d(N+1)) for all d and N")
def resolution_of_the_theorem_is_too_coarse(numerator=1) -> Evidence:
    """Positivity of 1/N - 1/(2d(N+1)) over d, N >= 1, as a rational function without negative coefficients."""
    n, d = sympy.symbols("n d", nonnegative=True)
    size, dim = 1 + n, 1 + d
    excess = sympy.Rational(numerator) / size - 1 / (2 * dim * (size + 1))
    return steps([("1/N > 1/(2d(N+1))", positive(excess, n, d))],
                 "all d, N >= 1")


control(resolution_of_the_theorem_is_too_coarse, "epsilon_0 = 1/(8N), which is fine enough for d = N = 1",
        {"numerator": sympy.Rational(1, 8)})
