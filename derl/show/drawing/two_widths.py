"""A matplotlib backend that writes a figure twice: as drawn, and within it once more for a screen 360 pixels wide.

The build of the book shows figures through it (`book/_ext/kernel_profile.py`) and takes the two apart again
(`book/_ext/phone_figures.py`). A picture that is only scaled down has letters of six pixels on a phone.
"""

from __future__ import annotations

import base64
import copy
import io
import re
import textwrap

import matplotlib as mpl
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.gridspec import GridSpec
from matplotlib.lines import Line2D
from matplotlib.text import Annotation
from matplotlib.ticker import FixedLocator
from matplotlib.transforms import ScaledTranslation

WIDTH = 3.35  # inches: 322 CSS pixels, what a phone of 360 has beside its margins
HEIGHT = 2.5  # inches of one panel
LINE = 0.16  # inches of a line of small type
LETTER = 8  # points: the smallest type, 10.7 CSS pixels
COLUMNS = 46  # letters of the smallest type in WIDTH
BESIDE = 32  # letters of it along the side of a panel
NAME = 16  # letters of it in the name of a row
POINTS, SHORT = 8, 4  # names beside points for which a phone has room, and letters of a name that is no number

OPENING, CLOSING = "<!--narrow:", "-->"
FORMULA = re.compile(r"\$[^$]*\$")


def wrapped(text: str, size: float, columns: int = COLUMNS) -> str:
    """The text in lines that fit on a phone; formulas are not broken."""
    formulas = FORMULA.findall(text)
    held = FORMULA.sub(lambda found: "\0" * max(1, len(found[0]) * 2 // 3), text)
    lines = textwrap.wrap(" ".join(held.split()), int(columns * LETTER / size), break_long_words=False)
    whole = iter(formulas)
    return re.sub("\0+", lambda _: next(whole), "\n".join(lines))


def _panels(figure) -> list:
    """The axes on the grid of the figure, without the bars of colours beside them."""
    return [ax for ax in figure.axes if ax.get_subplotspec() is not None and not hasattr(ax, "_colorbar")]


def _stack(figure) -> int:
    """Move panels that are side by side one below the other; how many there are."""
    panels = _panels(figure)
    rows = GridSpec(max(1, len(panels)), 1, figure=figure)
    for ax, row in zip(panels, rows, strict=False):
        ax.set_subplotspec(row)
        if len(panels) > 1:  # panels that shared an axis stood without its labels
            ax.tick_params(labelbottom=True, labelleft=True)
    return max(1, len(panels))


def _fit(text, columns: int = COLUMNS) -> int:
    """No letter below the smallest, no line longer than there is room; how many lines."""
    text.set_fontsize(max(LETTER, min(text.get_fontsize(), 10)))
    text.set_text(wrapped(text.get_text(), text.get_fontsize(), columns))
    return text.get_text().count("\n") + 1


def _below(legend, figure) -> int:
    """The legend in one column below what it explains; how many lines."""
    ax, handles = legend.axes, legend.legend_handles
    labels = [wrapped(text.get_text(), LETTER * 1.15) for text in legend.get_texts()]  # the handle takes room, too
    options = {"title": legend.get_title().get_text() or None, "fontsize": LETTER, "frameon": False}
    if ax is None:
        figure.legends.remove(legend)
    else:
        ax.legend_ = None
    if ax is None or len(_panels(figure)) == 1:
        figure.legend(handles, labels, loc="outside lower left", **options)
    else:
        label = ax.get_xlabel()
        down = ScaledTranslation(0, -(0.5 + label.count("\n") * LINE if label else 0.25), figure.dpi_scale_trans)
        ax.legend(handles, labels, loc="upper left", bbox_to_anchor=(0, 0), borderaxespad=0,
                  bbox_transform=ax.transAxes + down, **options)
    return sum(label.count("\n") + 1 for label in labels) + bool(options["title"])


def _number(ax) -> None:
    """Many names beside points become numbers, and a legend names them."""
    named = [text for text in ax.texts if isinstance(text, Annotation) and text.get_text().strip()]
    if sum(len(text.get_text()) > SHORT for text in named) <= POINTS or ax.get_legend() is not None:
        return
    handles, labels = [], []
    for number, text in enumerate(named, 1):
        labels.append(", ".join(text.get_text().split("\n")))
        handles.append(Line2D([], [], linestyle="", marker=f"${number}$", color=text.get_color(),
                              markersize=0.6 * LETTER * len(str(number))))
        text.set_text(str(number))
    ax.legend(handles, labels)


def narrow(figure):
    """A copy of a figure, drawn anew for a phone: panels stacked, legends in one column, long lines broken, many names
    beside points replaced by numbers.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        Stays as it is.

    Returns
    -------
    matplotlib.figure.Figure
        `WIDTH` inches wide, no type smaller than `LETTER` points.
    """
    small = copy.deepcopy(figure)
    small.set_layout_engine("constrained")  # whoever saves a figure has switched its own off
    tall = _stack(small) * HEIGHT
    for text in small.findobj(lambda artist: hasattr(artist, "get_fontsize") and artist.get_fontsize() < LETTER):
        text.set_fontsize(LETTER)
    for ax in small.axes:
        _number(ax)
        for title in (ax.title, ax._left_title, ax._right_title):
            tall += (_fit(title) - 1) * LINE
        tall += (_fit(ax.xaxis.label, COLUMNS - 2) - 1) * LINE
        _fit(ax.yaxis.label, BESIDE)
        if isinstance(ax.yaxis.get_major_locator(), FixedLocator):
            names = [wrapped(label.get_text(), LETTER, NAME) for label in ax.get_yticklabels()]
            ax.set_yticks(ax.get_yticks(), names, fontsize=LETTER)
    if small.get_suptitle():
        tall += _fit(small._suptitle) * LINE
    for legend in [*small.legends, *filter(None, (ax.get_legend() for ax in small.axes))]:
        tall += _below(legend, small) * LINE
    small.set_size_inches(WIDTH, tall)
    return small


class FigureCanvas(FigureCanvasSVG):
    """SVG, with the narrow drawing in a comment after the wide one."""

    def print_svg(self, filename, **options):
        options.pop("bbox_inches_restore", None)
        wide, small = io.StringIO(), io.StringIO()
        with mpl.rc_context({"svg.fonttype": "path", "svg.hashsalt": "derl"}):  # the same names of parts every time
            self.figure.savefig(wide, format="svg", backend="svg", bbox_inches="tight", **options)
            narrow(self.figure).savefig(small, format="svg", backend="svg", **options)
        packed = base64.b64encode(small.getvalue().encode()).decode()
        filename.write(f"{wide.getvalue().rstrip()}\n{OPENING}{packed}{CLOSING}\n".encode())


def apart(svg: str) -> tuple[str, str | None]:
    """What `FigureCanvas` has written: the wide drawing and the narrow one, or None where there is none."""
    wide, found, rest = svg.partition(OPENING)
    return (wide, base64.b64decode(rest.partition(CLOSING)[0]).decode()) if found else (svg, None)
