"""The loops of `derl.mdp.batch` and `derl.mdp.planning` compiled by numba, with their cache on disk."""

from __future__ import annotations

import numpy as np

from derl.inputs.compiled import kernel

# sums in any order, so that they run in vector registers; infinities and NaN stay what they are
SUMS = {"reassoc", "contract", "nsz"}


@kernel(error_model="numpy")
def choose(q, n_actions, tie, values, policy):
    """Fill `values` (S,) with the largest action values q (S A,), and `policy` (S,) with the first action that ties."""
    for s in range(len(values)):  # no branch that depends on a value: it would be guessed wrong half of the time
        first = s * n_actions
        best = q[first]
        for a in range(1, n_actions):
            best = q[first + a] if q[first + a] > best else best
        bar = best - tie * max(1.0, abs(best))
        action = 0
        for a in range(n_actions - 1, -1, -1):
            action = a if q[first + a] >= bar else action
        values[s], policy[s] = best, action


@kernel(error_model="numpy", fastmath=SUMS)
def backward(phi, mu, theta, available, masked, tie, values, policy):
    """Fill `values` (B, H + 1, S) and `policy` (B, H, S) for features (B, H, S, A, d); `masked`: some are closed.

    `phi` and `mu` may have one layer for all. Returns the sum of all action values, unavailable actions included; it is
    finite only if every entry that was read is finite.
    """
    many, layers, n_states, n_actions, dim = phi.shape
    horizon, mu_layers, pairs = theta.shape[1], mu.shape[1], n_states * n_actions
    w, q, everything = np.empty(dim), np.empty(pairs), 0.0
    for b in range(many):
        after = values[b, horizon]
        after[:] = 0.0
        for h in range(horizon - 1, -1, -1):
            measures = mu[b, h if mu_layers > 1 else 0]
            for i in range(dim):
                total = theta[b, h, i]
                for t in range(n_states):
                    total += measures[i, t] * after[t]
                w[i] = total
            features = phi[b, h if layers > 1 else 0].reshape(pairs * dim)
            for p in range(pairs):
                q[p] = features[p * dim] * w[0]
            for i in range(1, dim):  # a loop over all pairs within is one of vectors; over the d entries of one, none
                weight = w[i]
                for p in range(pairs):
                    q[p] += features[p * dim + i] * weight
            for p in range(pairs):
                everything += q[p]
            if masked:
                for s in range(n_states):
                    for a in range(n_actions):
                        if not available[b, h, s, a]:
                            q[s * n_actions + a] = -np.inf
            after = values[b, h]
            choose(q, n_actions, tie, after, policy[b, h])
    return everything
