"""Policies: what fits an instance, what does not, and how head and tail are joined."""

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
import refusal

from derl.mdp import InvalidPolicy, Mixture, planning, policies

refused = partial(refusal.refused, InvalidPolicy)


def test_deterministic_policies_become_point_masses(mdp):
    policy = np.array([[0, 1, 2, 0], [2, 2, 1, 0], [0, 0, 0, 1]])
    rows = policies.as_probabilities(mdp, policy)
    assert np.array_equal(rows.argmax(axis=2), policy) and (rows.sum(axis=2) == 1).all()
    assert np.array_equal(policies.as_probabilities(mdp, policy.astype(np.uint8)), rows)


def test_stochastic_policies_are_renormalised(mdp):
    policy = np.full((3, 4, 3), 1 / 3) * (1 + 1e-10)
    rows = policies.as_probabilities(mdp, policy)
    assert np.allclose(rows.sum(axis=2), 1, rtol=0, atol=2e-16)


@pytest.mark.parametrize("policy", [np.zeros((3, 4)), np.zeros((3, 4), bool), np.zeros((3, 4, 3), int),
                                    np.zeros(3, int), "text", np.array(["a"]), np.zeros((3, 4, 3), complex)])
def test_wrong_kinds(mdp, policy):
    refused(lambda: policies.validate(mdp, policy), "integers of shape (3, 4)", "floats of shape (3, 4, 3)", "Mixture")


def test_ragged_policies(mdp):
    refused(lambda: policies.validate(mdp, [[0, 1], [2]]), "rows of different lengths")
    refused(lambda: Mixture(([[0, 1], [2]],), [1]), "rows of different lengths")


@pytest.mark.parametrize("shape", [(2, 4), (4, 4), (3, 5), (3, 4, 2), (2, 4, 3)])
def test_wrong_shapes(mdp, shape):
    policy = np.zeros(shape, int) if len(shape) == 2 else np.ones(shape)
    refused(lambda: policies.validate(mdp, policy), f"policy has shape {shape}", "must have shape (3, 4")


@pytest.mark.parametrize("action", [-1, 3])
def test_actions_out_of_range(mdp, action):
    policy = np.zeros((3, 4), int)
    policy[1, 2] = action
    refused(lambda: policies.validate(mdp, policy), f"layer 2, state 2: action {action}", "0..2")


def test_unavailable_actions(masked):
    policy = planning.optimal(masked).policy
    policies.validate(masked, policy)
    policy[4, 3] = 0
    refused(lambda: policies.validate(masked, policy), "layer 5, state 3: action 0 is not available", "[3]")
    rows = policies.uniform(masked)
    rows[4, 3] = [0.5, 0, 0, 0.5, 0]
    refused(lambda: policies.validate(masked, rows), "layer 5, state 3, action 0", "probability 0.5", "[3]")


@pytest.mark.parametrize("row, fragments", [
    ([0.5, 0.4, 0], ["layer 3, state 1", "sum to 0.9;", "must sum to 1"]),
    ([1.5, -0.5, 0], ["layer 3, state 1, action 1", "-0.5", ">= 0"]),
    ([np.nan, 0.5, 0.5], ["layer 3, state 1, action 0", "nan"]),
    ([np.inf, 0, 0], ["sum to inf"]),
])
def test_rows_off_the_simplex(mdp, row, fragments):
    policy = policies.uniform(mdp)
    policy[2, 1] = row
    refused(lambda: policies.validate(mdp, policy), *fragments)
    refused(lambda: planning.evaluate(mdp, policy), *fragments)


def test_uniform(masked, mdp):
    assert np.array_equal(policies.uniform(mdp), np.full((3, 4, 3), 1 / 3))
    rows = policies.uniform(masked)
    policies.validate(masked, rows)
    assert ((rows > 0) == masked.available).all()


def test_mixtures(mdp):
    first, second = np.zeros((3, 4), int), policies.uniform(mdp)
    mixture = Mixture((first, second), [0.25, 0.75])
    policies.validate(mdp, mixture)
    members, weights = policies.stack(mdp, mixture)
    assert members.shape == (2, 3, 4, 3) and np.array_equal(weights, [0.25, 0.75])
    first[:] = 2
    assert (mixture.policies[0] == 0).all()
    with pytest.raises(ValueError, match="read-only"):
        mixture.weights[0] = 1
    refused(lambda: policies.as_probabilities(mdp, mixture), "not Markov")
    refused(lambda: policies.validate(mdp, Mixture((np.full((3, 4), 9),), [1])), "action 9")


