"""Features of the instances: one layer of the hard template by hand, and two actions with almost the same feature."""

from fractions import Fraction

import pytest

from derl.theory.lower_bounds.feature_rank import HALF, template_layer
from derl.theory.lower_bounds.game_parameters import InvalidGame
from derl.theory.lower_bounds.parallel_features import A, B, almost_parallel


def test_the_template_by_hand():
    assert 2 * HALF == 1
    core = [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0]]
    fair = [[0, 0, 0, HALF, HALF]] * 3
    stays = [[[0, 0, 0, 1, 0]] * 3, [[0, 0, 0, 0, 1]] * 3]
    assert template_layer(3, 0).tolist() == [core, fair, fair, *stays]


@pytest.mark.parametrize("core", [0, 1, 2, 3])
def test_the_core_leads_each_action_to_its_state(core):
    kernel = template_layer(4, core)
    assert all(kernel[core, j, j] == 1 for j in range(4)) and kernel.sum() == 6 * 4


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


def test_the_instance_by_hand_at_slope_one_half():
    """t = 4/5 and c = 3/5: phi(a+) = (3/5, 4/5), mu(A) = (0, 5/4), mu(B) = (1, -3/4), theta = (4/5, -3/5)."""
    phi, mu, theta, available = almost_parallel(Fraction(1, 2))
    assert phi[0, 0].tolist() == [[1, 0], [Fraction(3, 5), Fraction(4, 5)]]
    assert phi[1, :, 0].tolist() == [[0, 1], [1, 0], [0, 1], [0, 1]]
    assert mu[0].tolist() == [[0, 0, 1, 0], [0, Fraction(5, 4), Fraction(-3, 4), 0]]
    assert mu[1].tolist() == [[0, 0, 0, 1]] * 2
    assert theta.tolist() == [[Fraction(4, 5), Fraction(-3, 5)], [1, 0]]
    assert available.sum() == 9 and available[:, :, 0].all() and available[0, 0, 1]
