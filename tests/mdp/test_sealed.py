"""Arrays that are handed out stay as they are, whatever is asked of their flags."""

import pickle

import numpy as np
import pytest

from derl import Deployer, LinearMDP, Mixture, instances
from derl.mdp import policies
from derl.mdp.layers import sealed

MDP = instances.random_simplex(3, 2, 3, 2, 0)
REPEATED = instances.stationary_embedding(MDP)


def handed_out():
    """(name, array) of everything that an algorithm, or anybody, gets to see."""
    for mdp in (MDP, REPEATED, MDP.truncate(1), MDP.with_reward(MDP.theta), pickle.loads(pickle.dumps(MDP))):
        for name in ("phi", "mu", "theta", "initial", "available"):
            yield name, getattr(mdp, name)
        yield "rewards", mdp.rewards()
    deployer = Deployer(MDP, 100, 3, "any")
    mixture = Mixture((np.zeros((2, 3), int), policies.uniform(MDP)), [0.5, 0.5])
    for name in ("phi", "rewards", "available"):
        yield f"known {name}", getattr(deployer.known, name)
    for batch in (deployer.deploy(np.zeros((2, 3), int)), deployer.deploy(mixture)):
        yield from (("counts", batch.counts), ("visits", batch.visits), ("initial", batch.initial))
    yield from (("members", batch.members), ("weights", mixture.weights), *(("policy", p) for p in mixture.policies))


@pytest.mark.parametrize("name, array", list(handed_out()))
def test_nothing_makes_it_writable(name, array):
    before = array.copy()
    for part in (array, array[:1], array.T, array.view(), array.reshape(array.shape)):
        with pytest.raises(ValueError):
            part.setflags(write=True)
        with pytest.raises(ValueError):
            part[...] = 0
    np.testing.assert_array_equal(array, before)


@pytest.mark.parametrize("dtype", [np.float64, np.int64, bool, np.int32, np.float32])
@pytest.mark.parametrize("shape", [(3,), (2, 3), (0,), (0, 3), (2, 0, 2), ()])
def test_sealing_copies_nothing_and_keeps_everything(dtype, shape):
    array = np.ones(shape, dtype)
    found = sealed(array)
    assert found.shape == shape and found.dtype == dtype and (found == 1).all()
    assert np.shares_memory(found, array) or not array.size
    with pytest.raises(ValueError):
        found.setflags(write=True)


def test_the_input_of_an_instance_is_copied():
    phi = np.array(MDP.phi)
    mdp = LinearMDP(phi, MDP.mu, MDP.theta, MDP.initial)
    phi[...] = 0
    assert mdp == MDP
