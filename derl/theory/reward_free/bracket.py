r"""The bracket of the covering argument over beta, enclosed in rational numbers.

With n <= KN earlier samples, the class of value functions min(H, max(0, max_a(w^T phi + |G phi|))) whose bonus is
Lipschitz with constant m in |G phi|, u = sqrt(d)/4 and beta = c d H sqrt(l), l = log(2dKNH/delta), the argument shows
|phi^T w - P V| <= beta |phi|_{Lambda^{-1}} as soon as the smaller of the following two is at most 1:

    (sqrt d + u + sqrt(B/2))/(c d sqrt l)     and     (sqrt d + sqrt n)/(c d sqrt l) ,

    B = d log(1 + n/d)/2 + log(H + 1) + d log(1 + 16 n/sqrt d + 32 sqrt(n)/H)
        + (d(d+1)/2) log(1 + 32 m c d sqrt(l n)) + log(2H/delta) .
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from derl.exact.logarithms import enclosure

BITS = 96
Interval = tuple[Fraction, Fraction]


def square_root(value: Interval) -> Interval:
    """Rational bounds of the square root of a number that lies between two rationals, both >= 0."""
    unit = 1 << BITS
    low, high = (isqrt(side.numerator * unit * unit // side.denominator) for side in value)
    return Fraction(low, unit), Fraction(high + 1, unit)


def log_between(value: Interval) -> Interval:
    """Rational bounds of the logarithm of a number that lies between two positive rationals."""
    return enclosure(value[0])[0], enclosure(value[1])[1]


def bracket_over_beta(d: int, H: int, delta: Fraction, samples: int, lipschitz: int, c: Fraction) -> Interval:
    """Enclosure of the smaller of the two numbers, at KN = n = `samples`.

    Parameters
    ----------
    d, H, samples : int, >= 1
    delta : Fraction, in (0, 1)
    lipschitz : int
        m: 1 for a bonus of planning, 2 for Algorithm 3, 3 for direct exploration.
    c : Fraction, > 0
        c_beta.
    """
    delta, c = Fraction(delta), Fraction(c)
    root_d, root_n = (square_root((Fraction(x), Fraction(x))) for x in (d, samples))
    size = enclosure(2 * d * samples * H / delta)
    v = square_root(size)
    fixed = [Fraction(d, 2) * a + b + e for a, b, e in zip(enclosure(1 + Fraction(samples, d)), enclosure(H + 1),
                                                          enclosure(2 * H / delta), strict=True)]
    weights = log_between((1 + 16 * samples / root_d[1] + 32 * root_n[0] / H,
                           1 + 16 * samples / root_d[0] + 32 * root_n[1] / H))
    matrices = log_between(tuple(1 + 32 * lipschitz * c * d * a * b for a, b in zip(v, root_n, strict=True)))
    content = tuple((f + d * w + Fraction(d * (d + 1), 2) * g) / 2
                    for f, w, g in zip(fixed, weights, matrices, strict=True))
    root = square_root(content)
    covering = tuple(Fraction(5, 4) * a + b for a, b in zip(root_d, root, strict=True))
    crude = tuple(a + b for a, b in zip(root_d, root_n, strict=True))
    scale = c * d * v[0], c * d * v[1]
    return min(covering[0], crude[0]) / scale[1], min(covering[1], crude[1]) / scale[0]
