"""The sample size of the spanner, by the exponents that the claim states."""

import math

import pytest

from derl.theory.beyond.spanner import spanner_size


def size(d=2, horizon=3, epsilon=1e-4, sigma=None):
    """With so many rules that the logarithm does not depend on the rest: what is left are the powers."""
    return spanner_size(d, horizon, epsilon, 0.1, log_rules=1e12, sigma=sigma)


def test_without_reachability_it_is_128_d_squared_times_one_plus_d_to_twice_the_horizon():
    assert size() * 1e-4**2 / 1e12 == pytest.approx(128 * 4 * 3**6, rel=1e-6)
    assert size(epsilon=2e-4) / size() == pytest.approx(1 / 4, rel=1e-6)
    assert size(horizon=4) / size() == pytest.approx(9, rel=1e-6)
    assert size(d=5) / size() == pytest.approx((5 / 2) ** 2 * 2**6, rel=1e-6)


@pytest.mark.parametrize("sigma, constant, of_d, of_horizon", [(1.0, 512, 4, 4), (1e-6, 2048, 6, 2)])
def test_with_reachability_it_is_the_larger_of_two(sigma, constant, of_d, of_horizon):
    scale = 1e-4 if sigma == 1 else sigma
    assert size(sigma=sigma) * scale**2 / 1e12 == pytest.approx(constant * 2**of_d * 3**of_horizon, rel=1e-6)
    assert size(d=4, sigma=sigma) / size(sigma=sigma) == pytest.approx(2**of_d, rel=1e-6)
    assert size(horizon=6, sigma=sigma) / size(sigma=sigma) == pytest.approx(2**of_horizon, rel=1e-6)


def test_the_logarithm_is_of_six_d_squared_horizon_over_delta():
    small, large = (spanner_size(2, 3, 1e-4, delta, log_rules=1.0) for delta in (0.1, 0.05))
    assert large / small == pytest.approx((1 + math.log(6 * 4 * 3 / 0.05)) / (1 + math.log(6 * 4 * 3 / 0.1)), rel=1e-6)
