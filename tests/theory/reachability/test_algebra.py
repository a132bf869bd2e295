"""Exact elimination by hand: definite matrices, bases and vectors orthogonal to rows."""

from fractions import Fraction as F

import numpy as np
import pytest

from derl.theory.reachability.algebra import null_vector, positive_semidefinite


@pytest.mark.parametrize("matrix, wanted", [
    ([[1, 2], [2, 4]], True), ([[1, 2], [2, 3]], False), ([[0, 0], [0, 1]], True), ([[0, 0], [0, -1]], False),
    ([[0, 1], [1, 0]], False), ([[0, 1], [1, 5]], False), ([[0]], True), ([[-1]], False),
    ([[1, 1, 0], [1, 1, 1], [0, 1, 1]], False),  # the second pivot is zero, and its row is not
    ([[1, 1, 1], [1, 1, 1], [1, 1, 1]], True), ([[2, -1, 0], [-1, 2, -1], [0, -1, 2]], True),
    ([[F(1, 3), F(1, 2)], [F(1, 2), F(3, 4)]], True), ([[F(1, 3), F(1, 2)], [F(1, 2), F(749, 1000)]], False)])
def test_semidefinite_matrices(matrix, wanted):
    assert positive_semidefinite(np.array(matrix, dtype=object)) is wanted


@pytest.mark.parametrize("rows", [[[1, 2, 3]], [[1, 0, 0], [0, 1, 0]], [[0, 0, 2], [3, 1, 0]], [[2, 4, 6], [1, 2, 3]]])
def test_a_null_vector_is_orthogonal_and_not_zero(rows):
    vector = null_vector(np.array(rows))
    assert any(vector) and not (np.array(rows) @ vector).any()
