"""Limits and defaults of algorithms, with the numbers that they stand for."""

import inspect
from types import SimpleNamespace

import numpy as np
import pytest

from derl import Deployer, algorithms, instances
from derl.algorithms import InvalidParameter
from derl.algorithms.baselines.francis import directions
from derl.algorithms.dataset import linear_rewards

SIMPLEX = instances.random_simplex(4, 2, 2, 3, seed=2)


@pytest.mark.parametrize("theta, place", [([[0.5], [1.000001]], "layer 2, state 0, action 0: reward 1.000001;"),
                                          ([[-0.5], [0.5]], "layer 1, state 0, action 0: reward -0.5;")])
def test_a_reward_outside_of_the_unit_interval_is_named_with_its_layer(theta, place):
    known = SimpleNamespace(phi=np.ones((2, 1, 1, 1)), horizon=2, dim=1)
    with pytest.raises(InvalidParameter, match=place):
        linear_rewards(known, np.array(theta))
    assert linear_rewards(known, np.array([[0.0], [1.0]])).ravel().tolist() == [0, 1]


def test_directions_of_francis_are_at_least_eight_for_each_dimension_where_one_is_kept():
    assert [directions(3, 2, 0.5, 0.1, size, 50) for size in (1, 10, 2)] == [50, 24, 25]


def test_the_default_share_of_epsilon_is_a_half():
    for explore in (algorithms.flat_exploration, algorithms.direct_exploration):
        assert inspect.signature(explore).parameters["share"].default == 0.5


def test_the_law_of_the_first_state_keeps_a_trajectory_in_reserve():
    found = algorithms.truncated_block_exploration(Deployer(SIMPLEX, 100, 2, "any"), 1.0, 0.1, kappa=0.3, eta=1e-9,
                                                   dummy=1e-3)
    assert found.dataset.model.start.sum() == pytest.approx(100 / 101)
    assert found.trace[0].excess <= 1 + 1 / 3 and found.converged
