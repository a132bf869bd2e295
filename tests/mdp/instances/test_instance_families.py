"""Random simplex, hard template, lock, compact bandit, stationary embedding, optimism trap: what they promise."""

import itertools
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
import refusal

from derl.mdp import InvalidInstance, exact, instances, planning, policies
from derl.mdp.instances.combination_lock import gate_features

EPSILON = Fraction(1, 10)


def at_gate(mdp, actions):
    """The policy that plays actions[h] in layers h = 0, 1, ... in every state where it can."""
    tail = [0] * (mdp.horizon - len(actions))
    wanted = np.array([*actions, *tail])[:, None] * np.ones(mdp.n_states, dtype=int)
    absent = ~np.take_along_axis(mdp.available, wanted[..., None], axis=2)[..., 0]
    return np.where(absent, mdp.available.argmax(axis=2), wanted)


refused = partial(refusal.refused, InvalidInstance)


# random simplex


def test_random_simplex():
    mdp = instances.random_simplex(n_states=6, n_actions=3, dim=4, horizon=5, seed=0)
    assert mdp.phi.shape == (5, 6, 3, 4) and mdp.available.all()
    assert (mdp.phi >= 0).all() and np.allclose(mdp.phi.sum(axis=3), 1)
    assert (mdp.mu >= 0).all() and np.allclose(mdp.mu.sum(axis=2), 1)
    assert (mdp.initial > 0).all() and (mdp.theta >= 0).all() and (mdp.theta <= 1).all()
    assert mdp == instances.random_simplex(6, 3, 4, 5, 0)
    assert mdp != instances.random_simplex(6, 3, 4, 5, 1)


@pytest.mark.parametrize("bad", [{"dim": 0}, {"n_states": -1}, {"horizon": 2.5}, {"seed": -1}, {"n_actions": True}])
def test_random_simplex_refuses(bad):
    good = {"n_states": 2, "n_actions": 2, "dim": 2, "horizon": 2, "seed": 0}
    refused(lambda: instances.random_simplex(**good | bad), next(iter(bad)), "whole number >=")


# hard template


@pytest.mark.parametrize("d, horizon", [(2, 2), (3, 3), (3, 4)])
def test_template_counts_and_value_everywhere(d, horizon):
    """d + 2 states and 2 d + 1 pairs per layer, dimension 2 d + 1, value H/2 + epsilon wherever the optimum hides."""
    for layer, index, core in itertools.product(range(1, horizon), range(d), range(d)):
        if index == core:
            continue
        mdp = instances.hard_template(d, horizon, layer, index, core, EPSILON, exact=True)
        assert mdp.phi.shape == (horizon + 1, d + 2, d + 2, 2 * d + 1)
        assert (mdp.available.sum(axis=(1, 2)) == 2 * d + 1).all()
        assert exact.optimal(mdp).value == Fraction(horizon, 2) + EPSILON


def test_template_transitions_and_rewards():
    mdp = instances.hard_template(3, 4, 2, 1, [0, 2, 1, 0], EPSILON, exact=True)
    transitions, rewards = mdp.transitions(), mdp.rewards()
    half = Fraction(1, 2)
    cores = [0, 0, 2, 1, 0]
    for h, s in np.ndindex(5, 3):
        if s == cores[h]:
            assert mdp.available[h, s].tolist() == [True] * 3 + [False] * 2
            assert [transitions[h, s, a].tolist() for a in range(3)] == np.eye(5, dtype=int)[:3].tolist()
        else:
            bias = EPSILON if (h, s) == (2, 1) else 0
            assert np.flatnonzero(mdp.available[h, s]).tolist() == [s]
            assert transitions[h, s, s].tolist() == [0, 0, 0, half - bias, half + bias]
        assert (rewards[h, s][mdp.available[h, s]] == (0 if h == 0 else half)).all()
    for h in range(5):
        assert transitions[h, 3, 3].tolist() == [0, 0, 0, 1, 0] and transitions[h, 4, 4].tolist() == [0, 0, 0, 0, 1]
    assert [rewards[h, 3, 3] for h in range(5)] == [0, half, half, half, 0]
    assert [rewards[h, 4, 4] for h in range(5)] == [0, half, half, half, 1]


def test_template_has_one_good_path_and_all_others_are_worth_half_the_horizon():
    mdp = instances.hard_template(3, 4, 3, 1, [0, 2, 2, 0], EPSILON, exact=True)
    values = {actions: exact.evaluate(mdp, at_gate(mdp, actions)).value
              for actions in itertools.product(range(3), repeat=4)}
    best = [actions for actions, value in values.items() if value > 2]
    assert {actions[:3] for actions in best} == {(0, 2, 1)}
    assert set(values.values()) == {Fraction(2), 2 + EPSILON}


