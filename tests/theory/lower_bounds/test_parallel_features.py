"""Two actions with almost the same feature: the rules hold for slopes up to 1, and one breaks beyond."""

from fractions import Fraction

import pytest

from derl.theory.lower_bounds.game_parameters import InvalidGame
from derl.theory.lower_bounds.parallel_features import A, B, almost_parallel


@pytest.mark.parametrize("slope", [Fraction(1), Fraction(99, 100), Fraction(1, 1000)])
def test_the_measures_are_as_long_as_is_said(slope):
    """|mu(S)|^2 is 1 + slope^2, because (1 - c)/t is the slope."""
    _, mu, theta, _ = almost_parallel(slope)
    total = mu[0].sum(axis=1)
    assert total @ total == 1 + slope**2
    t = 2 * slope / (1 + slope**2)
    assert list(mu[0][:, A]) == [0, 1 / t] and theta[0] @ theta[0] == 1 and sum(mu[0][:, B]) != 0


@pytest.mark.parametrize("slope", [Fraction(1001, 1000), Fraction(3, 2)])
def test_beyond_slope_one_the_measures_are_too_long(slope):
    with pytest.raises(InvalidGame, match=r"\|mu\(S\)\|"):
        almost_parallel(slope)
