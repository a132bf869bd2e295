r"""Logarithms of rational numbers in exact arithmetic: enclosures, and the sign of a sum of logarithms.

An integer computed with floating point is only as certain as its last rounding. Whenever a bound of this book is a
floor, it is decided here: the sign of c_1 log q_1 + ... + c_m log q_m, for integers c_i and rationals q_i > 0,
comes from a rational enclosure that is refined until it excludes zero. Where the first enclosure contains zero, zero
itself is tested for: with p_1, ..., p_n pairwise coprime and q_i = prod_j p_j^{e_ij},

    sum_i c_i log q_i = 0   if and only if   sum_i c_i e_ij = 0 for every j,

so the refinement always ends.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from math import gcd

from derl.exact.base import Invalid, as_fraction


def enclosure(value: Fraction | int, bits: int = 64) -> tuple[Fraction, Fraction]:
    """Rational numbers lower <= log(value) <= upper, about 2^-bits apart for values of moderate size.

    Parameters
    ----------
    value : Fraction or int, > 0
    bits : int, >= 1

    Raises
    ------
    Invalid
        If the value is not positive.

    Notes
    -----
    value = 2^k m with 2/3 <= m <= 4/3, and log m = 2 artanh((m-1)/(m+1)) by its series, in whole multiples of
    2^-bits; every division rounds down and is counted as one unit of error, the tail as two.
    """
    value = as_fraction(value)
    if value <= 0:
        raise Invalid(f"the logarithm needs a number > 0, not {value}")
    return _enclosed(value.numerator, value.denominator, bits)


@lru_cache(maxsize=4096)  # the same few logarithms are asked for again and again
def _enclosed(numerator: int, denominator: int, bits: int) -> tuple[Fraction, Fraction]:
    value = Fraction(numerator, denominator)
    power = value.numerator.bit_length() - value.denominator.bit_length()
    mantissa = value / Fraction(2) ** power
    while mantissa > Fraction(4, 3):
        mantissa, power = mantissa / 2, power + 1
    while mantissa < Fraction(2, 3):
        mantissa, power = mantissa * 2, power - 1
    low, high = _artanh_twice((mantissa - 1) / (mantissa + 1), bits)
    two_low, two_high = _log_two(bits)
    ends = (power * two_low, power * two_high)
    return low + min(ends), high + max(ends)


@lru_cache(maxsize=64)
def _log_two(bits: int) -> tuple[Fraction, Fraction]:
    return _artanh_twice(Fraction(1, 3), bits)


def _artanh_twice(z: Fraction, bits: int) -> tuple[Fraction, Fraction]:
    """Enclosure of 2 artanh(z) = 2 (z + z^3/3 + z^5/5 + ...) for |z| <= 1/3."""
    if z < 0:
        low, high = _artanh_twice(-z, bits)
        return -high, -low
    unit = 1 << bits
    power = z.numerator * unit // z.denominator  # floor(z^(2j+1) 2^bits), at most 2 units too small for |z| <= 1/3
    square = z * z
    total, terms, exponent = 0, 0, 1
    while power:
        total += power // exponent
        power = power * square.numerator // square.denominator
        exponent += 2
        terms += 1
    # each term is at most 3 units too small; what was left out is a geometric series below 3 units
    return Fraction(2 * total, unit), Fraction(2 * (total + 3 * terms + 3), unit)


def sign_of_log_sum(terms: Iterable[tuple[int, Fraction | int]]) -> int:
    """The sign (-1, 0 or 1) of sum c_i log q_i, exactly.

    Parameters
    ----------
    terms : iterable of (c_i, q_i)
        Integers c_i of any size and rationals q_i > 0.

    Raises
    ------
    Invalid
        If some q_i is not positive, or some c_i is no whole number.
    """
    terms = [(as_fraction(c), Fraction(q)) for c, q in terms if c]
    if broken := [c for c, _ in terms if c.denominator != 1]:
        raise Invalid(f"a coefficient of a logarithm is {broken[0]}; it has to be a whole number")
    terms = [(int(c), q) for c, q in terms]
    if any(q <= 0 for _, q in terms):
        raise Invalid("the logarithm needs numbers > 0")
    bits = 64 + max((abs(c).bit_length() for c, _ in terms), default=0)
    undecided = False
    while True:
        low, high = Fraction(0), Fraction(0)
        for c, q in terms:
            ends = enclosure(q, bits)
            low += c * ends[c < 0]
            high += c * ends[c > 0]
        if low > 0:
            return 1
        if high < 0:
            return -1
        if not undecided and _is_zero(terms):
            return 0
        undecided, bits = True, 2 * bits


def _is_zero(terms: list[tuple[int, Fraction]]) -> bool:
    """Whether prod q_i^{c_i} = 1, by exponents over a base of pairwise coprime numbers."""
    integers = {n for _, q in terms for n in (q.numerator, q.denominator) if n > 1}
    base = coprime_base(integers)
    return all(sum(c * (_exponent(q.numerator, p) - _exponent(q.denominator, p)) for c, q in terms) == 0
               for p in base)


def coprime_base(integers: Iterable[int]) -> list[int]:
    """Pairwise coprime integers > 1 of which every given integer >= 1 is a product of powers."""
    base: list[int] = []
    todo = [n for n in integers if n > 1]
    while todo:
        n = todo.pop()
        for i, p in enumerate(base):
            common = gcd(n, p)
            if common > 1:
                del base[i]
                todo += [m for m in (common, n // common, p // common) if m > 1]
                break
        else:
            base.append(n)
    return sorted(set(base))


def _exponent(n: int, p: int) -> int:
    """The largest e with p^e | n."""
    e = 0
    while n % p == 0:
        n, e = n // p, e + 1
    return e
