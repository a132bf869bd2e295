"""A plotly figure on a page that needs no Jupyter kernel."""

from __future__ import annotations

import html

import plotly.graph_objects as go
from IPython.display import HTML


def embed(figure: go.Figure, alt: str) -> HTML:
    """Put a plotly figure on a page; the page loads plotly.js by itself, from its own folder.

    Parameters
    ----------
    alt : str
        What the figure shows, for readers who cannot see it.
    """
    figure.update_layout(template="plotly_white", paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)",
                         margin={"l": 60, "r": 20, "t": 80, "b": 40})
    body = figure.to_html(full_html=False, include_plotlyjs=False, include_mathjax=False,
                          config={"displaylogo": False, "responsive": True})
    return HTML(f'<div class="plotly-figure" role="img" aria-label="{html.escape(alt, quote=True)}">{body}</div>')