@pytest.mark.parametrize("first, late", list(itertools.product([0, Fraction(1, 2)], repeat=2)))
def test_template_rewards_that_the_text_leaves_open(first, late):
    """Of the four readings only (0 at s_0, 1/2 in layer H - 1) gives H/2 + epsilon at every position of the optimum."""
    d, horizon = 3, 4
    values, hidden = [], []
    for layer in range(1, horizon):
        mdp = instances.hard_template(d, horizon, layer, 1, 0, EPSILON, unstated_rewards=(first, late), exact=True)
        plan = exact.optimal(mdp)
        values.append(plan.value)
        hidden.append(exact.occupancy(mdp, plan.policy)[layer, 1, 1] == 1)
    printed = Fraction(horizon, 2) + EPSILON
    assert (values == [printed] * 3) == ((first, late) == (0, Fraction(1, 2)))
    # with nothing paid in layer H - 1, a path that stays in the core longer beats the hidden state by up to 1/2
    assert all(hidden) == (late == Fraction(1, 2))
    if late == 0:
        assert values[0] == first + Fraction(horizon, 2)


def test_template_cores_may_leave_out_the_last_layer():
    short = instances.hard_template(3, 4, 2, 1, [2, 0, 1], 0.1)
    assert short == instances.hard_template(3, 4, 2, 1, [2, 0, 1, 0], 0.1)
    assert instances.hard_template(3, 4, 2, 1, 2, 0.1) == instances.hard_template(3, 4, 2, 1, (2, 2, 2, 2), 0.1)


@pytest.mark.parametrize("changes, fragments", [
    ({"d": 1}, ["d is 1", ">= 2"]),
    ({"horizon": 1}, ["horizon is 1", ">= 2"]),
    ({"optimal_layer": 0}, ["optimal_layer is 0", "1..3"]),
    ({"optimal_layer": 4}, ["optimal_layer is 4", "1..3"]),
    ({"optimal_index": 3}, ["optimal_index is 3", "0..2"]),
    ({"cores": [0, 1, 0, 0]}, ["optimal_index is 1", "core state of layer 2"]),
    ({"cores": [0, 0, 5, 0]}, ["cores[2] is 5", "0..2"]),
    ({"cores": [0]}, ["cores has 1 entries", "4"]),
    ({"cores": "0000"}, ["cores is '0000'"]),
    ({"epsilon": 0.6}, ["epsilon is 0.6", "[0, 1/2]"]),
    ({"epsilon": float("nan")}, ["epsilon is nan"]),
    ({"epsilon": None}, ["epsilon is None"]),
])
def test_template_refuses(changes, fragments):
    good = {"d": 3, "horizon": 4, "optimal_layer": 2, "optimal_index": 1, "cores": 0, "epsilon": 0.1}
    refused(lambda: instances.hard_template(**good | changes), *fragments)


# combination lock


@pytest.mark.parametrize("digits", [(0, 0, 0), (2, 0, 1), (1, 1, 2)])
def test_lock_opens_for_one_combination_only(digits):
    mdp = instances.lock(3, 3, digits, EPSILON, exact=True)
    assert mdp.phi.shape == (4, 3, 3, 5)
    for actions in itertools.product(range(3), repeat=3):
        right = actions == digits
        assert exact.evaluate(mdp, at_gate(mdp, actions)).value == Fraction(3, 2) + (EPSILON if right else 0)
    assert exact.optimal(mdp).value == Fraction(3, 2) + EPSILON
    assert exact.optimal(mdp).policy[:3, 0].tolist() == list(digits)


def test_lock_features_do_not_know_the_digits():
    one, two = instances.lock(4, 5, [0, 1, 2, 3, 0], 0.1), instances.lock(4, 5, [3, 3, 3, 1, 2], 0.4)
    assert np.array_equal(one.phi, two.phi) and np.array_equal(one.available, two.available)
    assert np.array_equal(one.theta, two.theta) and one.available.all()
    assert np.array_equal(one.phi, gate_features(4, 6)) and one.dim == 6
    assert np.linalg.matrix_rank(one.phi[0].reshape(-1, 6)) == 6


def test_lock_is_reached_with_probability_one_over_d_to_the_layer():
    mdp = instances.lock(4, 4, [1, 0, 3, 2], EPSILON)
    at_g = planning.occupancy(mdp, policies.uniform(mdp))[:, 0].sum(axis=1)
    assert np.allclose(at_g, [1, 1 / 4, 1 / 16, 1 / 64, 0], rtol=1e-13, atol=0)


@pytest.mark.parametrize("changes, fragments", [
    ({"d": 0}, ["d is 0"]), ({"digits": [1, 2]}, ["digits has 2 entries", "3"]),
    ({"digits": [0, 1, 4]}, ["digits[2] is 4", "0..3"]), ({"digits": [0, 1, 1.5]}, ["digits[2] is 1.5"]),
    ({"bias": -0.1}, ["bias is -0.1"]), ({"bias": "x"}, ["bias is 'x'"]), ({"horizon": 0}, ["horizon is 0"]),
])
def test_lock_refuses(changes, fragments):
    refused(lambda: instances.lock(**{"d": 4, "horizon": 3, "digits": 0, "bias": 0.1} | changes), *fragments)


