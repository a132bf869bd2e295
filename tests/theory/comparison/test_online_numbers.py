"""How many trajectories the online methods need: the first number for which the bound holds, and its exponents."""

import math

import pytest

from derl.theory.comparison import online
from derl.theory.foundations.setting import InvalidConstant


@pytest.mark.parametrize("eta", [1.0, 2.0])
def test_it_is_the_first_number_for_which_the_bound_holds(eta):
    k = online.episodes_lsvi_ucb(3, 4, 0.1, 0.05, eta=eta)

    def bound(n):
        beta = online.bonus_scale_online(3, 4, 0.05, n)
        return online.mean_loss(3, 4, 0.05, beta, n, math.sqrt(eta))

    assert bound(k) <= 0.1 < bound(k - 1)


def test_switches_are_a_logarithm():
    assert online.switches(4, 4, 10**12) == 1 + math.floor(16 * math.log2(1 + 10**12 / 4)) == 606
    assert online.switches(1, 1, 1, 2.0) == 2
    with pytest.raises(InvalidConstant, match="n_episodes"):
        online.switches(1, 1, 0)


@pytest.mark.parametrize("d, horizon, n, stretch", [
    (1, 1, 1, 1.0), (2, 3, 7, 1.0), (5, 2, 1000, 1.5), (1, 4, 10**6, 2.0)])
def test_the_bound_and_its_scales_are_the_formulas_of_the_docstring(d, horizon, n, stretch):
    """Equal, not only of the right order: at d = K = 1 every wrong factor is visible."""
    delta, beta = 0.1, 3.0
    assert online.bonus_scale_online(d, horizon, delta, n, 2.0) == pytest.approx(
        2 * d * horizon * math.log(2 * d * n * horizon / delta) ** 0.5)
    assert online.mean_loss(d, horizon, delta, beta, n, stretch) == pytest.approx(
        2 * stretch * beta * horizon * (2 * d * math.log(1 + n / d) / n) ** 0.5
        + horizon**2 * (math.log(2 * n / delta) / (2 * n)) ** 0.5)


@pytest.mark.parametrize("d, horizon, epsilon, beta", [(1, 1, 0.5, None), (3, 4, 0.1, None), (2, 3, 0.2, 5.0)])
def test_reward_free_episodes_are_the_first_for_which_the_bound_holds(d, horizon, epsilon, beta):
    """2H times the mean of sum_h min((2 + 1/H) beta b_h, H), with the beta of Wang et al. where none is given."""
    delta = 0.1
    scale = 2 * d * horizon * math.sqrt(math.log(d * horizon / (delta * epsilon))) if beta is None else beta
    found = online.episodes_reward_free(d, horizon, epsilon, delta, 2.0, beta)

    def bound(n):
        return 2 * horizon * ((2 + 1 / horizon) * scale * horizon * math.sqrt(2 * d * math.log(1 + n / d) / n)
                              + horizon**2 * math.sqrt(math.log(2 * n / delta) / (2 * n)))

    assert bound(found) <= epsilon < bound(found - 1)


def test_the_reduction_asks_for_a_third_of_the_accuracy_and_renews_at_twice_the_determinant():
    d, horizon, epsilon, delta, beta = 2, 3, 0.3, 0.1, 4.0
    found = online.episodes_of_the_reduction(d, horizon, epsilon, delta, beta=beta)

    def bound(n):
        return (2 * math.sqrt(2) * beta * horizon * math.sqrt(2 * d * math.log(1 + n / d) / n)
                + horizon**2 * math.sqrt(math.log(2 * n / delta) / (2 * n)))

    assert bound(found) <= epsilon / 3 < bound(found - 1)


def test_one_episode_is_enough_where_the_bound_is_small_at_once():
    assert online._first(lambda k: True) == 1
    assert [online._first(lambda k, n=n: k >= n) for n in (1, 2, 3, 7, 8, 9, 1000)] == [1, 2, 3, 7, 8, 9, 1000]
    with pytest.raises(InvalidConstant, match=r"more than 2\^900 trajectories"):
        online._first(lambda k: False)


@pytest.mark.parametrize("change, word", [({"eta": 0.9}, "eta is 0.9"), ({"beta": 0}, "beta is 0"),
                                          ({"c_beta": -1}, "c_beta is -1"), ({"delta": 0}, "delta is 0")])
def test_numbers_out_of_range_are_named(change, word):
    assert online.episodes_lsvi_ucb(**({"d": 1, "horizon": 1, "epsilon": 1.0, "delta": 0.1} | {"eta": 1})) > 1
    with pytest.raises(InvalidConstant, match=word):
        online.episodes_lsvi_ucb(**({"d": 1, "horizon": 1, "epsilon": 1.0, "delta": 0.1} | change))
