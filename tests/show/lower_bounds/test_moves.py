"""The numbers of the games with a hidden object."""

import pytest

from derl.show.lower_bounds import moves
from derl.theory.lower_bounds import search_game


def test_the_small_lock_is_scored_against_the_exact_optimum():
    small = moves.hidden_code()["levels"][0]
    assert small["exact"]
    assert small["ceiling"][:4] == pytest.approx([float(search_game.best_success(2, 4, 1, K)) for K in range(4)])
    assert small["least"] == pytest.approx(3)


def test_nobody_is_above_the_ceiling():
    for level in moves.hidden_code()["levels"]:
        assert all(p <= q + 1e-12 for p, q in zip(level["uniform"], level["ceiling"], strict=True))
        assert level["uniform"][-1] > 1 - 1e-3 and level["least"] < level["average"] < level["first"]


def test_the_large_lock_is_not_called_exact():
    assert not moves.hidden_code()["levels"][1]["exact"]


def test_the_arm_is_found_with_one_look_more_than_needed_never_fewer():
    game = moves.hidden_arm()
    assert len(game["arms"]) == game["layers"] * game["actions"] == 12
    assert min(game["first"]) >= len(game["arms"]) - 1  # deterministic policies: nobody is sure before
    assert game["second"] == [game["layers"] + 1]  # one deployment per layer


def test_what_failure_one_tenth_needs():
    game = moves.exact_game()
    assert game["needed"][20 - game["arms"][0]] == 17
