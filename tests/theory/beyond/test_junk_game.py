"""The guessing game: values that are known by hand, the two bounds, and what is refused."""

from fractions import Fraction as F

import pytest

from derl.theory.beyond import junk_game as game


@pytest.mark.parametrize("d, horizon, batch, deployments, failure", [
    (2, 3, 1, 1, F(3, 8)), (2, 3, 4, 1, F(0)), (3, 3, 2, 1, F(7, 18)), (2, 4, 1, 2, F(0)), (3, 3, 1, 2, F(11, 36))])
def test_both_enumerations_agree_with_values_by_hand(d, horizon, batch, deployments, failure):
    assert game.best_failure(d, horizon, batch, deployments) == failure
    assert game.best_failure_by_hits(d, horizon, batch, deployments) == failure


def test_one_deployment_is_the_exact_value_and_independent_guesses_are_worse():
    assert game.one_deployment(3, 4, 2) == (1 - F(2, 27)) / 2
    assert game.one_deployment(2, 3, 9) == 0
    assert game.one_deployment(3, 4, 2, independent=True) == F(26, 27) ** 2 / 2
    same = game.failure_of_guesses(3, 3, ((0, 1), (0, 1)))
    assert same == game.one_deployment(3, 3, 1) > game.failure_of_guesses(3, 3, ((0, 1), (2, 1)))


def test_the_bound_for_later_deployments_by_hand():
    # N = 2: X_1 is 0, 1 or more with 1/3, 4/9, 2/9; X_2 is 0, 1 or more with 0, 1/2, 1/2
    assert game.later_deployments(3, 4, 2, 2) == F(1, 3) * F(1, 2) / 2
    assert game.later_deployments(3, 4, 2, 1) == (F(1, 3) + F(4, 9) + F(4, 27)) / 2
    assert game.later_deployments(3, 3, 1, 3) == 0
    # l_1 = 7, l = 10, m = 39 - 7 - 22 = 10
    assert game.later_deployments_simple(3, 40, 1000, 3) == (1 - (F(1, 2) + 2) / 10) / 2
    assert game.later_deployments_simple(3, 29, 1000, 3) == 0


def test_transcripts_show_junk_and_the_bit():
    world = ((1, 0, 2), (2, 1), 1)
    assert game.transcript((1, 0, 2), world) == ("g", "g", "g", "z1")
    assert game.transcript((0, 0, 2), world) == ("g", "b2", "b1", "zh")
    assert game.transcript((1, 0, 0), world) == ("g", "g", "g", "zh")
    assert len(game.worlds(3, 4)) == 27 * 4 * 2
