"""Enclosures of logarithms and roots contain the true value and are narrow."""

import math
from fractions import Fraction

import pytest

from derl.theory.exact.directed import logarithm, root, total

VALUES = (Fraction(1, 10**30), Fraction(2, 3), 1, 2, Fraction(10**40 + 1, 3), 7 * 10**300)


@pytest.mark.parametrize("value", VALUES)
def test_logarithms_and_roots_are_enclosed_tightly(value):
    low, high = logarithm(value)
    exact = math.log(Fraction(value).numerator) - math.log(Fraction(value).denominator)
    assert low <= high and high - low < Fraction(1, 10**40)
    assert float(low) == pytest.approx(exact, rel=1e-12, abs=1e-15)
    low, high = root(value)
    assert low**2 <= value <= high**2 and high - low < Fraction(1, 10**40)


def test_a_fraction_of_thousands_of_digits_is_rounded_outwards():
    value = Fraction(3**40000, 2**40000)
    low, high = logarithm(value)
    exact = logarithm(Fraction(3, 2))
    assert low <= 40000 * exact[1] and high >= 40000 * exact[0] and high - low < Fraction(1, 10**30)


def test_sums_keep_track_of_signs():
    low, high = total([(2, (Fraction(1), Fraction(2))), (-3, (Fraction(1), Fraction(5)))])
    assert (low, high) == (2 - 15, 4 - 3)
