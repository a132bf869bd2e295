"""Interactive figures that need no kernel: plotly with every step computed beforehand."""

from __future__ import annotations

import html

import plotly.graph_objects as go
from IPython.display import HTML

from derl.show import labs, style


def embed(figure: go.Figure, alt: str) -> HTML:
    """Put a plotly figure on a page; the page loads plotly.js by itself, from its own folder.

    Parameters
    ----------
    alt : str
        What the figure shows, for those who cannot see it.
    """
    figure.update_layout(template="plotly_white", paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)",
                         margin={"l": 60, "r": 20, "t": 80, "b": 40})
    body = figure.to_html(full_html=False, include_plotlyjs=False, include_mathjax=False,
                          config={"displaylogo": False, "responsive": True})
    return HTML(f'<div class="plotly-figure" role="img" aria-label="{html.escape(alt, quote=True)}">{body}</div>')


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
