"""`derl.deployment.binomials` compiled by numba: the same uniform numbers in the same order, so the same counts."""

from __future__ import annotations

import math

import numpy as np

from derl.deployment.binomials import CERTAIN, EXCESS, INVERTED, LAST, NEAR, TERMS
from derl.inputs.compiled import kernel

SERIES = np.array(TERMS)


@kernel
def excess(k):
    """log k! - (k log k - k)."""
    if k < 16:
        return EXCESS[k]
    r = 1.0 / k
    return 0.5 * math.log(2.0 * math.pi / r) + r * (1 / 12 - r * r * (1 / 360 - r * r * (1 / 1260 - r * r / 1680)))


@kernel
def surplus(z):
    """g(z) = (1 + z) log(1 + z) - z for z >= -1."""
    if abs(z) < NEAR:
        series = 0.0
        for i in range(len(SERIES) - 1, -1, -1):
            series = series * z + SERIES[i]
        return series * z * z
    return (1.0 + z) * math.log1p(max(z, -1 + 2.0**-53)) - z


@kernel
def log_density(k, n, away, mean, other):
    """log P(k) up to what does not depend on k; `away` is k less the mean, `other` the mean of n - k."""
    return -excess(k) - excess(n - k) - mean * surplus(away / mean) - other * surplus(-away / other)


@kernel
def _inverted(rng, n, p, q):
    while True:
        u, k = rng.random(), 0
        mass = math.exp(n * math.log1p(-p))
        total = mass
        while total <= u and k <= LAST:
            k += 1
            mass *= (p / q) * ((n - (k - 1)) / k)
            total += mass
        if k <= n and k <= LAST:
            return k


@kernel
def _accepted(n, mean, other, mode, offset, step, room, v, a, b, height):
    if abs(step) > float(n):
        return False
    k = mode + np.int64(min(step, 2.0**62))
    if k < 0 or k > n:
        return False
    worth = math.log(v * height / (a / room**2 + b))
    return worth <= (log_density(k, n, step - offset, mean, other) - log_density(mode, n, -offset, mean, other))


@kernel
def _rejected(rng, many, n, p, q, found):
    m = len(many)
    left, u, v = np.arange(m), np.empty(m), np.empty(m)
    while m > 0:
        for i in range(m):
            u[i] = rng.random()
        for i in range(m):
            v[i] = rng.random()
        waiting = 0
        for i in range(m):
            at = many[left[i]]
            mean, here = n[at] * p[at], u[i] - 0.5
            mode = math.floor(mean + p[at])
            offset, spread = mean - mode, math.sqrt(mean * q[at])
            b = 1.15 + 2.53 * spread
            a, room = 0.0248 * b - 0.0873 + 0.01 * p[at], max(0.5 - abs(here), 2.0**-54)
            step = math.floor((2 * a / room + b) * here + offset + 0.5)
            if ((room >= CERTAIN and v[i] <= 0.92 - 4.2 / b)
                    or _accepted(n[at], mean, n[at] * q[at], np.int64(mode), offset, step, room, v[i], a, b,
                                 (2.83 + 5.1 / b) * spread)):
                found[at] = np.int64(mode) + np.int64(step)
            else:
                left[waiting] = left[i]
                waiting += 1
        m = waiting


@kernel
def binomials(rng, n, p, q, found):
    """Fill found (m,) with Bin(n, p)."""
    many, some = np.empty(len(n), np.int64), 0
    for i in range(len(n)):
        mean = n[i] * p[i]
        found[i] = 0
        if mean >= INVERTED:
            many[some] = i
            some += 1
    for i in range(len(n)):
        mean = n[i] * p[i]
        if 0.0 < mean < INVERTED:
            found[i] = _inverted(rng, n[i], p[i], q[i])
    _rejected(rng, many[:some], n, p, q, found)


@kernel
def multinomials(rng, n, p):
    """Counts (m, S) of n (m,) trials by cells of mass p (m, S) >= 0."""
    rows, cells = p.shape
    mass, counts = np.empty((2 * cells, rows)), np.empty((2 * cells, rows), np.int64)
    for row in range(rows):
        for cell in range(cells):
            mass[cells + cell, row] = p[row, cell]
        counts[1, row] = n[row]
    for node in range(cells - 1, 0, -1):
        for row in range(rows):
            mass[node, row] = mass[2 * node, row] + mass[2 * node + 1, row]
    size = rows * (cells + 1)
    here, less, more, fewer = np.empty(size, np.int64), np.empty(size), np.empty(size), np.empty(size, np.int64)
    first = 1
    while first < cells:
        stop, at = min(2 * first, cells), 0
        for node in range(first, stop):
            for row in range(rows):
                whole, left, right = mass[node, row], mass[2 * node, row], mass[2 * node + 1, row]
                whole = whole if whole > 0.0 else 1.0
                here[at], less[at], more[at] = counts[node, row], min(left, right) / whole, max(left, right) / whole
                at += 1
        binomials(rng, here[:at], less[:at], more[:at], fewer[:at])
        at = 0
        for node in range(first, stop):
            for row in range(rows):
                swapped = mass[2 * node, row] > mass[2 * node + 1, row]
                counts[2 * node, row] = here[at] - fewer[at] if swapped else fewer[at]
                counts[2 * node + 1, row] = fewer[at] if swapped else here[at] - fewer[at]
                at += 1
        first *= 2
    found = np.empty((rows, cells), np.int64)
    for row in range(rows):
        for cell in range(cells):
            found[row, cell] = counts[cells + cell, row]
    return found
