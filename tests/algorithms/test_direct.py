"""Algorithms without layers or with a flat threshold, beside Algorithm 1 and against a literal transcription."""

import numpy as np
import pytest

from derl import Deployer, algorithms, instances, planning
from derl.algorithms.layerwise import direct_exploration, flat_exploration
from derl.theory.layerwise.samples import budget

MDP = instances.random_simplex(6, 3, 3, 4, seed=4)


@pytest.mark.parametrize("explore", [flat_exploration, direct_exploration])
@pytest.mark.parametrize("version", ["chernoff", "share"])
def test_it_is_near_optimal_at_its_own_batch_size(explore, version):
    plan = budget(MDP.dim, MDP.horizon, 0.25, 0.1, 3, version)
    outcome = explore(Deployer(MDP, plan.batch_size, plan.deployments, seed=3), 0.25, 0.1, share=plan.share,
                      beta=plan.beta)
    assert outcome.converged and outcome.deployments <= plan.deployments
    assert planning.gap(MDP, outcome.policy) <= 0.25
    assert all(r.threshold == pytest.approx(plan.share * 0.25) for r in outcome.trace)


def test_flat_differs_from_algorithm_1_in_the_threshold_alone():
    runs = [algorithms.layerwise_exploration(Deployer(MDP, 10**10, 60, seed=1), 0.5, 0.1, beta=30.0),
            flat_exploration(Deployer(MDP, 10**10, 60, seed=1), 0.5, 0.1, beta=30.0)]
    first = [run.trace[0] for run in runs]
    assert first[0].statistic == first[1].statistic
    assert [r.threshold for r in runs[0].trace] == [0.5 * r.layer / (2 * MDP.horizon) for r in runs[0].trace]
    assert runs[1].deployments <= runs[0].deployments


def test_without_layers_every_deployment_plans_for_the_whole_horizon():
    outcome = direct_exploration(Deployer(MDP, 10**10, 60, seed=1), 0.5, 0.1)
    assert {r.layer for r in outcome.trace} == {MDP.horizon}
    assert [r.finished for r in outcome.trace] == [False] * (outcome.deployments - 1) + [True]
    assert np.array_equal(outcome.policy, outcome.trace[-1].policy)


def test_running_out_of_deployments_is_reported():
    for explore in (flat_exploration, direct_exploration):
        outcome = explore(Deployer(MDP, 100, 2, seed=1), 0.1, 0.1)
        assert not outcome.converged and outcome.deployments == 2


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
