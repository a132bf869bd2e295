"""Algorithm 7: what it deploys, when it stops, what it costs."""

from dataclasses import replace

import numpy as np
import pytest

from derl import Deployer, algorithms, instances, planning
from derl.algorithms import InvalidParameter, layerwise_exploration, safe_mixture
from derl.algorithms.baselines import pessimistic_value_iteration
from derl.algorithms.mixture import MixingDeployer, mixed
from derl.claims.safety.drops import deployed_values
from derl.mdp.instances import corridor
from derl.mdp.policies import Mixture
from derl.theory import constants
from derl.theory.safety import sample_efficient
from derl.theory.safety.mixture import largest_drop

EPSILON, DELTA = 0.2, 0.1


def run(mdp, alpha, batch_size=10**12, seed=0, **options):
    bound = constants.deployments_layerwise(mdp.dim, mdp.horizon, 2)
    deployer = Deployer(mdp, batch_size, bound, "any", seed=seed)
    return safe_mixture(deployer, EPSILON, DELTA, alpha, **options), deployer


def test_every_deployment_is_the_mixture_of_two_plans_on_the_data_before_it():
    mdp, alpha = instances.random_simplex(6, 3, 4, 4, seed=1), 0.1
    outcome, deployer = run(mdp, alpha)
    data = np.zeros((4, 6, 3, 6))
    for k, (record, row) in enumerate(zip(outcome.trace, deployer.log, strict=True), start=1):
        plan = pessimistic_value_iteration(mdp.phi, mdp.rewards(), data, outcome.beta)
        np.testing.assert_array_equal(record.pessimistic, plan.policy)
        np.testing.assert_array_equal(record.policy.weights, [1 - alpha, alpha])
        assert record.deployment == k and row.exact and not row.deterministic
        data += drawn_again(mdp, outcome, k)
    np.testing.assert_array_equal(data, outcome.dataset.counts)


def drawn_again(mdp, outcome, k):
    """Counts of deployment k: streams are named by the seed and k, so a second deployer draws them again."""
    again = Deployer(mdp, 10**12, 100, "any", seed=0)
    return [again.deploy(record.policy) for record in outcome.trace[:k]][-1].counts


def test_alpha_one_is_the_optimist_alone():
    mdp = instances.random_simplex(6, 3, 4, 4, seed=1)
    outcome, _ = run(mdp, 1.0)
    alone = layerwise_exploration(Deployer(mdp, 10**12, 33, seed=0), EPSILON, DELTA)
    np.testing.assert_array_equal(outcome.policy, alone.policy)
    assert [record.exploration.layer for record in outcome.trace] == [record.layer for record in alone.trace]
    assert all(record.optimistic_trajectories == 10**12 for record in outcome.trace)


def test_the_threshold_of_the_optimist_is_multiplied_by_alpha():
    mdp = corridor()
    outcome, _ = run(mdp, 0.1)
    for record in outcome.trace:
        own = record.exploration
        assert own.threshold == pytest.approx(0.1 * EPSILON * own.layer / (2 * mdp.horizon))


def test_the_share_of_the_optimist_is_about_alpha():
    outcome, _ = run(corridor(), 0.02, batch_size=10**10)
    shares = np.array([record.optimistic_trajectories for record in outcome.trace]) / 10**10
    assert np.abs(shares - 0.02).max() < 10 * np.sqrt(0.02 / 10**10) and len(set(shares)) > 1


def test_all_members_of_an_optimist_that_mixes_count_as_the_optimist():
    mdp = instances.random_simplex(6, 3, 4, 4, seed=1)
    mixing = MixingDeployer(Deployer(mdp, 10**10, 1, "any", seed=0), 0.25,
                            lambda counts: pessimistic_value_iteration(mdp.phi, mdp.rewards(), counts, 1.0),
                            np.zeros((mdp.horizon, mdp.n_states, mdp.n_actions, mdp.n_states)))
    two = [np.full((mdp.horizon, mdp.n_states), action) for action in (0, 1)]
    batch = mixing.deploy(Mixture(two, [0.6, 0.4]))
    (record,) = mixing.records
    assert batch.members.sum() == 10**10 and record.policy.weights == pytest.approx([0.75, 0.15, 0.1])
    assert record.optimistic_trajectories / 10**10 == pytest.approx(0.25, abs=1e-4)


