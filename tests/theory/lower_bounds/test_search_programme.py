"""The programme of the search: its curve is that of the sum over all advances, and exclusion counts all paths."""

from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from derl.theory.lower_bounds import search_programme as programme
from derl.theory.lower_bounds.search_programme import exclusion_kernel


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


@pytest.mark.parametrize("d, N, n", [(2, 1, 2), (2, 2, 3), (3, 1, 2), (3, 2, 2)])
def test_the_exclusion_kernel_counts_paths(d, N, n):
    """The code is 0, ..., 0; the last e digits are ruled out in the first place; all paths are equally likely."""
    kernel = exclusion_kernel(d, N, n, True)
    assert kernel.shape == (d, n, d)
    for e in range(d):
        paths = list(product(range(d - e), *[range(d)] * (n - 1)))
        found = Counter()
        for batch in product(paths, repeat=N):
            advance = max(next((k for k, digit in enumerate(path) if digit), n) for path in batch)
            if advance < n:
                wrong = {path[advance] for path in batch if not any(path[:advance])}
                found[advance, len(wrong) + (e if advance == 0 else 0)] += 1
        for a, after in product(range(n), range(d)):
            assert kernel[e, a, after] == Fraction(found[a, after], len(paths) ** N)


def test_floats_agree_with_three_numbers_by_hand():
    kernel = exclusion_kernel(2, 1, 30, False)
    assert kernel[0, 0, 1] == pytest.approx(1 / 2) and kernel[0, 1, 1] == pytest.approx(1 / 4)
    assert kernel[1, 1, 1] == pytest.approx(1 / 2) and kernel[1, 0].sum() == 0
