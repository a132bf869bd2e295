"""Every linear MDP as a stationary one: the layer becomes part of the state."""

from __future__ import annotations

import numpy as np

from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.validation import demand


def stationary_embedding(mdp: LinearMDP) -> LinearMDP:
    """The MDP on states (h, s) whose features, measures and rewards are the same in every layer.

    State (h, s), with h = 0..H-1 an array index, has number h S + s. Its features are phi_h(s, a) in block h of
    R^(d H) and zero elsewhere; block h of mu carries mu_h to the states (h + 1, .), and block h of theta is theta_h.
    The clock stops at the last layer: (H - 1, s) leads to (H - 1, .) by mu_{H-1}; this is never used within H layers.
    Started in layer 0, the process is the given MDP, and values, occupancies and optimal actions carry over.

    The bounds hold with d H in place of d: |theta|^2 = sum_h |theta_h|^2 <= d H, and likewise for mu, block by block.

    Returns
    -------
    LinearMDP
        With S H states, dimension d H, and the same horizon; stored as one repeated layer.

    Source: Corollary 3.3.
    """
    demand(LinearMDP, mdp=mdp)
    horizon, n_states, n_actions, dim = mdp.phi.shape
    phi = np.zeros((horizon, n_states, n_actions, horizon, dim))
    mu = np.zeros((horizon, dim, horizon, n_states))
    for h in range(horizon):
        phi[h, :, :, h] = mdp.phi[h]
        mu[h, :, min(h + 1, horizon - 1)] = mdp.mu[h]
    initial = np.zeros((horizon, n_states))
    initial[0] = mdp.initial
    phi = phi.reshape(horizon * n_states, n_actions, horizon * dim)
    mu = mu.reshape(horizon * dim, horizon * n_states)
    mask = mdp.available.reshape(horizon * n_states, n_actions)
    names = mdp.state_names or tuple(map(str, range(n_states)))

    def repeat(layer):
        return np.broadcast_to(layer, (horizon, *layer.shape))

    return LinearMDP(repeat(phi), repeat(mu), repeat(mdp.theta.reshape(-1)), initial.reshape(-1), repeat(mask),
                     state_names=tuple(f"{name} @ {h + 1}" for h in range(horizon) for name in names),
                     action_names=mdp.action_names, info={"family": "stationary_embedding", "of": dict(mdp.info)})
