"""What the pages of Algorithm 1 say and count, for runs that are written out here."""

import math

import numpy as np
import pytest

from derl.show.layerwise import growth, playground, samples_lab


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
