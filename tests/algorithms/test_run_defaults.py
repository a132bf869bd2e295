"""How many deployments a baseline is given where no number is named: what it needs, within its limit."""

from types import SimpleNamespace

import pytest

from derl.algorithms import run_defaults
from derl.algorithms.run_defaults import BATCHES, EPISODES, SKIPPED, Request
from derl.theory.comparison import online

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
