"""The description of a lab: one pure function, and the controls that choose its arguments.

This module contains no widgets. The panel makes widgets of a `Lab`, the tests and the benchmark try its corners, and
the gallery shows its first picture. All use the one description in `derl.show.<chapter>`.
"""

from __future__ import annotations

import html
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from derl.inputs import choice
from derl.show.drawing import InvalidChoice

FEWEST, MOST = 2, 400  # positions of a control


@dataclass(frozen=True)
class Slider:
    """A few positions in order.

    Attributes
    ----------
    name : str
        The argument that it chooses.
    words : str
        What stands beside it.
    values : tuple
        Increasing.
    start : a value
    form : str
        How a value is written.
    """

    name: str
    words: str
    values: tuple
    start: Any
    form: str = "{}"

    @property
    def options(self) -> list[tuple[str, Any]]:
        """(label, value) of every position."""
        return [(self.form.format(value), value) for value in self.values]

    @property
    def ends(self) -> tuple:
        """The first and the last position."""
        return self.values[0], self.values[-1]


@dataclass(frozen=True)
class Choice(Slider):
    """Alternatives without an order: all of them are corners."""

    @property
    def ends(self) -> tuple:
        """Every alternative."""
        return self.values


@dataclass(frozen=True)
class Depends:
    """Alternatives that depend on what is chosen before.

    Attributes
    ----------
    name, words : str
    of : callable
        The values of some controls that stand before this one -> (label, value) of every alternative, at least one.
    takes : tuple of str
        The names of those controls, in the order of the arguments.
    start : a value
        Where it stands at first.
    """

    name: str
    words: str
    of: Callable[..., tuple[tuple[str, Any], ...]]
    takes: tuple[str, ...]
    start: Any

    def options_at(self, chosen: dict[str, Any]) -> tuple[tuple[str, Any], ...]:
        """(label, value) of every alternative for these values of the other controls."""
        return self.of(*(chosen[name] for name in self.takes))

    def values_at(self, chosen: dict[str, Any]) -> tuple:
        """The values alone."""
        return tuple(value for _, value in self.options_at(chosen))


@dataclass(frozen=True)
class Steps:
    """A process: it can be played, stepped and reset. The view says how far it goes.

    Attributes
    ----------
    name, words : str
    start : int
        Where it stands at first.
    first, most : int
        The first step, and the last that any setting has.
    stride : int
        What a step adds.
    """

    name: str
    words: str
    start: int
    first: int
    most: int
    stride: int = 1

    @property
    def values(self) -> tuple[int, ...]:
        """Every position."""
        return tuple(range(self.first, self.most + 1, self.stride))

    @property
    def ends(self) -> tuple[int, int]:
        """The first and the last position."""
        return self.first, self.most


@dataclass(frozen=True)
class View:
    """The output of a lab at one setting.

    Attributes
    ----------
    sentence : str
        The state in one line.
    pictures : tuple
        Figures of matplotlib, side by side where there is room; or HTML as text.
    last : int or None
        The last step of the process at this setting.
    idle : tuple of str
        Controls that change nothing here.
    marks : tuple of (int, int)
        Row and group of columns of a table where something is wrong.
    """

    sentence: str
    pictures: tuple
    last: int | None = None
    idle: tuple[str, ...] = ()
    marks: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Lab:
    """One lab.

    Attributes
    ----------
    name : str
        Of its notebook.
    title, about : str
        Heading and one sentence.
    view : callable
        One argument per control -> View.
    controls : tuple
    page : str
        The page of the book with its static twin.
    """

    name: str
    title: str
    about: str
    view: Callable[..., View]
    controls: tuple
    page: str

    def __post_init__(self):
        for control in self.controls:
            values = control.values_at(self.start) if isinstance(control, Depends) else control.values
            if not FEWEST <= len(values) <= MOST:
                raise InvalidChoice(f"{control.name} has {len(values)} positions; {FEWEST} to {MOST} are allowed")
            choice(control.start, control.name, values, InvalidChoice)
            if type(control) is Slider and any(a >= b for a, b in pairwise(values)):
                given = ", ".join(map(str, values))
                raise InvalidChoice(f"{control.name} has the positions {given}; they must increase")

    @property
    def start(self) -> dict[str, Any]:
        """The first value of every control."""
        return {control.name: control.start for control in self.controls}

    @property
    def corners(self) -> Iterator[dict[str, Any]]:
        """Every combination of the ends of all controls; of what depends on another one, every alternative there."""
        return _ends(self.controls, {})


def _ends(controls: tuple, chosen: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The corners of the controls that are left, for these values of those before."""
    if not controls:
        yield chosen
        return
    first, *rest = controls
    for value in first.values_at(chosen) if isinstance(first, Depends) else first.ends:
        yield from _ends(tuple(rest), chosen | {first.name: value})


def drawn(picture, words: str = "") -> str:
    """A picture as HTML: a figure becomes SVG that is as wide as its place."""
    if isinstance(picture, str):
        return f'<div class="derl-part">{picture}</div>'
    file = io.StringIO()
    picture.savefig(file, format="svg", metadata={"Date": None})
    body = file.getvalue()
    width = picture.get_size_inches()[0]
    return (f'<div class="derl-part" role="img" aria-label="{html.escape(words, quote=True)}" '
            f'style="flex-basis:{60 * width:.0f}px">{body[body.index("<svg"):]}</div>')


def page(view: View) -> str:
    """A view as HTML: the sentence above its pictures."""
    parts = "".join(drawn(picture, view.sentence) for picture in view.pictures)
    return (f'<p class="derl-sentence" aria-live="polite">{html.escape(view.sentence)}</p>'
            f'<div class="derl-parts">{parts}</div>')
