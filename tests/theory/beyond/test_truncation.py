"""Constants of exploration without reachability: side conditions of the proof, closed form, a second accounting."""

import math

import pytest

from derl.theory.beyond import truncation
from derl.theory.beyond.truncation_replay import loss
from derl.theory.foundations.setting import InvalidConstant

SETTINGS = [(2, 2, 1, 2.0, 0.9), (3, 8, 2, 1.0, 0.1), (10, 10, 9, 0.1, 1e-6), (40, 40, 1, 0.025, 0.1)]


@pytest.mark.parametrize("horizon, block, expected", [(4, 1, ((1,), (2,), (3,))), (4, 2, ((1, 2), (3,))),
                                                      (4, 3, ((1, 2, 3),)), (2, 1, ((1,),)), (1, 1, ())])
def test_blocks_leave_the_last_layer_alone(horizon, block, expected):
    assert truncation.blocks(horizon, block) == expected


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("cover", truncation.COVERS)
def test_what_the_proof_takes_along(setting, cover):
    d, horizon, block, epsilon, delta = setting
    size = truncation.batch_size(*setting, cover)
    assert truncation.demanded(*setting, size, cover) <= size < truncation.demanded(*setting, size, cover) * (1 + 1e-9)
    numbers, y = truncation.truncation(*setting, size, cover), truncation.uncertainty(d, horizon, delta, size)
    share = truncation.COVERS[cover].share
    assert share * math.e * d ** (block + 1) * y <= numbers.tau * numbers.kappa**2 / 4
    assert size >= max(16, 4 * d / numbers.kappa**2, 8 * d / numbers.eta, 17 * d**2 / (numbers.tau * numbers.kappa**2))
    assert 2 * horizon * numbers.beta * numbers.kappa * math.sqrt(1.5) <= 1 and numbers.tau <= 1 / 3
    error = math.sqrt(7 * numbers.tau) * numbers.beta * horizon * numbers.kappa
    if cover == "design":
        assert (1 + math.sqrt((1 + 1 / horizon) * d)) * error + 2 * horizon * numbers.eta <= numbers.tau
    else:
        assert 3 * d * numbers.dummy <= numbers.tau and 2 + 4 * d / numbers.dummy * numbers.slack <= 3 + 1e-12
        assert numbers.slack == pytest.approx(2 * horizon * numbers.eta + 3 * error)


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("cover", truncation.COVERS)
def test_the_loss_added_up_block_by_block(setting, cover):
    size = truncation.batch_size(*setting, cover)
    found = loss(*setting, size, cover)
    tau = truncation.truncation(*setting, size, cover).tau
    assert found.total <= setting[3] and max(found.unvouched) <= tau and max(found.lost) <= 2 * tau
    assert loss(*setting, size / 1000, cover).total > setting[3]
    d, horizon, _, _, delta = setting
    first = (1 + 1 / horizon) * d * truncation.uncertainty(d, horizon, delta, size)
    assert found.lost[0] >= 1.999999 * first / truncation.truncation(*setting, size, cover).kappa**2
    assert loss(*setting, size, cover, wider=1e12).total == math.inf


def test_the_closed_form_is_enough_and_not_for_large_epsilon():
    assert truncation.closed_form(3, 8, 1, 0.5, 0.1) >= truncation.batch_size(3, 8, 1, 0.5, 0.1)
    with pytest.raises(InvalidConstant, match="epsilon is 2"):
        truncation.closed_form(3, 8, 1, 2, 0.1)


@pytest.mark.parametrize("change, message", [
    ({"d": 1}, "d is 1"), ({"horizon": 1}, "horizon is 1"), ({"block": 4}, "block"), ({"epsilon": 5}, "epsilon is 5"),
    ({"cover": "net"}, "cover")])
def test_what_is_refused(change, message):
    setting = {"d": 3, "horizon": 4, "block": 1, "epsilon": 1, "delta": 0.1, "cover": "spanner"} | change
    with pytest.raises(InvalidConstant, match=message):
        truncation.batch_size(**setting)


