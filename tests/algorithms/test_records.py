"""What Algorithm 1 records of a deployment, on one state with one action, where every number is known by hand."""

import numpy as np
import pytest

from derl import Deployer, LinearMDP
from derl.algorithms import layerwise_exploration


@pytest.mark.parametrize("feature, measure", [((1, 0), (1, 0)), ((0.5, 0.5), (1, 1)), ((0.6, 0.5), (1, 0.8))])
@pytest.mark.parametrize("size", [10, 1000])
def test_one_direction_is_explored_as_the_harmonic_sum(feature, measure, size):
    """After k batches of N trajectories Lambda is 1 + k N x^2 along x; the squared norms have mean x^2/Lambda."""
    mu = np.tile(np.reshape(measure, (1, 2, 1)), (2, 1, 1))
    mdp = LinearMDP(np.tile(feature, (2, 1, 1, 1)), mu, np.zeros((2, 2)), np.ones(1))
    square = feature[0]**2 + feature[1]**2
    outcome = layerwise_exploration(Deployer(mdp, size, 40), 0.5, 0.1, version="repaired")
    assert [record.layer for record in outcome.trace] == sorted(record.layer for record in outcome.trace)
    for k, record in enumerate(outcome.trace):
        ridge = 1 + k * size * square
        assert record.deployment == k + 1 and len(record.mean_square_norms) == record.layer
        assert record.mean_square_norms[0] == pytest.approx(square / ridge)
        assert record.log_dets[0] == pytest.approx(np.log(ridge))
    assert len(outcome.trace) > 3
