"""These checks establish exact values of the plain lock with two digits, and what the bias of the other lock costs.

The value of the plain lock satisfies a recursion with a closed form. For the biased lock the likelihood ratio of a
history is bounded. Both are compared with optimal play on the arrays.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import sympy

from derl.claims import Evidence, claim, printed, steps
from derl.claims.lower_bounds.plain import plain_lock
from derl.exact.compared import at_most, every, exactly, less_than
from derl.exact.symbolic import at_least, equal, same_operator
from derl.mdp import instances
from derl.theory.lower_bounds import failure_without_horizon_log
from derl.theory.lower_bounds.knowledge import bayes_success, paths

GAMES = tuple((n, K) for n in (1, 2, 3) for K in (0, 1, 2)) + ((4, 1),)  # (n, K), d = 2, N = 1
BIASED = (("average probability of failure is", "horizon-log` is"), (r"for $H=2$, $b=\frac12$,", r"log` is $\frac14$,"),
          (r"$b=\frac14$ and", r"log` is $\frac14$, $\frac14$ and"))  # words before each value and before its bound


FAILURE = r"P(\mathrm{Bin}(n,\frac12)<n-K)"


def binary_failure(n: int, K: int) -> Fraction:
    """P(Bin(n, 1/2) < n - K)."""
    return Fraction(sum(comb(n, j) for j in range(max(0, n - K))), 2**n)


def recursion(u: int, K: int, gain=Fraction(1, 2)) -> Fraction:
    """V(u, K) as the search makes it: the sum over the number of digits gained."""
    if K == 0 or u == 0:
        return Fraction(1, 2**u)
    return sum(gain**(j + 1) * recursion(u - j - 1, K - 1, gain) for j in range(u)) + Fraction(1, 2**u)


@claim("res-plain-lock-value",
       false={"one wrong guess more: at n = 2, K = 0 failure 1/4 and not 3/4": {"tries": 1},
              "a digit is right with probability 2/5: at n = 1, K = 1 a value of 9/10": {"gain": Fraction(2, 5)}})
def value_by_recursion(text, tries=0, gain=Fraction(1, 2)):
    """The recursion is Pascal's rule: The first terms of the sum for symbolic values; the printed form; the failure
    after one deployment more."""
    first, rest, end = sympy.symbols("V1 rest end")  # V(u-1, K-1); sum over j >= 1; 2^{-u}
    half = sympy.Rational(gain.numerator, gain.denominator)
    one_less = rest / half + end / half  # V(u-1, K): its terms are those of V(u, K) from j = 1 on, over 1/2
    u, K = sympy.symbols("u K", integer=True, positive=True)
    rows = [(m, k) for m in range(1, 9) for k in range(1, 9)]
    return steps([
        "recursion",
        ("V(u, K) = (V(u-1, K-1) + V(u-1, K))/2",
         same_operator(half * first + rest + end, (first + one_less) / 2)),
        ("V(u, 0) = 2^-u = P(Bin(u, 1/2) <= 0), V(0, K) = 1",
         every(every(exactly(recursion(m, 0, gain), 1 - binary_failure(m, 0)), exactly(recursion(0, m, gain), 1))
               for m in range(6))),
        "binomial",
        ("Pascal's rule for the binomial",
         every(exactly(2 * binary_failure(m, k), binary_failure(m - 1, k - 1) + binary_failure(m - 1, k))
               for m, k in rows)),
        ("u, K <= 8: the sum over the digits gained has this value",
         every(exactly(1 - recursion(m, k, gain), text("", {FAILURE: binary_failure(m, k + tries)},
                                                       after="in the worst case, is")) for m, k in rows)),
        "output",
        ("P(Bin(K + m - 1) < m) of the search, one deployment more for the output",
         every(exactly(failure_without_horizon_log(2, m, 1, k + 1), binary_failure(m, k)) for m, k in rows if k < m)),
    ], "d = 2, N = 1, all n and K")


@cache
def played(d: int, n: int, K: int) -> Fraction:
    """How likely optimal play opens the plain lock, on the arrays."""
    return bayes_success([plain_lock(d, code) for code in paths(d, n)], paths(d, n), K)


@claim("res-plain-lock-value", method="exhaustive", covers=f"(n, K) in {GAMES}", gap="small games",
       false={"one wrong guess more: at n = 2, K = 0 failure 1/4 and not 3/4": {"tries": 1}})
def bayes_on_arrays(text, tries=0):
    """Every policy after every history, on the arrays: The first difference between optimal play on the arrays and
    the closed form."""
    d = int(text("d="))
    gaps = (abs(1 - played(d, n, K) - text("", {FAILURE: binary_failure(n, K + tries)}, after="in the worst case, is"))
            for n, K in GAMES)
    return Evidence(next(filter(None, gaps), 0), 0, "identity", f"{len(GAMES)} games, exact rationals")


@claim("res-biased-lock-value", method="exhaustive", false={"outputs without a deployment": {"seen": 0}})
def biased_value_on_arrays(text, seen=1):
    """Every policy after every history, on the arrays: Optimal play on the biased lock, with d, N and K of the text;
    and the bound, which stays below."""
    outcomes, d, trajectories = [], int(text("d=")), int(text("N=K="))
    for words, bound_words in BIASED:
        H, bias = int(text("H=", after=words)), text("b=", after=words)
        claimed, bound = text("", after=words), text("", after=bound_words)
        locks = [instances.lock(d, H, code, bias, exact=True) for code in product(range(d), repeat=H)]
        result = 1 - bayes_success(locks, paths(d, H), trajectories * seen)
        at_bound = failure_without_horizon_log(d, H - 1, trajectories, trajectories) * Fraction(d - 1, d)
        outcomes += [(f"H = {H}, bias {bias}: {claimed}", exactly(result, claimed)),
                     (f"H = {H}, bias {bias}: above the bound {bound}",
                      every(exactly(at_bound, bound), less_than(bound, result)))]
    return steps(outcomes, "d = 2, N = K = 1, (H, bias) = (2, 1/2), (2, 1/4), (3, 1/2); all codes, all policies")


@claim("res-biased-last-digit", plants=4, false={"b < 0: tails are likelier than 1/2": {"sign": -1}})
def last_digit_costs_trajectories(text, least=printed("res-biased-lock-value")("", after=r"for $H=2$, $b=\frac12$,"),
                                  sign=1):
    """Likelihood ratio of a history, and the sum over the last digit: One trajectory's ratio, the induction over
    trajectories, the average over d digits; one game where it bites."""
    t, u, ratio, past, fair = sympy.symbols("t u r P p", nonnegative=True)
    b = sign * t / (2 * (t + u))  # in [0, 1/2], both ends included
    size, j = sympy.Symbol("d", integer=True, positive=True), sympy.symbols("j", integer=True)
    named = sympy.IndexedBase("p")
    total = sympy.Sum(named[j], (j, 1, size))
    average = sympy.factor_terms(sympy.Sum(ratio * named[j] / size, (j, 1, size))).subs(total, 1)
    bound = text.function("", "d", "b", "K", "N", after="with probability at most")
    growth, success, many = size * bound(size, b, 1, 1), *sympy.symbols("s m", positive=True)
    enough = text(r"KN\ge", p=success, d=size, b=b)
    d, digits, N = 3, 2, 3
    K = 8 * digits  # floor(log_3 3) = 1: the K of the upper bound for failure 1/5
    return steps([
        "ratio of a trajectory",
        ("heads: (1/2 + b)/(1/2) = 1 + 2b", at_least(growth, (sympy.Rational(1, 2) + b) * 2, t, u)),
        ("tails, and all other transitions: at most 1", at_least(1, (sympy.Rational(1, 2) - b) * 2, t, u)),
        "induction",
        ("one trajectory more: ratio times at most 1 + 2b",
         every(at_least(past * fair * ratio * growth, past * fair * ratio, past, fair, ratio, t, u),
               equal(bound(size, b, 1, many + 1), bound(size, b, 1, many) * growth),
               equal(bound(size, b, many, 1), bound(size, b, 1, many)))),
        "last digit",
        ("averaged over the last digit: ratio/d", equal(average, ratio * bound(size, b, 0, 1))),
        (text.shown("KN") + ": the logarithm of d times the bound is then that of p d",
         equal(enough * sympy.log(growth), sympy.log(success * size))),
        "two cases",
        ("d = 3, H = 2, N = 3, bias 1/1000, K = 16: success below 2/5",
         less_than(bound(d, Fraction(1, 1000), K, N), Fraction(2, 5))),
        ("and the bound is not below the truth for d = 2, H = 2, N = K = 1, bias 1/4",
         at_most(1 - least, bound(2, Fraction(1, 4), 1, 1))),
    ], "all d, H >= 1, all K, N, b in [0, 1/2], every algorithm")
