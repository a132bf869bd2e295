"""The replay in balls agrees with runs, refuses what it cannot decide, and computes the gap exactly."""

from fractions import Fraction

import numpy as np
import pytest

from derl import Deployer, algorithms, instances, planning
from derl.exact.balls import Undecided, bonus_scale
from derl.theory.layerwise.replay import Model, replay

SETTING = {"max_deployments": 141, "epsilon": Fraction(1, 5),
           "beta": bonus_scale(7, 10, Fraction(1, 5), Fraction(1, 10), Fraction(1))}


def test_the_replay_is_what_runs_do():
    exact, trap = instances.optimism_trap(exact=True), instances.optimism_trap()
    certified = replay(exact, n_trajectories=10**12, **SETTING)
    assert certified.gap == Fraction(6, 25) and certified.converged and certified.log_exception < -70
    for seed in range(5):
        deployer = Deployer(trap, 10**12, 141, seed=seed)
        run = algorithms.layerwise_exploration(deployer, 0.2, 0.1, version="as-printed")
        assert tuple(record.layer for record in run.trace) == certified.layers
        reached = planning.occupancy(trap, run.policy).sum(axis=2) > 0
        np.testing.assert_array_equal(run.policy[reached], certified.policy[reached])


def test_an_exact_tie_between_random_values_is_refused():
    """With the repaired backup two arms are worth 7 in the MDP truncated at layer 9; balls cannot tell them apart."""
    with pytest.raises(Undecided):
        replay(instances.optimism_trap(exact=True), n_trajectories=10**12, version="repaired", **SETTING)


def test_it_finds_the_optimum_where_the_trap_has_no_teeth():
    exact = instances.optimism_trap(exact=True)
    theta = exact.theta.copy()
    theta[6, 2] = Fraction(1, 2)
    for version in ("as-printed", "repaired"):
        toothless = Model(exact.phi, exact.mu, theta, exact.available)
        run = replay(toothless, n_trajectories=10**40, version=version, **SETTING)
        assert run.gap == 0 and run.deficit <= 0


def test_precision_is_left_as_it_was():
    import flint

    before = flint.ctx.prec
    replay(instances.optimism_trap(exact=True), n_trajectories=10**12, **SETTING)
    assert flint.ctx.prec == before


@pytest.mark.parametrize("size", [10**7, 10**9])
def test_a_layer_is_finished_by_the_printed_threshold(size):
    """At these N the statistic of layer 1 lies between epsilon h/(2H) = 0.01 and epsilon/2 = 0.1 in places."""
    setting = SETTING | {"max_deployments": 6}
    certified = replay(instances.optimism_trap(exact=True), n_trajectories=size, **setting)
    run = algorithms.layerwise_exploration(Deployer(instances.optimism_trap(), size, 6, seed=1), 0.2, 0.1,
                                           version="as-printed")
    assert any(0.01 < record.statistic < 0.1 for record in run.trace)
    assert tuple(record.layer for record in run.trace) == certified.layers


def test_the_exception_counts_every_random_count_twice():
    """A fair coin in each deployment: two counts, each outside its ball with probability at most 2 exp(-80)."""
    from derl.theory.reward_free.instances import coin

    beta = bonus_scale(3, 2, Fraction(1, 5), Fraction(1, 10), Fraction(1))
    found = replay(coin(), n_trajectories=10**12, max_deployments=9, epsilon=Fraction(1, 5), beta=beta)
    draws = 2 * len(found.policies)
    assert found.log_exception == pytest.approx(np.log(2 * draws) - 80, abs=1e-9)
    assert found.converged and found.layers == (1, 1, 2, 2) and found.gap == 0
    assert np.array_equal(found.policy, found.policies[-1])
