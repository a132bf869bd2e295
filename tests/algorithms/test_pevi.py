"""Pessimistic value iteration against a literal transcription, and what it promises."""

import numpy as np
import pytest

from derl import instances, planning
from derl.algorithms import InvalidParameter
from derl.algorithms.baselines import pessimistic_value_iteration
from derl.deployment import deploy_counts
from derl.estimation import fit
from derl.mdp import policies


def data(mdp, size, seed=0):
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    return deploy_counts(mdp, policies.uniform(mdp), size, rng).counts


def literal(mdp, counts, beta):
    """The same with loops and matrix inverses."""
    values, policy = np.zeros((mdp.horizon + 1, mdp.n_states)), np.zeros((mdp.horizon, mdp.n_states), int)
    for h in reversed(range(mdp.horizon)):
        Lambda, target = np.eye(mdp.dim), np.zeros(mdp.dim)
        for s, a, t in np.argwhere(counts[h]):
            Lambda += counts[h, s, a, t] * np.outer(mdp.phi[h, s, a], mdp.phi[h, s, a])
            target += counts[h, s, a, t] * mdp.phi[h, s, a] * values[h + 1, t]
        inverse = np.linalg.inv(Lambda)
        for s in range(mdp.n_states):
            q = [np.clip(f @ inverse @ target + r - beta * np.sqrt(f @ inverse @ f), 0, mdp.horizon - h)
                 for f, r in zip(mdp.phi[h, s], mdp.rewards()[h, s], strict=True)]
            policy[h, s], values[h, s] = np.argmax(np.array(q) >= max(q) - 1e-12), max(q)
    return policy, values


@pytest.mark.parametrize("size", [0, 10, 1000, 10**6])
def test_it_is_the_pseudocode(size):
    mdp = instances.random_simplex(4, 3, 3, 3, seed=5)
    counts = data(mdp, size) if size else np.zeros((3, 4, 3, 4))
    plan = pessimistic_value_iteration(mdp.phi, mdp.rewards(), counts, 0.7)
    policy, values = literal(mdp, counts, 0.7)
    np.testing.assert_array_equal(plan.policy, policy)
    np.testing.assert_allclose(plan.values, values, atol=1e-9)


@pytest.mark.parametrize("size", [1, 100, 10**4, 10**8])
def test_it_keeps_its_promise_and_hardly_loses_against_the_policy_that_collected(size):
    mdp = instances.random_simplex(6, 3, 4, 4, seed=2)
    plan = pessimistic_value_iteration(mdp.phi, mdp.rewards(), data(mdp, size), beta=16.0)
    true = planning.evaluate(mdp, plan.policy)
    assert (plan.values <= true.values + 1e-9).all()
    collector = policies.uniform(mdp)
    price = 2 * plan.beta * (planning.occupancy(mdp, collector) * plan.norms).sum()
    assert true.value >= planning.evaluate(mdp, collector).value - price


def test_without_data_it_promises_nothing_and_with_many_it_finds_the_optimum():
    mdp = instances.random_simplex(6, 3, 4, 4, seed=2)
    nothing = pessimistic_value_iteration(mdp.phi, mdp.rewards(), np.zeros((4, 6, 3, 6)), beta=16.0)
    assert not nothing.values.any() and not nothing.policy.any()
    plenty = pessimistic_value_iteration(mdp.phi, mdp.rewards(), data(mdp, 10**14), beta=16.0)
    assert planning.gap(mdp, plenty.policy) < 1e-6


def test_it_takes_available_actions_only():
    trap = instances.optimism_trap()
    plan = pessimistic_value_iteration(trap.phi, trap.rewards(), np.zeros((10, 6, 2, 6)), 1.0, trap.available)
    policies.validate(trap, plan.policy)
    assert not plan.policy[:, trap.available[0].sum(axis=1) == 1].any()


@pytest.mark.parametrize("change, word", [
    ({"beta": 0}, "beta"), ({"beta": float("nan")}, "beta"), ({"counts": np.zeros((2, 3, 2, 2))}, "counts"),
    ({"counts": np.full((2, 3, 2, 3), -1)}, "counts"), ({"counts": np.full((2, 3, 2, 3), np.nan)}, "counts"),
    ({"rewards": np.zeros((2, 3))}, "rewards"),
])
def test_bad_parameters_are_named_in_one_line(change, word):
    mdp = instances.random_simplex(3, 2, 2, 2, seed=0)
    arguments = {"phi": mdp.phi, "rewards": mdp.rewards(), "counts": np.zeros((2, 3, 2, 3)), "beta": 1.0} | change
    with pytest.raises(InvalidParameter, match=word) as caught:
        pessimistic_value_iteration(**arguments)
    assert "\n" not in str(caught.value)


class Extrapolating:
    """One feature: data where it is 1/20, an action where it is 1, so that a regression exceeds H, and one of 0."""

    horizon, n_states, dim = 3, 2, 1
    phi = np.tile(np.array([1 / 20, 1.0, 0.0])[:, None], (3, 2, 1, 1))

    @staticmethod
    def rewards():
        return np.tile(np.array([0.1, 0.1, 0.9]), (3, 2, 1))


@pytest.mark.parametrize("beta", [1.0, 20.0, 45.0, 60.0])
def test_a_penalty_beyond_the_horizon_is_subtracted_whole(beta):
    counts = np.zeros((3, 2, 3, 2))
    counts[:, :, 0, :] = 250
    plan = pessimistic_value_iteration(Extrapolating.phi, Extrapolating.rewards(), counts, beta)
    policy, values = literal(Extrapolating, counts, beta)
    np.testing.assert_array_equal(plan.policy, policy)
    np.testing.assert_allclose(plan.values, values, atol=1e-9)
    weights = fit(Extrapolating.phi[0], counts[0]).weights(plan.values[1])
    penalty = beta * plan.norms[0, 0, 1]
    if beta > 40:  # the cap would matter: the regression is above H, and so is the penalty
        capped = weights[0] + 0.1 - min(penalty, 3.0)
        assert penalty > 3 and min(capped, 3.0) > plan.values[0].max() + 1
