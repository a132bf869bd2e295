"""Whole trajectories of one deployment."""

import numpy as np
import pytest

from derl import Deployer, instances
from derl.deployment.sizes import InvalidDeployment

LOCK = instances.lock(2, 2, (1, 0), 0.4)
UNIFORM = np.full((3, 3, 2), 0.5)


def test_parts_have_their_sizes_and_the_law_of_the_policy():
    deployer = Deployer(LOCK, 30_000, 1, "any", 5)
    found = deployer.deploy_paths(UNIFORM, (10_000, 20_000))
    assert found.counts.sum(axis=1).tolist() == [10_000, 20_000] and deployer.deployments == 1
    assert found.states.shape == (len(found.counts[0]), 3) and found.actions.shape[1] == 2
    first = found.layer(1, 0, 3, 2)
    assert first.sum() == 20_000 and first[0, 1, 0] == pytest.approx(10_000, abs=500)
    assert len(np.unique(np.c_[found.states, found.actions], axis=0)) == len(found.states)


@pytest.mark.parametrize("mode, policy, parts, word", [
    ("exact", UNIFORM, (1, 30), "add up to 31"), ("expected", UNIFORM, (30,), "trajectories need exact draws"),
    ("exact", np.zeros((3, 3), int), (30,), "trajectories need exact draws")])
def test_other_parts_modes_and_policies_are_refused_and_cost_nothing(mode, policy, parts, word):
    deployer = Deployer(LOCK, 30, 1, "any", mode=mode)
    with pytest.raises(InvalidDeployment, match=word):
        deployer.deploy_paths(policy, parts)
    assert deployer.deployments == 0


def test_too_many_different_trajectories_are_refused():
    mdp = instances.random_simplex(20, 10, 3, 6, seed=0)
    with pytest.raises(InvalidDeployment, match="different trajectories"):
        Deployer(mdp, 10**9, 1, "any").deploy_paths(np.full((6, 20, 10), 0.1), (10**9,))
