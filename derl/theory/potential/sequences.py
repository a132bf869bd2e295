"""Traces and determinant ratios of sequences of batches: the readable loop, and when a compiled one takes its place."""

from __future__ import annotations

import math

import numpy as np

from derl.inputs.compiled import COMPILED, call, works

LARGE = 10**5  # numbers in the batches from which on the compiled loop is worth its import
SQUARED = 1e100  # entries below it have finite squares, and so have sums of them over what is above 1/SQUARED


def scan(batches: np.ndarray, regularisation: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Traces and log-determinant ratios, (..., K) each, for square roots X_k of shape (..., K, n, d).

    Many sequences are taken through a compiled loop, where numba is installed; it agrees to rounding.
    """
    *lead, n_batches, n_rows, dim = batches.shape
    if COMPILED and min(math.prod(lead) * n_batches * n_rows, dim) > 0 and batches.size >= LARGE:
        largest = max(batches.max(), -batches.min())  # without a copy of all batches
        if largest < SQUARED and 1 / SQUARED < regularisation < SQUARED and works():
            return _compiled(batches, regularisation)
    return _readable(batches, regularisation)


def _readable(batches: np.ndarray, regularisation: float) -> tuple[np.ndarray, np.ndarray]:
    *lead, n_batches, _, dim = batches.shape
    factor = np.broadcast_to(np.sqrt(regularisation) * np.eye(dim), (*lead, dim, dim))
    trace, log_ratio = np.empty((*lead, n_batches)), np.empty((*lead, n_batches))
    for k in range(n_batches):
        batch = batches[..., k, :, :]
        trace[..., k], log_ratio[..., k] = step(factor, batch)
        factor = np.linalg.qr(np.concatenate([factor, batch], axis=-2), mode="r")
    return trace, log_ratio


def _compiled(batches: np.ndarray, regularisation: float) -> tuple[np.ndarray, np.ndarray]:
    rows = np.ascontiguousarray(batches).reshape(-1, *batches.shape[-3:])
    trace, growth = np.empty(rows.shape[:2]), np.empty(rows.shape[:2])
    call(_scan_many, rows, float(regularisation), trace, growth)
    log_ratio = np.log1p(growth, out=growth)
    beyond = ~np.isfinite(log_ratio).all(axis=-1)  # a ratio of determinants above the range of floats
    if beyond.any():
        trace[beyond], log_ratio[beyond] = _readable(rows[beyond], regularisation)
    return trace.reshape(batches.shape[:-2]), log_ratio.reshape(batches.shape[:-2])


def _scan_many():
    from derl.theory.potential._scan import scan_many

    return scan_many


def step(factor: np.ndarray, root: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """tr(A^{-1} Phi) and log det(A + Phi)/det A for A = factor^T factor, Phi = root^T root."""
    whitened = np.empty(np.broadcast_shapes(root.shape, (*factor.shape[:-2], 1, 1)))
    for j in range(root.shape[-1]):  # forward substitution for root factor^{-1}
        known = np.einsum("...ni,...i->...n", whitened[..., :j], factor[..., :j, j])
        whitened[..., j] = (root[..., j] - known) / factor[..., j, j, None]
    singular = np.linalg.norm(whitened, axis=-1) if root.shape[-2] == 1 else np.linalg.svd(whitened, compute_uv=False)
    return np.square(whitened).sum(axis=(-1, -2)), np.log1p(np.square(singular)).sum(axis=-1)
