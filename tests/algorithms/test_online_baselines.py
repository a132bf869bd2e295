"""LSVI-UCB, its low-switching and reward-free forms, and the direct reduction: what their papers promise."""

from types import SimpleNamespace

import numpy as np
import pytest

from derl import Deployer, instances, planning
from derl.algorithms import (
    InvalidParameter,
    direct_reduction,
    low_switching_lsvi,
    lsvi_ucb,
    reward_free_lsvi_ucb,
    reward_free_planning,
)
from derl.algorithms.baselines.low_switching import Growth, mixture
from derl.estimation import fit
from derl.theory.comparison import online

SIMPLEX = instances.random_simplex(6, 3, 3, 3, seed=2)
LOCK = instances.lock(3, 2, (1, 2), 0.25)
EPSILON, DELTA = 0.5, 0.1
def optimum(mdp):
    return planning.optimal(mdp).values[0]


@pytest.mark.parametrize("mdp", [SIMPLEX, LOCK], ids=["simplex", "lock"])
def test_at_the_nominal_constants_it_stops_within_the_number_that_is_proved(mdp):
    most = online.episodes_lsvi_ucb(mdp.dim, mdp.horizon, EPSILON, DELTA, eta=2.0)
    found = low_switching_lsvi(Deployer(mdp, 1, 2 * most), EPSILON, DELTA)
    assert found.converged and found.trace[-1].statistic <= EPSILON and 10**6 < found.deployments <= 2 * most
    assert planning.gap(mdp, found.policy) <= found.trace[-1].statistic
    assert all((record.values >= optimum(mdp) - 1e-9).all() for record in found.trace)  # optimism, in every plan
    batched = lsvi_ucb(Deployer(mdp, 10**8, 1000), EPSILON, DELTA)
    assert batched.converged and planning.gap(mdp, batched.policy) <= EPSILON and batched.deployments > 10
    assert all((record.values >= optimum(mdp) - 1e-9).all() for record in batched.trace)


def test_single_episodes_until_the_widths_are_small():
    most = online.episodes_lsvi_ucb(3, 3, EPSILON, DELTA, beta=1.0)
    found = [lsvi_ucb(Deployer(SIMPLEX, 1, most, seed=seed), EPSILON, DELTA, beta=1.0) for seed in (4, 4, 5)]
    assert all(run.converged and run.trace[-1].statistic <= EPSILON for run in found)
    assert all(planning.gap(SIMPLEX, run.policy) <= EPSILON for run in found)
    nominal = lsvi_ucb(Deployer(SIMPLEX, 1, 20_000), EPSILON, DELTA)
    assert all((record.values >= optimum(SIMPLEX) - 1e-9).all() for record in nominal.trace)
    assert not nominal.converged
    assert 10**3 < found[0].deployments <= most
    assert sum(record.repeats for record in found[0].trace) == found[0].deployments == found[0].trajectories
    assert (found[0].dataset.counts == found[1].dataset.counts).all()
    assert (found[0].dataset.counts != found[2].dataset.counts).any()
    np.testing.assert_array_equal(found[0].policy.weights, found[1].policy.weights)


@pytest.mark.parametrize("run, most", [(lsvi_ucb, 12), (low_switching_lsvi, 12), (reward_free_lsvi_ucb, 12)])
def test_far_below_its_number_it_fails(run, most):
    """A lock that nobody has opened yet: dH arms, and fewer episodes."""
    mdp = instances.lock(4, 3, (3, 2, 3), 0.5)
    found = run(Deployer(mdp, 1, most, seed=1), 0.2, DELTA)
    assert not found.converged and found.deployments == most
    policy = found.policy
    if run is reward_free_lsvi_ucb:
        policy = reward_free_planning(found.dataset, mdp.theta).policy
    assert planning.gap(mdp, policy) > 0.2


@pytest.mark.parametrize("eta, most", [(1.5, 3000), (2.0, 10**6), (8.0, 10**9), (1e300, 50)])
@pytest.mark.parametrize("mdp", [SIMPLEX, LOCK, instances.optimism_trap()], ids=["simplex", "lock", "trap"])
def test_switches_are_counted_on_every_path(mdp, eta, most):
    found = low_switching_lsvi(Deployer(mdp, 1, most, seed=3), 1e-9, DELTA, beta=2.0, eta=eta)
    assert len(found.trace) <= online.switches(mdp.dim, mdp.horizon, most, eta)
    assert found.deployments == most and not found.converged
    # each stretch ends with the very deployment that brings a determinant to eta times its old value
    data = found.dataset.counts
    assert (len(found.trace) > 1) == (eta < 100) and data[0].sum() == most


