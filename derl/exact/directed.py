"""Inequalities between logarithms and roots of rational numbers, decided with both sides enclosed in rationals.

For numbers that a program has computed in float64: the float is read as the rational that it is, and the inequality is
accepted only if it holds for the worst points of the enclosures.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import isqrt

from derl.exact.base import Invalid
from derl.exact.logarithms import enclosure

BITS = 160
Interval = tuple[Fraction, Fraction]


def logarithm(value: Fraction | int | Interval) -> Interval:
    """Enclosure of log(value), for a number > 0 or an enclosure of one."""
    low, high = value if isinstance(value, tuple) else (value, value)
    return (enclosure(_rounded(Fraction(low), down=True), BITS)[0],
            enclosure(_rounded(Fraction(high), down=False), BITS)[1])


def root(value: Fraction | int | Interval) -> Interval:
    """Enclosure of the square root of a number >= 0, or of an enclosure of one.

    Raises
    ------
    Invalid
        If the number, or the lower end of its enclosure, is negative.
    """
    low, high = value if isinstance(value, tuple) else (value, value)
    if low < 0:
        raise Invalid(f"the square root needs a number >= 0, not {low}")
    unit = 1 << BITS
    ends = (isqrt(Fraction(end).numerator * unit * unit // Fraction(end).denominator) for end in (low, high))
    first, last = ends
    return Fraction(first, unit), Fraction(last + 1, unit)


def total(terms: Iterable[tuple[Fraction | int, Interval]]) -> Interval:
    """Enclosure of a sum of coefficient times enclosed number; coefficients of either sign."""
    low = high = Fraction(0)
    for factor, (least, most) in terms:
        pair = Fraction(factor) * least, Fraction(factor) * most
        low, high = low + min(pair), high + max(pair)
    return low, high


def _rounded(value: Fraction, down: bool) -> Fraction:
    """The number with numerator and denominator of about BITS bits, rounded down or up: huge fractions stay fast."""
    shift = max(0, min(value.numerator.bit_length(), value.denominator.bit_length()) - 2 * BITS)
    if not shift:
        return value
    numerator, denominator = value.numerator >> shift, value.denominator >> shift
    return Fraction(numerator, denominator + 1) if down else Fraction(numerator + 1, denominator)
