r"""Binomial and multinomial counts of any size; nothing is taken from a library but uniform numbers.

numpy's own binomial is not used. Before numpy 2.4 it computes P(0) as exp(n log(1 - p)) with 1 - p rounded, which
spoils a small p (numpy pull request 29522). Before numpy 2.5 the test that accepts a count has two signs wrong (31238).
In every version its counts beyond a mean of 30 need n log(1 + k/n), which float64 does not hold where n is huge.

A row of probabilities is the leaves of a binary tree, and the mass of a node is the sum of the two below it. The trials
of a row are divided by binomials at its nodes, from the root down. No difference cancels, and an impossible half gets
exactly nothing. Each binomial counts the half with the smaller mass, p <= 1/2.

* **Mean below 10: the distribution function is inverted** at a uniform number. Its first mass is exp(n log1p(-p)).
* **Mean 10 and more: transformed rejection** (Hormann 1993, "BTRS"). Everything is measured from the mode, so that the
  distance of a count is a small whole number where the count itself is beyond 2^53. With z = (k - n p) / (n p), the
  density is written by g(z) = (1 + z) log(1 + z) - z, which has a series for small z, so that it keeps its digits.

What "exact" means here. The counts are whole numbers, and those of a row add up to its n. Their law is the multinomial,
up to three errors of float64 that a test bounds (`tests/deployment/test_binomials.py`):

1. The probability of a half is rounded at a relative 2^-52, and n p at a relative 2^-53, as if the row had been so.
2. A uniform number has 53 bits, so a probability is resolved to 2^-53, and what is rarer than that does not occur.
3. The density has a relative error below 1e-12.

Source: W. Hormann, The generation of binomial random variates, J. Statist. Comput. Simul. 46 (1993).
"""

from __future__ import annotations

import math

import numpy as np

from derl.inputs.compiled import COMPILED, works

INVERTED = 10.0  # means below are inverted
LAST = 72  # a count of mean below 10 exceeds it with a probability below 1e-35
BLOCK = 2**14  # binomials that are inverted together
CERTAIN = 0.07  # distance of u from the ends of its range up to which the box of height `low` lies below the density
# log k! - (k log k - k) for small k; from 16 on Stirling's series has all digits
EXCESS = np.array([0.0] + [math.lgamma(k + 1) - (k * math.log(k) - k) for k in range(1, 16)])
TERMS = [(-1.0) ** k / (k * (k - 1)) for k in range(2, 16)]  # of g, for |z| below NEAR
NEAR = 1 / 16


