"""The games with a hidden object: their numbers, the film of one trajectory, and a sweep that plays by the rules."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from derl import Deployer, ProtocolViolation, instances
from derl.show.lower_bounds import moves, plays
from derl.theory.lower_bounds import search_game, search_programme


def test_the_small_lock_is_scored_against_the_exact_optimum():
    small = moves.hidden_code()["levels"][0]
    assert small["best"][:4] == pytest.approx([float(search_game.best_success(2, 4, 1, K)) for K in range(4)])
    assert small["least"] == pytest.approx(3)


def test_the_optimum_lies_between_uniform_search_and_the_bound_for_all_algorithms():
    for level in moves.hidden_code()["levels"]:
        size = level["d"], level["n"], level["size"], len(level["best"]) - 1
        ceiling = search_programme.success_curve(*size, "reveal")
        assert all(p <= q + 1e-12 for p, q in zip(level["uniform"], level["best"], strict=True))
        assert all(p <= q + 1e-12 for p, q in zip(level["best"], ceiling, strict=True))
        assert level["best"][-1] > 1 - 1e-6 and level["least"] < level["average"] < level["first"]


def test_the_optimum_of_the_large_lock_is_below_the_bound():
    large = moves.hidden_code()["levels"][1]
    assert large["best"][3] < search_programme.success_curve(10, 6, 100, 3, "reveal")[3] - 0.01


def test_looks_have_a_price_at_which_five_are_worth_most():
    game = moves.hidden_arm()
    worth = [game["prize"] * chance - sum(range(K + 1)) for K, chance in enumerate(game["success"])]
    assert max(range(len(worth)), key=worth.__getitem__) == 5 and sorted(worth)[-2] < max(worth)


def test_the_arm_is_found_with_one_look_more_than_needed_never_fewer():
    game = moves.hidden_arm()
    assert len(game["arms"]) == game["layers"] * game["actions"] == 12
    assert min(game["first"]) >= len(game["arms"]) - 1  # deterministic policies: nobody is sure before
    assert game["second"] == [game["layers"] + 1]  # one deployment per layer


def test_what_failure_one_tenth_needs():
    game = moves.exact_game()
    assert game["needed"][20 - game["arms"][0]] == 17


def test_one_trajectory_leaves_the_codes_that_are_counted_by_hand():
    """Two right digits leave 3 x 3 codes; the wrong digit of wheel 3 leaves two digits there, and three for wheel 4."""
    film = moves.one_trajectory()
    assert [row[2] for row in film["rows"]] == ["81", "27", "9", "6", "6"]
    assert all(f"{row[2]} codes are still possible" in frame["said"]
               for row, frame in zip(film["rows"], film["frames"], strict=True))
    alike = [code for code in product(range(3), repeat=4) if code[:2] == (1, 2) and code[2] != 2]
    assert len(alike) == moves.possible((1, 2, 2, 1), (1, 2, 0, 1), 4, 3)


def test_the_table_shows_the_exact_game():
    row = plays.finite_batches([(3, 1)], [1], Fraction(2, 5)).data.splitlines()[-1]
    assert row == f"| 3 | 1 | {8 / 15:.4f} | 1/3 = 0.3333 |"


def test_a_sweep_finds_the_arm_it_inspects_and_guesses_the_next_one():
    arms = instances.compact_bandit_arms(3, 2)
    for hidden in range(len(arms)):
        deployer = Deployer(instances.compact_bandit(3, 2, hidden, 0.3), 10**6, 2, seed=hidden)
        assert (plays.sweep(deployer, arms, np.arange(len(arms)), 0.3) == hidden) == (hidden <= 2)


def test_policies_of_the_template_differ_by_the_bias():
    mdp = instances.hard_template(3, 3, 2, 1, 0, Fraction(1, 5), exact=True)
    assert plays.best_and_worst(mdp) == (Fraction(17, 10), Fraction(3, 2))


def test_a_pull_is_a_deployment():
    deployer = Deployer(instances.compact_bandit(3, 2, 0, 0.3), 100, 1)
    assert plays.pull(deployer, 0, 1).sum() == 100
    with pytest.raises(ProtocolViolation):
        plays.pull(deployer, 0, 1)


def test_the_rate_is_near_the_value_of_the_game():
    rate = plays.sweep_rate(3, 2, 0.3, 1, 400, np.random.default_rng(np.random.SeedSequence(20220402)))
    assert abs(rate - 2 / 4) < 5 * (0.25 / 400) ** 0.5
