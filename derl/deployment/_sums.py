r"""The draws of `derl.deployment.sums` compiled by numba, cached on disk: one file, so that the cache is right.

Next states are the leaves of a binary tree, and the trajectories of a row are divided by binomials at its nodes, from
the root down. The mass of a node is the sum of the two below it: no difference cancels, and an impossible half gets
exactly nothing.

A binomial with mean 10 and more is drawn by transformed rejection (Hormann 1993, "BTRD"). Everything is measured
from the mode: the distance is a small whole number where the count itself is beyond 2^53, and the density there, as
mean * g(x) with g(x) = (1 + x) log(1 + x) - x, keeps its digits. So n may be up to 2^63 - 1.
"""

from __future__ import annotations

import math

import numpy as np

from derl.inputs.compiled import kernel

ROWS = 32  # rows that are formed together
SNAP = 1e-15  # as in `derl.mdp.validation`: less is impossible
INVERTED, FAR = 10.0, 120  # means below are inverted; so far from it there is nothing that a double can tell
# log k! - (k log k - k) for small k; from then on Stirling's series has all digits
EXCESS = np.array([0.0] + [math.lgamma(k + 1) - (k * math.log(k) - k) for k in range(1, 16)])

SERIES, NEAR = np.array([(-1.0) ** k / (k * (k - 1)) for k in range(2, 16)]), 1 / 16


@kernel()
def _copy(source, target):
    """target[:] = source without numba's check of shapes, whose message takes longer to compile than all the rest."""
    for i in range(len(target)):
        target[i] = source[i]


@kernel(error_model="numpy")
def _excess(k):
    if k < 16.0:
        return EXCESS[int(k)]
    r = 1.0 / k
    return 0.5 * math.log(2.0 * math.pi * k) + r * (1 / 12 - r * r * (1 / 360 - r * r * (1 / 1260 - r * r / 1680)))


@kernel(error_model="numpy")
def _surplus(x):
    """(1 + x) log(1 + x) - x, by its series where two large terms would cancel."""
    if abs(x) < NEAR:
        series = 0.0
        for i in range(len(SERIES) - 1, -1, -1):
            series = series * x + SERIES[i]
        return series * x * x
    return 1.0 if x <= -1.0 else (1.0 + x) * math.log1p(x) - x


@kernel(error_model="numpy")
def log_density(k, n, away, mean, other):
    """log P(k) up to what does not depend on k; `away` is k less the mean, `other` the mean of n - k."""
    return (-_excess(float(k)) - _excess(float(n - k))
            - mean * _surplus(away / mean) - other * _surplus(-away / other))


@kernel(error_model="numpy")
def _inverted(rng, n, p, q, u):
    """Bin(n, p) with a small mean, by its distribution function at a uniform u."""
    none = math.exp(n * math.log1p(-p))
    while True:
        mass, k = none, 0
        while u > mass and k <= FAR and k <= n:
            u -= mass
            k += 1
            mass *= (p / q) * ((n - k + 1) / k)
        if k <= FAR and k <= n:  # otherwise the sum of the masses missed 1 by rounding
            return k
        u = rng.random()


@kernel(error_model="numpy", inline="always")
def _shape(mean, q):
    """The width of the hat, and the height up to which it is below the density for |u| <= 0.43."""
    b = 1.15 + 2.53 * math.sqrt(mean * q)
    return b, 0.92 - 4.2 / b


@kernel(error_model="numpy", inline="always")
def _step(u, b, p, offset):
    """How far from the mode: a float, since where u is near 1/2 it does not fit in 64 bits."""
    return np.floor(((0.0496 * b - 0.1746 + 0.02 * p) / (0.5 - abs(u)) + b) * u + offset + 0.5)


@kernel(error_model="numpy", inline="never")
def _rejected(rng, n, p, q, mean, b, certain, v):
    """What a v beyond the certain part comes to; v serves twice, for its place and for its height."""
    size, mode, other, variance = float(n), np.int64(mean + p), float(n) * q, mean * q
    a, spread, offset, narrow = 0.0248 * b - 0.0873 + 0.01 * p, (b - 1.15) / 2.53, mean - mode, 1.0 / variance
    while v > 0.86 * certain:
        if v >= certain:
            u = rng.random() - 0.5
        else:
            u = v / certain - 0.93
            u = (0.5 if u > 0.0 else -0.5) - u
            v = rng.random() * certain
        step, squared = _step(u, b, p, offset), (0.5 - abs(u)) ** 2
        k = mode + np.int64(step) if -size <= step <= size else np.int64(-1)
        if 0 <= k <= n:
            v = math.log(v * (2.83 * b + 5.1) * spread * squared / (b * (a + b * squared)))
            far, worth = abs(step), 0.0
            if 15 < far < variance / 2 - 1:  # the density lies between two simple functions there
                room = far * narrow * (((far / 3.0 + 0.625) * far + 1 / 6) * narrow + 0.5)
                worth = v + far * far * 0.5 * narrow
                if worth < -room:
                    return k
                worth -= room
            if worth <= 0.0:
                v -= log_density(k, n, step - offset, mean, other) - log_density(mode, n, -offset, mean, other)
                if v <= 0.0:
                    return k
        v = rng.random()
    return mode + np.int64(_step(v / certain - 0.43, b, p, offset))


