"""The corners of the hexagon: six unit vectors, sixty degrees apart."""

import itertools

import numpy as np
import pytest

from derl import instances


@pytest.mark.parametrize("dim", [3, 5])
def test_the_corners_are_sixty_degrees_apart(dim):
    """Features (1, u)/sqrt 2: inner products (1 + cos)/2 over all pairs of corners u."""
    phi = instances.hexagon(dim).phi[0, 0]
    assert phi.shape == (6, dim)
    found = np.array([phi[i] @ phi[j] for i, j in itertools.combinations(range(6), 2)])
    wanted = [(1 + np.cos(k * np.pi / 3)) / 2 for k in range(1, 6) for _ in range(6 - k)]
    assert np.allclose(np.sort(found), np.sort(wanted)) and np.allclose(np.linalg.norm(phi, axis=1), 1)
    assert np.allclose([phi[i] @ phi[(i + 1) % 6] for i in range(6)], phi[0] @ phi[1])
