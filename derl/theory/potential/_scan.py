"""The loop of `derl.theory.potential.sequences` compiled by numba, with its cache on disk.

Sequences go through it side by side, LANES at a time: the innermost loops run over them, so that the machine's vector
instructions do all of them at once. A = R^T D R with 1 on the diagonal of R, and D; one row x of a batch after the
other, by rotations without square roots (Gentleman 1973), which solve z = R^{-T} x on their way. For coordinate j, with
weight w = 1 at first:

    p <- p + x_j^2/D_j,   D_j' = D_j + w x_j^2,   c = D_j/D_j',   s = w x_j/D_j',   w <- c w,
    x_k, R_jk <- x_k - x_j R_jk, c R_jk + s x_k   for k > j,

and then p = x^T A^{-1} x, det(A + x x^T)/det A = 1 + p. The trace takes every row before the batch is added. 1 + p is
kept as p, so that a tiny ratio keeps its digits; the caller takes the logarithm.
"""

from __future__ import annotations

import numpy as np

from derl.inputs.compiled import kernel

LANES = 32


@kernel(error_model="numpy")
def _solve(factor, inverse, x, z, squares):
    """x^T A^{-1} x, lane by lane; `inverse` (d, lanes) is 1/D, `z` is overwritten."""
    dim, lanes = x.shape
    for lane in range(lanes):
        squares[lane] = 0.0
    for j in range(dim):
        for lane in range(lanes):
            z[j, lane] = x[j, lane]
    for j in range(dim):
        for lane in range(lanes):
            squares[lane] += z[j, lane] * z[j, lane] * inverse[j, lane]
        for k in range(j + 1, dim):
            for lane in range(lanes):
                z[k, lane] -= z[j, lane] * factor[j, k, lane]


@kernel(error_model="numpy")
def _rotate(factor, diagonal, inverse, x, weight, cosine, sine, squares):
    """x^T A^{-1} x, and A + x x^T instead of A; x is overwritten."""
    dim, lanes = x.shape
    for lane in range(lanes):
        weight[lane], squares[lane] = 1.0, 0.0
    for j in range(dim):
        for lane in range(lanes):
            own = x[j, lane]
            squares[lane] += own * own * inverse[j, lane]
            grown = diagonal[j, lane] + weight[lane] * own * own
            inverse[j, lane] = 1.0 / grown
            cosine[lane] = diagonal[j, lane] * inverse[j, lane]
            sine[lane] = weight[lane] * own * inverse[j, lane]
            diagonal[j, lane] = grown
            weight[lane] *= cosine[lane]
        for k in range(j + 1, dim):
            for lane in range(lanes):
                before, new = factor[j, k, lane], x[k, lane]
                factor[j, k, lane] = cosine[lane] * before + sine[lane] * new
                x[k, lane] = new - x[j, lane] * before


@kernel(error_model="numpy")
def scan_many(batches, regularisation, trace, growth):
    """Fill `trace` and `growth` = det ratio - 1 (B, K) for batches (B, K, n, d), from A_0 = regularisation I."""
    many, n_batches, n_rows, dim = batches.shape
    factor, diagonal, inverse = np.zeros((dim, dim, LANES)), np.zeros((dim, LANES)), np.zeros((dim, LANES))
    rows, z = np.zeros((n_rows, dim, LANES)), np.zeros((dim, LANES))
    squares, total, grown = np.zeros(LANES), np.zeros(LANES), np.zeros(LANES)
    weight, cosine, sine = np.zeros(LANES), np.zeros(LANES), np.zeros(LANES)
    for first in range(0, many, LANES):
        here = min(LANES, many - first)
        factor[:] = 0.0
        diagonal[:] = regularisation
        inverse[:] = 1.0 / regularisation
        rows[:] = 0.0
        for k in range(n_batches):
            total[:] = 0.0
            for lane in range(here):
                for row in range(n_rows):
                    for i in range(dim):
                        rows[row, i, lane] = batches[first + lane, k, row, i]
            for row in range(1, n_rows):  # the first has its trace from its rotation
                _solve(factor, inverse, rows[row], z, squares)
                for lane in range(LANES):
                    total[lane] += squares[lane]
            for row in range(n_rows):
                _rotate(factor, diagonal, inverse, rows[row], weight, cosine, sine, squares)
                for lane in range(LANES):
                    if row == 0:
                        total[lane] += squares[lane]
                        grown[lane] = squares[lane]
                    else:
                        grown[lane] += squares[lane] + grown[lane] * squares[lane]
            for lane in range(here):
                trace[first + lane, k], growth[first + lane, k] = total[lane], grown[lane]
