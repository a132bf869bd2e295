"""The inequalities behind the concentration lemma, by other means."""

import math
from fractions import Fraction

import numpy as np


def test_the_multiplicative_bound_holds_for_binomials():
    """P(mean <= (1 - t) mu) against exp(-N mu t^2/2), summed exactly."""
    for n, p in ((20, Fraction(1, 3)), (60, Fraction(1, 20)), (40, Fraction(9, 10))):
        for t in (Fraction(1, 4), Fraction(1, 2), Fraction(9, 10)):
            tail = sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1) if k <= (1 - t) * n * p)
            assert float(tail) <= math.exp(-n * float(p * t**2) / 2)


def test_the_conservative_quadratic_is_below_the_true_bracket():
    """The last inequality of the concentration lemma, without its simplifications, on a grid of d and n."""
    for d in (2, 3, 7, 40, 300):
        for n in np.logspace(math.log10(6 * d**2), 40, 60):
            u = math.sqrt(d) / 4
            beta = 1.5 * d * math.sqrt(math.log(2 * d * (n + 1)))
            Z = (d / 2 * math.log1p(n / d) + d * math.log1p(4 * n / u)
                 + d * (d + 1) / 2 * math.log1p(8 * beta * math.sqrt(d * n) / u) + math.log(2))
            assert math.sqrt(d) + u + math.sqrt(Z / 2) <= beta
