"""Intervals: right where they can be computed by hand, and as wide as they say where they can be simulated."""

import math

import numpy as np
import pytest

from derl.experiments.summary import cells, exponent, median, share


def test_a_median_and_its_interval():
    found = median(range(1, 101))
    assert (found.value, found.low, found.high, found.count) == (50, 40, 61, 100)
    assert median([3]).value == 3 and median([1, None, None]).value == math.inf
    assert not median([3] * 5).bounded and median([3] * 6).bounded  # 2/2^5 > 0.05 > 2/2^6
    assert (median([3]).low, median([3]).high) == (-math.inf, math.inf)
    with pytest.raises(ValueError, match="at least one"):
        median([])


def test_a_frequency_and_its_interval():
    found = share([True] * 50)
    assert found.value == found.high == 1 and found.low == pytest.approx(0.025 ** (1 / 50))
    assert share([False] * 50).low == 0 and share([1.0, 0.5, None, True]).value == 0.5


def test_an_exponent():
    rng = np.random.default_rng(4)
    groups = [(x, 7 * x**3 * np.exp(0.1 * rng.standard_normal(100))) for x in (2, 3, 5)]
    found = exponent(groups)
    assert found.low < 3 < found.high and found.high - found.low < 0.3
    assert not (lambda e: e.low < 2.5 < e.high)(found)
    assert exponent([(1, [1.0]), (2, [None])]) is None
    alone = exponent([(1, [1.0]), (2, [8.0])])
    assert alone.value == pytest.approx(3) and not alone.bounded and alone.count == 1
    often = exponent([(1, [1.0] * 9), (2, [8.0] * 5 + [None] * 4)])
    assert often.value == pytest.approx(3) and not often.bounded
    with pytest.raises(ValueError, match="two different places"):
        exponent([(1, [1.0]), (1, [2.0])])


def test_cells_keep_their_order():
    rows = [{"a": 1, "b": 2}, {"a": 2}, {"a": 1, "b": 3}]
    assert cells(rows, "a") == {(1,): [rows[0], rows[2]], (2,): [rows[1]]}
