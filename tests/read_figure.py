"""What a reader reads off a figure besides its curves: the axes with their scales, and the legend with its looks."""

from __future__ import annotations

from textwrap import dedent

from matplotlib.collections import Collection
from matplotlib.colors import to_hex
from matplotlib.container import Container
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator

from derl.show.drawing import style

COLORS = {"#0072b2": "blue", "#e69f00": "orange", "#009e73": "green", "#d55e00": "red", "#cc79a7": "purple",
          "#56b4e9": "sky", style.GREY: "grey", style.INK: "ink"}  # of Okabe and Ito, and the two greys of the book


def named(color) -> str:
    """The name of a colour of the book, or its code."""
    return COLORS.get(to_hex(color), to_hex(color))


def look(handle) -> str:
    """Colour, line and marker of an entry of a legend."""
    if isinstance(handle, Container):
        handle = handle[0]
    if isinstance(handle, Line2D):
        parts = handle.get_linestyle(), str(handle.get_marker())
        return " ".join([named(handle.get_color()), *(part for part in parts if part not in ("None", ""))])
    if isinstance(handle, Collection):
        colors = handle.get_facecolor() if len(handle.get_facecolor()) else handle.get_edgecolor()
        return f"{named(colors[0])} area"
    return f"{named(handle.get_facecolor())} area"


def read(figure) -> list[str]:
    """One line for the axes of every panel, below it the names of its rows and each entry of its legend."""
    found = []
    for ax in figure.axes:
        if not ax.get_visible():
            continue
        words = [", ".join(filter(None, (label, scale if scale != "linear" else ""))) for label, scale in (
            (ax.get_xlabel(), ax.get_xscale()), (ax.get_ylabel(), ax.get_yscale()))]
        found.append(f"x: {words[0]}; y: {words[1]}".rstrip())
        if isinstance(ax.yaxis.get_major_locator(), FixedLocator) and (rows := ax.get_yticklabels()):
            found.append("rows: " + "; ".join(row.get_text() for row in rows))
        found += [f"{look(handle)} = {label}" for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)]
    return found + [f"below: {figure.get_supxlabel()}"] * bool(figure.get_supxlabel()) + [
        f"beside: {figure.get_supylabel()}"] * bool(figure.get_supylabel())


def lines(text: str) -> list[str]:
    """What is expected, as it stands in a test."""
    return dedent(text).strip("\n").splitlines()
