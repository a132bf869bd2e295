"""Instances that several tests share."""

import numpy as np
import pytest

from derl.mdp import LinearMDP, instances


def rotate(mdp, seed):
    """The same MDP in rotated coordinates: phi R, R' mu, R' theta. Norms stay, the measures become signed."""
    rotation, _ = np.linalg.qr(np.random.default_rng(seed).standard_normal((mdp.dim, mdp.dim)))
    return LinearMDP(mdp.phi @ rotation, np.einsum("ij,his->hjs", rotation, mdp.mu), mdp.theta @ rotation,
                     mdp.initial, mdp.available)


def random_instance(seed):
    """A small random instance; every second one rotated, every third one with unavailable actions."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(7,)))
    n_states, n_actions, dim, horizon = rng.integers([1, 1, 1, 1], [6, 4, 5, 5])
    mdp = instances.random_simplex(n_states, n_actions, dim, horizon, seed)
    if seed % 3 == 0:
        available = rng.random(mdp.phi.shape[:3]) < 0.6
        available[..., 0] |= ~available.any(axis=2)
        mdp = LinearMDP(mdp.phi, mdp.mu, mdp.theta, mdp.initial, available)
    return rotate(mdp, seed) if seed % 2 else mdp


def random_policy(mdp, seed):
    """A stochastic Markov policy, some of its probabilities zero."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(8,)))
    weights = rng.random(mdp.phi.shape[:3]) * (rng.random(mdp.phi.shape[:3]) < 0.7) * mdp.available
    first = mdp.available & (np.arange(mdp.n_actions) == mdp.available.argmax(axis=2)[..., None])
    weights += first * (weights.sum(axis=2, keepdims=True) == 0)
    return weights / weights.sum(axis=2, keepdims=True)


@pytest.fixture(scope="session")
def mdp():
    """H = 3, S = 4, A = 3, d = 5, every action available."""
    return instances.random_simplex(n_states=4, n_actions=3, dim=5, horizon=3, seed=1)


@pytest.fixture(scope="session")
def masked():
    """The hard template: H = 5, S = A = 5, d = 7, most actions unavailable."""
    return instances.hard_template(3, 4, 2, 1, [0, 2, 1, 0], 0.1)


@pytest.fixture(scope="session")
def make_instance():
    return random_instance


@pytest.fixture(scope="session")
def make_policy():
    return random_policy


@pytest.fixture(scope="session")
def make_rotated():
    return rotate
