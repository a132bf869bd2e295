r"""Multinomial draws of any size, safe and exact, and the two approximations beyond.

A multinomial count is a chain of binomials: cell j takes Bin(what is left, p_j / tail_j), where tail_j is the
sum of p_j, p_{j+1}, ... Written naively this leaks at large n. The tails come out as 1 - p_1 - ... - p_{j-1},
so rounding can leave some 1e-16 for the last cell even where its probability is zero: with ten cells of 1/10
and an impossible eleventh, numpy counts the impossible one in every tenth draw at n = 1e15 and in all draws
at n = 1e18. Here every row is sorted, smallest probability first. Then

    impossible cells come first, with ratio exactly 0;      the largest cell, a possible one, takes the rest;
    every ratio is at most 1/2, up to rounding;             no tail is small, so no difference cancels.

Three regimes of n, all of them exact integers:

    n <= 2^40        numpy's binomials as they are;
    n <= 2^53        numpy's binomials, but not for rare cells. With n p < 2^31 the acceptance test of numpy's
                     sampler needs n log(1 + k/n) for small k, and rounding spoils it: at n = 2^53, n p = 100
                     its law is off by 1 % in total variation. Rare cells go through an order statistic;
    n <= 2^63 - 1    compiled binomials that measure counts from their mode (`derl.deployment._sums`); without
                     numba a sum of draws of at most 2^53 each, where doubles are still all of the integers.

The ceiling 2^63 - 1 is that of the 64-bit integers that hold the counts. The remaining error is that of float64:
probabilities are rounded at a relative 1e-16, far below the sampling noise n^{-1/2}.
"""

from __future__ import annotations

import numpy as np

from derl.inputs import Invalid, choice, shown, whole
from derl.inputs.compiled import COMPILED, call, works

LARGEST_EXACT = 2**63 - 1  # largest batch that is drawn exactly
LARGEST_APPROXIMATE = 10**300
CHUNK = 2**53  # largest single binomial: every integer up to here is a double
PLAIN = 2**40  # up to here numpy's binomial is right for every p
FEW = 2.0**31  # from this mean on it is right for every n up to 2^53
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
    order, ascending = sort_rows(p.reshape(-1, p.shape[-1]))
    return unsort_rows(order, draw_ascending(rng, n.reshape(-1), ascending, mode)).reshape(p.shape)


def sort_rows(p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The order that sorts each row ascending, and the sorted rows, both (m, S)."""
    order = p.argsort(axis=1, kind="stable")  # ties in the same order on every machine
    return order, p[:, order[0]] if len(p) == 1 else p[np.arange(len(p))[:, None], order]


def unsort_rows(order: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Put the values of sorted cells back where they came from, (m, S)."""
    result = np.empty_like(values)
    result[np.arange(len(values))[:, None] if len(values) != 1 else 0, order] = values
    return result


def draw_ascending(rng: np.random.Generator, n: np.ndarray, p: np.ndarray, mode: str) -> np.ndarray:
    """Multinomial counts for rows of p that are sorted ascending and sum to 1: n (m,), p (m, S) -> (m, S)."""
    if mode == "exact":
        return _exact(rng, n, p)
    return n[:, None] * p if mode == "expected" else _gaussian(rng, n, p)


def _exact(rng, n, p):
    largest = n.max() if len(n) else 0
    if largest > CHUNK and COMPILED and works():
        return call(_multinomials, rng, n, p)
    if largest <= PLAIN or largest <= CHUNK and (n * p[:, 0]).min() >= FEW:
        return _plain(rng, n, p)  # not even the smallest cells are rare
    # the second bound keeps the share of the rare cells below 1/2, so that the recursion below ends
    rare = (0 < p) & (p < 0.5 / p.shape[1]) & (p * n[:, None] < FEW) & (n > PLAIN)[:, None]
    if not rare.any():
        return _chunked(rng, n, p)
    rows = np.flatnonzero(rare.any(axis=1))
    few = np.where(rare[rows], p[rows], 0.0)
    hits = np.zeros_like(n)
    hits[rows] = rare_binomial(rng, n[rows], few.sum(axis=1))
    often = np.where(rare, 0.0, p)  # still ascending: the rare cells stand before the others
    counts = _chunked(rng, n - hits, often / often.sum(axis=1, keepdims=True))
    counts[rows] += safe_multinomial(rng, hits[rows], few)
    return counts


def _plain(rng, n, p):
    """numpy's multinomials; a single row, given as such, has the same numbers at a sixth of the cost."""
    return rng.multinomial(n[0], p[0])[None] if len(n) == 1 else rng.multinomial(n, p)


def _multinomials():
    from derl.deployment._sums import multinomials

    return multinomials


def _chunked(rng, n, p):
    """A sum of multinomials of at most 2^53 trials each."""
    if n.max() <= CHUNK:
        return _plain(rng, n, p)
    pieces = np.maximum(1, (n - 1) // CHUNK + 1)
    starts = np.cumsum(pieces) - pieces
    sizes = np.full(pieces.sum(), CHUNK)
    sizes[starts] = n - (pieces - 1) * CHUNK
    return np.add.reduceat(rng.multinomial(sizes, np.repeat(p, pieces, axis=0)), starts, axis=0)


def rare_binomial(rng: np.random.Generator, n: np.ndarray, p: np.ndarray) -> np.ndarray:
    r"""Bin(n, p) for huge n and tiny p, exact integers, shape (m,).

    Parameters
    ----------
    n : (m,) int64, >= 1
    p : (m,)
        In (0, 1).

    Notes
    -----
    Bin(n, p) counts how many of n uniform numbers lie below p. The i-th smallest is B ~ Beta(i, n + 1 - i).
    If B > p, only the i - 1 smaller ones can count; they are uniform on (0, B): Bin(i - 1, p/B). If B <= p,
    all i count, and so do those of the n - i larger ones that lie below p: Bin(n - i, (p - B)/(1 - B)). With
    i = 2 n p + 64 the first case is the rule, and its binomial has few trials and p/B near 1/2.
    """
    n, p, found = n.copy(), p.copy(), np.zeros_like(n)
    left = np.arange(len(n))
    while left.size:
        trials, chance = n[left], p[left]
        i = np.minimum(trials, (2.0 * chance * trials + 64).astype(np.int64))
        b = rng.beta(i, trials - i + 1)
        above = b > chance
        found[left[above]] += rng.binomial(i[above] - 1, chance[above] / b[above])
        below = left[~above]
        found[below] += i[~above]
        n[below] -= i[~above]
        p[below] = (chance - b)[~above] / (1 - b[~above])
        left = below[n[below] > 0]
    return found


def _gaussian(rng, n, p):
    """Rows below 2^62 trials are drawn exactly and held as floats."""
    counts = np.empty_like(p)
    small = n < 2.0**62
    counts[small] = _exact(rng, n[small].astype(np.int64), p[small])
    total, q = n[~small, None], p[~small]
    noise = np.sqrt(q) * rng.standard_normal(q.shape)
    noise -= q * noise.sum(axis=1, keepdims=True)  # covariance diag(q) - q q^T
    drawn = np.maximum(total * q + np.sqrt(total) * noise, 0.0)
    counts[~small] = np.rint(drawn * (total / drawn.sum(axis=1, keepdims=True)))
    return counts
