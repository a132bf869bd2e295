"""The float64 programme convolves; the sum over all advances, written out, gives the same curve."""

from fractions import Fraction

import numpy as np
import pytest

from derl.theory.lower_bounds import search_programme as programme


def summed(alive: np.ndarray, step: np.ndarray) -> np.ndarray:
    """`programme.advanced`, frontier by frontier and advance by advance."""
    following = np.zeros_like(alive)
    for frontier in range(len(alive)):
        for advance in range(min(step.shape[1], len(alive) - frontier)):
            following[frontier + advance] = following[frontier + advance] + alive[frontier] @ step[:, advance]
    return following


@pytest.mark.parametrize("memory", programme.MEMORIES)
@pytest.mark.parametrize("d, n, N, K", [(10, 98, 10**4, 40), (3, 5, 100, 8), (2, 1, 1, 3), (4, 30, 10**30, 2)])
def test_the_curve_is_that_of_the_sum(memory, d, n, N, K, monkeypatch):
    fast = programme.success_curve(d, n, N, K, memory)
    monkeypatch.setattr(programme, "advanced", summed)
    np.testing.assert_allclose(fast, programme.success_curve(d, n, N, K, memory), rtol=0, atol=1e-13)


@pytest.mark.parametrize("memory", programme.MEMORIES)
def test_rationals_stay_exact(memory, monkeypatch):
    exact = programme.success_curve(3, 6, 4, 5, memory, exact=True)
    assert all(isinstance(value, Fraction | int) for value in exact)
    np.testing.assert_allclose(programme.success_curve(3, 6, 4, 5, memory), exact.astype(float), rtol=0, atol=1e-14)
    monkeypatch.setattr(programme, "advanced", summed)
    assert (exact == programme.success_curve(3, 6, 4, 5, memory, exact=True)).all()
