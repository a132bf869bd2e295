"""Both sides of the exchange law with its exact base against the theorems that they rest on."""

import math
from itertools import pairwise, product

import pytest

from derl.theory.beyond import exact_base, exchange, junk_game, modulo

EPSILON, DELTA = 0.1, 0.1


def sides(d, horizon, x):
    q, one = (size(d, horizon, EPSILON, DELTA) for size in (exact_base.polynomial, exact_base.one_deployment))
    return exact_base.needed(d, horizon, x, DELTA), exact_base.enough(d, horizon, x, q, one)


@pytest.mark.parametrize("d, horizon, x", [*product((3, 4, 12), (3, 10, 40), (0, 1, 2, 5, 8))])
def test_what_is_needed_is_the_least_number_that_the_exact_lower_bounds_do_not_exclude(d, horizon, x):
    least = exact_base.needed(d, horizon, x, DELTA)
    simple = [K for K in range(1, horizon) if junk_game.later_deployments_simple(d, horizon, d**x, K) > DELTA]
    one = junk_game.one_deployment(d, horizon, d**x) > DELTA
    assert least == max(1 + max(simple, default=0), 1 + one)


@pytest.mark.parametrize("horizon", [3, 8, 12])
def test_at_two_one_deployment_is_excluded_below_the_power_and_never_two(horizon):
    for x in range(horizon + 3):
        assert exact_base.needed(2, horizon, x, DELTA) == 1 + (junk_game.one_deployment(2, horizon, 2**x) > DELTA)


@pytest.mark.parametrize("d, horizon, block", [*product((3, 4, 12), (10, 50), (1, 4, 9))])
def test_what_is_enough_is_the_theorem_with_the_closed_form(d, horizon, block):
    size = math.log(modulo.closed_form(d, horizon, block, EPSILON, DELTA)) / math.log(d)
    q = exact_base.polynomial(d, horizon, EPSILON, DELTA)
    K = modulo.deployments(horizon, 0, block)
    assert exact_base.enough(d, horizon, size + 1e-9, q, math.inf) == K
    before = exact_base.enough(d, horizon, size - 1e-6, q, math.inf)
    assert before == (math.inf if block == 1 else modulo.deployments(horizon, 0, block - 1))
    wanted = modulo.blocks_size(d, horizon, 0, block, EPSILON, DELTA)
    assert math.log(wanted) / math.log(d) <= size  # the closed form is at least the N of the theorem


@pytest.mark.parametrize("horizon", [3, 10, 60, 200])
def test_the_polynomial_at_two_is_enough_for_two_deployments_and_not_much_more(horizon):
    size = 2 ** exact_base.polynomial(2, horizon, EPSILON, DELTA)
    demand = modulo.two_deployments_demand(2, horizon, EPSILON, DELTA, size)
    assert demand <= size * (1 + 1e-9)
    assert horizon < 10 or size <= 4 * demand


@pytest.mark.parametrize("d, horizon", [*product((2, 3, 12), (3, 10, 60))])
def test_one_deployment_is_enough_from_the_batch_size_of_its_theorem_on(d, horizon):
    size = exchange.batch_size(d, horizon, EPSILON, DELTA, horizon, d) - horizon  # without what rounding adds
    exponent = exact_base.one_deployment(d, horizon, EPSILON, DELTA)
    assert exponent == pytest.approx(math.log(size) / math.log(d), rel=1e-6)


@pytest.mark.parametrize("d, horizon", [*product((2, 3, 12), (3, 100, 10**6))])
def test_the_sides_are_in_order_and_fall(d, horizon):
    points = sorted({0, *(round(10 ** (k / 10)) for k in range(0, 66, 5))})
    found = [sides(d, horizon, x) for x in points]
    assert all(1 <= low <= high for low, high in found)
    assert all(a[0] >= b[0] and a[1] >= b[1] for a, b in pairwise(found))
    assert found[-1] == (1, 1)


@pytest.mark.parametrize("d", [3, 4, 12])
def test_both_sides_tend_to_the_rate_with_base_d_minus_one_and_not_with_base_d(d):
    x, horizon = 10**7, 10**10
    log = x * math.log(d) / math.log(d - 1)
    q = exact_base.polynomial(d, horizon, EPSILON, DELTA)
    for deployments in (exact_base.needed(d, horizon, x, DELTA), exact_base.enough(d, horizon, x, q, math.inf)):
        assert deployments * log / horizon == pytest.approx(1, abs=0.01)
        assert deployments * x / horizon < 0.98


def test_at_two_the_window_of_exactly_two_deployments_opens():
    assert math.inf == sides(2, 20, 18)[1]
    assert all(sides(2, horizon, horizon - 2) == (2, 2) for horizon in (100, 1000, 10**6))
