"""The loop of `derl.theory.potential.scan` compiled by numba, with its cache on disk.

Sequences go through it side by side, LANES at a time: the innermost loops run over them, so that the machine's vector
instructions do all of them at once. One row x of a batch after the other:

    z = R^{-T} x,   tr += |z|^2 with the factor R before the batch,
    det(A + x x^T)/det A = 1 + |z|^2 with the factor so far,   R <- triangular factor of [R; x^T] by Givens rotations.

1 + p is kept as p, so that a tiny ratio keeps its digits; the logarithm is taken once per batch.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

LANES = 32


@njit(cache=True, error_model="numpy")
def _solve(factor, inverse, x, z, squares):
    """z = R^{-T} x and its squared length, lane by lane; `inverse` (d, lanes) is 1/R_jj."""
    dim, lanes = x.shape
    for lane in range(lanes):
        squares[lane] = 0.0
    for j in range(dim):
        for lane in range(lanes):
            z[j, lane] = x[j, lane]
        for i in range(j):
            for lane in range(lanes):
                z[j, lane] -= factor[i, j, lane] * z[i, lane]
        for lane in range(lanes):
            z[j, lane] *= inverse[j, lane]
            squares[lane] += z[j, lane] * z[j, lane]


@njit(cache=True, error_model="numpy")
def _rotate(factor, inverse, x, cosine, sine):
    """Rotate the row x into the factor; x is overwritten."""
    dim, lanes = x.shape
    for j in range(dim):
        for lane in range(lanes):
            a, b = factor[j, j, lane], x[j, lane]
            length = math.sqrt(a * a + b * b)
            inverse[j, lane] = 1.0 / length
            cosine[lane], sine[lane] = a * inverse[j, lane], b * inverse[j, lane]
            factor[j, j, lane] = length
        for k in range(j + 1, dim):
            for lane in range(lanes):
                before, new = factor[j, k, lane], x[k, lane]
                factor[j, k, lane] = cosine[lane] * before + sine[lane] * new
                x[k, lane] = cosine[lane] * new - sine[lane] * before


@njit(cache=True, error_model="numpy")
def scan_many(batches, diagonal, trace, log_ratio):
    """Fill `trace` and `log_ratio` (B, K) for batches (B, K, n, d), from A_0 = diagonal^2 I."""
    many, n_batches, n_rows, dim = batches.shape
    factor, inverse = np.zeros((dim, dim, LANES)), np.zeros((dim, LANES))
    rows, z = np.zeros((n_rows, dim, LANES)), np.zeros((dim, LANES))
    squares, total, grown = np.zeros(LANES), np.zeros(LANES), np.zeros(LANES)
    cosine, sine = np.zeros(LANES), np.zeros(LANES)
    for first in range(0, many, LANES):
        here = min(LANES, many - first)
        factor[:] = 0.0
        inverse[:] = 1.0 / diagonal
        for j in range(dim):
            factor[j, j] = diagonal
        rows[:] = 0.0
        for k in range(n_batches):
            total[:] = 0.0
            grown[:] = 0.0
            for lane in range(here):
                for row in range(n_rows):
                    for i in range(dim):
                        rows[row, i, lane] = batches[first + lane, k, row, i]
            for row in range(n_rows if n_rows > 1 else 0):  # a single row has its trace below
                _solve(factor, inverse, rows[row], z, squares)
                for lane in range(LANES):
                    total[lane] += squares[lane]
            for row in range(n_rows):
                _solve(factor, inverse, rows[row], z, squares)
                for lane in range(LANES):
                    grown[lane] += squares[lane] + grown[lane] * squares[lane]
                _rotate(factor, inverse, rows[row], cosine, sine)
            for lane in range(here):
                trace[first + lane, k] = total[lane] if n_rows > 1 else squares[lane]
                log_ratio[first + lane, k] = math.log1p(grown[lane])
