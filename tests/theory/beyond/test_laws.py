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
