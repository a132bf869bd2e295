"""The pictures of the analysis of Algorithm 2 show the exact values."""

import numpy as np

from derl.claims.analysis import clip
from derl.show.analysis import figures


def test_values_run_away_with_the_printed_clip_only():
    data = clip.runaway()
    printed, repaired = (line.get_ydata() for line in figures.runaway(data, clip.Z).axes[0].lines)
    assert printed[-1] == float(data.value(2, clip.Z, "as-printed"))
    assert printed[-1] < -1000
    assert min(repaired) >= 0


def test_the_formulas_lie_above_the_least_numbers():
    nu = np.logspace(-1.5, 0, 9)
    lines = figures.policies_per_dimension(nu).axes[0].lines
    for least, formula in zip(lines[::2], lines[1::2], strict=True):
        assert (formula.get_ydata() >= least.get_ydata()[::4]).all()
