"""Exploring the uncertainty itself, against a literal transcription: three bonuses, one prediction, the cap H."""

import numpy as np
import pytest

from derl import Deployer, algorithms, instances


def literal(mdp, N, K, epsilon, beta, share, seed):
    """Value iteration for 3 beta |phi| with matrix inverses; ends a layer where Delta_k < epsilon/4 times its share."""
    H, d, phi = mdp.horizon, mdp.dim, mdp.phi
    deployer, layer, data, trace = Deployer(mdp, N, K, seed=seed), 1, 0, []
    for _ in range(K):
        V, policy, norms = np.zeros(mdp.n_states), np.zeros((H, mdp.n_states), int), np.zeros(phi.shape[:3])
        for h in reversed(range(layer)):
            visits = data[h].sum(axis=2) if trace else np.zeros(phi.shape[1:3])
            inverse = np.linalg.inv(np.eye(d) + np.einsum("sa,sai,saj->ij", visits, phi[h], phi[h]))
            norms[h] = np.sqrt(np.einsum("sai,ij,saj->sa", phi[h], inverse, phi[h]))
            weights = inverse @ np.einsum("sat,sai,t->i", data[h], phi[h], V) if trace else np.zeros(d)
            Q = np.minimum(phi[h] @ weights + 3 * beta * norms[h], H)
            V = Q.max(axis=1)
            policy[h] = np.isclose(Q, V[:, None], rtol=1e-12, atol=0).argmax(axis=1)
        counts = deployer.deploy(policy).counts
        statistic = 2 * beta * (counts.sum(axis=3) * norms)[:layer].sum() / N
        trace.append((layer, statistic, policy))
        data = data + counts
        if statistic < epsilon / 4 * share(layer / H):
            if layer == H:
                break
            layer += 1
    return trace


@pytest.mark.parametrize("threshold, share", [("layered", lambda part: part), ("flat", lambda part: 1)])
def test_it_is_the_pseudocode(threshold, share):
    mdp = instances.random_simplex(4, 3, 3, 3, seed=5)
    trace = literal(mdp, 10**5, 30, 1.0, 0.5, share, seed=2)
    found = algorithms.reward_free_direct_exploration(Deployer(mdp, 10**5, 30, seed=2), 1.0, 0.1, beta=0.5,
                                                      threshold=threshold)
    assert found.converged and [record.layer for record in found.trace] == [layer for layer, *_ in trace]
    np.testing.assert_allclose([record.statistic for record in found.trace], [s for _, s, _ in trace], rtol=1e-6)
    for record, (_, _, policy) in zip(found.trace, trace, strict=True):
        np.testing.assert_array_equal(record.policy, policy)
    assert len({record.policy.tobytes() for record in found.trace}) > 3
