"""Algorithm 1 against a literal transcription, on the trap, at its edges, and its records by hand."""

import literal
import numpy as np
import pytest

from derl import Deployer, LinearMDP, ProtocolViolation, algorithms, instances, planning
from derl.algorithms import layerwise_exploration
from derl.theory import constants


def test_it_is_the_pseudocode():
    mdp = instances.random_simplex(4, 3, 3, 3, seed=5)
    H, rewards = mdp.horizon, mdp.rewards()
    policy, _, trace = literal.exploration(mdp, 10**6, 40, 2, literal.scale(mdp, 1.0, 0.1),
                                           lambda h, s, a, bonus: (rewards[h, s, a], H), lambda layer: layer / (2 * H))
    outcome = algorithms.layerwise_exploration(Deployer(mdp, 10**6, 40, seed=2), 1.0, 0.1)
    np.testing.assert_array_equal(outcome.policy, policy)
    assert [record.layer for record in outcome.trace] == [layer for layer, _ in trace]
    np.testing.assert_allclose([record.statistic for record in outcome.trace], [s for _, s in trace], rtol=1e-6)


@pytest.mark.parametrize("statistic, finished", [(0.5 - 1e-12, True), (0.5, False), (0.5 + 1e-12, False)])
def test_a_layer_is_finished_strictly_below_its_threshold(statistic, finished):
    record = algorithms.Record(1, 1, statistic, 0.5, (), (), None, True)
    assert record.finished is finished


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("version, gap", [("as-printed", 0.24), ("repaired", 0), ("clipped", 0)])
def test_only_the_printed_version_falls_into_the_trap(version, gap, seed):
    trap = instances.optimism_trap()
    outcome = algorithms.layerwise_exploration(Deployer(trap, 10**12, 141, seed=seed), 0.2, 0.1, version=version)
    assert outcome.converged and planning.gap(trap, outcome.policy) == pytest.approx(gap, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_it_stops_in_time_and_near_the_optimum_at_theory_constants(seed):
    mdp = instances.random_simplex(6, 3, 4, 4, seed=seed)
    bound = constants.deployments_layerwise(mdp.dim, mdp.horizon, 2)
    outcome = algorithms.layerwise_exploration(Deployer(mdp, 10**12, bound, seed=seed), 0.1, 0.1)
    assert outcome.converged and outcome.deployments <= bound and planning.gap(mdp, outcome.policy) <= 0.1
    assert outcome.trajectories == outcome.deployments * 10**12
    assert [r.layer for r in outcome.trace] == sorted(r.layer for r in outcome.trace)


def test_truncated_guarantee_on_runs():
    """The policy that finishes layer h is near-optimal for the MDP truncated at h."""
    mdp = instances.hard_template(d=3, horizon=3, optimal_layer=2, optimal_index=1, cores=0, epsilon=0.3)
    outcome = algorithms.layerwise_exploration(Deployer(mdp, 10**12, 300, seed=1), 0.1, 0.1)
    finished = [record for record in outcome.trace if record.finished]
    assert [record.layer for record in finished] == list(range(1, mdp.horizon + 1))
    assert all(planning.gap(mdp, record.policy, horizon=record.layer) <= 0.1 for record in finished)


def test_too_few_deployments_are_reported_not_hidden():
    mdp = instances.random_simplex(6, 3, 4, 4, seed=0)
    outcome = algorithms.layerwise_exploration(Deployer(mdp, 1000, 3, seed=0), 0.1, 0.1)
    assert not outcome.converged and outcome.deployments == 3 and outcome.policy.shape == (4, 6)


def test_the_uniform_tail_needs_the_class_any():
    mdp = instances.random_simplex(6, 3, 4, 4, seed=0)
    with pytest.raises(ProtocolViolation):
        algorithms.layerwise_exploration(Deployer(mdp, 10**10, 30), 0.5, 0.1, tail="uniform")
    outcome = algorithms.layerwise_exploration(Deployer(mdp, 10**10, 30, policy_class="any"), 0.5, 0.1, tail="uniform")
    assert outcome.converged and outcome.policy.ndim == 2  # the returned policy has no tail left


def test_same_seed_same_bytes():
    mdp = instances.random_simplex(6, 3, 4, 4, seed=0)
    runs = [algorithms.layerwise_exploration(Deployer(mdp, 10**11, 50, seed=7), 0.2, 0.1) for _ in range(2)]
    assert [r.statistic for r in runs[0].trace] == [r.statistic for r in runs[1].trace]


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