def multinomials(rng: np.random.Generator, n: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Counts of n trials by cells of mass p, row by row.

    Parameters
    ----------
    n : (m,) int64
        0..2^63 - 1.
    p : (m, S) float64, >= 0
        Each row has a positive sum, which need not be 1.

    Returns
    -------
    (m, S) int64
        Each row sums to its n, and a cell of mass 0 has no count.

    Notes
    -----
    Compiled and readable code draw the same counts from the same generator.
    """
    if COMPILED and works():
        from derl.deployment._binomials import multinomials as compiled

        return compiled(rng, n, p)
    return readable(rng, n, p)


def readable(rng: np.random.Generator, n: np.ndarray, p: np.ndarray) -> np.ndarray:
    """As `multinomials`, without numba."""
    rows, cells = p.shape
    mass, counts = np.empty((2 * cells, rows)), np.empty((2 * cells, rows), np.int64)
    mass[cells:], counts[1] = p.T, n
    firsts = [2**level for level in range((cells - 1).bit_length())]
    levels = [slice(first, min(2 * first, cells)) for first in firsts]
    for level in reversed(levels):
        mass[level] = mass[2 * level.start:2 * level.stop:2] + mass[2 * level.start + 1:2 * level.stop:2]
    for level in levels:
        left, right = slice(2 * level.start, 2 * level.stop, 2), slice(2 * level.start + 1, 2 * level.stop, 2)
        here, less, more = counts[level], np.minimum(mass[left], mass[right]), np.maximum(mass[left], mass[right])
        whole = np.where(mass[level] > 0, mass[level], 1.0)
        fewer = binomials(rng, here.ravel(), (less / whole).ravel(), (more / whole).ravel()).reshape(here.shape)
        swapped = mass[left] > mass[right]
        counts[left] = np.where(swapped, here - fewer, fewer)
        counts[right] = here - counts[left]
    return counts[cells:].T


def binomials(rng: np.random.Generator, n: np.ndarray, p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """Bin(n, p), shape (m,) int64.

    Parameters
    ----------
    n : (m,) int64
        0..2^63 - 1.
    p, q : (m,) float64
        p in [0, 1/2] and q = 1 - p, each with its own rounding.
    """
    found, mean = np.zeros(n.shape, np.int64), n * p
    many = mean >= INVERTED
    few = np.flatnonzero((mean > 0.0) & ~many)
    for first in range(0, len(few), BLOCK):
        some = few[first:first + BLOCK]
        found[some] = _inverted(rng, n[some], p[some], q[some])
    if many.any():
        found[many] = _rejected(rng, n[many], p[many], q[many])
    return found


def _inverted(rng, n, p, q):
    """The first k whose distribution function exceeds a uniform number; the mean is below `INVERTED`."""
    k = np.arange(1, LAST + 1)
    masses = np.empty((len(n), len(k) + 1))
    masses[:, 0] = np.exp(n * np.log1p(-p))
    masses[:, 1:] = (p / q)[:, None] * ((n[:, None] - (k - 1)) / k)  # 0 from k = n + 1 on
    functions = masses.cumprod(axis=1).cumsum(axis=1)
    found, left = np.empty(len(n), np.int64), np.arange(len(n))
    while left.size:
        found[left] = (functions[left] <= rng.random(len(left))[:, None]).sum(axis=1)
        left = left[(found[left] > n[left]) | (found[left] > LAST)]  # the sum of the masses missed 1 by rounding
    return found


def _rejected(rng, n, p, q):
    """A count is proposed by a transformed uniform number, and accepted with what the density is of its bound."""
    size, mean, other = n.astype(np.float64), n * p, n * q
    mode = np.floor(mean + p)
    offset, center = mean - mode, mode.astype(np.int64)
    spread = np.sqrt(mean * q)
    b = 1.15 + 2.53 * spread
    a, low, height = 0.0248 * b - 0.0873 + 0.01 * p, 0.92 - 4.2 / b, (2.83 + 5.1 / b) * spread
    found, left = np.empty(len(n), np.int64), np.arange(len(n))
    while left.size:
        u, v = rng.random((2, len(left)))
        u -= 0.5
        room = np.maximum(0.5 - np.abs(u), 2.0**-54)
        step = np.floor((2 * a[left] / room + b[left]) * u + offset[left] + 0.5)
        taken = (room >= CERTAIN) & (v <= low[left])
        rest = np.flatnonzero(~taken & (np.abs(step) <= size[left]))
        at, far = left[rest], step[rest]
        counts = center[at] + np.minimum(far, 2.0**62).astype(np.int64)  # p <= 1/2, so the mode is at most 2^62
        inside = (counts >= 0) & (counts <= n[at])
        rest, at, far, counts = rest[inside], at[inside], far[inside], counts[inside]
        with np.errstate(divide="ignore"):  # v may be 0
            worth = np.log(v[rest] * height[at] / (a[at] / room[rest] ** 2 + b[at]))
        level = (log_density(counts, n[at], far - offset[at], mean[at], other[at])
                 - log_density(center[at], n[at], -offset[at], mean[at], other[at]))
        taken[rest] = worth <= level
        chosen = left[taken]
        found[chosen] = center[chosen] + step[taken].astype(np.int64)
        left = left[~taken]
    return found


def log_density(k, n, away, mean, other):
    """log P(k) for Bin(n, mean / n), up to what does not depend on k; all arguments of one shape.

    Parameters
    ----------
    k, n : int64
    away : float64
        k less the mean.
    mean, other : float64
        n p and n q.
    """
    return -_excess(k) - _excess(n - k) - mean * _surplus(away / mean) - other * _surplus(-away / other)


def _excess(k):
    """log k! - (k log k - k)."""
    r = 1.0 / np.maximum(k, 1)
    series = 0.5 * np.log(2.0 * math.pi / r) + r * (1 / 12 - r * r * (1 / 360 - r * r * (1 / 1260 - r * r / 1680)))
    return np.where(k < 16, EXCESS[np.minimum(k, 15)], series)


def _surplus(z):
    """g(z) = (1 + z) log(1 + z) - z for z >= -1."""
    near = np.abs(z) < NEAR
    small, large = np.where(near, z, 0.0), np.where(near, 0.0, z)
    series = np.zeros_like(z)
    for term in reversed(TERMS):
        series = series * small + term
    return np.where(near, series * small * small, (1.0 + large) * np.log1p(np.maximum(large, -1 + 2.0**-53)) - large)