# compact bandit


@pytest.mark.parametrize("d, horizon", [(2, 1), (2, 4), (3, 3), (4, 2)])
def test_bandit_arms(d, horizon):
    """Exactly one deterministic choice of arm is better, and there are (D - 3)(T - 1) arms."""
    arms = instances.compact_bandit_arms(d, horizon)
    for position, (layer, action) in enumerate(arms):
        mdp = instances.compact_bandit(d, horizon, position, EPSILON, exact=True)
        assert len(arms) == len(set(arms)) == (mdp.dim - 3) * (mdp.horizon - 1) == (d - 1) * horizon
        assert mdp.to_float() == instances.compact_bandit(d, horizon, (layer, action), EPSILON)
        assert exact.optimal(mdp).value == Fraction(horizon, 2) + EPSILON
        for actions in itertools.product(range(d), repeat=horizon):
            left = next(((h, a) for h, a in enumerate(actions) if a > 0), None)
            bonus = EPSILON if left == (layer, action) else 0
            assert exact.evaluate(mdp, at_gate(mdp, actions)).value == Fraction(horizon, 2) + bonus


def test_bandit_features_do_not_know_the_arm():
    one, two = instances.compact_bandit(4, 3, 0, 0.1), instances.compact_bandit(4, 3, 8, 0.1)
    assert np.array_equal(one.phi, two.phi) and np.array_equal(one.theta, two.theta) and one != two


@pytest.mark.parametrize("changes, fragments", [
    ({"d": 1}, ["d is 1", ">= 2"]), ({"arm": 9}, ["arm is 9", "0..8"]), ({"arm": (0, 0)}, ["action", "1..3"]),
    ({"arm": (3, 1)}, ["layer", "0..2"]), ({"arm": (1, 2, 3)}, ["pair"]), ({"arm": 1.5}, ["arm is 1.5"]),
])
def test_bandit_refuses(changes, fragments):
    refused(lambda: instances.compact_bandit(**{"d": 4, "horizon": 3, "arm": 0, "bias": 0.1} | changes), *fragments)


# stationary embedding


@pytest.mark.parametrize("seed", range(6))
def test_embedding_is_stationary_and_changes_nothing(make_instance, make_policy, seed):
    mdp = make_instance(seed)
    big = instances.stationary_embedding(mdp)
    horizon, n_states = mdp.horizon, mdp.n_states
    assert (big.n_states, big.dim, big.horizon) == (n_states * horizon, mdp.dim * horizon, horizon)
    for name in ("phi", "mu", "theta", "available"):
        assert all(np.array_equal(layer, getattr(big, name)[0]) for layer in getattr(big, name))
    plan, wanted = planning.optimal(big), planning.optimal(mdp)
    assert plan.value == pytest.approx(wanted.value, abs=1e-12)
    policy = make_policy(mdp, seed)
    wide = np.broadcast_to(policy.reshape(-1, mdp.n_actions), (horizon, horizon * n_states, mdp.n_actions))
    occupancy = planning.occupancy(big, wide).reshape(horizon, horizon, n_states, mdp.n_actions)
    for h in range(horizon):
        assert np.allclose(occupancy[h, h], planning.occupancy(mdp, policy)[h], atol=1e-12)
        assert np.allclose(plan.values[h].reshape(horizon, n_states)[h], wanted.values[h], atol=1e-12)


# optimism trap


def test_trap_holds_every_bound_exactly():
    mdp = instances.optimism_trap(exact=True)
    assert (mdp.dim, mdp.horizon, mdp.n_states) == (7, 10, 6)
    assert [exact.squared_measure_norm(mdp.mu[h]) for h in range(10)] == [7] * 10
    assert max(t @ t for t in mdp.theta) == Fraction(4, 5)**2 + Fraction(37, 20)**2 + 2 <= 7
    assert exact.optimal(mdp).value == 8


def test_trap_values_of_its_three_branches():
    mdp = instances.optimism_trap(exact=True)
    names = {name: i for i, name in enumerate(instances.optimism_trap().state_names)}
    stay = np.zeros((10, 6), dtype=int)
    short, careful, best = stay.copy(), stay.copy(), stay.copy()
    careful[:, names["s1"]] = 1
    best[:, [names["s1"], names["C"]]] = 1
    assert exact.evaluate(mdp, short).value == 7
    assert exact.evaluate(mdp, careful).value == 8 - Fraction(24, 100)
    assert exact.evaluate(mdp, best).value == 8
    assert planning.gap(instances.optimism_trap(), careful) == pytest.approx(0.24)
