"""Batch sizes of the reward-free algorithms: their formulas, their conditions written out anew, their ranges."""

import math
from fractions import Fraction

import pytest

from derl.theory.constants import InvalidConstant, batch_size_layerwise
from derl.theory.reward_free.bracket import bracket_over_beta
from derl.theory.reward_free.direct import budget
from derl.theory.reward_free.samples import (
    VERSIONS,
    batch_size_reward_free,
    bonus_scale_reward_free,
    deployments_reward_free,
)


def test_the_printed_formula():
    d, H, eps, delta, c_K = 3, 4, 0.1, 0.05, 2.5
    inner = c_K * H ** (6 * c_K + 1) * d ** (3 * c_K) / eps ** (2 * c_K) * math.log(H * d / (delta * eps)) ** (2 * c_K)
    assert batch_size_reward_free(d, H, eps, delta, c_K, c=7.0) == pytest.approx(7 * inner ** (1 / (c_K - 1)), rel=1e-9)


def conditions(d, H, eps, delta, c_K, N, version):
    """Both conditions in the words of the statements."""
    K = deployments_reward_free(d, H, c_K, version)
    beta, G = bonus_scale_reward_free(d, H, delta, K, N), 2 * H + 1
    x = eps**2 / (16 * H * G**2 * beta**2) if version == "flat" else eps**2 / (16 * H**2 * G**2 * beta**2)
    first = {"sharp": c_K / x**c_K, "flat": c_K * H / x**c_K,
             "explicit": c_K * H * (d * math.log(H * d / x) / x) ** c_K}[version] ** (1 / (c_K - 1))
    second = 16 * beta * H * G / eps if version == "flat" else 8 * beta**2 * H**2 * G**2 / eps**2
    return first, second * math.log(2 * K / delta)


@pytest.mark.parametrize("version", VERSIONS[1:])
@pytest.mark.parametrize("parameters", [(1, 1, 0.5, 0.1, 1.5), (3, 2, 0.2, 0.1, 2), (7, 10, 0.1, 0.01, 6),
                                        (5, 5, 0.3, 0.2, 20)])
def test_the_size_satisfies_both_conditions_and_is_not_wasteful(parameters, version):
    N = batch_size_reward_free(*parameters, version=version)
    assert max(conditions(*parameters, N, version)) <= N * (1 + 1e-9)
    assert max(conditions(*parameters, 0.98 * N, version)) > 0.98 * N


def test_the_order_of_the_versions():
    sizes = {v: batch_size_reward_free(10, 10, 0.1, 0.1, 6, version=v) for v in VERSIONS}
    assert sizes["explicit"] > 1000 * sizes["sharp"] > 1000 * 5 * sizes["flat"]
    assert sizes["sharp"] > batch_size_layerwise(10, 10, 0.1, 0.1, 6, version="sharp")


def test_deployments():
    assert deployments_reward_free(3, 4, 2.5) == 31 and deployments_reward_free(3, 4, 2.5, "flat") == 34


def test_sizes_beyond_floats():
    assert len(str(batch_size_reward_free(30, 30, 1e-3, 0.01, 1.01, version="sharp"))) > 400


@pytest.mark.parametrize("change, word", [
    ({"d": 0}, "d is"), ({"horizon": 2.5}, "horizon"), ({"epsilon": 0}, "epsilon"), ({"delta": 1}, "delta"),
    ({"c_K": 1}, "c_K"), ({"version": "x"}, "version"), ({"c": 0}, "c is")])
def test_bad_parameters(change, word):
    good = {"d": 2, "horizon": 2, "epsilon": 0.1, "delta": 0.1, "c_K": 2}
    with pytest.raises(InvalidConstant, match=word):
        batch_size_reward_free(**(good | change))


GRID = [(1, 1, 1.0, 1.2), (2, 3, 0.5, 2), (7, 25, 0.01, 6), (40, 3, 0.5, 50), (2, 25, 1.0, 1.2), (7, 1, 0.01, 50)]


@pytest.mark.parametrize(("d", "H", "epsilon", "c_K"), GRID)
def test_the_budget_is_the_least_that_satisfies_both_conditions(d, H, epsilon, c_K):
    found = budget(d, H, epsilon, 0.1, c_K)
    K = math.floor(c_K * d * H) + 1
    assert found.deployments == K

    def holds(log_n):
        beta = 2 * d * H * math.sqrt(math.log(2 * d * K * H / 0.1) + log_n)
        count = math.log(c_K * H) + c_K * math.log(64 * H * beta**2 / epsilon**2)
        test = math.log(32 * beta * H / epsilon) + math.log(math.log(2 * K / 0.1))
        return (c_K - 1) * log_n >= count and log_n >= test, beta

    enough, beta = holds(math.log(found.batch_size))
    assert enough and found.beta >= beta and found.beta == pytest.approx(beta, rel=1e-9)
    assert not holds(math.log(found.batch_size) - 1e-6 - 2 / found.batch_size)[0]


def test_epsilon_above_the_horizon_is_refused():
    with pytest.raises(InvalidConstant, match=r"epsilon is 4.0; it must lie in \(0, H\]"):
        budget(3, 3, 4.0, 0.1, 2)


def test_the_bracket_agrees_with_float64_and_is_below_one():
    d, H, delta, n = 5, 3, 0.2, 1000
    for lipschitz in (1, 2, 3):
        low, high = bracket_over_beta(d, H, Fraction(1, 5), n, lipschitz, Fraction(2))
        v = math.sqrt(math.log(2 * d * n * H / delta))
        beta, u = 2 * d * H * v, math.sqrt(d) / 4
        eta = H * u / (2 * math.sqrt(n))
        net = (math.log(H + 1) + d * math.log(1 + (2 * H * math.sqrt(n) + 4 * math.sqrt(d)) / eta)
               + d * (d + 1) / 2 * math.log(1 + 4 * lipschitz * beta * math.sqrt(d) / eta))
        content = d / 2 * math.log(1 + n / d) + net + math.log(2 * H / delta)
        direct = H * min(math.sqrt(d) + u + math.sqrt(content / 2), math.sqrt(d) + math.sqrt(n)) / beta
        assert low <= high < 1 and float(low) == pytest.approx(direct, rel=1e-12) == pytest.approx(float(high))


def test_three_bonuses_cost_more_than_two():
    point = (2, 1, Fraction(1, 2), 25)
    values = [bracket_over_beta(*point, lipschitz, Fraction(2))[0] for lipschitz in (1, 2, 3)]
    assert values == sorted(values)
