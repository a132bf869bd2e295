r"""The steps of Zhang et al. 2025: planning and evaluation in the MDP where uncertain pairs are cut out.

Each explored layer t has a matrix Lc_t; a pair with phi^T Lc_t^{-1} phi > 1 is cut: it is too rare to matter, and from
then on it is worth nothing. What is left is regressed with weights lambda^2 = min(f/(phi^T Lc_t^{-1} phi), 1) and a
ridge z.

Source: Zhang et al. 2025, Algorithms 3 to 6. Algorithm 6 (planning for a bonus) is rebuilt from its proof.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.estimation.backup import greedy
from derl.estimation.design import Design, fit
from derl.theory.comparison.zhang import Constants

ROUNDS = 10_000  # of one matrix evaluation; the paper proves 10 d log(2x/zeta + 1)


@dataclass(frozen=True, eq=False)
class Layer:
    """An explored layer.

    Attributes
    ----------
    matrix : (d, d)
        Lc.
    cut : (S, A) bool
    weights : (S, A)
        lambda^2.
    design : Design
        The weighted regression, divided by z.
    """

    matrix: np.ndarray
    cut: np.ndarray
    weights: np.ndarray
    design: Design

    @classmethod
    def of(cls, phi: np.ndarray, counts: np.ndarray, matrix: np.ndarray, constants: Constants) -> Layer:
        """From features (S, A, d), counts (S, A, S) and Lc."""
        squares = quadratic(phi, matrix)
        weights = share(constants.f, squares)
        return cls(matrix, squares > 1, weights, fit(phi, counts * (weights / constants.z)[..., None]))


def quadratic(phi: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """phi^T M^{-1} phi for features (..., d)."""
    return np.einsum("...i,...i->...", phi @ np.linalg.inv(matrix), phi)


def share(level: float, squares: np.ndarray) -> np.ndarray:
    """min(f/x, 1), also where x is 0."""
    return level / np.maximum(squares, level)


def backup(phi: np.ndarray, layer: Layer, rewards, values: np.ndarray, cap: float, available: np.ndarray):
    """One layer of planning: clipped to [0, cap], nothing where it is cut; values (S,) and greedy actions (S,)."""
    q = np.clip(phi @ layer.design.weights(values) + rewards, 0, cap)
    q = np.where(available, np.where(layer.cut, 0.0, q), -np.inf)
    return q.max(axis=1), greedy(q)


def evaluate_matrix(phi, layers: list[Layer], policy: np.ndarray, start: np.ndarray, constants: Constants,
                    features: np.ndarray) -> tuple[np.ndarray, int]:
    """Algorithm 3: the truncated second moment of the policy's features in the next layer, and the rounds it took.

    Parameters
    ----------
    phi : (H, S, A, d)
    layers : explored layers 1..h-1
    policy : (h, S) int
    start : (S,)
        Law of the first state.
    features : (S, d)
        Those of the policy in layer h.
    """
    states, identity = np.arange(phi.shape[1]), np.eye(phi.shape[3])
    rows = [phi[t][states, policy[t]] @ layer.design.operator * ~layer.cut[states, policy[t]][:, None]
            for t, layer in enumerate(layers)]
    slack = [~layer.cut[states, policy[t]] for t, layer in enumerate(layers)]
    outer, level = features[:, :, None] * features[:, None, :], identity
    for rounds in range(1, ROUNDS + 1):
        found = truncated(outer, features, rows, slack, level, start, constants)
        enough = found + constants.zeta / (2 * constants.x) * identity
        if np.linalg.eigvalsh(enough - level / 2)[0] >= 0:
            return enough, rounds
        if np.array_equal(found, level):
            raise ArithmeticError(f"the matrix evaluation stands still after {rounds} rounds: too little data, least "
                                  f"eigenvalue {np.linalg.eigvalsh(found)[0]:.3g}")
        level = found
    raise ArithmeticError(f"the matrix evaluation has not ended after {ROUNDS} rounds")


def truncated(outer, features, rows, slack, level: np.ndarray, start: np.ndarray, constants: Constants) -> np.ndarray:
    """Algorithm 4: the expectation of the features' outer products, each scaled down until it is at most f L."""
    squares = np.einsum("si,ij,sj->s", features, np.linalg.pinv(level, hermitian=True), features)
    shares = share(constants.f, squares)
    value = outer * shares[:, None, None]
    for move, kept in zip(rows[::-1], slack[::-1], strict=True):
        value = np.tensordot(move, value, axes=1) + kept[:, None, None] * (2 * constants.x * level)
    found = np.tensordot(start, value, axes=1)
    return (found + found.T) / 2
