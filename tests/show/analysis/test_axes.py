"""What the axes and legends of the figures say, written out; that each curve is what its name says is tested beside."""

from types import SimpleNamespace

import numpy as np
from read_figure import lines, read

from derl.show.analysis import figures


def test_values_that_run_away():
    data = SimpleNamespace(mdp=SimpleNamespace(phi=np.ones((5, 1, 1, 1))), beta=2,
                           regressions=lambda: [(np.eye(1), None)] * 5,
                           value=lambda layer, state, version: layer if version == "repaired" else -1000 * layer)
    figure = figures.runaway(data, 0)
    assert read(figure) == lines("""
        x: ; y: predicted value at z, symlog
        grey area = allowed by the bonuses
        red - o = clipped from above (printed)
        green - s = clipped to [0, 1]""")
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()] == [
        "layer 5", "layer 4", "layer 3", "layer 2"]


def test_policies_per_dimension():
    assert read(figures.policies_per_dimension(np.array([1.0, 0.9, 0.8, 0.7, 0.5]))) == lines("""
        x: ν, log; y: policies per dimension, log
        blue - = norm, printed target ν²/8
        blue o = 1300 ν⁻⁴ log(2/ν)
        orange : = norm, target ν²/3 of Theorem R
        orange ^ = 120 ν⁻⁴ log(2/ν)
        green -- = square, target ν²/5
        green s = 60 ν⁻² log(2/ν)""")
