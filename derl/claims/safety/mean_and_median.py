"""These checks establish that fewer than N of N/alpha trajectories explore with a probability between 1/4 and 1/2.

The symbolic steps hold for all N and alpha, and exact binomial sums cover n <= 30. That the probability grows with n is
in Anderson and Samuels (1967); the two-coin argument is from Hoeffding (1956).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import sympy
from sympy import Rational, log

from derl.claims import Evidence, claim, steps
from derl.exact.compared import every, exactly
from derl.exact.symbolic import equal, exceeds, nonnegative, same_operator
from derl.theory.safety.mixture import too_few

LARGEST_NEED, LARGEST_SIZE = 6, 30

c, k, m, n, p, q = sympy.symbols("c k m n p q", positive=True)
s, t, u = sympy.symbols("s t u", nonnegative=True)


def derivative_of_a_term_of_mean_and_median(text, below_the_mean):
    """The parts "derivative of a term", "rate", "sign" and "lower bound" of `mean_and_median`."""
    at, one_less = sympy.symbols("at one_less", nonnegative=True)
    x = sympy.Symbol("x", positive=True)
    quarter = 1 - Rational(text("f=", after="increases strictly with"))
    half, one = (text(letter, after="increases strictly with") for letter in (r"\alpha=", "N="))
    derivative = k / p - (m - k) / (1 - p)
    telescoped = m * (k / m / p - (m - k) / m / (1 - p))
    with_q, with_p = (1 - q) * at + q * one_less, (1 - p) * at + p * one_less  # P(B + coin = c)
    rate = -with_p + n * with_q / n  # d/dq: one coin q, and n coins p with dp = -1/n
    need = c + below_the_mean  # N
    odds = sympy.expand((need - q) * 1 - c).subs(q, 1 / (1 + t))  # np - c, 0 < q <= 1
    N = 1 + s
    ratio = sympy.exp(0) * (N / (N + 1)) ** N * (2 * N + 1) / (N + 1)
    slope = 2 / (2 * x + 1) - log(1 + 1 / x)
    logarithmic = x * log(x) - x * log(x + 1) + log(2 * x + 1) - log(x + 1)
    return [
        "derivative of a term",
        ("d/dp b(m, k) = m (b(m-1, k-1) - b(m-1, k))", equal(derivative, telescoped)),
        ("k = 0: d/dp (1-p)^m = -m (1-p)^(m-1), the sum telescopes",
         equal(sympy.diff((1 - p) ** m, p) + m * (1 - p) ** (m - 1), 0)),
        "rate",
        ("the rate is (p - q)(P(B = c) - P(B = c - 1))",
         same_operator(rate, (p - q) * (at - one_less))),
        "sign",
        ("np - c = N - q - c >= 0, positive for q < 1", nonnegative(odds, t, c)),
        "lower bound",
        ("at n = N + 1: 1 - f = (2N+1)/(N+1) (N/(N+1))^N: the terms N and N + 1",
         equal((N + 1) * (N / (N + 1)) ** N / (N + 1) + (N / (N + 1)) ** (N + 1), ratio)),
        ("(log g)' = 2/(2N+1) - log(1 + 1/N)",
         equal(sympy.diff(logarithmic, x) + log(x + 1), slope + log(1 + 1 / x) + log(x))),
        ("its derivative is 1/(N(N+1)(2N+1)^2) > 0",
         equal(sympy.diff(slope, x), 1 / (x * (x + 1) * (2 * x + 1) ** 2))),
        ("its limit is 0, and g(1) = 3/4",
         every(exactly(sympy.limit(slope, x, sympy.oo), 0), exactly(ratio.subs(s, Rational(one) - 1), quarter),
               exactly(half, one / (one + 1)))),
    ]


def upper_bound_of_mean_and_median():
    """The part "upper bound" of `mean_and_median`."""
    M, need_, j = n, sympy.Symbol("need", positive=True), sympy.Symbol("j", nonnegative=True)
    step = (need_**2 - j**2) * M**2 / (need_**2 * ((M + 1) ** 2 - j**2))
    pairs = {M: 1 + s + t + u, need_: 1 + s + t, j: 1 + s}  # j <= N <= M
    return [
        "upper bound",
        ("j = 0: b(N-1)/b(N) = (n-N)/(n-N+1) < 1", exceeds(1, t / (t + 1), t)),
        ("the factor from j - 1 to j",
         equal((need_ - j) / (M + 1 + j) * (need_ + j) / (M + 1 - j) * (M / need_) ** 2, step)),
        ("is at most 1 for j <= N <= M",
         nonnegative(sympy.expand((need_**2 * ((M + 1) ** 2 - j**2) - (need_**2 - j**2) * M**2).subs(pairs)), s, t, u)),
    ]


@claim("res-mixture-exactly", false={"P(at most N explore): for c = N, q = 1/2, n p < c": {"below_the_mean": 0}})
def mean_and_median(text, below_the_mean=1):
    """Two coins, the smallest n, and a pairing: Each step for all n, N, p, q; `below_the_mean` is N - c, and g(1) = 1 -
    f at the smallest f."""
    return steps([*derivative_of_a_term_of_mean_and_median(text, below_the_mean), *upper_bound_of_mean_and_median()],
                 "all N >= 1, all whole n > N, alpha = N/n")


@claim("res-mixture-exactly", method="exhaustive", covers="n <= 30, N <= 6", gap="n <= 30, N <= 6",
       false={"fewer than N + 1 in the place of fewer than N: 3/4 at N = 1, n = 2": {"short": 2}})
def increases_with_n(text, short=1):
    """It increases with n, exact binomial sums: Cases in which f(n) < f(n + 1) or the range of f fails; f counts fewer
    than N - 1 + short."""
    allowed = text.range("f", after="explore with a probability $f$ with")
    broken = tried = 0
    for needed in range(1, LARGEST_NEED + 1):
        result = [too_few(size, Fraction(needed, size), needed - 1 + short)
                  for size in range(needed + 1, LARGEST_SIZE + 1)]
        broken += sum(not a < b for a, b in pairwise(result))
        broken += sum(f not in allowed for f in result)
        tried += len(result)
    return Evidence(broken, 0, "upper", f"{tried} binomial distributions with mean N")
