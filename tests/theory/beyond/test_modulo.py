"""Weights and sample sizes of designs modulo a known law, against the sums and the exponents that the claims state."""

import math

import pytest

from derl.theory.beyond import modulo
from derl.theory.foundations.setting import InvalidConstant


def test_weights_by_hand_and_their_bound():
    e1 = math.e - 1
    assert modulo.start_weights(1, 3) == pytest.approx([1, 2 * e1, 2 * e1, 2 * e1])
    assert modulo.start_weights(4, 2) == pytest.approx([16, 3 * e1 * 4, 3 * e1])
    assert modulo.total_weight(1, 5) == pytest.approx(1 + 10 * e1)
    for leverage in (2, 3, 7):
        factor = 1 + e1 / (math.sqrt(leverage) - 1)
        assert all(modulo.total_weight(leverage, j) <= factor * leverage**j for j in range(12))
        assert modulo.total_weight(leverage, 30) > 0.999 * factor * leverage**30


def test_the_slack_falls_like_one_over_n():
    assert modulo.slack(3, 5, 0.1, 1000) == pytest.approx((3 * math.log(2001) + math.log(50) + math.e) / 1000)


def test_the_costs_of_the_layers_by_hand():
    level = math.log(2 * 3 * 4 / 0.1) / ((1 - math.log(2)) / 2)
    moment = 2 * 3 * 3 + (3 * math.log(2001) + math.log(4 / 0.025) + math.e) / level
    weights = [1, 2 + (math.e - 1) * (1 + math.sqrt(2)), 4 + 3 * (math.e - 1) * (1 + math.sqrt(2))]
    assert modulo.layer_costs(3, 4, 0.1, 1000, 2, 3) == pytest.approx(
        [left**2 * weight * moment for left, weight in zip((3, 2, 1), weights, strict=True)])


def test_two_deployments_grow_polynomially_at_d_2_and_like_powers_of_d_minus_1_beyond():
    small, large = (modulo.two_deployments_size(2, horizon, 0.1, 0.1) for horizon in (100, 200))
    assert 5.7 < math.log2(large / small) < 6.7
    for d in (3, 5):
        small, large = (modulo.two_deployments_size(d, horizon, 0.1, 0.1) for horizon in (40, 50))
        assert (large / small) ** 0.1 == pytest.approx(d - 1, rel=0.03)
    assert modulo.two_deployments_size(2, 8, 0.01, 0.1) / modulo.two_deployments_size(2, 8, 0.1, 0.1) == pytest.approx(
        100, rel=0.2)
    size = modulo.two_deployments_size(3, 6, 0.1, 0.1)
    assert modulo.two_deployments_demand(3, 6, 0.1, 0.1, size) <= size
    assert modulo.two_deployments_demand(3, 6, 0.1, 0.1, 0.99 * size) > 0.99 * size


def test_blocks_have_the_exponents_of_the_first_and_of_the_later_deployments():
    demand = {key: modulo.blocks_demand(4, 60, *key, 0.1, 0.1, 1e30) for key in ((0, 10), (0, 11), (40, 10), (41, 10))}
    assert demand[0, 11] / demand[0, 10] == pytest.approx(3 * (7 / 7) ** 2)
    assert demand[41, 10] / demand[40, 10] == pytest.approx(4)
    assert [modulo.deployments(60, *key) for key in ((0, 10), (0, 59), (40, 10), (39, 10))] == [7, 2, 3, 3]
    assert modulo.block_factor(3, 5) == 61 and modulo.block_factor(2, 5) == pytest.approx(1.72 * 125)
    size = modulo.blocks_size(3, 8, 1, 3, 0.5, 0.1)
    assert modulo.blocks_demand(3, 8, 1, 3, 0.5, 0.1, size) <= size


