"""Least fixed points: known ones, whole numbers, arrays, the start itself, and none at all."""

import math

import mpmath
import numpy as np
import pytest

from derl.theory.foundations.fixed_points import least_fixed_point, whole_exp
from derl.theory.foundations.setting import InvalidConstant, log_of


def test_of_two_fixed_points_the_lower_one_is_found():
    assert least_fixed_point(lambda x: x**2 + 3 / 16, 0.0) == pytest.approx(1 / 4, abs=1e-11)
    assert least_fixed_point(lambda x: 1 + math.log(2 + x), 0.0) == pytest.approx(2.505241495792883, rel=1e-12)


def test_whole_numbers_are_exact():
    big = 10**30
    assert least_fixed_point(lambda n: min(big, 2 * n), 1, tolerance=0) == big
    assert least_fixed_point(lambda n: min(big, n + 1), big - 3, tolerance=0) == big


def test_arrays_entry_by_entry():
    found = least_fixed_point(lambda x: np.array([1.0, 2.0]) + x / 2, np.zeros(2))
    assert found == pytest.approx([2, 4], rel=1e-12)


def test_a_start_above_the_step_is_kept_and_an_overflow_ends():
    assert least_fixed_point(lambda x: x / 2, 5.0) == 5.0
    assert least_fixed_point(lambda x: 10 * x, 1.0) == math.inf


def test_whole_exp_at_the_limit():
    assert whole_exp(2.3e6).bit_length() == math.floor(2.3e6 / math.log(2)) + 1
    for logarithm in (2.4e6, math.inf, math.nan):
        with pytest.raises(InvalidConstant, match="at most 1000000"):
            whole_exp(logarithm)


@pytest.mark.parametrize("size", [1, 2, 1000, 10**9])
def test_whole_exp_is_never_below_the_exponential(size):
    """A logarithm that is a hair above that of a whole number asks for one more; one that float64 rounds may, too."""
    assert whole_exp(math.log(size) + 1e-13) == size + 1
    assert whole_exp(math.log(size)) in (size, size + 1) and whole_exp(math.log(size) - 1e-6) <= size


@pytest.mark.parametrize("size, wanted", [(1, 0.0), (1.0, 0.0), (1.5, math.log(1.5)), (10**400, 400 * math.log(10))])
def test_the_logarithm_of_a_batch_size_from_one_on(size, wanted):
    assert log_of(size) == pytest.approx(wanted, rel=1e-14)


@pytest.mark.parametrize("size", [0, 0.999, -1, True, math.nan, math.inf, "2"])
def test_less_than_one_trajectory_has_no_logarithm(size):
    with pytest.raises(InvalidConstant, match="batch_size"):
        log_of(size)


@pytest.mark.parametrize("logarithm", [208.34555698801833, 36.5, 700.25])
def test_whole_exp_pays_for_the_rounding_of_its_argument(logarithm):
    with mpmath.workdps(400):
        assert mpmath.exp(logarithm) <= whole_exp(logarithm) <= mpmath.exp(logarithm * (1 + 1e-9))
