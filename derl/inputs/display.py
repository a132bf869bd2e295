"""How objects are displayed: a few lines of text on a terminal, a small table and a chart in a notebook.

This module computes nothing; an object passes the facts that it already has. All texts are escaped before they become
HTML.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence, Set
from dataclasses import fields
from html import escape
from itertools import cycle
from numbers import Integral, Real

WIDTH, HEIGHT, MARGIN = 480, 150, 8  # of a chart, in pixels
POINTS = 240  # of a curve that are drawn at the most
DOTS = 30  # deployments that are marked one by one; more are a line only
ROWS = 10  # of a table that are shown; the middle is left out
LINE = 110  # characters of a text on one line
LONGEST = 90  # characters of one fact
COLOURS = ("#0a7d91", "#c0561f")  # told from white and from black; texts have the colour of the page


def short(value) -> str:
    """A number with six digits; a whole number with at most twenty digits is written exactly.

    1e+12 is 10^12 exactly, and 1234567 is not rounded.
    """
    if value is None:
        return "-"
    if isinstance(value, bool) or not isinstance(value, Real):
        return str(value)
    if not isinstance(value, Integral):
        return f"{float(value):.6g}"
    digits = str(abs(int(value)))
    if len(digits) <= 6 or len(digits) <= 20 and len(digits.rstrip("0")) > 6:
        return str(int(value))
    head = f"{int(digits[:7]) / 10**6:.6g}"
    return f"{'-' if value < 0 else ''}{head}e+{len(digits) - 1:02d}" if head != "10" else f"1e+{len(digits):02d}"


def cut(text: str, longest: int = LONGEST) -> str:
    """One line of at most so many characters."""
    line = " ".join(str(text).split())
    return line if len(line) <= longest else f"{line[:longest - 3]}..."


def text(title: str, facts: Mapping[str, object]) -> str:
    """A title and its facts: on one line where they fit, else one aligned line for each.

    Examples
    --------
    >>> from derl.inputs import display
    >>> display.text("Batch", {"batch_size": 10**13, "mode": "exact"})
    'Batch(batch_size=1e+13, mode=exact)'
    """
    told = {name: cut(short(value)) for name, value in facts.items()}
    line = f"{title}({', '.join(f'{name}={value}' for name, value in told.items())})"
    if len(line) <= LINE:
        return line
    width = max(map(len, told))
    return "\n".join([title, *(f"  {name:>{width}}: {value}" for name, value in told.items())])


def html(title: str, facts: Mapping[str, object], more: str = "") -> str:
    """The same for a notebook. `more` is HTML already: a table or a chart."""
    left = 'style="text-align:left"'
    rows = "".join(f'<tr><th scope="row" {left}>{escape(name)}</th><td {left}>{escape(cut(short(value)))}</td></tr>'
                   for name, value in facts.items())
    return f"<div><p><strong>{escape(cut(title))}</strong></p><table>{rows}</table>{more}</div>"


class Shown(ABC):
    """Base class of objects that list a few facts about themselves; their text and HTML show these facts.

    A dataclass that inherits from it says `repr=False`.
    """

    @abstractmethod
    def _facts(self) -> dict[str, object]:
        """At most nine facts, named as the attributes that hold them."""

    def _more(self) -> str:
        """HTML below the facts: a table or a chart."""
        return ""

    def __repr__(self):
        return text(type(self).__name__, self._facts())

    def _repr_html_(self):
        return html(type(self).__name__, self._facts(), self._more())


class Fields(Shown):
    """A dataclass that shows all of its fields; of an array only its shape, of a collection only how long it is."""

    def _facts(self):
        return {field.name: outline(getattr(self, field.name)) for field in fields(self)}


def outline(value) -> object:
    """A number or a word as it is; of anything larger its kind and size."""
    if value is None or isinstance(value, str | bool | Real):
        return value
    kind, shape = type(value).__name__, getattr(value, "shape", None)
    if isinstance(shape, tuple) and shape:
        return f"{kind} {shape}"
    if isinstance(value, tuple) and len(value) <= 3 and all(isinstance(part, Real) for part in value):
        return f"({', '.join(map(short, value))})"
    return f"{kind} of {len(value)}" if isinstance(value, Sequence | Mapping | Set) else kind


def ends(rows: Sequence) -> Sequence:
    """Of many rows the first and the last."""
    return rows if len(rows) <= ROWS else [*rows[:ROWS // 2], *rows[-(ROWS // 2):]]


def table(rows: Sequence[Mapping[str, object]], count: int | None = None) -> str:
    """Rows with named columns as an HTML table; of many rows the first and the last.

    Parameters
    ----------
    rows : sequence of mappings
    count : int, optional
        How many rows there are in all, where `rows` are but the first and the last of them.
    """
    left_out = (len(rows) if count is None else count) - len(ends(rows))
    columns = list(dict.fromkeys(name for row in rows for name in row))
    shown = [*ends(rows)]
    if left_out:
        shown.insert(len(shown) // 2, None)
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in columns)
    cells = [f'<td colspan="{len(columns)}">... {left_out} more ...</td>' if row is None else
             "".join(f"<td>{escape(cut(short(row.get(name))))}</td>" for name in columns) for row in shown]
    return f"<table><thead><tr>{head}</tr></thead><tbody><tr>{'</tr><tr>'.join(cells)}</tr></tbody></table>"


def thinned(rows: Sequence) -> list[tuple[int, object]]:
    """Every row with its place, from 1; of very many only as many as a chart can show."""
    step = max(1, -(-len(rows) // POINTS))
    return [(k + 1, rows[k]) for k in range(0, len(rows), step)]


def chart(places: Sequence[int], curves: Mapping[str, Sequence], horizontal: str) -> str:
    """Positive numbers as an SVG picture with a logarithmic axis; "" where none is positive.

    Parameters
    ----------
    places : sequence of int, from 1, increasing
    curves : mapping
        Name -> one number for each place; what is no positive finite number is left out.
    horizontal : str
        What is counted from left to right.
    """
    points = {name: [(k, math.log(y)) for k, y in zip(places, values, strict=True)
                     if isinstance(y, int | float) and 0 < y < math.inf] for name, values in curves.items()}
    every = [point for curve in points.values() for point in curve]
    if len(every) < 2:
        return ""
    first, last = min(k for k, _ in every), max(k for k, _ in every)
    low, high = min(y for _, y in every), max(y for _, y in every)

    def place(k, y):
        right = MARGIN + (WIDTH - 2 * MARGIN) * (k - first) / (last - first or 1)
        return f"{right:.1f},{MARGIN + (HEIGHT - 2 * MARGIN) * (high - y) / (high - low or 1):.1f}"

    drawn, names = [], []
    for (name, curve), colour in zip(points.items(), cycle(COLOURS), strict=False):
        path = " ".join(place(k, y) for k, y in curve)
        dots = "".join('<circle cx="{}" cy="{}" r="2.5"/>'.format(*dot.split(",")) for dot in path.split()[:DOTS])
        drawn.append(f'<g fill="{colour}"><polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
                     f"{dots if len(curve) <= DOTS else ''}</g>")
        names.append(f'<span style="color:{colour}">&#9679;</span> {escape(name)}')
    both = " and ".join(points)
    says = f"against the {horizontal}, from {short(math.exp(low))} to {short(math.exp(high))} on a logarithmic axis"
    return (f'<svg role="img" aria-label="{escape(both)} {escape(says)}" width="{WIDTH}" '
            f'height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"><rect x="0.5" y="0.5" width="{WIDTH - 1}" '
            f'height="{HEIGHT - 1}" fill="none" stroke="currentColor" stroke-opacity="0.3"/>{"".join(drawn)}</svg>'
            f"<p>{' and '.join(names)} {escape(says)}</p>")
