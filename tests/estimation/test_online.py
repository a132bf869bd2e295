"""Rank-one updates against the regression from counts, and the compiled loop against the readable one."""

import numpy as np
import pytest

from derl import Deployer, instances
from derl.deployment.online import Law
from derl.estimation import fit, optimistic_backup
from derl.estimation.online import Learner, RankOne
from derl.inputs.compiled import COMPILED
from derl.mdp import policies

LOCK = instances.lock(3, 3, (1, 2, 0), 0.2)
NASTY = {"simplex": instances.random_simplex(5, 3, 3, 4, seed=2), "unavailable actions": instances.optimism_trap(),
         "equal actions": LOCK, "one of all": instances.random_simplex(1, 1, 1, 1, seed=0),
         "one action": instances.random_simplex(4, 1, 2, 3, seed=1), "signed features": instances.hexagon(3),
         "one layer": instances.random_simplex(3, 3, 2, 1, seed=5)}


def transitions(mdp, n, seed):
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    for _ in range(n):
        h, s = rng.integers(mdp.horizon), rng.integers(mdp.n_states)
        yield h, s, rng.choice(np.flatnonzero(mdp.available[h, s])), rng.integers(mdp.n_states)


@pytest.mark.parametrize("name", NASTY)
def test_updates_are_the_regression_from_counts(name):
    mdp = NASTY[name]
    counts = np.zeros((mdp.horizon, mdp.n_states, mdp.n_actions, mdp.n_states))
    layers = [RankOne.of(phi, empty) for phi, empty in zip(mdp.phi, counts, strict=True)]
    for h, s, a, t in transitions(mdp, 3000, seed=1):
        layers[h].add(mdp.phi[h], s, a, t)
        counts[h, s, a, t] += 1
    for h, layer in enumerate(layers):
        design = fit(mdp.phi[h], counts[h])
        np.testing.assert_allclose(layer.norms(), design.norms(mdp.phi[h]), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(layer.operator, design.operator, rtol=1e-9, atol=1e-11)
        np.testing.assert_allclose(layer.inverse @ design.factor.T @ design.factor, np.eye(mdp.dim), atol=1e-9)
        wrong = fit(mdp.phi[h], counts[h] + (np.arange(mdp.n_states) == 0))  # some more transitions into state 0
        assert mdp.n_states == 1 or np.abs(layer.operator - wrong.operator).max() > 1e-6


@pytest.mark.skipif(not COMPILED, reason="numba is not installed")
@pytest.mark.parametrize("beta, reward_free", [(0.3, False), (50.0, False), (1e-9, True), (0.3, True)])
@pytest.mark.parametrize("name", NASTY)
def test_the_compiled_loop_is_the_readable_one(name, beta, reward_free):
    mdp, runs = NASTY[name], []
    for compiled in (True, False):
        deployer = Deployer(mdp, 1, 120, seed=5)
        learner = Learner(deployer.known, beta, reward_free, compiled=compiled, width=2.5, target=0.01, noise=0.1)
        deployer.deploy_online(learner.play, 120)
        runs.append((learner, deployer.log))
    (fast, fast_log), (slow, slow_log) = runs
    np.testing.assert_array_equal(fast.counts, slow.counts)
    assert fast.starts == slow.starts and fast.episodes == slow.episodes and fast_log == slow_log
    np.testing.assert_allclose(fast.spent, slow.spent, rtol=1e-11)
    np.testing.assert_allclose(np.array(fast.values), np.array(slow.values), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("compiled", [False] + [True] * COMPILED)
def test_every_policy_is_that_of_the_shared_backup(compiled):
    """After so many episodes the plan is the one that regression and backup make of the counts."""
    mdp = NASTY["simplex"]
    for n in (1, 60, 300):
        deployer = Deployer(mdp, 1, n + 1, seed=7)
        learner = Learner(deployer.known, 0.4, compiled=compiled)
        deployer.deploy_online(learner.play, n)
        values, policy = np.zeros(mdp.n_states), np.zeros((mdp.horizon, mdp.n_states), int)
        for h in reversed(range(mdp.horizon)):
            found = optimistic_backup(mdp.phi[h], mdp.rewards()[h], values, fit(mdp.phi[h], learner.counts[h]), 0.4,
                                      mdp.horizon)
            values, policy[h] = found.values, found.policy
        deployer.deploy_online(learner.play, 1)
        np.testing.assert_array_equal(learner.policies[-1], policy)
        assert learner.starts[-1] < n or np.allclose(learner.values[-1], values, rtol=1e-12)


@pytest.mark.parametrize("compiled", [False] + [True] * COMPILED)
def test_the_model_is_read_only_where_it_was_reached(compiled):
    law, rng = Law.of(LOCK), np.random.default_rng(np.random.SeedSequence(8))
    uniforms = rng.random((200, LOCK.horizon + 1))

    def run(moves):
        learner = Learner(Deployer(LOCK, 1, 1).known, 3.0, compiled=compiled)
        learner.play(Law(law.start, moves), uniforms)
        return learner

    honest = run(law.moves)
    reached = honest.counts.sum(axis=3) > 0
    assert 0 < reached.sum() < reached.size
    poisoned = run(np.where(reached[..., None], law.moves, np.nan))
    np.testing.assert_array_equal(poisoned.counts, honest.counts)
    assert poisoned.starts == honest.starts
    policies.validate(LOCK, honest.policies[-1])


@pytest.mark.parametrize("name", NASTY)
def test_without_data_it_is_the_regression_from_no_counts_to_the_last_bit(name):
    mdp = NASTY[name]
    for phi in mdp.phi:
        design = fit(phi, np.zeros((mdp.n_states, mdp.n_actions, mdp.n_states)))
        root = np.linalg.inv(design.factor)
        found = RankOne.without_data(phi)
        assert np.array_equal(found.inverse, root @ root.T) and np.array_equal(found.operator, design.operator)
        assert np.array_equal(found.squares, design.norms(phi) ** 2)
