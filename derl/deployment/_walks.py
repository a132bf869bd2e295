r"""Next states one by one, for rows with few trajectories: no row is formed. Compiled by numba.

Where features and measures have no negative entry, a row is a mixture of the d measures: coordinate i with probability
phi_i |mu_i|, then a next state from mu_i. The second step does not depend on the row, so one table serves all of them:
the distribution function of mu_i, and a guide that says at which state it exceeds t/S. A trajectory costs d + 2 steps
on average.

Otherwise trajectories go down a binary tree over the next states, whose nodes hold sums of measures: the mass of a node
is one inner product with phi. That costs d log S.
"""

from __future__ import annotations

import numpy as np

from derl.inputs.compiled import kernel

SNAP = 1e-15  # as in `derl.mdp.validation`: less is impossible


@kernel(error_model="numpy")
def tables(mu):
    """Sums of mu (d, S) along the states, (d, S), and the guides, (d, S): where t/S of the total is exceeded."""
    dim, n_states = mu.shape
    sums, guides = np.empty((dim, n_states)), np.empty((dim, n_states), np.int64)
    for i in range(dim):
        total = 0.0
        for t in range(n_states):
            total += mu[i, t]
            sums[i, t] = total
        state = 0
        for t in range(n_states):
            while state < n_states - 1 and sums[i, state] <= total * (t / n_states):
                state += 1
            guides[i, t] = state
    return sums, guides


@kernel()
def _gather(gathered, moments):
    """moments += gathered.T, without numba's check of shapes: its message takes seconds to compile."""
    for i in range(len(moments)):
        for t in range(len(gathered)):
            moments[i, t] += gathered[t, i]


@kernel(error_model="numpy")
def draw_few(rng, phi, n, mu, sums, guides, following, moments):
    """Next states of n (m,) trajectories in pairs with features phi (m, d): adds to following (S,), moments (d, S)."""
    dim, n_states = mu.shape
    gathered, shares = np.zeros((n_states, dim)), np.empty(dim)
    for row in range(len(n)):
        total, last = 0.0, 0
        for i in range(dim):
            share = phi[row, i] * sums[i, n_states - 1]
            total += share
            shares[i] = total
            if share > 0.0:
                last = i
        left = n[row]
        while left > 0:
            u, v, i = rng.random() * total, rng.random(), 0
            while i < last and shares[i] <= u:
                i += 1
            height, t = v * sums[i, n_states - 1], guides[i, int(v * n_states)]
            while t < n_states - 1 and sums[i, t] <= height:
                t += 1
            if phi[row, i] * mu[i, t] < SNAP:  # perhaps an impossible state, by rounding
                mass = 0.0
                for j in range(dim):
                    mass += phi[row, j] * mu[j, t]
                if mass < SNAP:
                    continue
            left -= 1
            following[t] += 1
            for j in range(dim):
                gathered[t, j] += phi[row, j]
    _gather(gathered, moments)


@kernel()
def _planted(mu):
    """The tree of the sums of measures, (2 width, d): node i has the children 2i and 2i + 1."""
    dim, n_states = mu.shape
    width = 1
    while width < n_states:
        width *= 2
    tree = np.zeros((2 * width, dim))
    for t in range(n_states):
        for i in range(dim):
            tree[width + t, i] = mu[i, t]
    for node in range(width - 1, 0, -1):
        for i in range(dim):
            tree[node, i] = tree[2 * node, i] + tree[2 * node + 1, i]
    return tree


@kernel()
def _mass(tree, node, phi):
    total = 0.0
    for i in range(len(phi)):
        total += tree[node, i] * phi[i]
    return total


@kernel()
def _descended(rng, tree, phi):
    """One next state."""
    width = len(tree) // 2
    while True:
        u, node = rng.random() * _mass(tree, 1, phi), 1
        while node < width:
            node *= 2
            left = _mass(tree, node, phi)
            if u >= left:
                u -= left
                node += 1
        if _mass(tree, node, phi) >= SNAP:  # otherwise an impossible state, by rounding
            return node - width


@kernel()
def draw_signed(rng, phi, n, mu, following, moments):
    """As `draw_few`, for features and measures of any sign."""
    tree, gathered = _planted(mu), np.zeros((mu.shape[1], mu.shape[0]))
    for row in range(len(n)):
        for _ in range(n[row]):
            t = _descended(rng, tree, phi[row])
            following[t] += 1
            for i in range(len(mu)):
                gathered[t, i] += phi[row, i]
    _gather(gathered, moments)
