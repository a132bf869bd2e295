"""The budget of direct exploration and the bracket behind its bonus, against the conditions written out anew."""

import math
from fractions import Fraction

import pytest

from derl.theory.constants import InvalidConstant
from derl.theory.reward_free.bracket import bracket_over_beta
from derl.theory.reward_free.direct import budget

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
