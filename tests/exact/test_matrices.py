"""Matrices of fractions: positive definite or not, by the pivots of the elimination."""

from fractions import Fraction

import numpy as np

from derl.exact.matrices import positive_definite


def test_positive_definite_by_pivots():
    def matrix(rows):
        return np.array([[Fraction(x) for x in row] for row in rows], dtype=object)

    assert positive_definite(matrix([[2, 1], [1, 1]]))
    assert not positive_definite(matrix([[1, 1], [1, 1]]))
    assert not positive_definite(matrix([[1, 2], [2, 1]]))
    assert not positive_definite(matrix([[-1]]))
