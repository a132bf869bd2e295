"""Counting deployments: slopes, their intervals, the law of the compact bandit, and sizes told for written-out runs."""

import math

import numpy as np
import pytest

from derl.show.layerwise import growth, playground, samples_lab
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


def test_the_upper_bound_of_a_run_is_the_potential_at_a_quarter_of_the_accuracy(dim=5, layers=4):
    """Violations per layer: the largest k with (1 + N e)^k <= (1 + k N/d)^d at e = (epsilon/(4 H beta))^2."""
    count = growth.count_deployments("compact bandit", dim, layers, 0)
    size = growth.samples.proved_batch_size(dim, layers, 0.5, 0.1, 20)
    level = (0.5 / (4 * layers * growth.samples.proved_bonus_scale(dim, layers, 0.1, size))) ** 2
    most = 0
    while (most + 1) * math.log1p(size * level) <= dim * math.log1p((most + 1) * size / dim):
        most += 1
    assert count.upper == most * layers + 1
    assert (count.family, count.dim, count.layers, count.seed) == ("compact bandit", dim, layers, 0)


def test_slopes_are_of_the_means_of_the_seeds():
    """K = d^2 on one seed and 3 d^2 on the other, H on both; an upper bound of d H."""
    counts = {axis: [growth.Count(family, d, h, seed, (2 * seed + 1) * d * d if axis == "d" else h, True, 0.0, d * h)
                     for family in growth.LOOK for d, h in own for seed in growth._seeds(d if axis == "d" else h)]
              for axis, own in (("d", [(d, growth.FIXED_LAYERS) for d in growth.DIMENSIONS]),
                                ("H", [(growth.FIXED_DIMENSION, h) for h in growth.LAYERS]))}
    found = {row[:2]: row[2] for row in growth.slopes(counts)}
    mean = [(2 if d <= growth.TWICE else 1) * d * d for d in growth.DIMENSIONS]
    wanted = np.polyfit(np.log(growth.DIMENSIONS), np.log(mean), 1)[0]
    assert all(found[family, "d"] == pytest.approx(wanted) and found[family, "H"] == pytest.approx(1)
               for family in growth.LOOK)
    assert [found["upper bound", axis] for axis in "dH"] == pytest.approx([1, 1])
    arms = [0.9 * (d - 3) * 5 - 1 for d in growth.DIMENSIONS]
    assert found["lower bound", "d"] == pytest.approx(np.polyfit(np.log(growth.DIMENSIONS), np.log(arms), 1)[0])


def test_a_row_of_sizes_and_its_gain():
    row = samples_lab.Size("2", "way", 3, 2 * 10**6)
    assert row.cells == ("2", "way", "3", "2.0e+06", "6.0e+06", "yes") and row.trajectories == 6 * 10**6
    assert samples_lab.Size("1", "way", 3, 10, proved=False).cells[-1] == "no"
    rows = tuple(samples_lab.Size(algorithm, "way", 1, size, proved) for algorithm, size, proved in (
        ("1", 10**9, False), ("1", 10**8, True), ("1", 10**4, True), ("2", 10**7, True), ("2", 10**2, True),
        ("2", 1, False)))
    assert samples_lab.sentence(rows) == ("against its printed proof, Algorithm 1 needs 1.0e+04 times fewer "
                                          "trajectories, Algorithm 2 1.0e+05")
    bars = playground.bars(rows).axes[0].patches
    assert [bar.get_width() for bar in bars] == pytest.approx([9, 8, 4, 7, 2, 0])
    assert [bar.get_alpha() == 1 for bar in bars] == [True if row.proved else False for row in rows]
