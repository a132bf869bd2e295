"""These checks refute steps of Algorithm 2 and of its analysis as printed, each by an exact counterexample.

The loops run in fractions on small instances: two unit vectors, four actions with short features, two layers with a set
of policies, and data on which a value falls below -1. Three constraints are compared as rational functions.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

import numpy as np
import sympy

from derl.claims import Evidence, claim, printed, steps
from derl.estimation.covariance import backward_pass
from derl.estimation.design import Design
from derl.exact.compared import less_than
from derl.exact.matrices import ridge
from derl.exact.symbolic import at_least, positive


def root(x: Fraction, digits: int = 100) -> Fraction:
    """The square root, rounded down to a whole multiple of 2^-digits; exact for squares of such multiples."""
    return Fraction(isqrt(x.numerator * 4**digits // x.denominator), 2**digits)


def one_hot_loop(regularisation: int, threshold: Fraction) -> list[int]:
    """Actions in the order in which they were taken until 1/sqrt(regularisation + n) <= threshold; squares compared."""
    taken = [0]  # pi_{h,1} = a_1
    while True:
        counts = [taken.count(0), taken.count(1)]
        if 1 / Fraction(regularisation + min(counts)) <= threshold**2:
            return taken
        taken.append(counts.index(min(counts)))


LISTING = printed("alg-arbitrary")


def as_listed(listing, nu_squared: Fraction) -> tuple[Fraction, Fraction]:
    """The regularisation with which Algorithm 2 starts, and the threshold at which its loop stops."""
    return (listing(r"\tilde\Sigma_{h,1}=", {"I": 1}),
            listing(r"V_{h,i+1}\le", {r"\nu_{\min}^2": nu_squared}))


@claim("err-double-regularisation", method="exhaustive", refutes=True,
       as_corrected={"2 I inverted, not 4 I": {"again": 0}})
def printed_value_is_not_optimistic(text, listing=LISTING, again=2):
    """The loop stops above its threshold: Runs the loop on two unit vectors; the squared uncertainty where the printed
    value stopped."""
    start, threshold = as_listed(listing, Fraction(1, 2))
    taken = one_hot_loop(start + again, threshold)
    counts = (taken.count(0), taken.count(1))
    matrix = text(r"\Sigma_{h,i}=", {r"\sum_j\Lambda^{\pi_j}_h": min(counts), "I": 1})
    return Evidence(1 / Fraction(matrix), threshold**2 + Fraction(1, 1000), "lower",
                    "H = 1, d = 2, phi = e_k, nu^2 = 1/2, exact covariances",
                    detail=f"stopped after {counts}; threshold squared {threshold**2}")


@claim("err-first-policy", method="exhaustive", refutes=True,
       as_corrected={"pi_{h,1} kept in the list": {"kept": True}})
def first_policy_is_not_deployed(text, listing=LISTING, kept=False):
    """Trace of the matrix against the length of the list: Sigma~ - 2 I has one unit of trace per covariance; the list
    Pi_h has one policy less."""
    start, threshold = as_listed(listing, Fraction(1, 2))
    taken = one_hot_loop(start + 2, threshold)
    listed = taken if kept else taken[1:]  # Pi_h is filled by pi_{h,2}, pi_{h,3}, ...
    summed = [text("", {r"\tilde\Sigma_h": start + taken.count(k), "I": 1}, after="When the loop stops,")
              for k in (0, 1)]  # the diagonal of Sigma~ - 2 I
    mixture = [len(listed) * Fraction(listed.count(k), len(listed)) for k in (0, 1)]  # |Pi_h| E_mix phi phi^T
    return Evidence(sum(summed) - sum(mixture), 1, "identity", "H = 1, d = 2, phi = e_k")


@claim("res-cover-not-empty", false={"an eigenvalue of at most 2": {"largest": 2}})
def loop_cannot_stop_at_once(text, largest=1):
    """nu^2/sqrt 5 exceeds the threshold: u of the least eigenvalue, at most the mean diagonal entry: (phi^T u)^2 <=
    sqrt 5 |phi|_{(4I + Lambda)^{-1}}."""
    s, nu = sympy.symbols("s nu", positive=True)
    twice, once = (text(r"V_{h,2}\ge", after=words, nu=nu) / nu**2
                   for words in ("In fact", "added twice, and"))
    threshold = text(r"V_{h,2}\ge...>", nu=nu) / nu**2
    starts = (text("", {"I": 1}, after=words) for words in (r"\frac38\nu^2$ with", r"\nu^2/\sqrt3$ with"))
    return steps([*((f"an eigenvalue of at most 1: the value is at least nu^2/sqrt({start} + 1)",
                     at_least(1 / (start + largest / (1 + s)), bound**2, s))
                    for start, bound in zip(starts, (twice, once), strict=True)),
                  (text.shown(r"\nu^2/\sqrt5"), less_than(threshold**2, twice**2)),
                  ("and more so with 2 I", less_than(threshold**2, once**2))], "all d, all features, all nu")


@claim("alg-arbitrary", method="exhaustive", refutes=True,
       title="Sigma~ - 2 I is not |Pi_h| times the covariance of the mixture",
       as_corrected={"a list with multiplicities": {"keep_multiplicities": True}})
@claim("err-set-of-policies", method="exhaustive", refutes=True,
       title="Least eigenvalue of |Pi_h| times the covariance of the mixture")
def set_forgets_multiplicities(text, listing=LISTING, keep_multiplicities=False):
    """The loop picks a_2 as long as b < a; the set holds it once. The stop is decided with 100 binary digits."""
    regularisation, threshold = as_listed(listing, Fraction(1, 4))
    covariances = {"a_1": (Fraction(1), Fraction(0)), "a_2": (Fraction(3, 4), Fraction(1, 4))}
    (a, b), result = covariances["a_2"], ["a_2"]
    while 3 * root(1 / (regularisation + a)) + root(1 / (regularisation + b)) > 4 * threshold:
        choice = "a_2" if b < a else "a_1"
        result.append(choice)
        a, b = a + covariances[choice][0], b + covariances[choice][1]
    listed = result if keep_multiplicities else sorted(set(result))
    mixture = np.array([sum(covariances[name][k] for name in listed) / len(listed) for k in (0, 1)])
    claimed, least = text.relation(
        r"\sigma_{\min}(|\Pi_h|\,\mathbb E_{\pi_{h,\mathrm{mix}}}[\phi\phi^\top])",
        {r"\sigma_{\min}": min, r"|\Pi_h|": len(listed),
         r"\mathbb E_{\pi_{h,\mathrm{mix}}}[\phi\phi^\top]": mixture}).ordered
    kept, analysed = listing.sides(r"\tilde\Sigma_{h,i+1}\approx", {
        r"\tilde\Sigma_{h,i+1}": np.array([regularisation + a, regularisation + b]), "I": np.ones(2, int),
        r"|\Pi_h|": len(listed), r"\mathbb E_{\mathrm{unif}(\Pi_h)}[\phi\phi^\top]": mixture})
    apart = max(abs(kept - analysed))
    return Evidence(least if apart > claimed / 2 else claimed, claimed / 2, "upper",
                    f"H = 2, nu_2^2 = 1/4; claimed: at least {claimed}",
                    detail=f"{len(result)} iterations, {len(set(result))} different policies")


@claim("err-clip-from-above", method="exhaustive", refutes=True,
       false={"ten copies of the state, too few": {"copies": 10}},
       as_corrected={"values clipped to [0, 1]": {"version": "repaired"}})
def value_below_minus_one(bound=printed("err-clip-from-above")(r"\sup_s|\hat V(s)|\le"), version="as-printed",
                          copies=6000):
    """A value below -1: Algorithm 6 on data that a linear MDP with d = 2 produces with positive probability."""
    half = Fraction(1, 2)
    points = [Fraction(0), Fraction(9, 20), Fraction(11, 20)]
    phi = np.array([[[t, 1 - t] for t in points]] * 3, dtype=object)  # (S, A, d): the same three actions everywhere
    counts = np.zeros((3, 3, 3), dtype=np.int64)
    counts[0, 1, 2] = counts[0, 2, 1] = copies  # the states 1 and 2 of the next layer are x and y
    _, operator = ridge(phi, counts)
    one = Fraction(1)
    zero = 0 * one
    last = np.array([[half, half], [one, zero], [zero, one]], dtype=object)
    first = phi[:, 0]  # the policy takes t = 0
    initial = np.array([one, zero, zero], dtype=object)
    estimate = backward_pass([first, last], [Design(None, operator)], initial, version)
    return Evidence((estimate[0, 0] + 1) / 2, -bound, "upper",
                    f"d = 2, H = 2, {2 * copies} trajectories, reward phi_1^2", detail="true values lie in [1/2, 1]")


@claim("err-covariance-factor", method="exhaustive", refutes=True, false={"the value itself": {"read": "value"}})
def covariance_error_is_doubled(text, read="entry"):
    """An entry is off by twice as much as its value: Error of an entry for R^{12}, i = 1, where the value is off by
    beta' xi, a regression being off."""
    half, one = Fraction(1, 2), Fraction(1)
    first, initial = np.array([[one]], dtype=object), np.array([one], dtype=object)
    last = np.array([[half, half], [one, 0 * one]], dtype=object)
    reward = (1 + last[:, 0] * last[:, 1]) / 2
    result = []
    for weight in (Fraction(1, 3), Fraction(2, 5)):  # what the regression makes of the transition to the first state
        operator = np.array([[weight, 1 - weight]], dtype=object)
        entry = backward_pass([first, last], [Design(None, operator)], initial, "repaired")[0, 1]
        result.append((entry, initial @ first @ operator @ reward))
    (entry, value), (other, off) = result
    claimed = text(r"|(\tilde\Sigma_{h,i})_{jk}-(\Sigma_{h,i})_{jk}|\le", {r"\beta'": 3, r"\xi": abs(off - value) / 3},
                   i=1)
    return Evidence(abs(other - entry if read == "entry" else off - value) / claimed, Fraction(3, 2), "lower",
                    "H = 2, d = 2 in the last layer; every clip inactive")


