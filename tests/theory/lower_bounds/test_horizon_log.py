"""The lower bound without H in the logarithm: the coin against geometric numbers, and against the exact game."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from derl.theory import lower_bounds
from derl.theory.lower_bounds.search_game import best_success
from derl.theory.lower_bounds.search_programme import success_curve


def reaches(d: int, K: int, m: int, heads: int = 60) -> float:
    """P(G_1 + ... + G_K >= m) by convolution, P(G >= j) = d^-j: nothing in common with the coin."""
    law = np.array([(1 - 1 / d) * d**-j for j in range(heads)])
    total = np.array([1.0])
    for _ in range(K):
        total = np.convolve(total, law)
    return 1 - total[:m].sum()


@pytest.mark.parametrize("d, n, N, K", [(2, 9, 1, 3), (3, 12, 4, 3), (10, 20, 7, 2), (2, 8, 8, 1), (5, 30, 26, 4)])
def test_the_coin_is_the_sum_of_geometric_numbers(d, n, N, K):
    m = n + 1 - K * (lower_bounds.ceil_log(d, N) + 1)
    assert float(lower_bounds.failure_without_horizon_log(d, n, N, K)) == pytest.approx(1 - reaches(d, K, m), abs=1e-9)


def test_one_trajectory_and_two_digits_is_solved():
    for n, K in product((1, 2, 3, 4), (1, 2, 3)):
        assert lower_bounds.failure_without_horizon_log(2, n, 1, K) == 1 - best_success(2, n, 1, K)


def test_the_bounds_are_in_order():
    for d, n, N, K in product((2, 10), (3, 20), (1, 9, 100), (0, 1, 2, 5)):
        exact = 1 - success_curve(d, n, N, K, "reveal", True)[-1]
        coin = lower_bounds.failure_without_horizon_log(d, n, N, K)
        assert exact >= coin >= lower_bounds.mean_bound_without_horizon_log(d, n, N, K)


def test_the_bound_falls_from_one_to_zero():
    curve = [lower_bounds.failure_without_horizon_log(3, 20, 9, K) for K in range(23)]
    assert curve[0] == 1 and curve[-1] == 0 and curve == sorted(curve, reverse=True)
    assert lower_bounds.failure_without_horizon_log(3, 0, 9, 0) == 0


def test_largest_number_of_deployments():
    for failure in (Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)):
        K = lower_bounds.deployments_without_horizon_log(10, 198, 10**4, failure)
        assert lower_bounds.failure_without_horizon_log(10, 198, 10**4, K) >= failure
        assert lower_bounds.failure_without_horizon_log(10, 198, 10**4, K + 1) < failure
    assert lower_bounds.deployments_without_horizon_log(10, 9998, 10**30) == 321


def test_pace():
    assert lower_bounds.largest_pace(10, 10**30) == 30 + Fraction(10, 9)
    assert lower_bounds.largest_pace(2, 1) == 2


@pytest.mark.parametrize("d, n, N, K, bound", [(2, 10, 1, 2, Fraction(7, 10)), (2, 10, 1, 0, 1), (2, 3, 1, 2, 0),
                                               (3, 20, 9, 4, Fraction(7, 20)), (3, 20, 10, 4, Fraction(3, 20))])
def test_what_the_mean_leaves_by_hand(d, n, N, K, bound):
    """1 - (K pace - 1)/n; the pace is 2, and 2 + 3/2 or 3 + 3/2."""
    assert lower_bounds.mean_bound_without_horizon_log(d, n, N, K) == bound
