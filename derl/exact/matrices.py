"""Exact inverses and ridge regressions, in Fractions; the elimination is that of sympy over the rationals."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from derl.exact.base import Invalid


class InvalidMatrix(Invalid):
    """A matrix that a formula cannot use; the message says why."""


def inverse(matrix) -> np.ndarray:
    """The inverse of a matrix of int or Fraction, shape (d, d).

    Raises
    ------
    InvalidMatrix
        If it is singular.
    """
    from sympy import QQ  # here, because sympy costs as much time as all of derl
    from sympy.polys.matrices import DomainMatrix
    from sympy.polys.matrices.exceptions import DMNonInvertibleMatrixError

    d = len(matrix)
    rows = [[QQ(int(x.numerator), int(x.denominator)) for x in map(Fraction, row)] for row in matrix]
    try:
        found = DomainMatrix(rows, (d, d), QQ).inv().to_list()
    except DMNonInvertibleMatrixError:
        raise InvalidMatrix("the matrix is singular") from None
    return np.array([[Fraction(int(x.numerator), int(x.denominator)) for x in row] for row in found], dtype=object)


def ridge(phi, counts) -> tuple[np.ndarray, np.ndarray]:
    """Sigma^{-1} (d, d) and the operator Sigma^{-1} sum phi n(., .) (d, S) of one layer, exactly.

    Parameters
    ----------
    phi : (S, A, d) of int or Fraction
    counts : (S, A, S) of int
    """
    phi, counts = np.asarray(phi, dtype=object), np.asarray(counts, dtype=object)
    rows, flat = phi.reshape(-1, phi.shape[-1]), counts.reshape(-1, counts.shape[-1])
    unit = np.eye(rows.shape[1], dtype=int).astype(object)
    Sigma_inverse = inverse(unit + rows.T @ (rows * flat.sum(axis=1)[:, None]))
    return Sigma_inverse, Sigma_inverse @ (rows.T @ flat)


def positive_definite(matrix: np.ndarray) -> bool:
    """Whether a symmetric matrix of Fractions is positive definite: all pivots of the elimination are positive.

    Raises
    ------
    InvalidMatrix
        If it is not symmetric; the pivots of another matrix say nothing about its quadratic form.
    """
    rows = [list(row) for row in matrix]
    if rows != [list(column) for column in zip(*matrix, strict=True)]:
        raise InvalidMatrix("the matrix is not symmetric")
    for k in range(len(rows)):
        if rows[k][k] <= 0:
            return False
        for i in range(k + 1, len(rows)):
            factor = rows[i][k] / rows[k][k]
            rows[i] = [x - factor * y for x, y in zip(rows[i], rows[k], strict=True)]
    return True
