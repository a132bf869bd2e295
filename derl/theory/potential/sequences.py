"""Traces and determinant ratios of sequences of batches."""

from __future__ import annotations

import numpy as np


def scan(batches: np.ndarray, regularisation: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Traces and log-determinant ratios, (..., K) each, for square roots X_k of shape (..., K, n, d)."""
    *lead, n_batches, _, dim = batches.shape
    factor = np.broadcast_to(np.sqrt(regularisation) * np.eye(dim), (*lead, dim, dim))
    trace, log_ratio = np.empty((*lead, n_batches)), np.empty((*lead, n_batches))
    for k in range(n_batches):
        batch = batches[..., k, :, :]
        trace[..., k], log_ratio[..., k] = step(factor, batch)
        factor = np.linalg.qr(np.concatenate([factor, batch], axis=-2), mode="r")
    return trace, log_ratio


def step(factor: np.ndarray, root: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """tr(A^{-1} Phi) and log det(A + Phi)/det A for A = factor^T factor, Phi = root^T root."""
    whitened = np.empty(np.broadcast_shapes(root.shape, (*factor.shape[:-2], 1, 1)))
    for j in range(root.shape[-1]):  # forward substitution for root factor^{-1}
        known = np.einsum("...ni,...i->...n", whitened[..., :j], factor[..., :j, j])
        whitened[..., j] = (root[..., j] - known) / factor[..., j, j, None]
    singular = np.linalg.norm(whitened, axis=-1) if root.shape[-2] == 1 else np.linalg.svd(whitened, compute_uv=False)
    return np.square(whitened).sum(axis=(-1, -2)), np.log1p(np.square(singular)).sum(axis=-1)
