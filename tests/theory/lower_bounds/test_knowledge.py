"""What an algorithm can do with what it sees, against counts by hand."""

from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

from derl.mdp import instances
from derl.mdp.exact import ExactMDP
from derl.theory.lower_bounds import knowledge

LOCKS = [instances.lock(2, 2, code, Fraction(1, 4), exact=True) for code in knowledge.paths(2, 2)]


def test_presence_is_a_law():
    lock = LOCKS[0]
    policy = knowledge.follow(lock, (1, 0))
    for layer in range(lock.horizon):
        assert sum(knowledge.presence(lock, policy, layer).values()) == 1
    assert knowledge.presence(lock, policy, 1) == {1: Fraction(1, 2), 2: Fraction(1, 2)}


def test_trajectories_are_a_law_and_agree_with_presence():
    lock = LOCKS[2]
    policy = knowledge.follow(lock, (1, 0))
    law = knowledge.trajectories(lock, policy)
    assert sum(law.values()) == 1
    there = knowledge.presence(lock, policy, 2)
    assert {s: sum(p for path, p in law.items() if path[2] == s) for s in there} == there


def test_without_a_deployment_one_code_in_four_is_guessed():
    assert knowledge.bayes_success(LOCKS, knowledge.paths(2, 2), 0) == Fraction(1, 4)


def test_more_deployments_never_hurt():
    values = [knowledge.bayes_success(LOCKS, knowledge.paths(2, 2), K) for K in (0, 1, 2)]
    assert values == sorted(values) and values[1] == Fraction(9, 16)


def test_action_sets_show_the_template_and_features_of_the_lock_show_nothing():
    template = [instances.hard_template(2, 3, 2, index, (core, 1 - index), Fraction(1, 8), exact=True)
                for core in (0, 1) for index in (0, 1)]
    assert len({knowledge.visible(mdp, "actions") for mdp in template}) == 4
    assert len({knowledge.visible(mdp, "features") for mdp in LOCKS}) == 1
    with pytest.raises(ValueError, match="allowed are trajectories"):
        knowledge.visible(LOCKS[0], "rewards")


def test_a_digit_behind_the_frontier_is_a_guess_and_one_at_it_is_not():
    assert knowledge.guess_excess(2, 3, 2, 2, missed=2) == 0
    assert knowledge.guess_excess(2, 3, 1, 2, missed=3) > 0


def test_one_choice_serves_all_instances_that_look_alike():
    gains = {(0, "x"): 1, (0, "y"): 0, (1, "x"): 0, (1, "y"): Fraction(1, 2), (2, "x"): 0, (2, "y"): 1}
    mdps = [SimpleNamespace(name=i, available=np.array([i < 2]), phi=np.array([i])) for i in range(3)]

    def best(sees):
        return knowledge.best_average(mdps, iter("xy"), sees, lambda mdp, choice: gains[mdp.name, choice])

    assert best("trajectories") == Fraction(1, 2)  # y for all: (0 + 1/2 + 1)/3
    assert best("actions") == Fraction(2, 3)  # x for the first two, y for the third
    assert best("features") == Fraction(5, 6)  # each its own


def test_an_output_is_optimal_when_no_layer_loses_anything():
    unit = np.broadcast_to(np.eye(2, dtype=int), (2, 1, 2, 2))
    mdp = ExactMDP(unit, np.ones((2, 2, 1), dtype=int), np.array([[0, 1], [1, 0]]), np.array([1]))
    pays = {actions: knowledge.optimal_output(mdp, actions) for actions in ((1, 0), (1, 1), (0, 0), (0, 1), (1,), ())}
    assert pays == {(1, 0): 1, (1, 1): 0, (0, 0): 0, (0, 1): 0, (1,): 1, (): 0}


def test_a_policy_that_follows_takes_only_what_is_there():
    available = np.array([[[True, True, False], [False, True, True]]] * 3)
    found = knowledge.follow(SimpleNamespace(available=available), (2, 0))
    assert found.tolist() == [[0, 2], [0, 1], [0, 1]]  # the first available action where the named one is missing