@pytest.mark.parametrize("alpha, safe", [(0.02, True), (0.04, True), (0.06, False), (0.5, False)])
def test_a_small_alpha_keeps_the_safety_constraint_and_a_large_one_breaks_it(alpha, safe):
    outcome, _ = run(corridor(), alpha)
    drop = largest_drop(deployed_values(corridor(), outcome))
    assert bool(drop <= EPSILON) is safe
    assert drop == pytest.approx(4 * alpha)  # the optimist jumps in layer 1, which costs it 4H/5
    assert outcome.converged and planning.gap(corridor(), outcome.policy) <= EPSILON


def test_logged_data_of_a_good_policy_are_used_at_once():
    mdp = corridor()
    best = Deployer(mdp, 10**12, 1).deploy(planning.optimal(mdp).policy).counts
    outcome, _ = run(mdp, 0.02, logged=best)
    assert planning.evaluate(mdp, outcome.trace[0].pessimistic).value == pytest.approx(5)
    assert planning.evaluate(mdp, run(mdp, 0.02)[0].trace[0].pessimistic).value == pytest.approx(4)


def test_algorithm_2_as_the_optimist_is_unfolded_and_needs_h_deployments():
    mdp = instances.lock(2, 3, (1, 0, 1), 0.3)
    deployer = Deployer(mdp, 10**16, mdp.horizon, "any", seed=0)
    outcome = safe_mixture(deployer, EPSILON, DELTA, 0.03, "arbitrary")
    assert outcome.converged and outcome.deployments == mdp.horizon
    assert max(len(record.policy.policies) for record in outcome.trace) > 2
    assert all(record.policy.weights[0] == pytest.approx(0.97) for record in outcome.trace)
    assert planning.gap(mdp, outcome.policy) <= EPSILON


def test_any_function_can_be_the_optimist():
    mdp = instances.random_simplex(6, 3, 4, 4, seed=1)
    asked = []

    def flat(deployer):
        asked.append((deployer.batch_size, deployer.policy_class))
        return algorithms.layerwise_exploration(deployer, EPSILON, DELTA, tail="uniform")

    outcome, _ = run(mdp, 0.5, optimistic=flat)
    assert outcome.converged and asked == [(10**12, "any")]


def test_when_the_deployments_run_out_the_pessimist_has_the_last_word():
    mdp = corridor()
    outcome = safe_mixture(Deployer(mdp, 10**12, 3, "any"), EPSILON, DELTA, 0.02)
    assert not outcome.converged and outcome.deployments == 3 and outcome.trajectories == 3 * 10**12
    plan = pessimistic_value_iteration(mdp.phi, mdp.rewards(), outcome.dataset.counts, outcome.beta, mdp.available)
    np.testing.assert_array_equal(outcome.policy, plan.policy)


@pytest.mark.parametrize("converged", [True, False])
def test_only_an_optimist_that_has_converged_is_believed(converged):
    """To run is best, and the logged data show it; this optimist walks."""
    mdp = corridor()
    walk = np.zeros((mdp.horizon, mdp.n_states), int)

    def optimist(mixing):
        found = layerwise_exploration(Deployer(mdp, 10**3, 2), EPSILON, DELTA)
        for _ in found.trace:
            mixing.deploy(walk)
        return replace(found, policy=walk, converged=converged)

    logged = Deployer(mdp, 10**12, 1).deploy(walk + [2, 0]).counts
    outcome = safe_mixture(Deployer(mdp, 10**3, 2, "any"), EPSILON, DELTA, 0.02, optimist, logged=logged)
    assert outcome.converged is converged
    assert (outcome.policy[:, 0] == (0 if converged else 2)).all()


def test_a_mixture_inside_is_unfolded():
    a, b, c = (np.full((2, 3), i) for i in range(3))
    weights = mixed(a, Mixture((b, c), [0.25, 0.75]), 0.4).weights
    np.testing.assert_allclose(weights, [0.6, 0.1, 0.3])


def test_a_mixture_needs_the_class_any():
    with pytest.raises(InvalidParameter, match="'any'"):
        safe_mixture(Deployer(corridor(), 100, 3), EPSILON, DELTA, 0.1)


# --- K against N_0 -----------------------------------------------------------------------------------------------

@pytest.mark.parametrize("size", [10**4, 10**6, 10**10])
def test_algorithm_1_never_needs_more_than_the_bound(size):
    mdp = instances.random_simplex(6, 3, 3, 3, seed=4)
    allowed = sample_efficient.deployments_at(3, 3, 1.0, constants.bonus_scale(3, 3, 1.0, 0.1), size)
    assert layerwise_exploration(Deployer(mdp, size, allowed, seed=1), 1.0, 0.1).converged
