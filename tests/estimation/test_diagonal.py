"""Regressions of tables are diagonal: the same numbers as those of any other features."""

import numpy as np
import pytest

from derl.estimation import design, fit


@pytest.mark.parametrize("shared", [False, True])
def test_unit_vectors_give_what_a_rotation_of_them_gives(shared):
    rng = np.random.default_rng(0)
    phi = np.eye(6)[[0, 1, 2, 1, 4, 0] if shared else [3, 0, 5, 1, 4, 2]].reshape(3, 2, 6)
    phi[2, 1] = 0  # an action that is not available
    counts = rng.integers(0, 9, size=(3, 2, 3)).astype(float)
    counts[2, 1] = counts[0, 1] = 0
    basis, _ = np.linalg.qr(rng.standard_normal((6, 6)))
    found, turned = fit(phi, counts), fit(phi @ basis, counts)
    assert isinstance(found, design.Diagonal) and not isinstance(turned, design.Diagonal)
    values = rng.random(3)
    np.testing.assert_allclose(found.norms(phi), turned.norms(phi @ basis), rtol=1e-12)
    np.testing.assert_allclose(phi @ found.weights(values), phi @ basis @ turned.weights(values), atol=1e-12)
    np.testing.assert_allclose((found.whitened(phi) ** 2).sum(axis=-1), found.norms(phi) ** 2, rtol=1e-12)
    assert found.log_det == pytest.approx(turned.log_det) == pytest.approx(np.linalg.slogdet(found.factor ** 2)[1])
