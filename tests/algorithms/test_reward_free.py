"""Algorithms 3 and 4 against a literal transcription, at theory constants, and at their edges."""

import dataclasses

import literal
import numpy as np
import pytest

from derl import Deployer, ProtocolViolation, algorithms, instances, planning
from derl.algorithms import InvalidParameter
from derl.theory.reward_free.samples import batch_size_reward_free, bonus_scale_reward_free, deployments_reward_free


def literal_exploration(mdp, N, K, epsilon, delta, seed, beta=None):
    """Algorithm 3: the reward is the bonus over H."""
    H, beta = mdp.horizon, literal.scale(mdp, epsilon, delta) if beta is None else beta
    return literal.exploration(mdp, N, K, seed, beta, lambda h, s, a, bonus: (min(bonus, H) / H, H),
                               lambda layer: epsilon * layer / ((4 * H + 2) * H))[1:]


@pytest.fixture(scope="module")
def explored():
    mdp = instances.random_simplex(4, 3, 3, 3, seed=5)
    return mdp, algorithms.reward_free_exploration(Deployer(mdp, 10**7, 40, seed=2), 2.0, 0.1)


def test_exploration_is_the_pseudocode(explored):
    mdp, outcome = explored
    data, trace = literal_exploration(mdp, 10**7, 40, 2.0, 0.1, seed=2)
    np.testing.assert_array_equal(outcome.dataset.counts, sum(data))
    assert [record.layer for record in outcome.trace] == [layer for layer, _ in trace]
    np.testing.assert_allclose([record.statistic for record in outcome.trace], [s for _, s in trace], rtol=1e-6)
    assert outcome.converged and outcome.dataset.deployments == len(data)


@pytest.mark.parametrize("size, beta", [(10, 2.5), (200, 0.5), (2000, 2.5), (20_000, 5.0)])
def test_every_policy_is_that_of_the_pseudocode(size, beta):
    """Few data and small bonuses: rewards, predictions and caps all matter for what is deployed, and for the plan."""
    mdp = instances.random_simplex(4, 3, 3, 3, seed=5)
    outcome = algorithms.reward_free_exploration(Deployer(mdp, size, 12, seed=2), 2.0, 0.1, beta=beta)
    data, trace = literal_exploration(mdp, size, 12, 2.0, 0.1, seed=2, beta=beta)
    np.testing.assert_array_equal(outcome.dataset.counts, sum(data))
    for horizon in range(1, 4):
        for counts in (outcome.dataset.counts, data[0]):
            dataset = dataclasses.replace(outcome.dataset, counts=np.array(counts, float), stages=())
            V, pi, norms = literal.values(mdp, [counts], horizon, beta,
                                          lambda h, s, a, x, cap=horizon: (mdp.rewards()[h, s, a], cap))
            planned = algorithms.reward_free_planning(dataset, mdp.theta, horizon=horizon)
            np.testing.assert_allclose(planned.values, V, rtol=1e-9)
            np.testing.assert_array_equal(planned.policy[:horizon], pi[:horizon])
            bonus = beta * np.array([norms[at] for at in np.ndindex(horizon, 4, 3)]).reshape(horizon, 4, 3)
            np.testing.assert_allclose(planned.bonus, np.minimum(bonus, horizon), rtol=1e-6)


def test_the_rewards_of_the_instance_are_not_looked_at():
    mdp = instances.random_simplex(4, 3, 3, 3, seed=5)
    other = mdp.with_reward(0 * mdp.theta)
    runs = [algorithms.reward_free_exploration(Deployer(m, 10**9, 40, seed=2), 0.5, 0.1) for m in (mdp, other)]
    np.testing.assert_array_equal(runs[0].dataset.counts, runs[1].dataset.counts)


@pytest.mark.parametrize("version", ["sharp", "flat"])
def test_every_stage_plans_for_its_own_horizon_at_theory_constants(version):
    mdp = instances.hard_template(d=3, horizon=3, optimal_layer=2, optimal_index=1, cores=0, epsilon=0.3)
    K = deployments_reward_free(mdp.dim, mdp.horizon, 6, version)
    N = batch_size_reward_free(mdp.dim, mdp.horizon, 0.2, 0.1, 6, version=version)
    beta = bonus_scale_reward_free(mdp.dim, mdp.horizon, 0.1, K, N)
    outcome = algorithms.reward_free_exploration(Deployer(mdp, N, K, seed=1), 0.2, 0.1, beta=beta,
                                                 threshold="flat" if version == "flat" else "as-printed")
    assert outcome.converged and outcome.deployments <= K
    deployments = [k for k, _ in outcome.dataset.stages]
    assert deployments == [r.deployment for r in outcome.trace if r.finished] and deployments[-1] == outcome.deployments
    for h in range(1, mdp.horizon + 1):
        stage = outcome.dataset.until(h)
        assert (stage.layers, stage.deployments) == (h, deployments[h - 1])
        assert stage.counts[0].sum() == stage.deployments * float(N)
        planned = algorithms.reward_free_planning(stage, mdp.theta)
        assert planned.horizon == h and planning.gap(mdp, planned.policy, horizon=h) <= 0.2
    np.testing.assert_array_equal(outcome.dataset.until(mdp.horizon).counts, outcome.dataset.counts)