def test_members_of_weight_zero_are_validated_and_left_out(mdp):
    good, bad = np.zeros((3, 4), int), np.full((3, 4), 9)
    members, weights = policies.stack(mdp, Mixture((good, good), [1, 0]))
    assert len(members) == len(weights) == 1
    refused(lambda: policies.stack(mdp, Mixture((good, bad), [1, 0])), "action 9")


@pytest.mark.parametrize("members, weights, fragment", [
    ((), [], "0 policies"),
    ((0, 1), [1.0], "weights of shape (1,)"),
    ((0, 1), [0.5, 0.6], "sum 1.1"),
    ((0, 1), [1.5, -0.5], "minimum -0.5"),
    ((0, 1), [np.nan, 1], "nan"),
    ((0, 1), ["a", "b"], "real numbers"),
])
def test_bad_mixtures(members, weights, fragment):
    refused(lambda: Mixture(tuple(np.full((3, 4), m) for m in members), weights), fragment)


def test_mixtures_do_not_nest():
    inner = Mixture((np.zeros((3, 4), int),), [1])
    refused(lambda: Mixture((inner,), [1]), "Markov policies")


def test_is_deterministic(mdp):
    policy = np.zeros((3, 4), int)
    rows = policies.as_probabilities(mdp, policy)
    assert policies.is_deterministic(policy) and policies.is_deterministic(rows)
    assert policies.is_deterministic(Mixture((policy, rows), [1, 0]))
    assert not policies.is_deterministic(policies.uniform(mdp))
    assert not policies.is_deterministic(Mixture((policy, policy + 1), [0.5, 0.5]))
    assert not policies.is_deterministic(np.zeros((3, 4)))
    assert not policies.is_deterministic(np.zeros((3, 4, 3)))


def test_compose_deterministic(masked):
    head = planning.optimal(masked).policy
    for layer in range(6):
        joined = policies.compose(masked, head, layer, 1)
        policies.validate(masked, joined)
        assert joined.shape == (5, 5) and np.array_equal(joined[:layer], head[:layer])
        wanted = np.where(masked.available[..., 1], 1, masked.available.argmax(axis=2))
        assert np.array_equal(joined[layer:], wanted[layer:])
        assert np.array_equal(policies.compose(masked, head[:layer], layer, 1), joined)


def test_compose_with_a_uniform_tail(masked):
    head = planning.optimal(masked).policy
    joined = policies.compose(masked, head, 2, "uniform")
    policies.validate(masked, joined)
    assert np.array_equal(joined[:2], policies.as_probabilities(masked, head)[:2])
    assert np.array_equal(joined[2:], policies.uniform(masked)[2:])
    whole = policies.compose(masked, head, 5, "uniform")
    assert np.array_equal(whole, head) and policies.is_deterministic(whole) and whole is not head
    policies.validate(masked, whole)
    assert np.array_equal(policies.compose(masked, head, 0, "uniform"), policies.uniform(masked))


def test_compose_other_heads(mdp):
    rows = policies.uniform(mdp)
    joined = policies.compose(mdp, rows, 1, 2)
    assert np.array_equal(joined[0], rows[0]) and (joined[1:, :, 2] == 1).all()
    mixture = policies.compose(mdp, Mixture((np.zeros((3, 4), int), np.ones((3, 4), int)), [0.3, 0.7]), 2, 2)
    assert [member[:, 0].tolist() for member in mixture.policies] == [[0, 0, 2], [1, 1, 2]]
    assert mixture.weights.tolist() == [0.3, 0.7]


def test_compose_needs_only_sizes_and_mask():
    known = SimpleNamespace(horizon=3, n_states=2, n_actions=4, available=None)
    joined = policies.compose(known, np.array([[1, 2]]), 1, 3)
    assert joined.tolist() == [[1, 2], [3, 3], [3, 3]]
    assert policies.compose(known, joined, 1, "uniform")[2].tolist() == [[0.25] * 4] * 2


@pytest.mark.parametrize("layer", [-1, 4, 1.5, True])
def test_compose_refuses_layers(mdp, layer):
    refused(lambda: policies.compose(mdp, np.zeros((3, 4), int), layer, 0), "layer is", "0..3")


@pytest.mark.parametrize("tail", [-1, 3, "random", 1.5, True, None])
def test_compose_refuses_tails(mdp, tail):
    refused(lambda: policies.compose(mdp, np.zeros((3, 4), int), 1, tail), "tail is", "0..2", "'uniform'")
