"""Exact laws against the occupancies of the planner."""

from fractions import Fraction

import numpy as np

from derl.mdp import instances, planning
from derl.theory.beyond.laws import moments, state_laws


def test_laws_and_moments_are_those_of_the_planner():
    lock = instances.lock(3, 3, (1, 2, 0), Fraction(1, 5), exact=True)
    uniform = np.full(lock.available.shape, Fraction(1, 3), dtype=object)
    for policy in (uniform, np.ones((4, 3), dtype=int)):
        given = policy.astype(float) if policy.ndim == 3 else policy
        occupancy = planning.occupancy(lock.to_float(), given)
        assert np.allclose(state_laws(lock, policy).astype(float), occupancy.sum(axis=2))
        assert np.allclose(moments(lock, policy).astype(float), planning.feature_covariance(lock.to_float(), given))


def test_a_policy_that_changes_from_layer_to_layer():
    """Three layers and four states at random: the planner follows the actions of each layer, and so do the laws."""
    mdp = instances.random_simplex(4, 3, 3, 3, seed=5, exact=True)
    rng = np.random.default_rng(np.random.SeedSequence(8))
    weights = rng.integers(1, 9, size=(3, 4, 3)).astype(object)
    mixed = weights * np.vectorize(lambda x: Fraction(1, int(x)), otypes=[object])(weights.sum(axis=2))[..., None]
    for policy in (mixed, rng.integers(0, 3, size=(3, 4))):
        given = policy.astype(float) if policy.ndim == 3 else policy
        occupancy = planning.occupancy(mdp.to_float(), given)
        assert np.allclose(state_laws(mdp, policy).astype(float), occupancy.sum(axis=2)[:3])
        assert np.allclose(moments(mdp, policy).astype(float), planning.feature_covariance(mdp.to_float(), given))
