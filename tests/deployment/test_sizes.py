"""Multinomials of any size: exact integers, no impossible cell, the right law; and two traps in numpy.

Level 1e-3 for the file, shared by its statistical tests; sample sizes and seeds are fixed here.
"""

from fractions import Fraction

import numpy as np
import pytest
from chisquare import of_integers
from scipy import stats

from derl.deployment.sizes import (
    CHUNK,
    LARGEST_EXACT,
    InvalidDeployment,
    InvalidSize,
    batch_size,
    safe_multinomial,
)
from derl.inputs import shown

LEVEL = 1e-3 / 80  # statistical assertions in this file
HUGE = [10**15, 10**18, LARGEST_EXACT]


def generator(seed):
    return np.random.default_rng(np.random.SeedSequence(2, spawn_key=(seed,)))


@pytest.mark.parametrize("n", HUGE)
@pytest.mark.parametrize("p", [
    [0.1] * 10 + [0.0], [0.0, 0.3, 0.0, 0.7, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0],
    [1e-15, 0.0, 1 - 1e-15, 0.0], [1 / 3, 1 / 3, 1 / 3, 0.0], [1e-14, 0.5, 0.5 - 1e-14, 0.0],
])
def test_an_impossible_cell_never_has_a_count_and_nothing_is_lost(n, p):
    counts = safe_multinomial(generator(1), np.full(300, n), p)
    assert counts.dtype == np.int64 and (counts >= 0).all()
    assert not counts[:, np.array(p) == 0].any()
    assert [sum(row) for row in counts.tolist()] == [n] * 300  # in Python integers, which cannot overflow


@pytest.mark.parametrize("n", [2**40 + 1, 10**15, CHUNK, 10**18, LARGEST_EXACT])
@pytest.mark.parametrize("mean", [1.3, 100.3])
def test_rare_cells_have_their_law_at_huge_n(n, mean):
    p = mean / n
    runs = 30_000 if n <= CHUNK else 5_000
    counts = safe_multinomial(generator(3), np.full(runs, n), [0.25, p, 0.75 - p])
    assert of_integers(counts[:, 1], stats.poisson.pmf(np.arange(200), mean)) > LEVEL  # Poisson: off by p < 1e-10


@pytest.mark.parametrize("n", [10**3, 10**12, 10**15, 10**18])
def test_moments_at_every_size(n):
    p, runs = np.array([0.5, 1e-4, 0.2, 0.3 - 1e-4]), 3000
    z = (safe_multinomial(generator(6), np.full(runs, n), p) - n * p) / np.sqrt(n * p * (1 - p))
    for j in (0, 2, 3) if n < 10**6 else range(4):
        assert 2 * stats.norm.sf(abs(z[:, j].sum()) / np.sqrt(runs)) > LEVEL / 4
        spread = stats.chi2(runs).cdf((z[:, j] ** 2).sum())
        assert 2 * min(spread, 1 - spread) > LEVEL / 4
    expected = -np.sqrt(0.5 * 0.2 / (0.5 * 0.8))  # correlation of cells 0 and 2
    fisher = (np.arctanh(np.corrcoef(z[:, 0], z[:, 2])[0, 1]) - np.arctanh(expected)) * np.sqrt(runs - 3)
    assert 2 * stats.norm.sf(abs(fisher)) > LEVEL


def test_a_large_draw_has_its_variance():
    """A sum of a hundred equal parts would pass the test of the mean; its variance would be twice as large."""
    n, runs = 100 * CHUNK, 3000
    z = (safe_multinomial(generator(7), np.full(runs, n), [0.5, 0.5])[:, 0] - n / 2) / np.sqrt(n / 4)
    spread = stats.chi2(runs).cdf((z**2).sum())
    assert 2 * min(spread, 1 - spread) > LEVEL
    doubled = stats.chi2(runs).cdf(2 * (z**2).sum())
    assert 2 * min(doubled, 1 - doubled) < LEVEL**2


