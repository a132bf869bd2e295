"""EstimateCovMatrix: a literal triple loop, exact identities, the two passes, the clip."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from derl import instances, planning
from derl.deployment import deploy_counts
from derl.estimation import fit
from derl.estimation.covariance import (
    COVARIANCE_VERSIONS,
    backward_pass,
    chosen_features,
    clip_free,
    estimate_covariance,
    forward_pass,
)
from derl.estimation.design import Design
from derl.exact.matrices import ridge
from derl.mdp import exact, policies


def data(mdp, size, seed=0, policy=None):
    rng = np.random.default_rng(seed)
    policy = policies.uniform(mdp) if policy is None else policy
    counts = deploy_counts(mdp, policy, size, rng).counts.astype(float)
    return counts, [fit(mdp.phi[h], counts[h]) for h in range(mdp.horizon - 1)]


def literal(phi, counts, policy, initial, version):
    """Algorithm 6 with all its loops; `version` says what is done to the values."""
    H, S, _, d = phi.shape
    result = np.zeros((d, d))
    for i in range(d):
        for j in range(i, d):
            V = np.zeros(S)
            for s in range(S):
                product = phi[H - 1, s, policy[H - 1, s], i] * phi[H - 1, s, policy[H - 1, s], j]
                V[s] = product if version == "linear" else (1 + product) / 2
            for h in reversed(range(H - 1)):
                Sigma, target = np.eye(d), np.zeros(d)
                for s, a, t in np.argwhere(counts[h]):
                    Sigma += counts[h, s, a, t] * np.outer(phi[h, s, a], phi[h, s, a])
                    target += counts[h, s, a, t] * phi[h, s, a] * V[t]
                w = np.linalg.solve(Sigma, target)
                V = np.array([phi[h, s, policy[h, s]] @ w for s in range(S)])
                if version != "linear":
                    V = np.minimum(V, 1)
                if version == "repaired":
                    V = np.maximum(V, 0)
            result[i, j] = result[j, i] = initial @ V
    return result if version == "linear" else 2 * result - 1


@pytest.mark.parametrize("version", COVARIANCE_VERSIONS)
@pytest.mark.parametrize("size", [3, 40, 10**6])
def test_it_is_the_pseudocode(version, size):
    mdp = instances.random_simplex(4, 2, 3, 3, seed=2)
    counts, designs = data(mdp, size, seed=size)
    policy = np.random.default_rng(1).integers(0, 2, (3, 4))
    found = estimate_covariance(mdp.phi, designs, policy, mdp.initial, version)
    np.testing.assert_allclose(found, literal(mdp.phi, counts, policy, mdp.initial, version), atol=1e-11)
    np.testing.assert_array_equal(found, found.T)


@pytest.mark.parametrize("size", [100, 10**9, 10**15])
def test_forward_and_backward_agree_where_no_clip_is_active(size):
    mdp = instances.random_simplex(5, 3, 4, 4, seed=3)
    _, designs = data(mdp, size)
    assert clip_free(mdp.phi, designs)
    policy = np.random.default_rng(2).integers(0, 3, (4, 5))
    features = chosen_features(mdp.phi, policy)
    backward, forward = backward_pass(features, designs, mdp.initial), forward_pass(features, designs, mdp.initial)
    np.testing.assert_allclose(backward, forward, atol=1e-13)
    unshifted = forward_pass(features, designs, mdp.initial, shifted=False)
    if size == 100:  # the regularisation takes mass away, which the shift turns into an error of every entry
        assert np.abs(unshifted - forward).max() > 1e-3
    np.testing.assert_allclose(backward_pass(features, designs, mdp.initial, "linear"), unshifted, atol=1e-13)


def lopsided(seed):
    """Unlikely data at two points close to each other; a third action lies far off, by extrapolation."""
    rng = np.random.default_rng(seed)
    t = np.array([0.0, 0.45, 0.55])
    phi = np.broadcast_to(np.stack([t, 1 - t], axis=1), (3, 3, 3, 2))
    counts = np.zeros((2, 3, 3, 3))
    for h, s, a in np.ndindex(2, 3, 2):
        counts[h, s, 1 + a, rng.integers(3)] = (2000 if seed % 2 else 1) * rng.integers(1, 4)
    return phi, [fit(phi[h], counts[h]) for h in range(2)]


def test_clip_free_is_never_wrong_and_auto_heeds_it():
    free = clipped = 0
    for seed in range(40):
        phi, designs = lopsided(seed)
        rng, initial = np.random.default_rng(seed), np.full(3, 1 / 3)
        certified = clip_free(phi, designs)
        for _ in range(5):
            policy = rng.integers(0, 3, (3, 3))
            features = chosen_features(phi, policy)
            backward = backward_pass(features, designs, initial)
            differs = np.abs(backward - forward_pass(features, designs, initial)).max() > 1e-12
            assert not (differs and certified)
            np.testing.assert_allclose(estimate_covariance(phi, designs, policy, initial), backward, atol=1e-12)
            clipped += differs
        free += certified
    assert clipped >= 10 and free >= 3  # both kinds of data occur


def test_clip_free_of_one_regression_is_the_box_of_all_values():
    """With one design: no corner of the box of values that entries can have leaves [0, 1], and that exactly."""
    answers = []
    for seed in range(60):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(9,)))
        last = rng.dirichlet(np.ones(2), size=3)
        phi = np.stack([np.broadcast_to(last[:, None], (3, 2, 2)), np.broadcast_to(last[:, None], (3, 2, 2))])
        operator = rng.dirichlet(np.ones(3), size=2) + rng.normal(scale=0.25, size=(2, 3))
        products = np.array([row[i] * row[j] for row in last for i in range(2) for j in range(i, 2)])
        ends = (1 + products.min()) / 2, (1 + products.max()) / 2
        values = np.array([last @ operator @ corner for corner in itertools.product(ends, repeat=3)])
        answers.append(bool((values >= 0).all() and (values <= 1).all()))
        assert clip_free(phi, [Design(None, operator)]) == answers[-1], seed
    assert 10 <= sum(answers) <= 50


def test_the_clip_matters_somewhere():
    """A value that the regression puts below 0: the two versions differ by what the clip takes away."""
    t = np.array([0.0, 0.45, 0.55])
    phi = np.stack([np.stack([t, 1 - t], axis=1)] * 3)
    counts = np.zeros((3, 3, 3))
    counts[0, 1, 2] = counts[0, 2, 1] = 6000
    features = [phi[:, 0], np.array([[0.5, 0.5], [1, 0], [0, 1]])]
    design, initial = fit(phi, counts), np.array([1.0, 0, 0])
    printed = backward_pass(features, [design], initial, "as-printed")
    repaired = backward_pass(features, [design], initial, "repaired")
    assert (printed[0, 0] + 1) / 2 == pytest.approx(-625650 / 366061) and repaired[0, 0] == -1


def test_values_above_1_are_cut_off_at_1():
    """The same two points, seen the other way round: the regression puts the far action above 1."""
    t = np.array([0.0, 0.45, 0.55])
    phi = np.stack([np.stack([t, 1 - t], axis=1)] * 3)
    counts = np.zeros((3, 3, 3))
    counts[0, 1, 1] = counts[0, 2, 2] = 6000
    features = [phi[:, 0], np.array([[0.5, 0.5], [1, 0], [0, 1]])]
    design, initial = fit(phi, counts), np.array([1.0, 0, 0])
    assert forward_pass(features, [design], initial)[0, 0] > 2
    for version in ("as-printed", "repaired"):
        assert backward_pass(features, [design], initial, version)[0, 0] == 1


def test_one_negative_weight_is_enough_for_a_clip_below():
    """A row (1, -1) makes -1/2 of the values 1/2 and 1; no value exceeds 1."""
    phi = np.eye(2)[None, :, None, :].repeat(2, axis=0)  # (H, S, A, d): each state its own direction
    design = Design(None, np.array([[1.0, -1.0], [0.0, 1.0]]))
    assert not clip_free(phi, [design])
    features = chosen_features(phi, np.zeros((2, 2), int))
    assert backward_pass(features, [design], np.array([1.0, 0.0]))[1, 1] == -1
    assert forward_pass(features, [design], np.array([1.0, 0.0]))[1, 1] == -2


def test_the_first_layer_is_exact_and_infinite_data_give_the_truth():
    mdp = instances.random_simplex(4, 3, 3, 3, seed=7, exact=True)
    floats = mdp.to_float()
    policy = np.array([[0, 1, 2, 1]] * 3)
    truth = planning.feature_covariance(floats, policy)
    np.testing.assert_allclose(estimate_covariance(floats.phi[:1], [], policy, floats.initial), truth[0], atol=1e-15)
    found = backward_pass(chosen_features(mdp.phi, policy), [Design(None, mu) for mu in mdp.mu[:2]], mdp.initial)
    weights = exact.occupancy(mdp, policy)[2].reshape(-1, 1)
    rows = mdp.phi[2].reshape(-1, 3)
    assert (found == (rows * weights).T @ rows).all()
    _, designs = data(floats, 10**15)
    assert np.abs(estimate_covariance(floats.phi, designs, policy, floats.initial) - truth[2]).max() < 1e-6


def test_exact_and_float_regression_agree():
    mdp = instances.random_simplex(4, 2, 3, 2, seed=5, exact=True)
    counts, designs = data(mdp.to_float(), 1000)
    inverse, operator = ridge(mdp.phi[0], counts[0].astype(int))
    np.testing.assert_allclose(designs[0].operator, operator.astype(float), atol=1e-13)
    factor = designs[0].factor
    np.testing.assert_allclose(np.linalg.inv(factor.T @ factor), inverse.astype(float), rtol=1e-9)
    assert isinstance(operator[0, 0], Fraction)


@pytest.mark.parametrize("change, word", [({"version": "printed"}, "version"), ({"way": "sideways"}, "way"),
                                          ({"designs": []}, "0 designs for 2")])
def test_bad_arguments(change, word):
    mdp = instances.random_simplex(3, 2, 2, 2, seed=0)
    _, designs = data(mdp, 10)
    with pytest.raises(ValueError, match=word) as caught:
        estimate_covariance(**({"phi": mdp.phi, "designs": designs, "policy": np.zeros((2, 3), int),
                                "initial": mdp.initial} | change))
    assert "\n" not in str(caught.value)


def test_clips_are_judged_by_the_features_of_the_last_layer():
    """Three layers: products down to -1/2 in the last, up to 1/100 in the second; kernels with negative entries."""
    operator = np.array([[1.2, -0.2], [-0.2, 1.2]])
    layers = [np.eye(2), np.eye(2) / 10, np.array([[1.0, 0.0], [0.5**0.5, -0.5**0.5]])]
    phi = [layer[:, None] for layer in layers]
    designs = [Design(np.eye(2), operator)] * 2
    assert not clip_free(phi, designs)
    assert clip_free([phi[0], phi[1], phi[1]], designs)
