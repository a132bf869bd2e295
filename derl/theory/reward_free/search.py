r"""Linear rewards in [0, 1]: drawn at random, and searched for the one on which a planner does worst.

For the total measure m_h = sum_s' mu_h(s') of a linear MDP, <phi, m_h> = 1. So adding a multiple of m_h to theta_h adds
a constant to all rewards of the layer, and any theta can be moved and scaled until its rewards fill [0, 1].
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from derl.mdp import LinearMDP


def spread(mdp: LinearMDP, theta: np.ndarray) -> np.ndarray:
    """theta (H, d) moved and scaled so that the rewards of every layer run from 0 to 1 (constant ones become 1/2)."""
    result = np.empty_like(theta)
    for h in range(mdp.horizon):
        rewards = (mdp.phi[h] @ theta[h])[mdp.available[h]]
        low, width = rewards.min(), np.ptp(rewards)
        total = mdp.mu[h].sum(axis=1)
        result[h] = (theta[h] - low * total) / width if width > 1e-12 else total / 2
    return result


def worst_reward(mdp: LinearMDP, loss: Callable[[np.ndarray], float], rng: np.random.Generator, starts: int,
                 rounds: int) -> tuple[float, np.ndarray]:
    """Largest loss found, and its theta: random starts, then random steps of shrinking size from the best.

    A search: the result is a lower bound on the supremum over all linear rewards in [0, 1].
    """
    shape = (mdp.horizon, mdp.dim)
    candidates = [spread(mdp, rng.normal(size=shape)) for _ in range(starts)]
    losses = [loss(theta) for theta in candidates]
    best, theta = max(zip(losses, candidates, strict=True), key=lambda pair: pair[0])
    size = 1.0
    for _ in range(rounds):
        trial = spread(mdp, theta + size * rng.normal(size=shape))
        found = loss(trial)
        if found > best:
            best, theta = found, trial
        else:
            size = max(size * 0.9, 1e-3)
    return best, theta