@pytest.mark.parametrize("call", [
    lambda: modulo.start_weights(0.5, 1), lambda: modulo.start_weights(1, -1), lambda: modulo.deployments(5, 4, 1),
    lambda: modulo.deployments(5, 1, 4), lambda: modulo.blocks_demand(3, 5, 0, 2, 6, 0.1, 100),
    lambda: modulo.block_factor(1, 2), lambda: modulo.two_deployments_demand(3, 5, 0, 0.1, 10)])
def test_what_says_nothing_is_refused_in_one_line(call):
    with pytest.raises(InvalidConstant) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_the_closed_form_has_the_powers_of_the_law():
    one = modulo.closed_form(3, 10, 2, 0.1, 0.1)
    assert modulo.closed_form(3, 10, 3, 0.1, 0.1) / one == pytest.approx(2)
    logs = math.log(3 * 10 / 0.001) / math.log(3 * 10 / 0.01)
    assert modulo.closed_form(3, 10, 2, 0.01, 0.1) / one == pytest.approx(100 * logs**2)
    assert one == pytest.approx(1.42e8 * 15**2 * 3**6 * 2 * 10**6 * 100 * math.log(3000) ** 2)
    for arguments in ((2, 10, 2, 0.1, 0.1), (3, 10, 10, 0.1, 0.1), (3, 10, 2, 1.5, 0.1)):
        with pytest.raises(InvalidConstant):
            modulo.closed_form(*arguments)


@pytest.mark.parametrize("d, horizon, first, block", [(4, 20, 3, 5), (3, 20, 12, 4), (2, 9, 0, 4), (2, 9, 5, 1)])
@pytest.mark.parametrize("cover, constant, power", [("design", 5600, 2), ("spanner", 6.7e6, 5)])
def test_what_blocks_ask_is_the_formula_of_the_module(d, horizon, first, block, cover, constant, power):
    epsilon, delta, size = 0.3, 0.2, 1e12
    factor = 61 if d > 2 else 1.72 * block**3
    number = 1 + math.ceil((horizon - 1 - first) / block)
    beta = math.sqrt(d * (d + 7) * math.log(1 + size) + 2 * math.log(8 * horizon / delta)) + math.sqrt(d) + 1
    asked = (constant * max(d**first, 2 * factor * d * (d - 1) ** (block - 1)) * d**power * beta**2 * number**2
             * horizon**4 * (1.5 * d * math.log(1 + size / d) + math.log(4 * horizon / delta)) / epsilon**2)
    assert modulo.blocks_demand(d, horizon, first, block, epsilon, delta, size, cover) == pytest.approx(asked, rel=1e-9)


@pytest.mark.parametrize("d, g, ordinary", [(3, 2, 3), (2, 1, 2), (1, 1, 1), (5, 4, 5)])
def test_what_two_deployments_ask_is_the_formula_of_the_module(d, g, ordinary):
    """The leverages are d - 1, at least 1, and d where none are given."""
    H, epsilon, delta, size = 5, 0.3, 0.2, 1e6
    ridge = 2 * math.log(2 * d * H / delta) / (1 - math.log(2))
    b = math.sqrt(d * math.log(2) / 2 + math.log(4 * H / delta)) + math.sqrt(ridge * d)
    missed = d * math.log(1 + 2 * size) + math.log(4 * H / delta) + math.e
    known = (math.e - 1) * (1 + math.sqrt(g))
    roots = []
    for h in range(1, H):
        weight = g ** (h - 1) + known * sum(g**i for i in range(h - 1))
        roots.append(((H - h) ** 2 * weight * (2 * d * ordinary + missed / ridge)) ** (1 / 3))
    asked = 4 * b**2 / epsilon**2 * sum(roots) ** 3
    assert modulo.two_deployments_demand(d, H, epsilon, delta, size) == pytest.approx(asked, rel=1e-9)
    assert modulo.two_deployments_demand(d, H, epsilon, delta, size, g, ordinary) == pytest.approx(asked, rel=1e-9)
    assert modulo.two_deployments_demand(d, H, epsilon, delta, size, g + 1) > asked
