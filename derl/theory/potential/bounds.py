r"""How often a batch can violate, and how large a batch must be: the formulas around Lemma 4.2.

A batch of N vectors of length at most 1 violates when tr(A^{-1} Phi) >= N epsilon. With k violations in R^d,

    (1 + N epsilon)^k <= (1 + k N / d)^d,                                                        (*)

so at most floor(d x*) batches violate, where x* is the largest x with (1 + N epsilon)^x <= 1 + x N. The proof is in
`derl.claims.potential.batched`. Every integer returned here is certified: (*) is decided in exact arithmetic at
the integer and at its neighbour, so no rounding can move it. A float argument is read as the decimal that Python
prints for it: 0.1 means 1/10.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from decimal import Decimal, localcontext
from fractions import Fraction

from derl.exact.logarithms import enclosure, sign_of_log_sum
from derl.inputs import shown
from derl.theory.potential import batches
from derl.theory.potential.batches import InvalidPotential, count, level, rational, whole

MOST_DIGITS = 10_000


def admits(k: int, d: int, N: int, epsilon: Fraction) -> bool:
    """Whether k violations in R^d satisfy (1 + N epsilon)^k <= (1 + k N / d)^d, decided exactly."""
    return sign_of_log_sum([(d, 1 + Fraction(k * N, d)), (-k, 1 + N * epsilon)]) >= 0


def sharp_root(N, epsilon) -> float:
    """x*: the largest x with (1 + N epsilon)^x <= 1 + x N, to float accuracy.

    x* >= 1, with equality only at epsilon = 1; it decreases in N and tends to 1, while N x* increases.

    Raises
    ------
    InvalidPotential
    """
    N, epsilon = whole(N, "N"), level(epsilon)
    if epsilon == 1:
        return 1.0
    return largest_exponent(_log1p(N * epsilon), math.log(N))


def largest_exponent(rate: float, log_gain: float) -> float:
    """The largest z >= 1 with e^{rate z} <= 1 + z e^{log_gain}, by Newton's method from the right.

    Parameters
    ----------
    rate : float, in (0, log(1 + e^log_gain)]
    """
    small = math.exp(-log_gain)

    def excess(z):  # log of the left side over the right: convex, zero at 0, negative up to z
        return z * rate - log_gain - math.log(z + small)

    z = 2.0
    while excess(z) <= 0:
        z *= 2
    while True:  # decreases to the root until rounding stops it
        following = z - excess(z) / (rate - 1 / (z + small))
        if not 1 <= following < z:
            return z
        z = following


def sharp_bound(d, N, epsilon) -> int:
    """The largest possible number of violations allowed by the sharp lemma: floor(d x*), certified.

    Parameters
    ----------
    d : int, >= 1
    N : int, >= 1
        Vectors in a batch.
    epsilon : number, in (0, 1]

    Returns
    -------
    int
        At least d, because d violations always occur: one long batch along each axis.

    Raises
    ------
    InvalidPotential

    Examples
    --------
    >>> from fractions import Fraction
    >>> from derl.theory import potential
    >>> [potential.sharp_bound(1, N, Fraction(1, 10)) for N in (10, 1000)]
    [5, 1]
    """
    d, N, epsilon = count(d, "d"), whole(N, "N"), level(epsilon)
    return _first(lambda k: not admits(k, d, N, epsilon), math.floor(d * sharp_root(N, epsilon)) + 1) - 1


def refined_bound(d, N, epsilon) -> int:
    """A bound that also uses what the last violation needs; at most `sharp_bound`, and exact for d = 1.

    A batch can violate only while the smallest eigenvalue of A is at most 1/epsilon. After k violations
    det A >= (1 + N epsilon)^k and tr A <= d + k N, so another one needs

        (1 + N epsilon)^k <= m ((d + k N - m)/(d - 1))^(d - 1),      m = min(1/epsilon, 1 + k N/d).

    The bound is the smallest k for which this fails.

    Parameters and errors as in `sharp_bound`.
    """
    d, N, epsilon = count(d, "d"), whole(N, "N"), level(epsilon)

    def exhausted(k: int) -> bool:
        least = min(1 / epsilon, 1 + Fraction(k * N, d))
        terms = [(1, least), (-k, 1 + N * epsilon)]
        if d > 1:
            terms.append((d - 1, (d + k * N - least) / (d - 1)))
        return sign_of_log_sum(terms) < 0

    return _first(exhausted, sharp_bound(d, N, epsilon))


def one_dimensional_count(N, epsilon) -> int:
    """The exact largest number of violations for d = 1: 1 + floor(log(1/epsilon) / log(1 + N epsilon))."""
    return refined_bound(1, N, epsilon)


def sharp_batch_size(c_K, epsilon) -> int:
    """The smallest whole N >= (c_K / epsilon^c_K)^(1/(c_K - 1)): then at most c_K d batches violate, for every d.

    Parameters
    ----------
    c_K : number, > 1
    epsilon : number, in (0, 1]

    Raises
    ------
    InvalidPotential
    """
    c_K, epsilon = rational(c_K, "c_K", above=1, high=10**100), level(epsilon)
    p, q = c_K.numerator, c_K.denominator
    guess = _near([(c_K, 1 / (c_K - 1)), (epsilon, -c_K / (c_K - 1))])
    return _first(lambda N: sign_of_log_sum([(p - q, N), (p, epsilon), (-q, c_K)]) >= 0, guess)


def smallest_batch_size(d, count, epsilon) -> int:
    """The smallest N at which the sharp bound is at most `count` (>= d): the inverse of `sharp_bound`.

    For count = d it is at most (1 + 1/d)^d / epsilon^(d+1), rounded up, and exactly d violations are then the worst.
    """
    d, count, epsilon = batches.count(d, "d"), batches.count(count, "count"), level(epsilon)
    if count < d:
        raise InvalidPotential(f"count is {shown(count)}; it must be >= d = {shown(d)}, because so many always occur")
    factor = Fraction(count + 1, d)
    guess = _near([(factor, 1 / (factor - 1)), (epsilon, -factor / (factor - 1))])
    return _first(lambda N: not admits(count + 1, d, N, epsilon), guess)


def paper_batch_size(d, horizon, epsilon, c_K, c=1) -> int:
    """The smallest whole N >= c (c_K H d^c_K epsilon^-c_K log(H d / epsilon)^c_K)^(1/(c_K - 1)).

    Parameters
    ----------
    d, horizon : int, >= 1
    epsilon : number, in (0, 1)
    c_K : number, > 1
        The paper asks for c_K >= 2.
    c : number, > 0
        The absolute constant; c = 1 suffices.

    Raises
    ------
    InvalidPotential

    Notes
    -----
    Source: Lemma 4.2. The right side is never a whole number, because log(H d / epsilon) is transcendental; so the
    comparison below always ends.
    """
    d, horizon, epsilon = count(d, "d"), count(horizon, "horizon"), level(epsilon)
    c_K, c = rational(c_K, "c_K", above=1, high=10**100), rational(c, "c", above=0)
    if epsilon == 1:
        raise InvalidPotential("epsilon is 1; the printed batch size needs 0 < epsilon < 1")
    p, q = c_K.numerator, c_K.denominator
    ratio = horizon * d / epsilon

    def enough(N: int) -> bool:
        bits = 64 + p.bit_length()
        while True:
            low, high = enclosure(ratio, bits)
            known = [(p - q, N / c), (-q, c_K * horizon), (-p, d / epsilon)]
            if low > 0:
                if sign_of_log_sum([*known, (-p, high)]) >= 0:
                    return True
                if sign_of_log_sum([*known, (-p, low)]) < 0:
                    return False
            bits *= 2

    factors = [(c, Fraction(1)), (c_K * horizon, 1 / (c_K - 1)), (d / epsilon, c_K / (c_K - 1))]
    bits = 64 + 4 * _digits(factors)
    return _first(enough, _near([*factors, (enclosure(ratio, bits)[1], c_K / (c_K - 1))]))


def paper_inequality(d: int, N: int, epsilon: float, K: int) -> float:
    """The bound inside the printed proof of Lemma 4.2: d log(1 + KN/d) / log(N epsilon / (d log(1 + KN/d))).

    Infinite where the proof's condition N > (d/epsilon) log(1 + KN/d) fails and the argument says nothing.
    """
    d, N, K, epsilon = count(d, "d"), count(N, "N"), count(K, "K"), level(epsilon)
    growth = math.log1p(K * N / d)
    ratio = float(N * epsilon) / (d * growth)
    return d * growth / math.log(ratio) if ratio > 1 else math.inf


def trade_off(d, epsilon, batch_sizes: Iterable[int]) -> list[int]:
    """The bound floor(d x*(N)) for each batch size N: how many deployments can violate, from N = 1 upwards."""
    return [sharp_bound(d, N, epsilon) for N in batch_sizes]


def _first(holds: Callable[[int], bool], guess: int) -> int:
    """The smallest n >= 1 at which a monotone predicate holds, searched from a guess outwards."""
    high, step = max(1, guess), 1
    while not holds(high):
        high, step = high + step, 2 * step
    low, step = high, 1
    while low > 1 and holds(low - 1):
        high, low, step = low - 1, max(1, low - step), 2 * step
        if not holds(low):
            break
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return low if holds(low) else high


def _log1p(value: Fraction) -> float:
    """log(1 + value) for value >= 0 of any size."""
    return math.log1p(value) if value < 2**1000 else math.log(value.numerator) - math.log(value.denominator)


def _digits(factors: list[tuple[Fraction, Fraction]]) -> int:
    """About how many digits prod base^exponent has; refused where the exact search would not end in time."""
    digits = max(0, math.ceil(sum(exponent * Fraction(math.log10(base)) for base, exponent in factors)))
    if digits > MOST_DIGITS:
        raise InvalidPotential(f"N would have about {digits:.3g} digits; at most {MOST_DIGITS} are certified, so c_K "
                               "must be further from 1")
    return digits


def _near(factors: list[tuple[Fraction, Fraction]]) -> int:
    """A whole number next to prod base^exponent: a place to start a certified search, not a certified value."""
    with localcontext(prec=30 + _digits(factors)):
        logarithm = sum((_decimal(exponent) * _decimal(base).ln() for base, exponent in factors), Decimal(0))
        return max(1, math.ceil(logarithm.exp()))


def _decimal(value: Fraction) -> Decimal:
    return Decimal(value.numerator) / Decimal(value.denominator)
