"""The hiding game on the page: exact tables, and a sweep that plays by the rules."""

from fractions import Fraction

import numpy as np
import pytest

from derl import Deployer, ProtocolViolation, instances
from derl.show.lower_bounds import plays


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
