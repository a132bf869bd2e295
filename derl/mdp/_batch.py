"""The loop of `derl.mdp.batch` compiled by numba, with its cache on disk."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True, error_model="numpy")
def backward(phi, mu, theta, available, masked, tie, values, policy):
    """Fill `values` (B, H + 1, S) and `policy` (B, H, S) for features (B, H, S, A, d); `masked`: some are closed.

    Returns the sum of all action values, closed ones too: finite only where every entry that was read is.
    """
    many, horizon, n_states, n_actions, dim = phi.shape
    w = np.empty(dim)
    q, everything = np.empty(n_actions), 0.0
    for b in range(many):
        for s in range(n_states):
            values[b, horizon, s] = 0.0
        for h in range(horizon - 1, -1, -1):
            for i in range(dim):
                total = theta[b, h, i]
                for t in range(n_states):
                    total += mu[b, h, i, t] * values[b, h + 1, t]
                w[i] = total
            for s in range(n_states):
                best = -np.inf
                for a in range(n_actions):
                    total = 0.0
                    for i in range(dim):
                        total += phi[b, h, s, a, i] * w[i]
                    everything += total
                    q[a] = -np.inf if masked and not available[b, h, s, a] else total
                    if q[a] > best:
                        best = q[a]
                values[b, h, s] = best
                bar = best - tie * max(1.0, abs(best))
                action = 0
                while q[action] < bar:
                    action += 1
                policy[b, h, s] = action
    return everything
