r"""Multinomial draws of any size, exact, and the two approximations beyond.

Exact draws are those of `derl.deployment.binomials`, which says what "exact" means. The samplers of numpy are not
used. Its multinomial leaks at large n: the tails come out as 1 - p_1 - ... - p_{j-1}, so rounding can leave some 1e-16
for the last cell even where its probability is zero. With ten cells of 1/10 and an impossible eleventh, numpy counts
the impossible one in every tenth draw at n = 1e15 and in all draws at n = 1e18. Its binomials have the wrong law at
several corners, which depend on its version.

The ceiling 2^63 - 1 is that of the 64-bit integers that hold the counts.
"""

from __future__ import annotations

import numpy as np

from derl.deployment.binomials import multinomials
from derl.inputs import Invalid, choice, shown, whole

LARGEST_EXACT = 2**63 - 1  # largest batch that is drawn exactly
LARGEST_APPROXIMATE = 10**300
CHUNK = 2**53  # every integer up to here is a double
MODES = ("exact", "gaussian", "expected")


class InvalidDeployment(Invalid):
    """A deployment that cannot be set up: a bad number of deployments, policy class, mode or seed."""


class InvalidSize(InvalidDeployment):
    """A number of trajectories that cannot be drawn."""


def batch_size(value, mode: str = "exact", name: str = "batch_size") -> int:
    """The number of trajectories as an int: 1..2^63 - 1 in mode "exact", up to 1e300 in the other modes.

    Raises
    ------
    InvalidDeployment
        Unknown mode.
    InvalidSize
        In one line: the value found, and what is allowed.
    """
    largest = LARGEST_EXACT if choice(mode, "mode", MODES, InvalidDeployment) == "exact" else LARGEST_APPROXIMATE
    try:
        return whole(value, name, 1, largest)
    except Invalid:
        beyond = ", or up to 1e300 with mode='gaussian' or mode='expected'" * (mode == "exact")
        raise InvalidSize(f"{name} is {shown(value)}; it must be a whole number from 1 up to "
                          f"{f'{LARGEST_EXACT} (2^63 - 1)' if mode == 'exact' else '1e300'}{beyond}") from None


def safe_multinomial(rng: np.random.Generator, n, p, mode: str = "exact") -> np.ndarray:
    """Multinomial counts row by row, shape (..., S).

    Parameters
    ----------
    rng : numpy Generator
    n : (...) int
        Numbers of trials, 0..2^63 - 1 (floats in the approximate modes); broadcast against the rows of p.
    p : (..., S)
        Rows on the simplex; they are divided by their sums.
    mode : {"exact", "gaussian", "expected"}
        "gaussian": rows of 2^62 trials and more are Gaussian with the mean and covariance of the multinomial,
        rounded to whole numbers. "expected": n p, no randomness.

    Returns
    -------
    (..., S) int64 or float64
        int64 where exact. A cell of probability 0 never has a count; in mode "exact" every row sums to its n,
        in the others up to a relative 1e-15.

    Raises
    ------
    InvalidSize
        In mode "exact": n is not of an integer type.
    """
    p, n = np.asarray(p, np.float64), np.asarray(n)
    if mode == "exact" and n.dtype.kind not in "iu":
        raise InvalidSize(f"n is {n!r}; exact draws need integers from 0 up to {LARGEST_EXACT} (2^63 - 1)")
    n, p = n.astype(np.int64 if mode == "exact" else np.float64, copy=False), p / p.sum(axis=-1, keepdims=True)
    if n.shape != p.shape[:-1]:
        shape = np.broadcast_shapes(n.shape, p.shape[:-1])
        n, p = np.broadcast_to(n, shape), np.broadcast_to(p, shape + p.shape[-1:])
    return draw_rows(rng, n.reshape(-1), p.reshape(-1, p.shape[-1]), mode).reshape(p.shape)


def draw_rows(rng: np.random.Generator, n: np.ndarray, p: np.ndarray, mode: str) -> np.ndarray:
    """Multinomial counts for rows of p that sum to 1: n (m,), p (m, S) -> (m, S)."""
    if mode == "exact":
        return multinomials(rng, n, p)
    return n[:, None] * p if mode == "expected" else _gaussian(rng, n, p)


def _gaussian(rng, n, p):
    """Rows below 2^62 trials are drawn exactly and held as floats."""
    counts = np.empty_like(p)
    small = n < 2.0**62
    counts[small] = multinomials(rng, n[small].astype(np.int64), p[small])
    total, q = n[~small, None], p[~small]
    noise = np.sqrt(q) * rng.standard_normal(q.shape)
    noise -= q * noise.sum(axis=1, keepdims=True)  # covariance diag(q) - q q^T
    drawn = np.maximum(total * q + np.sqrt(total) * noise, 0.0)
    counts[~small] = np.rint(drawn * (total / drawn.sum(axis=1, keepdims=True)))
    return counts
