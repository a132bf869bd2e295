r"""Adversaries of the batched potential lemma: sequences of batches with many violations.

Each returns an array (K, d): batch k is N copies of row k, so that Phi_k = N u_k u_k^T and batch k violates when

    u_k^T A_{k-1}^{-1} u_k >= epsilon,      A_{k-1} = I + N sum_{j<k} u_j u_j^T.

Batches along fixed axes split R^d into d one-dimensional problems and stop there. Batches that do not commute do
better: a direction between two axes that were each hit once is still cheap.
"""

from __future__ import annotations

import math

import numpy as np
import scipy

from derl.theory.potential.batches import affordable, count, level
from derl.theory.potential.bounds import one_dimensional_count, refined_bound

ROUNDING = 1e-9  # a batch at the level exactly is made longer by this share, so that float64 counts it
LARGEST_SEARCH = 100  # unknowns; above, the numerical search is not tried
SEARCH_SEED = 20220213


def adversary_axis(d: int, N: int, epsilon: float) -> np.ndarray:
    """Along each axis in turn, batches just long enough to violate, until none is.

    Exact optimum for d = 1; in general d (1 + floor(log(1/epsilon)/log(1 + N epsilon))) violations.

    Returns
    -------
    (K, d)
    """
    d, N, epsilon = count(d, "d"), count(N, "N"), level(epsilon)
    rounds = one_dimensional_count(N, epsilon)
    affordable(rounds * d, d)
    # after j violations the eigenvalue is (1 + N epsilon)^j, and |u|^2 = epsilon times the eigenvalue
    squares = float(epsilon) * np.exp(np.arange(rounds) * math.log1p(float(N * epsilon)))
    lengths = np.sqrt(np.minimum(squares * (1 + ROUNDING), 1.0))
    return np.kron(np.eye(d), lengths[:, None])


def adversary_greedy(d: int, N: int, epsilon: float) -> np.ndarray:
    """Batches of unit vectors, each along the least explored direction: the largest trace at every step.

    Greed does not pay: after (1/epsilon - 1)/N rounds every direction is used up. The last batch no longer violates.
    """
    d, N, epsilon = count(d, "d"), count(N, "N"), level(epsilon)
    rounds = math.floor((1 / epsilon - 1) / N) + 1
    affordable(rounds * d, d)
    return np.tile(np.eye(d), (rounds + 1, 1))[: rounds * d + 1]


def adversary_noncommuting(d: int, N: int, epsilon: float, starts: int = 8, seed: int = SEARCH_SEED) -> np.ndarray:
    """The most violations that a numerical search over rank-one batches finds, never fewer than `adversary_axis`.

    The search tries the number that `refined_bound` allows, then one less, and so on. It is a local search: what it
    finds exists, what it misses may exist too. With more than 100 unknowns it is not tried.
    """
    d, N, epsilon = count(d, "d"), count(N, "N"), level(epsilon)
    along_axes = adversary_axis(d, N, epsilon)
    if d == 1 or along_axes.size > LARGEST_SEARCH:
        return along_axes
    for k in range(min(refined_bound(d, N, epsilon), LARGEST_SEARCH // d), len(along_axes), -1):
        vectors, least = search_rank_one(d, N, k, starts, seed, target=float(epsilon) * (1 + 1e-6))
        if least > float(epsilon) * (1 + ROUNDING):
            return vectors
    return along_axes


def rank_one_levels(vectors: np.ndarray, N: int) -> np.ndarray:
    """u_k^T A_{k-1}^{-1} u_k for each of the rows u_k, shape (K,)."""
    return _levels_and_solutions(vectors, N)[0]


def rank_one_slopes(vectors: np.ndarray, N: int) -> np.ndarray:
    """Derivatives of the levels, shape (K, K, d): entry [k, j] is the gradient of level k in u_j."""
    solutions = _levels_and_solutions(vectors, N)[1]
    overlap = np.tril(solutions @ vectors.T, -1)
    return (2.0 * np.eye(len(vectors))[:, :, None] - 2.0 * N * overlap[:, :, None]) * solutions[:, None, :]


def search_rank_one(d: int, N: int, k: int, starts: int, seed: int, target: float = math.inf):
    """Maximise the least level of k rank-one batches over vectors of length at most 1, from random starts.

    Returns
    -------
    vectors : (k, d)
    least : float
        min_k u_k^T A_{k-1}^{-1} u_k; the search stops early once it exceeds `target`.
    """
    best, least = np.zeros((k, d)), 0.0
    for start in range(starts):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(d, N % 2**32, k, start)))
        first = rng.normal(size=(k, d))
        first *= rng.uniform(0.3, 1.0, size=(k, 1)) / np.linalg.norm(first, axis=1, keepdims=True)
        vectors = _improve(first, N)
        found = rank_one_levels(vectors, N).min()
        if found > least:
            best, least = vectors, found
        if least > target:
            break
    return best, least


def _improve(first: np.ndarray, N: int) -> np.ndarray:
    """One local maximisation of t subject to level_k >= t and |u_k| <= 1."""

    k, d = first.shape

    def unpack(point):
        return point[:-1].reshape(k, d)

    def slack(point):
        return np.concatenate([rank_one_levels(unpack(point), N) - point[-1],
                               1.0 - np.square(unpack(point)).sum(axis=1)])

    def slack_gradient(point):
        vectors = unpack(point)
        norms = -2.0 * np.eye(k)[:, :, None] * vectors
        last = np.concatenate([-np.ones((k, 1)), np.zeros((k, 1))])
        return np.hstack([np.concatenate([rank_one_slopes(vectors, N), norms]).reshape(2 * k, k * d), last])

    goal = np.append(np.zeros(k * d), -1.0)
    start = np.append(first.ravel(), rank_one_levels(first, N).min())
    found = scipy.optimize.minimize(lambda point: -point[-1], start, jac=lambda point: goal, method="SLSQP",
                                    bounds=[(-1.0, 1.0)] * start.size, options={"maxiter": 200},
                                    constraints={"type": "ineq", "fun": slack, "jac": slack_gradient})
    vectors = unpack(found.x)
    return vectors / np.maximum(1.0, np.linalg.norm(vectors, axis=1, keepdims=True))


def _levels_and_solutions(vectors: np.ndarray, N: int) -> tuple[np.ndarray, np.ndarray]:
    """Levels (K,) and w_k = A_{k-1}^{-1} u_k (K, d)."""
    outer = N * vectors[:, :, None] * vectors[:, None, :]
    before = np.eye(vectors.shape[1]) + np.cumsum(outer, axis=0) - outer
    solutions = np.linalg.solve(before, vectors[:, :, None])[..., 0]
    return np.einsum("ki,ki->k", vectors, solutions), solutions
