"""One look for all figures: dark ink on a transparent ground.

The style sheet of the book inverts the lightness of figures in dark mode and keeps their hues. The colours are those of
Okabe and Ito, which people with any colour vision can tell apart; where colour carries meaning, a marker or a line
style carries it too.
"""

from __future__ import annotations

import matplotlib as mpl
from matplotlib import pyplot as plt

BLUE, ORANGE, GREEN, RED, PURPLE, SKY = "#0072b2", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9"
CYCLE = (BLUE, ORANGE, GREEN, RED, PURPLE, SKY)
GREY = "#6b6b6b"
INK = "#222222"

SETTINGS = {
    "figure.facecolor": "none", "axes.facecolor": "none", "savefig.facecolor": "none", "savefig.transparent": True,
    "figure.figsize": (7.0, 3.6), "figure.constrained_layout.use": True, "svg.fonttype": "path",
    "svg.hashsalt": "derl", "font.size": 10, "text.color": INK, "axes.labelcolor": INK, "axes.edgecolor": INK,
    "xtick.color": INK, "ytick.color": INK, "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "grid.color": GREY, "grid.alpha": 0.25, "grid.linewidth": 0.6, "lines.linewidth": 1.8,
    "axes.prop_cycle": mpl.cycler(color=CYCLE), "legend.frameon": False, "axes.axisbelow": True,
}


def axes(n_columns: int = 1, **options):
    """A figure and its axes in the style of the book.

    Parameters
    ----------
    n_columns : int, >= 1
        Axes side by side.

    Returns
    -------
    (Figure, Axes or array of Axes)
    """
    with mpl.rc_context(SETTINGS):
        figure, ax = plt.subplots(1, n_columns, **options)
    # closed at once: the notebook shows what a cell returns, and nothing is shown twice
    plt.close(figure)
    return figure, ax