def test_c_beta_scales_the_bonus_of_both_phases(explored):
    _, outcome = explored
    assert outcome.dataset.scale == outcome.dataset.beta == outcome.beta
    mdp = instances.random_simplex(4, 3, 3, 3, seed=5)
    wide = algorithms.reward_free_exploration(Deployer(mdp, 10**7, 40, seed=2), 2.0, 0.1, c_beta=3.0)
    assert wide.beta == pytest.approx(3 * outcome.beta) and wide.dataset.scale == pytest.approx(outcome.beta)
    assert algorithms.reward_free_planning(wide.dataset, mdp.theta, c_beta=3.0).beta == pytest.approx(wide.beta)
    given = algorithms.reward_free_exploration(Deployer(mdp, 10**7, 40, seed=2), 2.0, 0.1, beta=7.0)
    assert algorithms.reward_free_planning(given.dataset, mdp.theta).beta == 7.0


def test_more_bonus_makes_planning_more_optimistic(explored):
    mdp, outcome = explored
    values = [algorithms.reward_free_planning(outcome.dataset, mdp.theta, c_beta=c).values for c in (0.5, 1.0, 2.0)]
    assert (values[0] < values[1]).all() and (values[1] < values[2]).all()
    assert (values[1] >= planning.optimal(mdp).values[0]).all()


def test_rewards_above_one_only_as_printed(explored):
    mdp, outcome = explored
    with pytest.raises(InvalidParameter, match=r"layer 1, state \d, action \d: reward .* must lie in \[0, 1\]"):
        algorithms.reward_free_planning(outcome.dataset, 3 * mdp.theta)
    planned = algorithms.reward_free_planning(outcome.dataset, 3 * mdp.theta, version="as-printed")
    assert planned.values.max() <= mdp.horizon


def test_the_dataset_cannot_be_changed(explored):
    _, outcome = explored
    with pytest.raises(ValueError, match="read-only"):
        outcome.dataset.counts[0] = 0
    with pytest.raises(dataclasses.FrozenInstanceError):
        outcome.dataset.beta = 1.0


def test_an_unfinished_run_says_so():
    mdp = instances.random_simplex(4, 3, 3, 3, seed=5)
    outcome = algorithms.reward_free_exploration(Deployer(mdp, 100, 3), 0.5, 0.1)
    assert not outcome.converged and outcome.dataset.stages == () and outcome.dataset.deployments == 3
    with pytest.raises(InvalidParameter, match="finished no layer"):
        outcome.dataset.until(1)
    assert algorithms.reward_free_planning(outcome.dataset, mdp.theta).policy.shape == (3, 4)


def test_the_uniform_tail_needs_the_class_any():
    mdp = instances.random_simplex(6, 3, 4, 4, seed=0)
    with pytest.raises(ProtocolViolation):
        algorithms.reward_free_exploration(Deployer(mdp, 10**10, 30), 0.5, 0.1, tail="uniform")
    deployer = Deployer(mdp, 10**12, 60, policy_class="any")
    assert algorithms.reward_free_exploration(deployer, 0.5, 0.1, tail="uniform").converged


@pytest.mark.parametrize("arguments, word", [
    ({"theta": np.zeros((2, 5))}, "theta has shape"), ({"theta": np.full((3, 3), np.nan)}, "NaN"),
    ({"theta": "x"}, "theta"),
    ({"horizon": 0}, "horizon"), ({"horizon": 4}, "1..3"), ({"horizon": 1.5}, "horizon"), ({"version": "x"}, "version"),
    ({"c_beta": -1}, "c_beta"), ({"beta": 0.0}, "beta"),
])
def test_bad_parameters_of_the_planning_are_named_in_one_line(explored, arguments, word):
    mdp, outcome = explored
    with pytest.raises(InvalidParameter, match=word) as caught:
        algorithms.reward_free_planning(outcome.dataset, **({"theta": mdp.theta} | arguments))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("layer", [0, 4, 1.5, True, "1"])
def test_a_stage_that_does_not_exist_is_refused(explored, layer):
    with pytest.raises(InvalidParameter, match=r"1\.\.3"):
        explored[1].dataset.until(layer)
