"""The moves of the search with exclusion, by listing all paths."""

from collections import Counter
from fractions import Fraction
from itertools import product

import pytest

from derl.theory.lower_bounds.search_programme import exclusion_kernel


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
