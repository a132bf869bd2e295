"""K N of Algorithm 3 against c_K: K is written out here, and N is that of the library, which has tests of its own."""

import math

import pytest

from derl.show.reward_free import figures
from derl.theory.reward_free import samples


def test_the_totals_are_deployments_times_batches():
    d, horizon = 2, 3
    lines = {line.get_label(): line for line in figures.batch_sizes(d, horizon, 0.2, 0.1, largest=20.0).axes[0].lines}
    assert len(lines) == 3
    for version, (label, colour, style) in figures.LINES.items():
        factors, totals = lines[label].get_data()
        assert factors[0] == pytest.approx(1.3) and factors[-1] == pytest.approx(20) and len(factors) == 60
        assert (lines[label].get_color(), lines[label].get_linestyle()) == (colour, style)
        for at in (0, 20, 59):
            deployments = math.floor(factors[at] * d * horizon) + (horizon if version == "flat" else 1)
            size = samples.batch_size_reward_free(d, horizon, 0.2, 0.1, factors[at], version=version)
            assert totals[at] == pytest.approx(deployments * size, rel=1e-12)
    explicit, sharp, flat = (lines[figures.LINES[name][0]].get_ydata() for name in ("explicit", "sharp", "flat"))
    assert (flat < sharp).all() and (sharp <= explicit).all()
