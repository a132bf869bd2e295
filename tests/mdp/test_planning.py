"""Exact planning against loops, enumeration, a linear program, and identities that hold for every policy."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derl.mdp import LinearMDP, Mixture, instances, planning, policies

SEEDS = st.integers(0, 10_000)
CLOSE = {"rtol": 0, "atol": 1e-12}


def loop_evaluate(mdp, rows):
    """V_h(s) by the definition, one term at a time."""
    transitions, rewards = mdp.transitions(), mdp.rewards()
    values = np.zeros((mdp.horizon + 1, mdp.n_states))
    for h in reversed(range(mdp.horizon)):
        for s in range(mdp.n_states):
            for a in range(mdp.n_actions):
                q = rewards[h, s, a]
                for t in range(mdp.n_states):
                    q += transitions[h, s, a, t] * values[h + 1, t]
                values[h, s] += rows[h, s, a] * q
    return values


def loop_occupancy(mdp, rows):
    """P(s_h = s, a_h = a) by summing over all predecessors, one at a time."""
    transitions = mdp.transitions()
    result = np.zeros(rows.shape)
    for h, s, a in np.ndindex(rows.shape):
        mass = mdp.initial[s] if h == 0 else sum(
            result[h - 1, t, b] * transitions[h - 1, t, b, s] for t, b in np.ndindex(rows.shape[1:]))
        result[h, s, a] = mass * rows[h, s, a]
    return result


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_against_loops(make_instance, make_policy, seed):
    mdp = make_instance(seed)
    policy = make_policy(mdp, seed)
    plan = planning.evaluate(mdp, policy)
    assert np.allclose(plan.values, loop_evaluate(mdp, policy), **CLOSE)
    assert plan.value == pytest.approx(mdp.initial @ plan.values[0], abs=1e-15)
    assert np.allclose(planning.occupancy(mdp, policy), loop_occupancy(mdp, policy), **CLOSE)


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_occupancies_are_distributions_that_pay_the_value(make_instance, make_policy, seed):
    mdp = make_instance(seed)
    policy = make_policy(mdp, seed)
    occupancy = planning.occupancy(mdp, policy)
    assert (occupancy >= 0).all() and (occupancy[policy == 0] == 0).all()
    assert np.allclose(occupancy.sum(axis=(1, 2)), 1, **CLOSE)
    assert (occupancy * mdp.rewards()).sum() == pytest.approx(planning.evaluate(mdp, policy).value, abs=1e-12)


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_no_policy_beats_the_optimal_one(make_instance, make_policy, seed):
    mdp = make_instance(seed)
    best = planning.optimal(mdp)
    assert np.allclose(planning.evaluate(mdp, best.policy).values, best.values, **CLOSE)
    assert (planning.evaluate(mdp, make_policy(mdp, seed)).values <= best.values + 1e-12).all()
    assert planning.gap(mdp, make_policy(mdp, seed)) >= -1e-12
    assert planning.gap(mdp, best.policy) == pytest.approx(0, abs=1e-12)


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_rotation_changes_nothing(make_instance, make_rotated, seed):
    mdp = make_instance(6 * seed)
    rotated = make_rotated(mdp, seed)
    assert np.allclose(planning.optimal(rotated).values, planning.optimal(mdp).values, **CLOSE)


@pytest.mark.parametrize("seed", range(4))
def test_optimal_value_by_enumeration(seed):
    mdp = instances.random_simplex(2, 2, 3, 3, seed)
    everything = itertools.product(range(2), repeat=6)
    values = [planning.evaluate(mdp, np.reshape(actions, (3, 2))).value for actions in everything]
    assert planning.optimal(mdp).value == pytest.approx(max(values), abs=1e-13)
    assert planning.optimal(mdp, theta=-mdp.theta).value == pytest.approx(-min(values), abs=1e-13)


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_feature_covariance(make_instance, make_policy, seed):
    mdp = make_instance(seed)
    policy = make_policy(mdp, seed)
    covariance, occupancy = planning.feature_covariance(mdp, policy), planning.occupancy(mdp, policy)
    by_hand = np.zeros_like(covariance)
    for h, s, a in np.ndindex(occupancy.shape):
        by_hand[h] += occupancy[h, s, a] * np.outer(mdp.phi[h, s, a], mdp.phi[h, s, a])
    assert np.allclose(covariance, by_hand, **CLOSE)
    assert np.array_equal(covariance, covariance.swapaxes(1, 2))
    assert (np.linalg.eigvalsh(covariance) >= -1e-14).all()
    assert (np.trace(covariance, axis1=1, axis2=2) <= 1 + 1e-12).all()


@settings(max_examples=40, deadline=None)
@given(SEEDS)
def test_mixtures_are_weighted_averages(make_instance, make_policy, seed):
    mdp = make_instance(seed)
    members = [make_policy(mdp, seed + i) for i in range(3)] + [planning.optimal(mdp).policy]
    weights = np.array([0.1, 0.2, 0.0, 0.7])
    mixture = Mixture(tuple(members), weights)
    for function in (planning.occupancy, planning.feature_covariance):
        average = sum(w * function(mdp, m) for w, m in zip(weights, members, strict=True))
        assert np.allclose(function(mdp, mixture), average, **CLOSE)
    plans = [planning.evaluate(mdp, member) for member in members]
    plan = planning.evaluate(mdp, mixture)
    assert np.allclose(plan.values, np.tensordot(weights, [p.values for p in plans], axes=1), **CLOSE)
    assert plan.value == pytest.approx(weights @ [p.value for p in plans], abs=1e-12)


def test_a_mixture_is_not_its_average_policy():
    """Two sure ways to open a lock of two digits: mixed at the start both succeed, mixed in each layer half fail."""
    lock = instances.lock(2, 2, [0, 0], 0.5)
    right, wrong = np.zeros((3, 3), int), np.ones((3, 3), int)
    mixture = Mixture((right, wrong), [0.5, 0.5])
    assert planning.evaluate(lock, mixture).value == pytest.approx(1 + 0.5 / 2)
    assert planning.evaluate(lock, policies.uniform(lock)).value == pytest.approx(1 + 0.5 / 4)


@pytest.mark.parametrize("horizon", [1, 2, 3])
def test_truncation(mdp, horizon):
    short = mdp.truncate(horizon)
    plan, reference = planning.optimal(mdp, horizon), planning.optimal(short)
    assert plan.values.shape == (4, 4) and plan.policy.shape == (3, 4)
    assert np.array_equal(plan.values[:horizon + 1], reference.values) and (plan.values[horizon:] == 0).all()
    assert np.array_equal(plan.policy[:horizon], reference.policy) and (plan.policy[horizon:] == 0).all()
    assert plan.value == reference.value
    for policy in (plan.policy, plan.policy[:horizon], policies.uniform(mdp)):
        whole = planning.evaluate(mdp, policy, horizon)
        assert whole.value == planning.evaluate(short, policy[:horizon]).value
    assert planning.gap(mdp, plan.policy, horizon) == pytest.approx(0, abs=1e-14)


def test_truncated_policies_use_available_actions(masked):
    policies.validate(masked, planning.optimal(masked, 2).policy)


def test_other_rewards(mdp):
    theta = np.random.default_rng(0).random((3, 5))
    assert planning.optimal(mdp, theta=theta).value == planning.optimal(mdp.with_reward(theta)).value
    uniform, other = policies.uniform(mdp), mdp.with_reward(theta)
    assert planning.evaluate(mdp, uniform, theta=theta).value == planning.evaluate(other, uniform).value
    assert planning.gap(mdp, uniform, theta=theta) == planning.gap(other, uniform)
    short = planning.optimal(mdp, horizon=2, theta=theta[:2])
    assert short.value == planning.optimal(mdp, horizon=2, theta=theta).value


@pytest.mark.parametrize("theta, fragment", [
    (np.zeros((3, 4)), r"must have shape \(3, 5\)"), (np.zeros((2, 5)), "must have shape"), (np.zeros(5), "shape"),
    (np.full((3, 5), np.nan), "finite"),
])
def test_bad_rewards(mdp, theta, fragment):
    with pytest.raises(ValueError, match=fragment):
        planning.optimal(mdp, theta=theta)
    with pytest.raises(ValueError, match=fragment):
        planning.evaluate(mdp, np.zeros((3, 4), int), theta=theta)


@pytest.mark.parametrize("horizon", [0, 4, 1.5, True, "1"])
def test_bad_horizons(mdp, horizon):
    with pytest.raises(ValueError, match=r"whole number in 1\.\.3"):
        planning.optimal(mdp, horizon)
    with pytest.raises(ValueError, match=r"whole number in 1\.\.3"):
        planning.evaluate(mdp, np.zeros((3, 4), int), horizon)


def test_ties_go_to_the_lowest_index():
    q = np.array([[1.0, 1.0 + 1e-13, 0.0], [0.0, 1.0, 1.0], [0.0, 1e-11, 0.0], [1e6, 1e6 + 1e-7, 0.0]])
    assert planning.greedy(q).tolist() == [0, 1, 1, 0]


def test_exact_ties_survive_rotation(make_rotated):
    """In a lock without bias all actions tie; rounding in rotated coordinates must not choose between them."""
    lock = instances.lock(5, 4, [4, 3, 2, 1], 0)
    assert (planning.optimal(lock).policy == 0).all()
    for seed in range(5):
        assert (planning.optimal(make_rotated(lock, seed)).policy == 0).all()


def test_unavailable_actions_are_never_chosen():
    phi = np.zeros((1, 1, 2, 1))
    phi[0, 0, 1] = 1
    forced = LinearMDP(phi, np.ones((1, 1, 1)), np.zeros((1, 1)), [1.0], np.array([[[False, True]]]))
    plan = planning.optimal(forced)
    assert plan.policy.tolist() == [[1]] and plan.value == 0


def loops(mdp, values, h, s, a):
    """r + E[V] by loops over next states."""
    rows = mdp.transitions()[h, s, a]
    return mdp.rewards()[h, s, a] + sum(p * v for p, v in zip(rows, values[h + 1], strict=True))


def test_q_against_loops(masked, make_policy):
    for plan in (planning.optimal(masked), planning.evaluate(masked, make_policy(masked, seed=3))):
        assert plan.q.shape == masked.phi.shape[:3] and not plan.q.flags.writeable and plan.q is plan.q
        for h, s, a in np.ndindex(plan.q.shape):
            wanted = loops(masked, plan.values, h, s, a) if masked.available[h, s, a] else -np.inf
            assert plan.q[h, s, a] == pytest.approx(wanted, abs=1e-12)
    other = planning.optimal(masked, theta=np.ones_like(masked.theta))
    assert (other.q.max(axis=2) == other.values[:-1]).all()
    best = planning.optimal(masked)
    assert (best.q.max(axis=2) == best.values[:-1]).all() and (planning.greedy(best.q) == best.policy).all()


def test_q_beyond_the_horizon_still_knows_the_actions(masked):
    q = planning.optimal(masked, 2).q
    assert (q[2:] == np.where(masked.available[2:], 0.0, -np.inf)).all() and np.isinf(q[2:]).any()


def test_a_mixture_has_no_q(mdp, make_policy):
    assert planning.evaluate(mdp, Mixture((make_policy(mdp, seed=1),), [1.0])).q is None


def test_the_module_offers_what_it_documents_and_no_more():
    assert dir(planning) == sorted(planning.__all__) and {"Plan", "optimal", "evaluate"} <= {*dir(planning)}
    assert "import_module" not in dir(__import__("derl"))
