"""What the axes and the legend of the figure say, written out; that each curve is what its name says is beside."""

from read_figure import lines, read

from derl.show.reward_free import figures


def test_axes_and_legend():
    assert read(figures.batch_sizes(2, 3, 0.2, 0.1, 20.0)) == lines(r"""
        x: trade-off $c_K$, log; y: trajectories $K\cdot N$, log
        orange : = printed analysis, constants explicit
        blue -- = sharp potential lemma
        green - = flat threshold, one count, Chernoff""")
