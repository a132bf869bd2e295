"""The model as arrays: probabilities, rewards, backups, equality, what cannot be changed."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derl.mdp import InvalidInstance, LinearMDP, instances

SEEDS = st.integers(0, 10_000)


def test_sizes_and_repr(mdp):
    assert (mdp.horizon, mdp.n_states, mdp.n_actions, mdp.dim) == (3, 4, 3, 5)
    assert repr(mdp) == "LinearMDP(horizon=3, n_states=4, n_actions=3, dim=5)"


def test_definitions_entry_by_entry(mdp):
    transitions, rewards = mdp.transitions(), mdp.rewards()
    for h, s, a in np.ndindex(3, 4, 3):
        assert rewards[h, s, a] == pytest.approx(sum(mdp.phi[h, s, a, i] * mdp.theta[h, i] for i in range(5)))
        for t in range(4):
            by_hand = sum(mdp.phi[h, s, a, i] * mdp.mu[h, i, t] for i in range(5))
            assert transitions[h, s, a, t] == pytest.approx(by_hand)


@settings(max_examples=60, deadline=None)
@given(SEEDS)
def test_rows_are_distributions_and_backups_use_them(make_instance, seed):
    mdp = make_instance(seed)
    transitions, values = mdp.transitions(), np.random.default_rng(seed).random(mdp.n_states)
    assert (transitions >= 0).all()
    assert np.allclose(transitions.sum(axis=3), mdp.available, rtol=0, atol=1e-15 * 8)
    for h in range(mdp.horizon):
        expected = transitions[h] @ values
        assert np.allclose(mdp.expected_next(h, values), expected, atol=1e-12)
        q = mdp.backup(h, values)
        assert (np.isneginf(q) == ~mdp.available[h]).all()
        assert np.allclose(q[mdp.available[h]], (mdp.rewards()[h] + expected)[mdp.available[h]], atol=1e-12)


def test_impossible_transitions_are_exact_zeros(make_rotated):
    lock = instances.lock(4, 5, [3, 1, 0, 2, 2], 0.1)
    rotated = make_rotated(lock, 3)
    dirty = np.einsum("hsad,hdt->hsat", rotated.phi, rotated.mu)
    assert ((dirty != 0) & (lock.transitions() == 0)).any()  # rotation leaves dust where zeros belong
    assert ((rotated.transitions() == 0) == (lock.transitions() == 0)).all()


def test_transition_rows_pick_from_the_tensor(masked):
    states, actions = np.array([0, 4, 2, 0]), np.array([1, 4, 0, 1])
    rows = masked.transition_rows(2, states, actions)
    assert np.array_equal(rows, masked.transitions()[2, states, actions])
    assert np.array_equal(rows[2], np.zeros(5)) == (not masked.available[2, 2, 0])


def test_backup_with_other_rewards(mdp):
    theta = np.arange(15.0).reshape(3, 5)
    assert np.allclose(mdp.backup(1, np.zeros(4), theta), mdp.phi[1] @ theta[1])


def test_arrays_are_read_only_copies():
    parts = {name: np.array(getattr(instances.lock(2, 2, 0, 0.1), name)) for name in ("phi", "mu", "theta", "initial")}
    mdp = LinearMDP(**parts)
    before = mdp.digest
    parts["phi"][:] = 7
    assert LinearMDP(mdp.phi, mdp.mu, mdp.theta, mdp.initial).digest == before
    for name in ("phi", "mu", "theta", "initial", "available"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(mdp, name)[:] = 0
    with pytest.raises(ValueError, match="read-only"):
        mdp.rewards()[:] = 0
    with pytest.raises(AttributeError):
        mdp.phi = 0
    with pytest.raises(TypeError):
        mdp.info["x"] = 1


def test_equality_and_hash(mdp, masked):
    same = LinearMDP(mdp.phi, mdp.mu, mdp.theta, mdp.initial, np.ones((3, 4, 3), bool), info={"other": 1})
    assert same == mdp and hash(same) == hash(mdp) and same.digest == mdp.digest
    assert mdp != masked and mdp != "text"
    theta = mdp.theta.copy()
    theta[0, 0] = np.nextafter(theta[0, 0], 0)
    assert mdp.with_reward(theta) != mdp and mdp.with_reward(theta).digest != mdp.digest


def test_negative_zero_is_zero():
    lock = instances.lock(2, 2, 0, 0.1)
    other = LinearMDP(np.where(lock.phi == 0, -0.0, lock.phi), lock.mu, lock.theta, lock.initial)
    assert other == lock and hash(other) == hash(lock)


@pytest.mark.parametrize("copier", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_are_equal_and_read_only(masked, copier):
    twin = copier(masked)
    assert twin == masked and twin.state_names == masked.state_names and twin.info == masked.info
    assert not twin.phi.flags.writeable


def test_with_reward_validates(masked):
    theta = np.zeros_like(masked.theta)
    assert (masked.with_reward(theta).rewards() == 0).all()
    assert masked.with_reward(theta).transitions() is not None
    theta[3, 2] = 1.2
    with pytest.raises(InvalidInstance, match="layer 4, state 1, action 2: reward is 1.2"):
        masked.with_reward(theta)
    theta[3, 2] = np.nan
    with pytest.raises(InvalidInstance, match="layer 4, coordinate 2: theta is nan"):
        masked.with_reward(theta)
    with pytest.raises(InvalidInstance, match="theta has shape"):
        masked.with_reward(theta[1:])


def test_truncate(masked):
    short = masked.truncate(2)
    assert short.horizon == 2
    for name in ("phi", "mu", "theta", "available"):
        assert np.array_equal(getattr(short, name), getattr(masked, name)[:2])
    assert short == LinearMDP(short.phi, short.mu, short.theta, short.initial, short.available)
    assert short.rewards().shape[0] == 2 and masked.rewards().shape[0] == 5


@pytest.mark.parametrize("horizon", [0, 6, 2.5, True, "2", None, -1])
def test_truncate_refuses(masked, horizon):
    with pytest.raises(ValueError, match=r"must be a whole number in 1\.\.5"):
        masked.truncate(horizon)


def test_one_repeated_layer_stays_one_layer_in_memory():
    frozen_lake = instances.tabular(np.full((3, 2, 3), 1 / 3), np.zeros((3, 2)), [1, 0, 0], horizon=1000)
    assert frozen_lake.repeats_one_layer and frozen_lake.phi.strides[0] == 0 == frozen_lake.mu.strides[0]
    full = LinearMDP(*(np.array(getattr(frozen_lake, n)) for n in ("phi", "mu", "theta", "initial")))
    assert not full.repeats_one_layer and full == frozen_lake and full.digest == frozen_lake.digest


def test_repeated_layers_with_a_mask_are_validated_and_hidden():
    phi = np.broadcast_to([[[1.0], [5.0]], [[1.0], [1.0]]], (3, 2, 2, 1))
    mask = np.broadcast_to([[True, False], [True, True]], (3, 2, 2))
    mu = np.broadcast_to([[0.5, 0.5]], (3, 1, 2))
    mdp = LinearMDP(phi, mu, np.zeros((3, 1)), [1, 0], mask)
    assert mdp.repeats_one_layer and (mdp.phi[:, 0, 1] == 0).all()
    with pytest.raises(InvalidInstance, match=r"layer 1, state 0, action 1: \|phi\| is 5"):
        LinearMDP(phi, mu, np.zeros((3, 1)), [1, 0])


def test_rare_transitions_are_kept_down_to_1e_15():
    """With one-hot features the rows are those of mu: 1e-14 stays, 1e-16 is rounding."""
    mu = np.array([[[1 - 1e-14, 1e-14, 0.0], [1 - 1e-16, 1e-16, 0.0]]])
    mdp = LinearMDP(np.broadcast_to(np.eye(2), (1, 3, 2, 2)), mu, np.zeros((1, 2)), np.array([1.0, 0, 0]))
    rows = mdp.transition_rows(0, np.array([0, 0]), np.array([0, 1]))
    assert rows[0, 1] == pytest.approx(1e-14, rel=1e-3, abs=0) and rows[1, 1] == 0 == rows[0, 2]


def test_the_rewards_of_every_layer_are_validated_where_one_layer_is_repeated():
    mdp = instances.tabular(np.full((2, 1, 2), 1 / 2), np.full((2, 1), 0.5), [1, 0], horizon=4)
    for h in range(4):
        theta = np.full((4, 2), 0.5)
        assert (mdp.repeats_one_layer and mdp.with_reward(theta).rewards() == 0.5).all()
        theta[h, 1] = 1.25
        with pytest.raises(InvalidInstance, match=f"layer {h + 1}"):
            mdp.with_reward(theta)