@claim("err-reward-accuracy", refutes=True,
       as_corrected={"the constant 65 instead of 32": {"margin": sympy.Rational(65, 32)}})
def constraint_misses_the_accuracy(text, margin=1):
    """Constraint (30) does not give (29): x/(1-x) at the largest xi, divided by the square of the bound, for nu -> 0,
    where it is smallest."""
    nu, i, d, beta = sympy.symbols("nu i d beta", positive=True)
    letters = {r"\nu_{\min}": nu, r"i_{\max}": i, r"\beta'": beta}
    x = text("x=", {**letters, r"\xi": text(r"\xi\le", letters, d=d) / margin}, d=d)
    left, right = text.relation(r"\sqrt{x/(1-x)}", letters, x=x).ordered
    return Evidence(sympy.limit(sympy.simplify((left / right) ** 2), nu, 0), Fraction(3, 2), "lower",
                    "all nu in (0, 1]: x/(1-x) >= x")


@claim("err-resolution", refutes=True,
       false={"epsilon_0 = 1/(8N), which is fine enough for d = N = 1": {"numerator": sympy.Rational(1, 8)}})
def resolution_of_the_theorem_is_too_coarse(text, numerator=1):
    """1/N exceeds 1/(2d(N+1)) for all d and N: Positivity of the difference over d, N >= 1, as a rational function
    without negative coefficients."""
    n, d = sympy.symbols("n d", nonnegative=True)
    letters = {"N": 1 + n, "d": 1 + d}
    excess = sympy.Rational(numerator) * text(r"\epsilon_0=", **letters) - text(r"\epsilon_0\le", **letters)
    return steps([(f"not {text.shown(chr(92) + 'epsilon_0', after='the input condition')}", positive(excess, n, d))],
                 "all d, N >= 1")
