"""The estimated model with cuts, against brute force."""

from itertools import product

import numpy as np
import pytest

from derl.deployment import deploy_counts
from derl.estimation.truncated import CutLayer, CutModel, _independent, feature_basis
from derl.mdp import instances, policies


def model_of(kappa, seed=3, size=400, layers=2, mask=None):
    mdp = instances.random_simplex(4, 2, 3, 3, seed)
    counts = deploy_counts(mdp, policies.uniform(mdp), size, np.random.default_rng(seed)).counts.astype(float)
    mask = np.ones((3, 4, 2), bool) if mask is None else mask
    found = tuple(CutLayer.of(mdp.phi[h], mask[h], counts[h], kappa) for h in range(layers))
    start = counts[0].sum(axis=(1, 2)) / (size + 1)
    return mdp, counts, CutModel(mdp.phi[:layers], mask[:layers], found, start)


def features_by_hand(mdp, counts, model, policy):
    """E^[w phi_2] with Sigma inverted and every sum written out."""
    states = range(mdp.n_states)
    values = [model.layers[1].kept[s, policy[1, s]] * mdp.phi[1, s, policy[1, s]] for s in states]
    sigma, target = np.eye(3), np.zeros((3, 3))
    for s, a, t in product(states, range(2), states):
        sigma += counts[0, s, a, t] * np.outer(mdp.phi[0, s, a], mdp.phi[0, s, a])
        target += counts[0, s, a, t] * np.outer(mdp.phi[0, s, a], values[t])
    weights = np.linalg.solve(sigma, target)
    return sum(model.start[s] * model.layers[0].kept[s, policy[0, s]] * mdp.phi[0, s, policy[0, s]] @ weights
               for s in states)


@pytest.mark.parametrize("kappa", [0.08, 0.15, 10.0])
def test_mean_features_are_those_of_the_regression(kappa):
    mdp, counts, model = model_of(kappa)
    policy = np.array([[0, 1, 1, 0], [1, 0, 1, 1]])
    found = model.mean_features(policy) @ model.layers[1].basis
    assert found == pytest.approx(features_by_hand(mdp, counts, model, policy), abs=1e-10)


def test_some_pairs_are_cut_at_one_level_and_none_at_another():
    few, all_of_them = model_of(0.08)[2], model_of(10.0)[2]
    assert not few.layers[0].kept.all() and few.layers[0].kept.any()
    assert all(layer.kept.all() for layer in all_of_them.layers)


@pytest.mark.parametrize("seed", range(4))
def test_the_best_policy_is_the_best_of_all(seed):
    _, _, model = model_of(10.0, seed, size=40_000)
    direction = np.random.default_rng(seed).normal(size=3)
    direction /= np.abs(model.layers[-1].coefficients @ direction).max()
    every = max(model.mean_features(np.array(actions).reshape(2, 4)) @ direction
                for actions in product((0, 1), repeat=8))
    assert model.mean_features(model.best(direction, 1e-9)) @ direction == pytest.approx(every, abs=1e-3)
    assert model.mean_features(model.best(direction, 10.0)) @ direction <= every + 1e-12  # all values rounded to 0


@pytest.mark.parametrize("seed", range(24))
def test_the_best_policy_uses_the_actions_of_each_layer(seed):
    """In the first layer one action is allowed in the states 0 and 1, in the second one in the states 2 and 3."""
    mask = np.ones((3, 4, 2), bool)
    mask[0, :2, 1] = mask[1, 2:, 0] = False
    _, _, model = model_of(10.0, seed, size=40_000, mask=mask)
    direction = np.random.default_rng(seed).normal(size=3)
    direction /= np.abs(model.layers[-1].coefficients @ direction).max()
    allowed = [np.flatnonzero(row) for layer in mask[:2] for row in layer]
    every = max(model.mean_features(np.array(actions).reshape(2, 4)) @ direction for actions in product(*allowed))
    best = model.best(direction, 1e-9)
    assert all(mask[h, s, best[h, s]] for h in range(2) for s in range(4))
    assert model.mean_features(best) @ direction == pytest.approx(every, abs=1e-3)


@pytest.mark.parametrize("seed", range(6))
def test_a_basis_of_features(seed):
    rng = np.random.default_rng(seed)
    phi = rng.normal(size=(7, 3, 2)) @ rng.normal(size=(2, 4))  # rank 2 in dimension 4
    available = rng.random((7, 3)) < 0.8
    available[:, 0] = True
    coefficients, basis = feature_basis(phi, available)
    assert basis.shape == (2, 4) and np.abs(coefficients).max() <= 2
    assert np.allclose((coefficients @ basis)[available], phi[available]) and not coefficients[~available].any()


def test_a_basis_is_improved_where_the_first_choice_is_not_good_enough():
    rng, dim = np.random.default_rng(1087), 6  # rows of Kahan's matrix, the worst case for picking the longest rest
    kahan = np.diag(0.8 ** np.arange(dim)) @ (np.eye(dim) - 0.6 * np.triu(np.ones((dim, dim)), 1))
    rows = kahan.T + rng.normal(size=(dim, dim)) * 1e-6
    mixed = rng.choice([-1, 1], size=(4, dim)) @ rows
    mixed /= np.linalg.norm(mixed, axis=1, keepdims=True) * rng.uniform(1, 1.4)
    phi = np.vstack([rows, mixed])[:, None]
    first = phi[_independent(phi[:, 0]), 0]
    assert np.abs(phi[:, 0] @ np.linalg.inv(first)).max() > 3
    coefficients, basis = feature_basis(phi, np.ones((10, 1), bool))
    assert np.abs(coefficients).max() <= 2 and np.allclose(coefficients @ basis, phi)


@pytest.mark.parametrize("ratio, kept", [(0.9, True), (1.3, True), (1.6, False), (1.9, False), (2.1, False)])
def test_the_mesh_of_the_cut_is_that_of_the_definition(ratio, kept):
    """d = 1, no data: the inverse is 1, cut toward 0 to multiples of kappa^2/2, and kept where at most kappa^2."""
    kappa = (1 / ratio) ** 0.5 * (1 + 1e-12)
    layer = CutLayer.of(np.ones((1, 1, 1)), np.ones((1, 1), bool), np.zeros((1, 1, 1)), kappa)
    assert bool(layer.kept[0, 0]) == kept


@pytest.mark.parametrize("kappa", [0.3, 0.5, 0.8])
def test_kept_pairs_are_those_of_the_matrix_with_cut_entries(kappa):
    rng = np.random.default_rng(np.random.SeedSequence(17))
    phi, decided = rng.normal(size=(40, 3, 4)) / 4, []
    counts = rng.integers(0, 2, size=(40, 3, 40)).astype(float) * (rng.random((40, 1, 1)) < 0.2)
    layer = CutLayer.of(phi, np.ones((40, 3), bool), counts, kappa)
    inverse = np.linalg.inv(np.eye(4) + np.einsum("sat,sai,saj->ij", counts, phi, phi))
    for mesh in (kappa**2 / 8, kappa**2 / 4):  # that of the definition, and twice that
        cut = np.trunc(inverse / mesh) * mesh
        decided.append(np.einsum("sai,ij,saj->sa", phi, cut, phi) <= kappa**2)
    np.testing.assert_array_equal(layer.kept, decided[0])