@kernel(error_model="numpy")
def binomial(rng, n, p, q):
    """Bin(n, p) for 0 <= n < 2^63 and p <= 1/2; q = 1 - p, right to the last digit."""
    mean = float(n) * p
    if mean < INVERTED:
        return _inverted(rng, n, p, q, rng.random()) if mean > 0.0 else 0
    b, certain = _shape(mean, q)
    return _rejected(rng, n, p, q, mean, b, certain, rng.random())


@kernel()
def _tree(cells):
    """Room for a binary tree: node i has the children 2i and 2i + 1, the leaves are the last `cells` of them."""
    return np.empty(2 * cells), np.empty(2 * cells, np.int64), np.empty((8, cells))


@kernel(error_model="numpy")
def multinomial(rng, n, p, tree, found):
    """Fill found (S,) with n trials of a row p (S,) >= 0 that need not sum to 1.

    `tree` is that of `_tree`, for use here. Level by level, so that quotients, roots and first proposals are computed
    several at a time; nothing branches on which half is the larger.
    """
    mass, count, nodes = tree
    cells = len(p)
    less, more, mean, b, certain = nodes[0], nodes[1], nodes[2], nodes[3], nodes[4]
    v, mode, step = nodes[5], nodes[6], nodes[7]
    for leaf in range(cells):
        mass[cells + leaf] = max(p[leaf], 0.0)
    for node in range(cells - 1, 0, -1):
        mass[node] = mass[2 * node] + mass[2 * node + 1]
    for node in range(1, cells):
        one, left, right = 1.0 / mass[node], mass[2 * node], mass[2 * node + 1]
        less[node], more[node] = min(left, right) * one, max(left, right) * one
    count[1] = n
    half = 1
    while half < cells:
        level = range(max(half, 1), min(2 * half, cells))
        for node in level:
            mean[node], v[node] = float(count[node]), rng.random()
        for node in level:
            mean[node] *= less[node]
            b[node], certain[node] = _shape(mean[node], more[node])
            mode[node] = np.floor(mean[node] + less[node])
            step[node] = _step(v[node] / certain[node] - 0.43, b[node], less[node], mean[node] - mode[node])
        for node in level:
            here, k = count[node], np.int64(0)
            if mean[node] >= INVERTED:
                if v[node] <= 0.86 * certain[node]:
                    k = np.int64(mode[node]) + np.int64(step[node])
                else:
                    k = _rejected(rng, here, less[node], more[node], mean[node], b[node], certain[node], v[node])
            elif mean[node] > 0.0:
                k = _inverted(rng, here, less[node], more[node], v[node])
            swap, other = mass[2 * node] > mass[2 * node + 1], here - k
            count[2 * node], count[2 * node + 1] = other if swap else k, k if swap else other
        half *= 2
    _copy(count[cells:], found)


@kernel()
def draw_rows(rng, phi, n, mu, following, moments):
    """Next states of n (m,) trajectories in pairs with features phi (m, d): adds to following (S,), moments (d, S)."""
    many, (dim, n_states) = len(n), mu.shape
    block, filled = np.zeros((ROWS, dim)), 0
    sizes, tree = np.zeros(ROWS, np.int64), _tree(n_states)
    found, single = np.empty((ROWS, n_states)), np.empty(n_states, np.int64)
    p, product = np.empty((ROWS, n_states)), np.empty((dim, n_states))
    for i in range(many):
        if n[i] > 0:
            sizes[filled] = n[i]
            _copy(phi[i], block[filled])
            filled += 1
        if filled == ROWS or (filled and i == many - 1):
            np.dot(block, mu, p)
            for row in range(filled):
                for t in range(n_states):
                    if p[row, t] < SNAP:  # an impossible state, by rounding
                        p[row, t] = 0.0
                multinomial(rng, sizes[row], p[row], tree, single)
                for t in range(n_states):
                    found[row, t] = single[t]
                    following[t] += single[t]
            block[filled:], found[filled:] = 0.0, 0.0
            np.dot(np.ascontiguousarray(block.T), found, product)
            for j in range(dim):
                for t in range(n_states):
                    moments[j, t] += product[j, t]
            filled = 0


@kernel()
def draw_all(rng, phi, mu, start, actions, chances, n, visits, moments):
    """All layers at once: adds to visits (H, S, A) and moments (H, d, S).

    The policy is `actions` (H, S), or `chances` (H, S, A) where that is not empty.
    """
    horizon, n_states, n_actions, dim = phi.shape
    occupied = np.empty(n_states, np.int64)
    multinomial(rng, n, start, _tree(n_states), occupied)
    rows, sizes = np.empty((n_states * n_actions, dim)), np.empty(n_states * n_actions, np.int64)
    shares, split, measure = _tree(n_actions), np.zeros(n_actions, np.int64), np.empty((dim, n_states))
    for h in range(horizon):
        many = 0
        for s in range(n_states):
            if occupied[s] == 0:
                continue
            if len(chances):
                multinomial(rng, occupied[s], chances[h, s], shares, split)
            else:
                split[:] = 0
                split[actions[h, s]] = occupied[s]
            for a in range(n_actions):
                if split[a]:
                    visits[h, s, a] += split[a]
                    sizes[many] = split[a]
                    _copy(phi[h, s, a], rows[many])
                    many += 1
        occupied[:] = 0
        for j in range(dim):
            _copy(mu[h, j], measure[j])
        draw_rows(rng, rows[:many], sizes[:many], measure, occupied, moments[h])
