"""The reachability that the runs of Algorithm 2 are given, by other means."""

from fractions import Fraction

import numpy as np
import pytest

from derl.experiments import audited_runs as runs
from derl.mdp import exact, planning
from derl.theory import reachability


def test_reachable_states_are_those_with_positive_occupancy():
    for name in runs.SUITE:
        mdp = runs.instance(name)
        model = mdp.to_float()
        seen = np.zeros((model.horizon, model.n_states), bool)
        rng = np.random.default_rng(0)
        for _ in range(200):
            scores = np.where(model.available, rng.random(model.available.shape), -1)
            seen |= planning.occupancy(model, scores.argmax(axis=2)).sum(axis=2) > 0
        np.testing.assert_array_equal(exact.reachable_states(mdp), seen)


@pytest.mark.parametrize("name, largest", [("lock", Fraction(1, 5)), ("template", Fraction(1, 7))])
def test_certified_bounds_stay_below_the_known_value(name, largest):
    """With unit vectors as features nu_h^2 is 1/D where all D pairs can be reached."""
    bound = runs.certified_nu_squared(name)
    assert Fraction(4, 5) * largest < bound <= largest


@pytest.mark.parametrize("name", ["lock", "template"])
def test_certified_bounds_agree_with_the_certified_intervals(name):
    mdp = runs.instance(name).to_float()
    intervals = [reachability.nu(mdp, h, subspace="reachable") for h in range(1, mdp.horizon + 1)]
    bound = float(runs.certified_nu_squared(name)) ** 0.5
    assert 0.9 * min(interval.lower for interval in intervals) <= bound <= min(i.upper for i in intervals)


def test_a_policy_that_misses_a_direction_certifies_nothing():
    class Record:
        """A record whose only policy never leaves the gate."""

        layer, n_policies = 3, 1

        class cover:
            counts = (1,)

        class policy:
            policies = (np.array([[1] * 3, [2] * 3, [0] * 3, [0] * 3]),)

    mdp = runs.instance("lock")
    assert exact.occupancy(mdp, Record.policy.policies[0])[2, 0, 0] == 1
    assert runs._certify(mdp, Record) == 0
