"""Ridge regression from counts: against a literal loop, and against 60-digit arithmetic at huge counts."""

import flint
import numpy as np
import pytest

from derl.estimation import fit


def sample(seed, n_states=5, n_actions=3, dim=4, scale=50):
    rng = np.random.default_rng(seed)
    phi = rng.dirichlet(np.ones(dim), size=(n_states, n_actions))
    return phi, rng.integers(0, scale, size=(n_states, n_actions, n_states))


def literal(phi, counts, values):
    """The definition, one trajectory at a time."""
    dim = phi.shape[-1]
    matrix, vector = np.eye(dim), np.zeros(dim)
    for s, a, t in np.ndindex(counts.shape):
        for _ in range(counts[s, a, t]):
            matrix += np.outer(phi[s, a], phi[s, a])
            vector += phi[s, a] * values[t]
    return matrix, np.linalg.solve(matrix, vector)


@pytest.mark.parametrize("seed", range(3))
def test_the_fit_is_the_ridge_regression_of_the_definition(seed):
    phi, counts = sample(seed)
    values = np.random.default_rng(seed).random(5)
    matrix, weights = literal(phi, counts, values)
    design = fit(phi, counts)
    np.testing.assert_allclose(design.factor.T @ design.factor, matrix, rtol=1e-12)
    np.testing.assert_allclose(design.weights(values), weights, rtol=1e-10)
    inverse = np.linalg.inv(matrix)
    np.testing.assert_allclose(design.norms(phi)**2, np.einsum("sai,ij,saj->sa", phi, inverse, phi), rtol=1e-10)
    assert design.log_det == pytest.approx(np.linalg.slogdet(matrix)[1], rel=1e-12)


def test_without_data_the_design_is_the_identity():
    phi, counts = sample(0)
    design = fit(phi, np.zeros_like(counts))
    np.testing.assert_allclose(design.norms(phi), np.linalg.norm(phi, axis=-1))
    assert design.log_det == 0 and not design.weights(np.ones(5)).any()


def exact_norms(phi, visits, digits=60):
    old, flint.ctx.dps = flint.ctx.dps, digits
    try:
        dim = phi.shape[-1]
        design = flint.arb_mat([[flint.arb(int(i == j)) for j in range(dim)] for i in range(dim)])
        for row, n in zip(phi.reshape(-1, dim), visits.ravel(), strict=True):
            column = flint.arb_mat([[flint.arb(x)] for x in row])
            design += column * column.transpose() * flint.arb(int(n))
        inverse = design.inv()
        return np.array([float((flint.arb_mat([[flint.arb(x) for x in row]]) * inverse *
                                flint.arb_mat([[flint.arb(x)] for x in row]))[0, 0].sqrt().mid())
                         for row in phi.reshape(-1, dim)]).reshape(phi.shape[:-1])
    finally:
        flint.ctx.dps = old


@pytest.mark.parametrize("size", [10**6, 10**12, 10**15])
def test_norms_keep_their_digits_at_huge_counts(size):
    """One direction is never visited and one only once: a Cholesky factor has no digits left there."""
    rng = np.random.default_rng(7)
    turn = np.linalg.qr(rng.standard_normal((4, 4)))[0]
    phi = (np.eye(4) @ turn)[:, None, :] * 0.9
    counts = np.zeros((4, 1, 4), dtype=np.int64)
    counts[0, 0, 0], counts[1, 0, 1], counts[2, 0, 2] = size, size // 3, 1
    exact = exact_norms(phi, counts.sum(axis=-1))
    error = np.abs(fit(phi, counts).norms(phi) / exact - 1).max()
    assert error < 1e-7
    matrix = np.eye(4) + np.einsum("sai,saj,sat->ij", phi, phi, counts)
    naive = np.sqrt(np.einsum("sai,ij,saj->sa", phi, np.linalg.inv(matrix), phi))
    assert size < 10**15 or np.abs(naive / exact - 1).max() > error
