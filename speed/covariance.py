"""Algorithm 6 entry by entry as printed, beside one backward and one forward pass; the page on subroutines runs it."""

from __future__ import annotations

import numpy as np
from measuring import agree, seconds

from derl import instances
from derl.deployment import deploy_counts
from derl.estimation import fit
from derl.estimation.covariance import backward_pass, chosen_features, forward_pass
from derl.mdp.policies import uniform

STATES, ACTIONS, HORIZON, SIZE = 20, 4, 5, 10**9


def triple_loop(phi, counts, sigmas, policy, initial) -> np.ndarray:
    """Algorithm 6 as printed: the entries i, j >= i, and the layers backwards; the clip acts from above."""
    d, states = phi.shape[-1], np.arange(phi.shape[1])
    estimate = np.zeros((d, d))
    for i in range(d):
        for j in range(i, d):
            chosen = phi[-1][states, policy[-1]]
            values = (1 + chosen[:, i] * chosen[:, j]) / 2
            for h in reversed(range(len(phi) - 1)):
                weights = np.linalg.solve(sigmas[h], np.einsum("sa,sad->d", counts[h] @ values, phi[h]))
                values = np.minimum(phi[h][states, policy[h]] @ weights, 1)
            estimate[i, j] = estimate[j, i] = initial @ values
    return 2 * estimate - 1


def measure(d: int) -> dict[str, float]:
    """CPU seconds of the three ways, which agree to 1e-9."""
    mdp, rng = instances.random_simplex(STATES, ACTIONS, d, HORIZON, seed=0), np.random.default_rng(d)
    counts = deploy_counts(mdp, uniform(mdp), SIZE, rng).counts.astype(float)
    policy = rng.integers(0, ACTIONS, (HORIZON, STATES))
    designs = [fit(mdp.phi[h], counts[h]) for h in range(HORIZON - 1)]
    sigmas = [np.eye(d) + np.einsum("sa,sad,sae->de", counts[h].sum(axis=2), mdp.phi[h], mdp.phi[h])
              for h in range(HORIZON - 1)]
    features = chosen_features(mdp.phi, policy)
    ways = {"triple loop": lambda: triple_loop(mdp.phi, counts, sigmas, policy, mdp.initial),
            "backward": lambda: backward_pass(features, designs, mdp.initial),
            "forward": lambda: forward_pass(features, designs, mdp.initial)}
    for name in ("backward", "forward"):
        agree(name, ways[name](), ways["triple loop"]())
    return seconds(ways)
