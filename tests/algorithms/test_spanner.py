"""The robust spanner: what it promises of every mean that the oracle can find."""

import numpy as np
import pytest

from derl.algorithms.spanner import FACTOR, robust_spanner

GAMMA = 1e-3


def oracle_of(means):
    """The largest of finitely many means in a direction, and its number as the policy."""
    def oracle(direction):
        best = int((means @ direction).argmax())
        return np.full((1, 1), best), means[best]
    return oracle


@pytest.mark.parametrize("dim", [2, 3, 4])
def test_no_mean_has_a_coefficient_above_two_when_it_ends(dim):
    """Means with heavy tails: what was found for the first columns is often not enough once the last are."""
    again = 0
    for seed in range(40):
        rng = np.random.default_rng(np.random.SeedSequence(20, spawn_key=(dim, seed)))
        means = rng.normal(size=(200, dim)) ** 3
        means /= np.linalg.norm(means, axis=1).max()
        found = robust_spanner(oracle_of(means), dim, GAMMA)
        everything = np.vstack([means, GAMMA * np.eye(dim)])
        assert np.abs(np.linalg.solve(found.columns, everything.T)).max() <= FACTOR * (1 + 1e-9)
        assert abs(np.linalg.det(found.columns)) >= GAMMA**dim * FACTOR**found.replacements * (1 - 1e-9)
        assert all((everything == column).all(axis=1).any() for column in found.columns.T)
        again += found.replacements > dim
    assert again >= 5  # one round is not enough there


def test_the_oracle_is_asked_once_for_each_direction():
    """Along the axes: e_i is found, and asked for again with -e_i when all are found; `calls` counts both times."""
    asked, answer = [], oracle_of(np.vstack([np.eye(3), -np.eye(3)]) / 2)

    def oracle(direction):
        asked.append(direction.tobytes())
        return answer(direction)

    found = robust_spanner(oracle, 3, GAMMA)
    assert (len(set(asked)), len(asked), found.calls, found.replacements) == (6, 6, 9, 3)
