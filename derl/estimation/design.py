r"""Ridge regression of next-state values on features, from transition counts.

With n(s,a,s') transitions counted at one layer, the regularised design matrix is

    Lambda = I + sum_{s,a} n(s,a) phi(s,a) phi(s,a)^T .

Lambda itself is never formed. At n = 1e15 its condition number is 1e15 and a Cholesky factor has lost half of the
digits of the bonus. The triangular factor R of

    [ sqrt(n(s,a)) phi(s,a)^T ]
    [ I                       ]  = Q R        (rows sorted by size, largest first)

satisfies R^T R = Lambda and keeps the elliptical norm |phi|_{Lambda^{-1}} = |R^{-T} phi| right to twelve digits.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy


@dataclass(frozen=True)
class Design:
    """The regression of one layer.

    Attributes
    ----------
    factor : (d, d)
        Upper triangular R with R^T R = Lambda.
    operator : (d, S)
        Lambda^{-1} sum_{s,a} phi(s,a) n(s,a,.): the regression weights are `operator @ values`.
    """

    factor: np.ndarray
    operator: np.ndarray

    def norms(self, phi: np.ndarray) -> np.ndarray:
        """Elliptical norms |phi|_{Lambda^{-1}}, shape (...) for phi of shape (..., d)."""
        whitened = self.whitened(phi)
        return np.sqrt(np.einsum("...i,...i->...", whitened, whitened))

    def whitened(self, phi: np.ndarray) -> np.ndarray:
        """R^{-T} phi, whose norm is the elliptical one; shape (..., d) as phi."""
        flat = phi.reshape(-1, phi.shape[-1])
        return triangular(self.factor, flat.T, transposed=True).T.reshape(phi.shape)

    def weights(self, values: np.ndarray) -> np.ndarray:
        """Ridge weights w = Lambda^{-1} sum phi V(s'), shape (d,) for values of shape (S,)."""
        return self.operator @ values

    @property
    def log_det(self) -> float:
        """log det Lambda."""
        return 2.0 * float(np.log(np.abs(np.diag(self.factor))).sum())


class Diagonal(Design):
    """The regression of a table, where each feature is a unit vector: Lambda is diagonal, and nothing is solved.

    Attributes
    ----------
    root : (d,)
        Square roots of the diagonal of Lambda; `factor` is the diagonal matrix of them.
    """

    def __init__(self, root: np.ndarray, operator: np.ndarray):
        object.__setattr__(self, "root", root)
        object.__setattr__(self, "operator", operator)

    @property
    def factor(self) -> np.ndarray:
        """R as a matrix (d, d)."""
        return np.diag(self.root)

    def norms(self, phi: np.ndarray) -> np.ndarray:
        """As of `Design`."""
        return np.sqrt(np.einsum("...i,...i,i->...", phi, phi, self.root ** -2.0))

    def whitened(self, phi: np.ndarray) -> np.ndarray:
        """As of `Design`."""
        return phi / self.root

    @property
    def log_det(self) -> float:
        """As of `Design`."""
        return 2.0 * float(np.log(self.root).sum())


def units(phi: np.ndarray) -> np.ndarray | None:
    """Which unit vector each row of phi (n, d) is, -1 for the vector 0; None where a row is something else."""
    if np.count_nonzero(phi) > len(phi):
        return None
    row, entry = phi.nonzero()
    if len(np.unique(row)) < len(row) or not (phi[row, entry] == 1).all():
        return None
    at = np.full(len(phi), -1)
    at[row] = entry
    return at


def triangular(factor: np.ndarray, right: np.ndarray, transposed: bool = False) -> np.ndarray:
    """R^{-1} or R^{-T} times the right side (d, k), R upper triangular: a direct call of LAPACK."""
    if not right.size:
        return np.zeros(right.shape)
    solution, info = scipy.linalg.lapack.dtrtrs(factor.T, right, lower=1, trans=int(not transposed))
    if info:
        raise np.linalg.LinAlgError("the triangular factor is singular")
    return solution


def fit(phi: np.ndarray, counts: np.ndarray) -> Design:
    """Fit the regression of one layer with unit regularisation.

    Parameters
    ----------
    phi : (S, A, d)
        Features of the layer.
    counts : (S, A, S)
        Transition counts n(s, a, s') >= 0, integers or floats up to about 1e18.

    Returns
    -------
    Design

    Notes
    -----
    Source: lines 6 and 7 of Algorithm 1 (and of Algorithm 3).

    Examples
    --------
    >>> import numpy as np
    >>> from derl.estimation import fit
    >>> phi = np.eye(2).reshape(1, 2, 2)                 # one state, two actions
    >>> counts = np.array([[[99.0], [3.0]]])             # tried 99 times and 3 times
    >>> fit(phi, counts).norms(phi)
    array([[0.1, 0.5]])
    """
    dim, n_states = phi.shape[-1], counts.shape[-1]
    flat = counts.reshape(-1, n_states)
    visits = flat.sum(axis=1, dtype=np.float64)
    seen = np.flatnonzero(visits)
    root = np.sqrt(visits[seen])[:, None]
    features = phi.reshape(-1, dim)
    at = units(features)
    if at is not None:
        squares, moments = np.ones(dim), np.zeros((dim, n_states))
        seen = seen[at[seen] >= 0]
        where, group = np.unique(at[seen], return_inverse=True)
        squares[where] += np.bincount(group, visits[seen])
        if len(where) == len(seen):
            moments[at[seen]] = flat[seen]
        else:
            np.add.at(moments, at[seen], flat[seen])
        return Diagonal(np.sqrt(squares), moments / squares[:, None])
    rows = np.vstack([root * features[seen], np.eye(dim)])
    targets = np.vstack([flat[seen] / root, np.zeros((dim, n_states))])
    # Householder QR is row-wise stable only when large rows come first
    order = np.argsort(-np.abs(rows).max(axis=1), kind="stable")
    orthogonal, factor = np.linalg.qr(rows[order])
    operator = triangular(factor, orthogonal.T @ targets[order])
    return Design(factor, operator)


def fit_sums(phi: np.ndarray, visits: np.ndarray, moments: np.ndarray) -> Design:
    """The regression of `fit` from visits n(s, a) and moments sum phi(s, a) n(s, a, .).

    Parameters
    ----------
    phi : (S, A, d)
    visits : (S, A)
    moments : (d, S)

    Returns
    -------
    Design
        As that of `fit` up to the rounding of the moments: 1e-16 times the number of trajectories, in the norm of
        Lambda^{-1}. Beside a bonus with beta >= 1 that is harmless up to 1e15 trajectories.

    Examples
    --------
    >>> import numpy as np
    >>> from derl.estimation import fit_sums
    >>> phi, visits = np.eye(2).reshape(1, 2, 2), np.array([[99.0, 3.0]])
    >>> fit_sums(phi, visits, np.array([[99.0], [3.0]])).operator
    array([[0.99],
           [0.75]])
    """
    seen = visits > 0
    rows = np.vstack([np.sqrt(visits[seen])[:, None] * phi[seen], np.eye(phi.shape[-1])])
    order = np.argsort(-np.abs(rows).max(axis=1), kind="stable")  # as in `fit`
    factor = np.linalg.qr(rows[order], mode="r")
    half = triangular(factor, moments, transposed=True)
    return Design(factor, triangular(factor, half))
