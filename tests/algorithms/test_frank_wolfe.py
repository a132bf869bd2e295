"""D-optimal mixtures of finitely many policies: the certificate is true, steps are counted, the optimum is known."""

import numpy as np
import pytest
import scipy.optimize

from derl.algorithms.baselines.frank_wolfe import frank_wolfe


def design(vectors, **options):
    """Policy k is the vector of number k."""
    def oracle(inverse):
        return np.array([int(np.einsum("ki,ij,kj->k", vectors, inverse, vectors).argmax())])

    def moment(policy):
        return np.outer(vectors[policy[0]], vectors[policy[0]])

    return frank_wolfe(oracle, moment, vectors.shape[1], **options)


def best_log_det(vectors):
    """By another method, from the uniform design."""
    count = len(vectors)
    found = scipy.optimize.minimize(
        lambda w: -np.linalg.slogdet((vectors * w[:, None]).T @ vectors)[1], np.full(count, 1 / count), method="SLSQP",
        bounds=[(1e-9, 1)] * count, constraints={"type": "eq", "fun": lambda w: w.sum() - 1}, options={"maxiter": 500})
    return -found.fun


@pytest.mark.parametrize("seed", range(4))
def test_the_gap_bounds_what_is_missing(seed):
    vectors = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(31,))).normal(size=(8, 3))
    best = best_log_det(vectors)
    for tolerance in (0.3, 0.01, 1e-4):
        found = design(vectors, tolerance=tolerance)
        missing = best - np.linalg.slogdet(found.matrix)[1]
        assert -1e-6 <= missing <= found.gap + 1e-6 and found.gap <= 3 * tolerance
        chosen = [policy[0] for policy in found.policies]
        mixed = (vectors[chosen] * found.weights[:, None]).T @ vectors[chosen]
        np.testing.assert_allclose(mixed, found.matrix, rtol=1e-6, atol=1e-9)
        assert found.weights.sum() == pytest.approx(1) and len(set(chosen)) == len(chosen)


@pytest.mark.parametrize("ridge", [0.5, 2.0])
def test_the_gap_with_a_ridge_is_that_of_the_best_policy(ridge):
    """With V = r I + M the gap is the maximum over k of tr(V^-1 (M_k - M)), the slope of log det V towards k."""
    vectors = np.random.default_rng(np.random.SeedSequence(3, spawn_key=(31,))).normal(size=(8, 3))
    for most in (1, 4, 500):
        found = design(vectors, tolerance=1e-3, ridge=ridge, most=most)
        inverse, mixed = np.linalg.inv(found.matrix), found.matrix - ridge * np.eye(3)
        slopes = np.einsum("ki,ij,kj->k", vectors, inverse, vectors) - np.trace(inverse @ mixed)
        assert found.gap == pytest.approx(slopes.max(), rel=1e-6, abs=1e-9) and found.gap > -1e-9
    assert found.gap <= 3e-3


def test_a_basis_is_weighted_equally():
    found = design(np.eye(4), tolerance=1e-6)
    assert sorted(p[0] for p in found.policies) == [0, 1, 2, 3]
    np.testing.assert_allclose(found.weights, 1 / 4, rtol=1e-3)


@pytest.mark.parametrize("most", [1, 2, 5])
def test_no_more_steps_than_are_allowed(most):
    vectors = np.random.default_rng(np.random.SeedSequence(0, spawn_key=(31,))).normal(size=(8, 3))
    assert design(vectors, tolerance=1e-12, most=most).steps == most
