"""The frame of every figure, and a plotly figure on a page."""

import plotly.graph_objects as go
from matplotlib import pyplot as plt

from derl.show.drawing import style
from derl.show.drawing.embed import embed


def test_axes_stand_side_by_side_and_nothing_stays_open():
    figure, ax = style.axes(figsize=(4, 2))
    assert tuple(figure.get_size_inches()) == (4, 2) and figure.get_facecolor() == (0, 0, 0, 0)
    assert not ax.spines["top"].get_visible() and ax.spines["left"].get_visible()
    assert len(style.axes(3)[1]) == 3 and plt.get_fignums() == []
    assert plt.rcParams["figure.facecolor"] != "none"  # the look ends with the figure


def test_a_page_carries_the_figure_and_says_what_it_shows():
    page = embed(go.Figure(go.Scatter(x=[1, 2], y=[3, 4], name="pair")), 'x < "y"').data
    assert 'aria-label="x &lt; &quot;y&quot;"' in page and 'role="figure"' in page and "pair" in page
    assert "<script src" not in page and len(page) < 50_000  # plotly.js comes from the page
