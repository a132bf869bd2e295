"""Block exploration's N: parts, growth, refusals."""

import math

import pytest

from derl.theory.beyond import exchange
from derl.theory.beyond.exchange import InvalidExchange

TASK = (4, 12, 0.1, 0.1)


def test_blocks_are_the_layers_in_order():
    assert exchange.blocks(7, 3) == (range(3), range(3, 6), range(6, 7))
    assert exchange.blocks(4, 9) == (range(4),)


def test_domination_begins_anew_with_every_block():
    assert exchange.domination(3, 2.0, 5, 2) == (2, 4, 36, 72, 36)


def test_nu_that_a_batch_covers():
    amount = exchange.shares(*TASK, 3, 4.0, 0.4).cover + exchange.shares(*TASK, 3, 4.0, 0.4).start
    assert exchange.covered(*TASK, 3, 4.0, amount) == pytest.approx(0.4, rel=1e-3)
    assert exchange.covered(*TASK, 3, 4.0, 10) == 1


@pytest.mark.parametrize("change, said", [
    ({"block": 3}, "nu is None"), ({"block": 3, "nu": 0}, "nu is 0"), ({"leverage": 0.5}, "leverage"),
    ({"epsilon": 0}, "epsilon"), ({"delta": 1}, "delta"), ({"block": 5}, "nu is None; with 3 blocks"),
    ({"horizon": 900, "block": 900}, r"above 4\^900; it must be below 1e300"),
    ({"block": 3, "nu": 1e-76}, "nu is 1e-76: N would be above 1e300"), ({"epsilon": 1e-200}, "N would be"),
])
def test_what_makes_no_sense_is_refused(change, said):
    task = {"dim": 4, "horizon": 12, "epsilon": 0.1, "delta": 0.1, "block": 12, "leverage": 4.0} | change
    with pytest.raises(InvalidExchange, match=said):
        exchange.shares(**task)


@pytest.mark.parametrize("mean", [False, True])
@pytest.mark.parametrize("block", [3, 5, 12])
def test_the_shares_are_the_sums_of_the_module(block, mean):
    """Exactly, at d = 4, H = 12, g = 3, nu = 1/2: A_k from G_h, and a bound in the mean loses the factor d."""
    d, H, epsilon, delta = TASK
    g, nu, number = 3.0, 0.5, -(-H // block)
    found = exchange.shares(*TASK, block, g, nu, mean)
    ridge = 2 * math.log(2 * d * H * number / delta) / (1 - math.log(2))
    b = math.sqrt(d * math.log(2) / 2 + math.log(4 * H / delta)) + math.sqrt(ridge * d)

    def root(width, scale):
        total = 0.0
        for first in range(0, H, block):
            roots = [(8 * (1 if mean else d) * scale**2 * width(h) ** 2 * (6 * d if first else 1)
                      * g ** (h - first + 1)) ** (1 / 3) for h in range(first, min(first + block, H))]
            total += math.sqrt(sum(roots) ** 3)
        return total

    assert (found.ridge, found.scale) == pytest.approx((ridge, b))
    assert found.plan == pytest.approx((root(lambda h: H - 1 - h, b) / epsilon) ** 2 + H, rel=1e-6)
    if number > 1:
        accuracy = nu**2 / (7 * d) / (8 * d)
        events = d * math.log(6 * math.sqrt(d) / accuracy) + math.log(8 * (d + 1) * H * number / delta)
        c = math.sqrt(d * math.log(2) / 2 + events) + math.sqrt(ridge * d)
        assert found.cover == pytest.approx((2 * root(lambda h: 1, c) / accuracy) ** 2 + H, rel=1e-6)
        assert found.start == pytest.approx(8 * events / accuracy**2, rel=1e-6)
    assert found.batch_size == found.plan + (number - 1) * (found.cover + found.start)
    assert exchange.batch_size(*TASK, block, g, nu, mean) == found.batch_size


def test_an_amount_of_nothing_covers_nothing():
    assert exchange.covered(*TASK, 3, 4.0, 0) == exchange.covered(*TASK, 3, 4.0, -1) == 1


def test_a_layer_of_range_zero_gets_no_share():
    (cost, shares), = exchange.costs(1, (2.0, 4.0), (1.0, 0.0), 0.5, 2)
    assert cost == pytest.approx(8 * 0.25 * 2) and shares == (1.0, 0.0)
    assert exchange.costs(3, (2.0,), (0.0,), 0.5, 1) == [(0.0, (0.0,))]
