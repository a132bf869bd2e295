"""What may be a seed, and that a run can be repeated from the number that it became."""

import numpy as np
import pytest

from derl import Deployer, algorithms, deployment, instances
from derl.deployment import InvalidDeployment
from derl.inputs import Invalid, seeds
from derl.mdp.validation import InvalidInstance

MDP = instances.random_simplex(5, 2, 3, 3, seed=0)
POLICY = np.zeros((3, 5), int)


def test_whole_numbers_stay_and_generators_give_numbers():
    assert [seeds.root(seed) for seed in (0, 5, 2**200, np.int64(3), 4.0)] == [0, 5, 2**200, 3, 4]
    rng = np.random.default_rng(1)
    first, second = seeds.root(rng), seeds.root(rng)
    assert first != second and first == seeds.root(np.random.default_rng(1))  # it moves on
    sequence = np.random.SeedSequence(9).spawn(2)
    assert seeds.root(sequence[0]) == seeds.root(sequence[0]) != seeds.root(sequence[1])
    assert seeds.root(None) != seeds.root(None)


@pytest.mark.parametrize("seed", [-1, 1.5, "1", True, [1], np.random.RandomState(0), float("nan")])
def test_anything_else_is_refused_in_one_line(seed):
    with pytest.raises(Invalid, match="seed is .*; it must be a whole number >= 0, None, a numpy") as bad:
        seeds.root(seed)
    assert "\n" not in str(bad.value)


@pytest.mark.parametrize("seed", [None, np.random.default_rng(2), np.random.SeedSequence(2)],
                         ids=["none", "generator", "sequence"])
def test_a_deployer_can_be_repeated_from_its_seed(seed):
    deployer = Deployer(MDP, 1000, 1, seed=seed)
    counts = deployer.deploy(POLICY).counts
    again = Deployer(MDP, 1000, 1, seed=deployer.seed).deploy(POLICY).counts
    other = Deployer(MDP, 1000, 1, seed=deployer.seed + 1).deploy(POLICY).counts
    assert (counts == again).all() and not (counts == other).all()


@pytest.mark.parametrize("family", [lambda seed: instances.random_simplex(3, 2, 2, 2, seed),
                                    lambda seed: instances.rare_state(0.1, 3, seed)], ids=["simplex", "rare"])
def test_an_instance_can_be_repeated_from_its_info(family):
    mdp = family(None)
    assert family(mdp.info["seed"]) == mdp != family(None)
    with pytest.raises(InvalidInstance, match="seed is 'x'"):
        family("x")


def test_algorithms_by_name_and_the_reference_sampler_take_the_same():
    run = algorithms.run_by_name(1, instances.optimism_trap(), 0.2, 0.1, 10**12, seed=None)
    again = algorithms.run_by_name(1, instances.optimism_trap(), 0.2, 0.1, 10**12, seed=run.deployer.seed)
    assert [row.statistic for row in run.outcome.trace] == [row.statistic for row in again.outcome.trace]
    one, two = (deployment.sample(MDP, POLICY, 50, seed).states for seed in (3, np.random.default_rng(3)))
    assert (one == two).all() and deployment.sample(MDP, POLICY, 5).states.shape == (5, 4)
    with pytest.raises(InvalidDeployment, match="seed is -1"):
        Deployer(MDP, 10, 1, seed=-1)
