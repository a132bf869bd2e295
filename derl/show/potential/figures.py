"""Elliptical potentials: violations, the growth of the determinant, and how many violations the lemma allows."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from derl.show.drawing import style
from derl.show.potential import lab as labs
from derl.theory import potential


def potential_bounds(epsilon: float = 0.1, dimensions=(1, 2, 5), largest: int = 18):
    """Violations per dimension that the sharp lemma allows, against N: K/d decreases to 1 as N grows."""
    figure, ax = style.axes()
    sizes = np.unique(np.logspace(0, largest, 90).astype(np.int64))
    for d, line in zip(dimensions, ("-", "--", ":"), strict=False):
        ax.step(sizes, [potential.sharp_bound(d, int(n), epsilon) / d for n in sizes], line, where="post",
                label=f"d = {d}")
    ax.set(xscale="log", yscale="log", xlabel="batch size N", ylabel="allowed violations / d")
    ax.legend()
    return figure


def potential_slider(batch_sizes, dimension: int = 2, epsilon: float = 0.1,
                     adversary: str = "non-commuting") -> go.Figure:
    """The elliptical-potential lab with N on a slider: the static twin of the widget.

    Parameters
    ----------
    batch_sizes : sequence of int
        One step of the slider each.
    """
    figure, steps = go.Figure(), []
    for i, size in enumerate(batch_sizes):
        lab = labs.elliptical_potential(dimension, int(size), epsilon, adversary)
        run = lab.trajectory
        n = list(range(1, len(run.trace) + 1))
        figure.add_bar(x=n, y=(run.trace / run.batch_size).tolist(), visible=i == 0, name="trace / N",
                       marker={"color": [style.RED if v else style.GREY for v in run.violates],
                               "pattern": {"shape": ["" if v else "/" for v in run.violates]}})
        visible = [j == i for j in range(len(batch_sizes))]
        title = f"N = {int(size):,}: {lab.sentence}".replace("; ", "<br>").replace(", the", "<br>the")  # fits a phone
        steps.append({"method": "update", "label": f"{int(size):,}",
                      "args": [{"visible": visible}, {"title.text": title}]})
    figure.add_hline(y=epsilon, line={"color": style.BLUE, "dash": "dash"}, annotation_text="level ε")
    figure.update_layout(sliders=[{"steps": steps, "currentvalue": {"prefix": "N = "}, "pad": {"t": 40}}],
                         title={"text": steps[0]["args"][1]["title.text"], "font": {"size": 13}},
                         xaxis_title="batch", yaxis={"title": "trace / N", "range": [0, 1.05]}, showlegend=False,
                         height=420)
    return figure
