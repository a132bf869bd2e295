"""One deployment whose trajectories are told apart, or followed whole."""

import numpy as np
import pytest

from derl import Deployer, instances
from derl.deployment.protocol import ProtocolViolation
from derl.deployment.sizes import InvalidDeployment
from derl.mdp.policies import Mixture

LOCK = instances.lock(2, 2, (1, 0), 0.4)
UNIFORM = np.full((3, 3, 2), 0.5)


def test_parts_are_one_deployment():
    deployer = Deployer(LOCK, 1000, 1, "any", 5)
    parts = deployer.deploy_in_parts(Mixture((UNIFORM, np.zeros((3, 3), int)), np.array([0.5, 0.5])), (300, 699, 1))
    assert [part.batch_size for part in parts] == [300, 699, 1]
    assert [int(part.counts[0].sum()) for part in parts] == [300, 699, 1]
    assert deployer.deployments == 1 and deployer.trajectories == 1000 and len(deployer.log) == 1
    with pytest.raises(ProtocolViolation, match="all K"):
        deployer.deploy(UNIFORM)


def test_a_part_has_the_law_of_its_size():
    sums = np.zeros(2)
    for seed in range(400):
        parts = Deployer(LOCK, 30, 1, "any", seed).deploy_in_parts(UNIFORM, (10, 20))
        sums += [part.counts[0, 0, 1, 0] for part in parts]
    assert sums / 400 == pytest.approx([5, 10], abs=0.5)


@pytest.mark.parametrize("parts, said", [((10, 21), "add up to 31"), ((30, 0), "a part is 0"), ((), "add up to 0")])
def test_parts_that_do_not_add_up_are_refused_and_cost_nothing(parts, said):
    deployer = Deployer(LOCK, 30, 1, "any")
    with pytest.raises(InvalidDeployment, match=said):
        deployer.deploy_in_parts(UNIFORM, parts)
    assert deployer.deployments == 0


def test_the_class_is_held():
    with pytest.raises(ProtocolViolation, match="deterministic"):
        Deployer(LOCK, 30, 1).deploy_in_parts(UNIFORM, (10, 20))


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
