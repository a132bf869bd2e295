"""Limits and defaults of algorithms, with the numbers that they stand for."""

import inspect
from types import SimpleNamespace

import numpy as np
import pytest

from derl import Deployer, algorithms, instances
from derl.algorithms import InvalidParameter, run_defaults
from derl.algorithms.baselines.francis import directions
from derl.algorithms.dataset import linear_rewards
from derl.algorithms.run_defaults import BATCHES, EPISODES, FEW_EPISODES, SKIPPED, Request
from derl.theory.comparison import online, quoted

SMALL = SimpleNamespace(dim=3, horizon=2, n_actions=2)
OPTIONS = {"c_beta": 1.0, "beta": None, "eta": 1.5, "budget": None, "episodes": None, "level": 0.5}


def request_of(epsilon, size, **options):
    return Request(SMALL, epsilon, 0.1, size, OPTIONS | options)


def episodes(name, epsilon, **options):
    """What the theorem of a baseline says, before the limit."""
    numbers, given = (3, 2, epsilon, 0.1), OPTIONS | options
    return {"lsvi_ucb": lambda: online.episodes_lsvi_ucb(*numbers, 1.0, beta=given["beta"]),
            "low_switching": lambda: 2 * online.episodes_lsvi_ucb(*numbers, 1.0, 1.5, given["beta"]),
            "reward_free": lambda: online.episodes_reward_free(*numbers, 1.0, given["beta"])}[name]()


LIMITS = {"lsvi_ucb": EPISODES, "low_switching": SKIPPED, "reward_free": EPISODES}


@pytest.mark.parametrize("name", LIMITS)
def test_single_trajectories_are_given_what_is_needed_within_the_limit(name):
    easy = {"epsilon": 1.9, "beta": 0.01}
    needed = episodes(name, **easy)
    assert 1 < needed < LIMITS[name] and getattr(run_defaults, name)(request_of(size=1, **easy)) == needed
    assert episodes(name, 1e-9) > LIMITS[name] == getattr(run_defaults, name)(request_of(1e-9, 1))


@pytest.mark.parametrize("name", LIMITS)
def test_batches_are_rounded_up_and_are_many(name):
    needed = episodes(name, 0.01, beta=0.5)
    given = getattr(run_defaults, name)
    size = needed // (2 * BATCHES) - 1  # a little more than twice the least number of batches
    assert size > 2 and given(request_of(0.01, size, beta=0.5)) == min(-(-needed // size), LIMITS[name]) > BATCHES
    assert given(request_of(0.01, needed, beta=0.5)) == BATCHES


def test_the_reduction_and_francis_are_given_what_they_need_within_their_limits():
    assert run_defaults.reduction(request_of(0.5, 7, budget=50)) == 8
    assert run_defaults.reduction(request_of(0.5, 1, budget=10 * SKIPPED)) == SKIPPED
    needed = online.episodes_of_the_reduction(3, 2, 0.5, 0.1, 1.0, 1.5, 0.1)
    assert run_defaults.reduction(request_of(0.5, 9, beta=0.1)) == -(-needed // 9)
    assert run_defaults.directions(request_of(0.5, 1, episodes=40)) == 2 * 40  # both layers
    assert run_defaults.directions(request_of(0.5, 1, episodes=10**9)) == 2 * FEW_EPISODES
    assert run_defaults.directions(request_of(0.5, 10, episodes=10**9)) == 2 * BATCHES
    assert run_defaults.directions(request_of(0.5, 10, episodes=5000)) == 2 * 500


def test_moffle_is_given_its_covers_and_olive_its_phases():
    policies = quoted.moffle_policies(3, 0.5)
    assert run_defaults.covers(request_of(0.5, 10, eta=None)) == 2 * (policies + 2)
    assert run_defaults.covers(request_of(0.5, 10, eta=0.9)) == min(
        2 * (quoted.moffle_policies(3, quoted.moffle_threshold(3, 2, 0.9)) + 2), 10 * BATCHES)
    assert run_defaults.covers(request_of(0.5, 10, eta=1e-3)) == 10 * BATCHES
    assert run_defaults.phases(request_of(0.5, 10)) == 4 * (3 * 2 + 1)


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
