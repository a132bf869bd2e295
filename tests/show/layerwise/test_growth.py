"""Counting deployments: the slope against a known power law, and the law of the compact bandit."""

import numpy as np
import pytest

from derl.show.layerwise import growth as fd


def test_the_slope_of_a_power_law():
    sizes = np.array([2.0, 3, 5, 9])
    assert fd.slope(sizes, 7 * sizes**1.5) == pytest.approx((1.5, 1.5, 1.5))
    assert fd.slope(sizes, [4, 4, 4, 4]) == (0, 0, 0)


def test_the_interval_of_three_points_by_hand():
    """Log values 0, 1, 3 at 0, 1, 2: slope 3/2, squared residuals 1/6, one degree of freedom, t = tan(19 pi/40)."""
    half = np.tan(19 * np.pi / 40) * (1 / 12) ** 0.5
    assert fd.slope(np.exp([0, 1, 2]), np.exp([0, 1, 3])) == pytest.approx((1.5, 1.5 - half, 1.5 + half))


@pytest.mark.parametrize("dim, layers", [(4, 3), (6, 4)])
def test_the_compact_bandit_takes_one_deployment_per_action_and_layer(dim, layers):
    count = fd.count_deployments("compact bandit", dim, layers, 0)
    assert count.converged and count.gap == 0
    assert count.deployments == (dim - 2) * layers + 1 <= count.upper


def test_seeds_change_the_instance():
    digits = {tuple(fd.instance("lock", 8, 6, seed).info["digits"]) for seed in range(6)}
    assert len(digits) > 1


def test_figures_are_drawn():
    counts = {axis: [fd.Count(f, d, h, 0, 5, True, 0.0, 9) for f in fd.LOOK for d, h in pairs] for axis, pairs in (
        ("d", [(d, fd.FIXED_LAYERS) for d in fd.DIMENSIONS]), ("H", [(fd.FIXED_DIMENSION, h) for h in fd.LAYERS]))}
    panels = fd.deployments_growth(counts).axes
    assert len(panels) == 2
    for axis, panel in zip(("d", "H"), panels, strict=True):
        lines = {line.get_label(): line for line in panel.lines}
        sizes, least = lines["every algorithm, compact bandit"].get_data()
        arms = [(d - 3) * (h - 1) for d, h in ((s, fd.FIXED_LAYERS) if axis == "d" else (fd.FIXED_DIMENSION, s)
                                               for s in sizes)]
        np.testing.assert_allclose(least, 0.9 * np.array(arms) - 1)  # delta = 1/10
        assert list(lines["proved upper bound at this N"].get_ydata()) == [9] * len(sizes)
        assert all(list(lines[family].get_ydata()) == [5] * len(sizes) for family in fd.LOOK)
    assert len(fd.slopes(counts)) == 10
