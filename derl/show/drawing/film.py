"""Films: a mechanism in a few frames, drawn once in Python and moved by a script in the page.

A frame is a list of shapes `[key, tag, attributes, words]` and one sentence about what it shows. The frames are in the
page as pictures side by side: on paper and without scripts they stay so. `book/_static/moves/film.js` plays them: a
shape that two frames have under one key glides from its first place to its second.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import chain

from IPython.display import HTML


def near(value: float) -> float | int:
    """A coordinate with one decimal, to keep pages small."""
    rounded = round(float(value), 1)
    return int(rounded) if rounded == int(rounded) else rounded


def shape(key: str, tag: str, words: str | None = None, **attributes) -> list:
    """One shape; `kind` is its class, and underscores of names become dashes."""
    kind = attributes.pop("kind", "")
    found = {name.replace("_", "-"): near(value) if isinstance(value, float) else value
             for name, value in attributes.items()}
    return [key, tag, found | ({"class": kind} if kind else {}), words]


def text(key: str, x: float, y: float, words: str, kind: str = "", anchor: str = "start") -> list:
    """Words in a frame."""
    return shape(key, "text", words, x=float(x), y=float(y), text_anchor=anchor, kind=kind)


def bar(key: str, x: float, y: float, width: float, height: float, kind: str) -> list:
    """A bar with its upper left corner at (x, y)."""
    return shape(key, "rect", x=float(x), y=float(y), width=max(0.0, float(width)), height=float(height), rx=2,
                 kind=f"bar {kind}")


def svg(shapes: Sequence[Sequence], size: tuple[int, int], label: str) -> str:
    """The shapes as one picture.

    Parameters
    ----------
    size : (width, height)
    label : str
        What is seen, for readers who cannot see it.
    """
    width, height = size
    inside = "".join(_element(*one) for one in shapes)
    return (f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
            f'aria-label="{escape(label)}">{inside}</svg>')


def _element(key: str, tag: str, given: dict, words: str | None) -> str:
    attributes = " ".join(f'{name}="{escape(str(value))}"' for name, value in given.items())
    return f'<{tag} data-key="{escape(key)}" {attributes}>{escape(words or "")}</{tag}>'


def film(size: tuple[int, int], frames: Sequence[tuple[Sequence[Sequence], str]], head: Sequence[str],
         rows: Sequence[Sequence], label: str) -> dict:
    """What a page needs to show a film.

    Parameters
    ----------
    frames : sequence of (shapes, sentence)
    head, rows : sequences
        The table for those who do not see the film: one row per frame or more.
    label : str
        What the film shows.

    Returns
    -------
    dict
        "frames" become pictures on the page, the rest is read by film.js.
    """
    return {"label": label, "head": list(head), "rows": [[str(value) for value in row] for row in rows],
            "frames": [{"said": said, "svg": svg(shapes, size, said)} for shapes, said in frames]}


def still(frames: Sequence[dict[str, str]]) -> str:
    """The frames side by side, as HTML."""
    figures = chain.from_iterable(
        (f"<figure>{frame['svg']}", f"<figcaption>{escape(frame['said'])}</figcaption>" if frame["said"] else "",
         "</figure>") for frame in frames)
    return f'<div class="moves-still">{"".join(figures)}</div>'


def picture(shapes: Sequence[Sequence], size: tuple[int, int], label: str) -> HTML:
    """One drawing in the text of a page."""
    return HTML(still([{"said": "", "svg": svg(shapes, size, label)}]))
