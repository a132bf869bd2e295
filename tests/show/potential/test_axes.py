"""What the axes and legends of the figures say, written out; that each curve is what its name says is tested beside."""

import pytest
from read_figure import lines, read

from derl.show.potential import figures, playground
from derl.show.potential import lab as labs

LAB = labs.elliptical_potential(2, 100, 0.1, "axes")
SAID = {
    "bounds": (lambda: figures.potential_bounds(0.1, (1, 2), 3), """
        x: batch size N, log; y: allowed violations / d, log
        blue - = d = 1
        orange -- = d = 2"""),
    "batches": (lambda: playground.batches(LAB, 2), r"""
        x: batch k; y: $\mathrm{tr}(A_{k-1}^{-1}\Phi_{k-1})/N$
        red o = violates
        grey x = does not
        blue -- = level $\epsilon$"""),
    "count": (lambda: playground.count(LAB, 2), """
        x: batches; y: violations
        red - = violations so far
        green -. = sharp bound
        orange : = printed proof"""),
}


@pytest.mark.parametrize("name", SAID)
def test_axes_and_legends(name):
    figure, said = SAID[name]
    assert read(figure()) == lines(said)


def test_levels_stand_at_their_numbers():
    level, = (line for line in playground.batches(LAB, 2).axes[0].lines if line.get_label() == r"level $\epsilon$")
    assert set(level.get_ydata()) == {0.1}
    bounds = {line.get_label(): set(line.get_ydata()) for line in playground.count(LAB, 2).axes[0].lines}
    assert bounds["sharp bound"] == {LAB.trajectory.sharp_bound}
    assert bounds["printed proof"] == {LAB.trajectory.paper_bound}
