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


@pytest.mark.parametrize("count, powers", [(online.episodes_lsvi_ucb, (3, 4, 2)),
                                           (online.episodes_reward_free, (3, 6, 2))])
def test_its_exponents_are_those_of_the_table_up_to_logarithms(count, powers):
    base, factor = (10**4, 10**4, 1e-8), 10**6
    at = count(*base, 0.1)
    for i, power in enumerate(powers):
        moved = [value * factor if i == j else value for j, value in enumerate(base)]
        if i == 2:
            moved[2] = base[2] / factor
        slope = math.log(count(*moved, 0.1) / at) / math.log(factor)
        assert power <= slope + 0.01 and slope < power + 0.2


def test_switches_are_a_logarithm():
    assert online.switches(4, 4, 10**12) == 1 + math.floor(16 * math.log2(1 + 10**12 / 4)) == 606
    assert online.switches(1, 1, 1, 2.0) == 2
    with pytest.raises(InvalidConstant, match="n_episodes"):
        online.switches(1, 1, 0)


def test_the_reduction_pays_nine_times_for_a_third_of_the_accuracy():
    for beta in (1.0, 100.0):
        once = online.episodes_lsvi_ucb(4, 4, 0.01, 0.1, eta=2.0, beta=beta)
        assert 9 < online.episodes_of_the_reduction(4, 4, 0.01, 0.1, beta=beta) / once < 13


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
