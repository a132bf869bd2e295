"""The replay in balls agrees with runs, refuses what it cannot decide, and computes the gap exactly."""

from fractions import Fraction

import numpy as np
import pytest

from derl import Deployer, algorithms, instances, planning
from derl.theory.replay import Undecided, replay

SETTING = {"max_deployments": 141, "epsilon": Fraction(1, 5), "delta": Fraction(1, 10), "c_beta": Fraction(1)}


def arrays(mdp):
    return mdp.phi, mdp.mu, mdp.theta, mdp.available


def test_the_replay_is_what_runs_do():
    exact, trap = instances.optimism_trap(exact=True), instances.optimism_trap()
    certified = replay(*arrays(exact), n_trajectories=10**12, **SETTING)
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
        replay(*arrays(instances.optimism_trap(exact=True)), n_trajectories=10**12, version="repaired", **SETTING)


def test_it_finds_the_optimum_where_the_trap_has_no_teeth():
    exact = instances.optimism_trap(exact=True)
    theta = exact.theta.copy()
    theta[6, 2] = Fraction(1, 2)
    for version in ("as-printed", "repaired"):
        phi, mu, _, available = arrays(exact)
        run = replay(phi, mu, theta, available, n_trajectories=10**40, version=version, **SETTING)
        assert run.gap == 0 and run.deficit <= 0


def test_precision_is_left_as_it_was():
    import flint

    before = flint.ctx.prec
    replay(*arrays(instances.optimism_trap(exact=True)), n_trajectories=10**12, **SETTING)
    assert flint.ctx.prec == before
