"""Algorithms 1, 3 and 4 as the paper prints them, with loops and matrix inverses."""

import numpy as np

from derl import Deployer


def scale(mdp, epsilon, delta):
    """The beta of the algorithms."""
    return mdp.dim * mdp.horizon * np.sqrt(np.log(mdp.dim * mdp.horizon / (delta * epsilon)))


def values(mdp, data, horizon, beta, rewards):
    """Lines 5 to 12 of Algorithm 3, or 2 to 8 of Algorithm 4, with loops and matrix inverses, bonus uncapped in Q."""
    d, phi = mdp.dim, mdp.phi
    V, pi, norms = np.zeros(mdp.n_states), np.zeros((mdp.horizon, mdp.n_states), int), {}
    for h in reversed(range(horizon)):
        Lambda, target = np.eye(d), np.zeros(d)
        for counts in data:
            for s, a, t in np.argwhere(counts[h]):
                Lambda += counts[h, s, a, t] * np.outer(phi[h, s, a], phi[h, s, a])
                target += counts[h, s, a, t] * phi[h, s, a] * V[t]
        inverse = np.linalg.inv(Lambda)
        Q = np.zeros((mdp.n_states, mdp.n_actions))
        for s in range(mdp.n_states):
            for a in range(mdp.n_actions):
                norms[h, s, a] = np.sqrt(phi[h, s, a] @ inverse @ phi[h, s, a])
                reward, cap = rewards(h, s, a, beta * norms[h, s, a])
                Q[s, a] = min(phi[h, s, a] @ inverse @ target + reward + beta * norms[h, s, a], cap)
        V, pi[h] = Q.max(axis=1), np.argmax(np.isclose(Q, Q.max(axis=1, keepdims=True), rtol=1e-12, atol=0), axis=1)
    return V, pi, norms


def exploration(mdp, N, K, seed, beta, rewards, threshold):
    """The last policy, the batches, and (layer, statistic) of each deployment until the last layer is finished."""
    deployer, layer, data, trace = Deployer(mdp, N, K, seed=seed), 1, [], []
    for _ in range(K):
        _, policy, norms = values(mdp, data, layer, beta, rewards)
        counts = deployer.deploy(policy).counts
        statistic = 2 * beta / N * sum(counts[h, s, a].sum() * norms[h, s, a] for h, s, a in norms)
        data.append(counts)
        trace.append((layer, statistic))
        if statistic < threshold(layer):
            if layer == mdp.horizon:
                break
            layer += 1
    return policy, data, trace
