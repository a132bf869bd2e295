r"""The estimated model in which uncertain pairs are cut: evaluation of features, and optimisation of what is linear.

A layer t that has been explored has Sigma_t = I + sum phi phi^T and a matrix A_t, Sigma_t^{-1} with its entries cut to
multiples of kappa^2/(2d), toward 0. A pair is kept where phi^T A_t phi <= kappa^2. Then

    (T V)(s, a) = [kept] phi(s, a)^T Sigma_t^{-1} sum_n phi_n V(s'_n),

which is linear in V and neither clipped nor rounded. So the estimated mean features of a policy are linear in what is
measured of them, and the best policy for a linear objective is found backwards, layer by layer.

The policies that are handed out are greedy for *rounded* values: features are written in a basis of features with
coefficients of at most 2, and the values at the basis are cut to multiples of a mesh. There are finitely many such
policies, and the list does not depend on what was sampled.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.estimation.design import Design, fit

WIDE = 2.0  # largest coefficient in a basis of features
RANK = 1e-10  # relative; directions below are taken to be outside the span


@dataclass(frozen=True, eq=False)
class CutLayer:
    """An explored layer.

    Attributes
    ----------
    design : Design
        Sigma and the regression.
    kept : (S, A) bool
        False where the pair is cut, or not available.
    coefficients : (S, A, r)
        Features in a basis of r of them, between -2 and 2.
    basis : (r, d)
    """

    design: Design
    kept: np.ndarray
    coefficients: np.ndarray
    basis: np.ndarray

    @classmethod
    def of(cls, phi: np.ndarray, available: np.ndarray, counts: np.ndarray, kappa: float) -> CutLayer:
        """From features (S, A, d), the mask of actions, counts (S, A, S) and the level of the cut."""
        design = fit(phi, counts)
        inverse = design.whitened(np.eye(phi.shape[-1]))
        inverse, mesh = inverse @ inverse.T, kappa**2 / (2 * phi.shape[-1])
        lost = np.fmod(inverse, mesh)  # small, so that the square of the norm keeps its digits
        squares = design.norms(phi)**2 - np.einsum("...i,ij,...j->...", phi, lost, phi)
        return cls(design, (squares <= kappa**2) & available, *feature_basis(phi, available))

    def regress(self, values: np.ndarray, phi: np.ndarray) -> np.ndarray:
        """T V for values (S, ...): shape (S, A, ...), 0 where a pair is cut."""
        predicted = np.tensordot(phi, self.design.operator @ values.reshape(len(values), -1), axes=1)
        shape = (*self.kept.shape, *values.shape[1:])
        return np.where(self.kept[..., None], predicted, 0.0).reshape(shape)

    def rounded_greedy(self, weights: np.ndarray, mesh: float, available: np.ndarray) -> np.ndarray:
        """The action (S,) of the largest kept value <phi, weights>, its values at the basis cut to multiples."""
        at_basis = np.trunc(self.basis @ weights / mesh) * mesh
        q = np.where(self.kept, self.coefficients @ at_basis, 0.0)
        return np.where(available, q, -np.inf).argmax(axis=1)


@dataclass(frozen=True, eq=False)
class CutModel:
    """Layers 1..m that have been explored, and the first states that were seen.

    Attributes
    ----------
    phi : (m, S, A, d)
    available : (m, S, A) bool
    layers : tuple of CutLayer
    start : (S,)
        Counts of the first states over N + 1: the regression of the layer 0 that has one feature, 1.
    """

    phi: np.ndarray
    available: np.ndarray
    layers: tuple[CutLayer, ...]
    start: np.ndarray

    def mean_features(self, policy: np.ndarray) -> np.ndarray:
        """Estimated E[kept throughout, coefficients of phi_m] of a policy (m, S): shape (r,)."""
        states, last = np.arange(self.phi.shape[1]), self.layers[-1]
        value = np.where(last.kept[..., None], last.coefficients, 0.0)[states, policy[-1]]
        for t in reversed(range(len(self.layers) - 1)):
            value = self.layers[t].regress(value, self.phi[t])[states, policy[t]]
        return self.start @ value

    def best(self, direction: np.ndarray, mesh: float) -> np.ndarray:
        """A policy (m, S) of the grid whose mean features are nearly the best for <direction, coefficients of phi_m>.

        Parameters
        ----------
        direction : (r,)
            Scaled such that |<direction, coefficients>| <= 1 for all features of layer m.
        mesh : float
        """
        last = self.layers[-1]
        weights = np.linalg.lstsq(last.basis, direction, rcond=None)[0]
        policy = [last.rounded_greedy(weights, mesh, self.available[-1])]
        q = np.where(last.kept, last.coefficients @ direction, 0.0)
        for t in reversed(range(len(self.layers) - 1)):
            layer, values = self.layers[t], _largest(q, self.available[t + 1])
            policy.append(layer.rounded_greedy(layer.design.weights(values), mesh, self.available[t]))
            q = layer.regress(values, self.phi[t])
        return np.stack(policy[::-1])


def feature_basis(phi: np.ndarray, available: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Coefficients (S, A, r) of the available features in a basis of r of them, and that basis (r, d).

    Of all bases the determinant is increased by exchanging members until no coefficient exceeds 2.
    """
    rows = phi[available]
    _, sizes, axes = np.linalg.svd(rows, full_matrices=False)
    flat = rows @ axes[sizes > RANK * sizes[0]].T
    chosen = _independent(flat)
    while True:
        coefficients = flat @ np.linalg.inv(flat[chosen])
        worst = np.unravel_index(np.abs(coefficients).argmax(), coefficients.shape)
        if abs(coefficients[worst]) <= WIDE:
            break
        chosen[worst[1]] = worst[0]
    found = np.zeros((*phi.shape[:2], len(chosen)))
    found[available] = coefficients
    return found, rows[chosen]


def _independent(flat: np.ndarray) -> list[int]:
    """Rows that span: each the longest one after projecting out those before."""
    left, chosen = flat.copy(), []
    for _ in range(flat.shape[1]):
        row = int(np.einsum("ij,ij->i", left, left).argmax())
        chosen.append(row)
        unit = left[row] / np.linalg.norm(left[row])
        left = left - np.outer(left @ unit, unit)
    return chosen


def _largest(q: np.ndarray, available: np.ndarray) -> np.ndarray:
    return np.where(available, q, -np.inf).max(axis=1)
