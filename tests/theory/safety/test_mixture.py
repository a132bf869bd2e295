"""Binomial shortfalls against scipy, sample sizes, and the small functions of the extended settings."""

import math
from fractions import Fraction

import pytest
from scipy.stats import binom

from derl.theory.safety import mixture
from derl.theory.safety.mixture import InvalidMixture


@pytest.mark.parametrize("m, alpha, needed", [
    (10, "1/2", 5), (100, "1/10", 10), (37, "2/7", 9), (5, "1", 5), (5, "0", 1), (3, "1/2", 9), (4, "1/3", 0)])
def test_shortfall_is_a_binomial_sum(m, alpha, needed):
    exact = mixture.too_few(m, Fraction(alpha), needed)
    assert isinstance(exact, Fraction)
    assert float(exact) == pytest.approx(binom.cdf(needed - 1, m, float(Fraction(alpha))), abs=1e-12)


def test_one_try_in_two():
    assert mixture.too_few(2, Fraction(1, 2), 1) == Fraction(1, 4)
    assert mixture.too_few(6, Fraction(1, 2), 3) == Fraction(22, 64)


@pytest.mark.parametrize("needed, alpha, level", [(1, "1/2", 1), (10, "1/5", 3), (200, "1/3", "1/2"), (50, "1", 5)])
def test_enough_is_enough_and_not_many_more(needed, alpha, level):
    alpha, level = Fraction(alpha), Fraction(level)
    m = mixture.enough_trajectories(needed, alpha, level)
    assert float(mixture.too_few(m, alpha, needed)) <= math.exp(-level)
    wanted = needed + level + math.sqrt(level**2 + 2 * level * needed)
    assert wanted <= m * alpha <= wanted + 1 + 1e-6


def test_without_a_level_the_mean_is_all_that_is_asked():
    assert mixture.enough_trajectories(7, Fraction(1, 3), Fraction(0)) in (21, 22)  # the square root is rounded up


def test_values_of_mixtures():
    assert mixture.mixed_value(Fraction(1, 4), Fraction(8), Fraction(0)) == 6
    assert mixture.stepwise_value(Fraction(1, 2), 3) == Fraction(7, 8)
    assert mixture.stepwise_value(Fraction(0), 5) == 5


def test_largest_drop():
    assert mixture.largest_drop([Fraction(1), Fraction(3), Fraction(2)]) == 1
    assert mixture.largest_drop([Fraction(1), Fraction(2)]) == 0
    assert mixture.largest_drop([Fraction(1)]) == 0


@pytest.mark.parametrize("size, allowed, times", [(10, 3, 4), (9, 3, 3), (1, 100, 1), (10**40 + 1, 10**20, 10**20 + 1)])
def test_repetitions(size, allowed, times):
    assert mixture.repetitions(size, allowed) == times


@pytest.mark.parametrize("call, words", [
    (lambda: mixture.too_few(5, Fraction(3, 2), 1), r"alpha is .*; it must be a finite number in \[0, 1\]"),
    (lambda: mixture.too_few(-1, Fraction(1, 2), 1), "trajectories is -1"),
    (lambda: mixture.enough_trajectories(0, Fraction(1, 2), 1), "needed is 0"),
    (lambda: mixture.enough_trajectories(1, Fraction(0), 1), "alpha is"),
    (lambda: mixture.enough_trajectories(1, Fraction(3, 2), 1), "alpha is"),
    (lambda: mixture.repetitions(5, 0), "N_0 is 0"),
])
def test_bad_input_is_named_in_one_line(call, words):
    with pytest.raises(InvalidMixture, match=words) as caught:
        call()
    assert "\n" not in str(caught.value) and isinstance(caught.value, ValueError)