def test_a_stale_bonus_is_at_most_the_root_of_eta_too_large():
    known = Deployer(SIMPLEX, 1, 1).known
    rng = np.random.default_rng(np.random.SeedSequence(6))
    policy = rng.integers(3, size=(3, 6))
    near = 0
    for _ in range(200):
        before, after = np.zeros((2, 3, 6, 3, 6))
        before[:, np.arange(6), 0] = rng.integers(50, size=(3, 6, 6))
        for h in range(3):
            after[h, np.arange(6), policy[h]] = rng.integers(1 + rng.integers(30), size=(6, 6))
        old = [fit(phi, counts) for phi, counts in zip(known.phi, before, strict=True)]
        new = [fit(phi, counts) for phi, counts in zip(known.phi, before + after, strict=True)]
        ratio = max(np.exp(b.log_det - a.log_det) for a, b in zip(old, new, strict=True))
        growth = Growth(known, old, policy, 2.0)(after)
        assert growth == pytest.approx(np.log2(ratio), abs=1e-9)
        stale = max((a.norms(phi) / b.norms(phi)).max() for a, b, phi in zip(old, new, known.phi, strict=True))
        assert stale <= np.sqrt(ratio) * (1 + 1e-9)
        near += stale > 0.8 * np.sqrt(ratio)
    assert near


def test_renewing_after_every_deployment_is_the_batched_algorithm():
    batched = lsvi_ucb(Deployer(SIMPLEX, 10, 60, seed=1), EPSILON, DELTA, beta=0.5)
    renewed = low_switching_lsvi(Deployer(SIMPLEX, 10, 60, seed=1), EPSILON, DELTA, beta=0.5, eta=1.0)
    assert [record.repeats for record in batched.trace] == [1] * 60
    np.testing.assert_array_equal(batched.dataset.counts, renewed.dataset.counts)


def test_the_reduction_draws_one_policy_and_keeps_n():
    mdp = LOCK
    needed = online.episodes_of_the_reduction(mdp.dim, mdp.horizon, EPSILON, DELTA)
    drawn = []
    for draw in range(30):
        deployer = Deployer(mdp, 10**9, 10**6, seed=2)
        found = direct_reduction(deployer, EPSILON, DELTA, seed=draw)
        assert found.converged and needed <= found.trajectories < needed + 10**9
        assert {row.batch_size for row in deployer.log} == {10**9} and found.policy.ndim == 2
        drawn.append(planning.gap(mdp, found.policy) <= EPSILON)
    assert np.mean(drawn) >= 2 / 3
    few = direct_reduction(Deployer(mdp, 10, 3), EPSILON, DELTA)
    assert not few.converged and few.deployments == 3
    bad = [direct_reduction(Deployer(mdp, 1, 10**6, seed=2), EPSILON, DELTA, budget=4, seed=draw) for draw in range(9)]
    assert np.mean([planning.gap(mdp, run.policy) > 0.2 for run in bad]) > 1 / 3


def test_all_deployed_policies_share_alike():
    """Two of three deployments have played the first policy, which appears on both sides of the second."""
    first, second = np.zeros((2, 2), dtype=int), np.ones((2, 2), dtype=int)
    played = [SimpleNamespace(policy=policy, repeats=repeats) for policy, repeats in
              ((first, 1), (second, 2), (first, 3))]
    found = mixture(played)
    assert found.weights.tolist() == [4 / 6, 2 / 6]
    np.testing.assert_array_equal(np.stack(found.policies), [first, second])


def test_reward_free_exploration_serves_every_linear_reward():
    mdp = instances.random_simplex(5, 2, 2, 2, seed=3)
    most = online.episodes_reward_free(2, 2, EPSILON, DELTA, beta=0.3)
    found = reward_free_lsvi_ucb(Deployer(mdp, 1, most, seed=1), EPSILON, DELTA, beta=0.3)
    assert found.converged and 1000 < found.deployments <= most
    rng = np.random.default_rng(np.random.SeedSequence(9))
    rewards = [mdp.theta, *rng.random((10, 2, 2))]
    gaps = [planning.gap(mdp, reward_free_planning(found.dataset, theta).policy, theta=theta) for theta in rewards]
    assert max(gaps) <= EPSILON
    # the rewards are not looked at
    other = reward_free_lsvi_ucb(Deployer(mdp.with_reward(np.zeros((2, 2))), 1, most, seed=1), EPSILON, DELTA,
                                 beta=0.3)
    np.testing.assert_array_equal(found.dataset.counts, other.dataset.counts)


def test_reward_free_exploration_is_of_single_trajectories():
    with pytest.raises(InvalidParameter, match="batch_size is 5"):
        reward_free_lsvi_ucb(Deployer(LOCK, 5, 10), EPSILON, DELTA)


def test_a_policy_of_many_episodes_has_the_weight_of_all_of_them():
    first, second = np.zeros((1, 2), int), np.ones((1, 2), int)
    found = mixture(SimpleNamespace(policy=policy, repeats=repeats)
                    for policy, repeats in ((first, 5), (second, 2), (first, 1)))
    assert found.weights.tolist() == [3 / 4, 1 / 4] and np.array_equal(found.policies[0], first)
