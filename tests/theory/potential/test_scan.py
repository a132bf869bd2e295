"""The compiled loop of the potential lemma against the readable one."""

import numpy as np
import pytest

from derl.inputs.compiled import COMPILED
from derl.theory.potential import _scan, sequences

pytestmark = pytest.mark.skipif(not COMPILED, reason="numba is not installed")


def both(monkeypatch, batches, regularisation=1.0):
    monkeypatch.setattr(sequences, "LARGE", np.inf)
    readable = sequences.scan(batches, regularisation)
    monkeypatch.setattr(sequences, "LARGE", 0)
    return readable, sequences.scan(batches, regularisation)


def sample(shape, seed=0):
    vectors = np.random.default_rng(np.random.SeedSequence(seed)).normal(size=shape)
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


@pytest.mark.parametrize("shape", [(7, 3, 1, 1), (70, 5, 3, 4), (3, 50, 1, 2), (4, 6, 8, 2), (1, 1, 1, 6), (9, 2, 1)],
                         ids=str)
@pytest.mark.parametrize("regularisation", [1.0, 0.01, 3.0])
def test_random_batches_of_every_shape(monkeypatch, shape, regularisation):
    readable, compiled = both(monkeypatch, sample(shape), regularisation)
    for slow, fast in zip(readable, compiled, strict=True):
        np.testing.assert_allclose(fast, slow, rtol=1e-11)
        assert fast.shape == shape[:-2]


NASTY = {
    "nothing at all": np.zeros((5, 4, 2, 3)), "the same row again and again": np.ones((40, 20, 3, 2)) / 2,
    "rows of all sizes": sample((50, 20, 3, 4)) * 10.0 ** np.random.default_rng(1).uniform(-8, 3, (50, 20, 1, 1)),
    "tiny rows": sample((5, 4, 2, 3)) * 1e-9, "some rows are zero": sample((8, 6, 4, 3)) * (np.arange(4) % 2)[:, None],
}


@pytest.mark.parametrize("name", NASTY)
def test_nasty_batches(monkeypatch, name):
    for slow, fast in zip(*both(monkeypatch, NASTY[name]), strict=True):
        np.testing.assert_allclose(fast, slow, rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize("size", [1e7, 1e15])
def test_batches_of_copies_as_large_as_the_theorem_asks(monkeypatch, size):
    """Rounding of sqrt(N) phi is what is left: a relative 1e-16 sqrt(N), as the module says."""
    readable, compiled = both(monkeypatch, np.sqrt(size) * sample((60, 12, 1, 3)))
    for slow, fast in zip(readable, compiled, strict=True):
        np.testing.assert_allclose(fast, slow, rtol=1e-15 * np.sqrt(size) * 100)


def test_squares_beyond_the_range_of_floats(monkeypatch):
    readable, compiled = both(monkeypatch, 1e153 * sample((3, 1, 1, 2)))
    np.testing.assert_allclose(compiled[1], readable[1], rtol=1e-12)


@pytest.mark.parametrize("size, regularisation", [
    (1e99, 1e-99), (1e-99, 1e99), (1e-40, 1e-80), (1.0, 1e-200), (1.0, 1e200), (1e120, 1e240), (1e-100, 1e-200)])
def test_sizes_at_the_ends_of_the_range(monkeypatch, size, regularisation):
    """Rows of three directions, so that the readable loop has digits: QR loses those that are far below the largest."""
    batches = size * np.broadcast_to(np.eye(3)[[0, 1, 2, 0]] + 1e-3 * sample((4, 3)), (2, 1, 4, 3))
    readable, compiled = both(monkeypatch, batches, regularisation)
    for slow, fast in zip(readable, compiled, strict=True):
        np.testing.assert_allclose(fast, slow, rtol=1e-9)
    assert np.isfinite(compiled).all()


def test_a_ratio_of_determinants_beyond_the_range_of_floats(monkeypatch):
    batches = sample((5, 2, 20, 20))
    batches[3] *= 1e9
    readable, compiled = both(monkeypatch, batches)
    np.testing.assert_allclose(compiled, readable, rtol=1e-9)
    assert compiled[1][3, 0] > np.log(np.finfo(float).max)


def test_another_batch_in_one_place_is_seen_there_and_later_and_nowhere_else(monkeypatch):
    batches = sample((40, 6, 2, 3))
    changed = batches.copy()
    changed[33, 2, 1] = -0.5, 0.5, 0.1
    before, after = both(monkeypatch, batches)[1][0], both(monkeypatch, changed)[1][0]
    assert (before != after).any(axis=1).nonzero()[0].tolist() == [33]
    assert (before[33] != after[33]).tolist() == [False] * 2 + [True] * 4


def test_traces_and_determinants_by_hand():
    """From I: e_1 twice, then e_2 and e_1; from 2 I likewise; from I: (1, 1), then (1, 0) onto (2, 1; 1, 2)."""
    straight = np.array([[[1.0, 0], [1, 0]], [[0, 1], [1, 0]]])
    slanted = np.array([[[1.0, 1]], [[1, 0]]])
    cases = ((straight, 1.0, [2, 4 / 3], [2, 5 / 3]), (straight, 2.0, [1, 3 / 4], [1, 7 / 8]),
             (slanted, 1.0, [2, 2 / 3], [2, 2 / 3]))
    for batches, start, traces, growths in cases:
        many = np.zeros((_scan.LANES + 2, *batches.shape))
        many[1], many[-1] = batches, batches  # in the first round of lanes, and in the second
        trace, growth = np.full((2, len(many), 2), np.nan)
        _scan.scan_many(many, start, trace, growth)
        for place in (1, len(many) - 1):
            np.testing.assert_allclose([trace[place], growth[place]], [traces, growths], rtol=1e-14)
        assert (trace[0] == 0).all() and (growth[2] == 0).all()
