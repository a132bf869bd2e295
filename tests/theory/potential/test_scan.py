"""Traces and determinant ratios of batches by hand, and by the matrices themselves."""

import numpy as np
import pytest

from derl.theory.potential.sequences import scan


def sample(shape, seed=0):
    vectors = np.random.default_rng(np.random.SeedSequence(seed)).normal(size=shape)
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


@pytest.mark.parametrize("shape", [(7, 3, 1, 1), (70, 5, 3, 4), (3, 50, 1, 2), (4, 6, 8, 2), (9, 2, 1)], ids=str)
@pytest.mark.parametrize("regularisation", [1.0, 0.01, 3.0])
def test_batches_of_every_shape_against_their_matrices(shape, regularisation):
    batches = sample(shape)
    trace, log_ratio = scan(batches, regularisation)
    A = regularisation * np.eye(shape[-1])
    for k in range(shape[-3]):
        grown = A + np.swapaxes(batches[..., k, :, :], -1, -2) @ batches[..., k, :, :]
        traces = np.trace(np.linalg.solve(A, grown - A), axis1=-2, axis2=-1)
        np.testing.assert_allclose(trace[..., k], traces, rtol=1e-9)
        np.testing.assert_allclose(log_ratio[..., k], np.linalg.slogdet(grown)[1] - np.linalg.slogdet(A)[1], rtol=1e-8)
        A = grown


def test_another_batch_in_one_place_is_seen_there_and_later_and_nowhere_else():
    batches = sample((40, 6, 2, 3))
    changed = batches.copy()
    changed[33, 2, 1] = -0.5, 0.5, 0.1
    before, after = scan(batches)[0], scan(changed)[0]
    assert (before != after).any(axis=1).nonzero()[0].tolist() == [33]
    assert (before[33] != after[33]).tolist() == [False] * 2 + [True] * 4


@pytest.mark.parametrize("batches, start, traces, growths", [
    ([[[1, 0], [1, 0]], [[0, 1], [1, 0]]], 1, [2, 4 / 3], [2, 5 / 3]),
    ([[[1, 0], [1, 0]], [[0, 1], [1, 0]]], 2, [1, 3 / 4], [1, 7 / 8]),
    ([[[1, 1]], [[1, 0]]], 1, [2, 2 / 3], [2, 2 / 3])])
def test_traces_and_determinants_by_hand(batches, start, traces, growths):
    """From I: e_1 twice, then e_2 and e_1; from 2 I likewise; from I: (1, 1), then (1, 0) onto (2, 1; 1, 2)."""
    trace, log_ratio = scan(np.array(batches, float), start)
    np.testing.assert_allclose([trace, np.expm1(log_ratio)], [traces, growths], rtol=1e-14)