@pytest.mark.parametrize("n", [2**41, CHUNK])
def test_many_cells_that_are_all_rare(n):
    """3000 equal cells: no cell may be set aside as rare for ever."""
    counts = safe_multinomial(generator(8), n, np.full(3000, 1 / 3000))
    assert counts.sum() == n and fit_uniform(counts, n) > LEVEL


def fit_uniform(counts, n):
    statistic = float(sum(Fraction(int(c)) ** 2 for c in counts) * len(counts) / n - n)
    return stats.chi2(len(counts) - 1).sf(statistic)


def test_rows_broadcast_and_empty_input_is_fine():
    rng = generator(9)
    assert safe_multinomial(rng, 5, np.full((2, 3, 4), 0.25)).sum(axis=-1).tolist() == [[5] * 3] * 2
    assert safe_multinomial(rng, [[1], [2]], [0.5, 0.5]).shape == (2, 1, 2)
    assert safe_multinomial(rng, np.zeros(0, int), np.zeros((0, 3))).shape == (0, 3)
    assert safe_multinomial(rng, [0, 0], [0.2, 0.8]).tolist() == [[0, 0], [0, 0]]
    assert safe_multinomial(rng, 7, [1.0]).tolist() == [7]
    with pytest.raises(InvalidSize, match="integers"):
        safe_multinomial(rng, 2.5, [0.5, 0.5])


def test_gaussian_draws_have_the_moments_and_leave_impossible_cells_empty():
    n, p, runs = 1e25, np.array([0.5, 0.0, 0.2, 0.3]), 3000
    counts = safe_multinomial(generator(10), np.full(runs, n), p, "gaussian")
    assert counts.dtype == np.float64 and not counts[:, 1].any() and (counts == np.rint(counts)).all()
    np.testing.assert_allclose(counts.sum(axis=1), n, rtol=1e-15)
    z = (counts - n * p)[:, [0, 2, 3]] / np.sqrt(n)
    covariance = np.diag(p) - np.outer(p, p)
    np.testing.assert_allclose(np.cov(z.T), covariance[np.ix_([0, 2, 3], [0, 2, 3])], atol=0.03)
    assert (abs(z.mean(axis=0)) < 4.5 * np.sqrt(p * (1 - p))[[0, 2, 3]] / np.sqrt(runs)).all()


def test_gaussian_mode_draws_small_rows_exactly():
    counts = safe_multinomial(generator(11), np.full(20_000, 3.0), [0.25, 0.75], "gaussian")
    assert of_integers(counts[:, 0].astype(int), stats.binom.pmf(np.arange(4), 3, 0.25)) > LEVEL


def test_expected_mode_is_the_mean():
    np.testing.assert_array_equal(safe_multinomial(generator(12), 2.0**90, [0.25, 0.75, 0.0], "expected"),
                                  [2.0**88, 3 * 2.0**88, 0])


@pytest.mark.parametrize("value", [1, 10**18, LARGEST_EXACT, 1e12, np.int64(7), np.float64(1e15),
                                   Fraction(4, 2)])
def test_whole_numbers_of_any_type_are_sizes(value):
    size = batch_size(value)
    assert type(size) is int and size == value


@pytest.mark.parametrize("value", [0, -3, 2.5, True, np.True_, float("nan"), float("inf"), "10", None, [5],
                                   1 + 0j, Fraction(5, 2), LARGEST_EXACT + 1, 2.0**63, 10**25, 1e25])
def test_other_sizes_are_refused_in_one_line_that_says_what_is_allowed(value):
    with pytest.raises(InvalidSize) as caught:
        batch_size(value)
    message = str(caught.value)
    assert "\n" not in message and shown(value) in message
    assert "from 1 up to 9223372036854775807" in message and "mode='gaussian'" in message


def test_the_approximate_modes_go_further_and_not_for_ever():
    assert batch_size(10**25, "gaussian") == 10**25 and batch_size(1e25, "expected") == int(1e25)
    for value in (10**301, 2.5, 0, True):
        with pytest.raises(InvalidSize):
            batch_size(value, "gaussian")
    with pytest.raises(InvalidDeployment, match="'exact', 'gaussian', 'expected'"):
        batch_size(5, "approximate")