@pytest.mark.parametrize("cover, cut, grid", [("design", lambda d: 6 * d**0.5, lambda d: 14),
                                              ("spanner", lambda d: 120 * d**2, lambda d: 120 * d**2)])
@pytest.mark.parametrize("setting", SETTINGS)
def test_cut_and_grid_are_those_of_the_theorem(setting, cover, cut, grid):
    d, horizon = setting[:2]
    found = truncation.truncation(*setting, 10**12, cover)
    assert found.kappa == pytest.approx(math.sqrt(found.tau) / (cut(d) * found.beta * horizon))
    assert found.eta == pytest.approx(found.tau / (grid(d) * horizon))


@pytest.mark.parametrize("cover, constant, power, closed", [("design", 5600, 2, 8.5e5), ("spanner", 6.7e6, 5, 2e9)])
def test_what_is_asked_is_the_formula_of_the_module(cover, constant, power, closed):
    d, H, L, epsilon, delta, size = 3, 8, 2, 0.5, 0.1, 1e15  # 7 layers in 4 blocks
    beta = math.sqrt(d * (d + 7) * math.log(1 + size) + 2 * math.log(4 * H / delta)) + math.sqrt(d) + 1
    potential = 1.5 * d * math.log(1 + size / d) + math.log(2 * H / delta)
    asked = constant * d ** (L + power) * 16 * H**4 * beta**2 * potential / epsilon**2
    assert truncation.demanded(d, H, L, epsilon, delta, size, cover) == pytest.approx(asked, rel=1e-9)
    assert truncation.uncertainty(d, H, delta, size) == pytest.approx(math.e / (math.e - 1) * potential / size)
    assert truncation.closed_form(d, H, L, epsilon, delta, cover) == pytest.approx(
        closed * 49 * d ** (L + power + 3) * 16 * H**4 * math.log(3 * 8 / 0.05) ** 2 / epsilon**2)
    found = truncation.truncation(d, H, L, epsilon, delta, size, cover)
    assert found.deployments == 4 and found.beta == pytest.approx(beta) and found.tau == pytest.approx(epsilon / 96)
    error = math.sqrt(7) * beta * H * found.kappa * math.sqrt(found.tau)
    assert found.slack == pytest.approx(2 * H * found.eta + 3 * error)
    assert found.dummy == pytest.approx(4 * d * found.slack)


@pytest.mark.parametrize("cover", truncation.COVERS)
def test_the_loss_of_two_blocks_by_hand(cover):
    """Layers 1 and 2, then 3, of H = 4: second moments, losses by cuts, what the next block cannot vouch for."""
    d, H, delta = 2, 4, 0.1
    setting = (d, H, 2, 0.5, delta)
    size = truncation.batch_size(*setting, cover)
    numbers, y = truncation.truncation(*setting, size, cover), truncation.uncertainty(d, H, delta, size)
    beta, square, r = numbers.beta, numbers.kappa**2, 1.25 * d
    first, second = r * y, r**2 * y
    error = 2 * beta * (1 / math.sqrt(1 + size) + math.sqrt(first))
    if cover == "design":
        share, missed = r, (1 + math.sqrt(r)) * error + 4 * numbers.eta
    else:
        share, missed = 3 * d, 12 * d**2 * (4 * numbers.eta + 3 * error)
    third = share * r * y + missed * 1.5 * square
    lost = 2 / square * (first + second), missed + 2 / square * share * r * y
    planning = 4 * H * beta * (1 / math.sqrt(1 + size) + sum(map(math.sqrt, (first, second, third))))
    found = loss(*setting, size, cover)
    assert found.unvouched == pytest.approx((0, missed)) and found.lost == pytest.approx(lost)
    assert found.planning == pytest.approx(planning) and found.total == pytest.approx(H * sum(lost) + planning)
