"""The runaway data of Algorithms 5 and 6 a second time, by least squares in floats."""

import math

import numpy as np
import pytest

from derl.claims.analysis import clip


def float_values(data, clipped):
    """Values (5, S) of Algorithm 6 for the first action everywhere, by `lstsq` on the regularised rows."""
    phi = data.mdp.phi.astype(float)
    values = [np.where(np.arange(5) < 3, 0.0, (1 + phi[-1, :, 0, 0] * phi[-1, :, 0, 1]) / 2)]
    for h in range(3, -1, -1):
        counts = data.counts[h].astype(float).reshape(10, 5)
        rows, weights = phi[h].reshape(10, 2), counts.sum(axis=1)
        means = np.divide(counts @ values[0], weights, out=np.zeros(10), where=weights > 0)
        left = np.vstack([rows * np.sqrt(weights)[:, None], np.eye(2)])
        w = np.linalg.lstsq(left, np.append(means * np.sqrt(weights), [0, 0]), rcond=None)[0]
        values.insert(0, clipped(phi[h, :, 0] @ w))
    return values


@pytest.mark.parametrize("version, clipped", [("as-printed", lambda q: np.minimum(q, 1)),
                                           ("repaired", lambda q: np.clip(q, 0, 1))])
def test_exact_values_agree_with_least_squares(version, clipped):
    data = clip.runaway()
    found = float_values(data, clipped)
    for layer, state in ((4, clip.Z), (3, clip.Z), (2, clip.Z), (1, 0)):
        assert float(data.value(layer, state, version)) == pytest.approx(found[layer - 1][state], rel=1e-9, abs=1e-9)


def test_no_value_function_has_more_noise_than_a_corner():
    data = clip.runaway()
    assert data.on_event(12) and not data.on_event(8)
    rng = np.random.default_rng(np.random.SeedSequence(7))
    bound = 12**2 * 4 * math.log(float(data.logarithm() * data.beta))
    P = data.mdp.transitions().astype(float)
    for h, (inverse, _) in enumerate(data.regressions()):
        counts, rows = data.counts[h].astype(float).reshape(10, 5), data.mdp.phi[h].astype(float).reshape(10, 2)
        noise = rows.T @ (counts - P[h].reshape(10, 5) * counts.sum(axis=1)[:, None])
        sums = rng.uniform(-1, 1, size=(2000, 5)) @ noise.T
        assert np.einsum("ni,ij,nj->n", sums, inverse.astype(float), sums).max() <= bound


def test_the_chance_of_the_data_is_that_of_multinomials_in_floats():
    data = clip.runaway()
    P = data.mdp.transitions().astype(float)
    logs = 0.0
    for h, counts in enumerate(data.counts):
        for (state, action), row in zip(np.ndindex(5, 2), counts.reshape(10, 5).astype(int), strict=True):
            seen = row > 0
            logs += math.lgamma(row.sum() + 1) - sum(math.lgamma(n + 1) for n in row[seen])
            logs += float(row[seen] @ np.log(P[h][state, action][seen]))
    low, high = data.chance()
    assert low <= high < -16243
    assert float(low) == pytest.approx(logs / math.log(10), rel=1e-9)


def test_the_first_layer_alone_is_what_one_would_expect():
    low, high = clip.runaway().chance(slice(0, 1))
    assert -2 < low <= high < -1
