"""A plotly figure on a page that needs no Jupyter kernel."""

from __future__ import annotations

import html

import plotly.graph_objects as go
from IPython.display import HTML


def embed(figure: go.Figure, alt: str) -> HTML:
    """Put a plotly figure on a page as JSON; page.js draws it with the plotly.js of the site.

    Parameters
    ----------
    alt : str
        What the figure shows, for readers who cannot see it.
    """
    figure.update_layout(template="plotly_white", paper_bgcolor="rgba(0,0,0,0)", plot_bgcolor="rgba(0,0,0,0)",
                         margin={"l": 60, "r": 20, "t": 80, "b": 40})
    shown = figure.to_json().replace("</", "<\\/")
    return HTML(f'<div class="plotly-figure" role="figure" aria-label="{html.escape(alt, quote=True)}"><div></div>'
                f'<script type="application/json">{shown}</script></div>')
