"""An algorithm on the page: pseudocode as printed and as corrected, with links into the source that runs.

```` ```{pseudocode} 1 ```` shows algorithm 1 of book/algorithms.yml. Each line names a piece of the source, and the
number of the line leads to the line of the library that does it. A piece that is not in the source is a warning, and
warnings fail the build.
"""

from __future__ import annotations

import importlib
import inspect
from functools import cache
from pathlib import Path

import yaml
from check_boxes import linked, listed
from docutils import nodes
from repository import line_of
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

logger = logging.getLogger(__name__)
FIELDS = {"say", "in", "printed", "why", "code"}


class InvalidBox(ValueError):
    """algorithms.yml breaks its own rules; the message names the algorithm, the line and the rule."""


@cache
def source(name: str) -> tuple[str, int, tuple[str, ...]]:
    """File, first line and lines of a function `module.function` or `module.Class.method` of derl."""
    parts, found = name.split("."), None
    for cut in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module("derl." + ".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for part in parts[cut:]:
            found = getattr(found, part)
        break
    if found is None:
        raise InvalidBox(f"derl has no {name}")
    lines, first = inspect.getsourcelines(found)
    module = inspect.getmodule(found).__name__.replace(".", "/")
    return f"{module}.py", first, tuple(line.rstrip("\n") for line in lines)


def body(lines: tuple[str, ...]) -> tuple[tuple[str, int], ...]:
    """The lines of a function without its docstring, each with its place from 0; what is described is not repeated."""
    text = "\n".join(lines)
    marks = [place for place in range(len(text)) if text.startswith('"""', place)]
    if len(marks) < 2:
        return tuple((line, i) for i, line in enumerate(lines))
    first, last = (text[:place].count("\n") for place in marks[:2])
    return tuple((line, i) for i, line in enumerate(lines) if not first <= i <= last)


def places(name: str, functions: list[str], lines: list[dict]) -> dict[tuple[str, int], list[int]]:
    """(function, line of its source) -> numbers of the pseudocode lines that stand there.

    Raises
    ------
    InvalidBox
        A field that is not known, or a piece of source that is not there.
    """
    found: dict[tuple[str, int], list[int]] = {}
    for number, line in enumerate(lines, 1):
        if not line.keys() <= FIELDS or "say" not in line:
            raise InvalidBox(f"algorithm {name}, line {number}: fields are say, in, printed, why, code")
        if "printed" in line and "why" not in line:
            raise InvalidBox(f"algorithm {name}, line {number}: what differs from the paper names a statement (why)")
        if "code" not in line:
            continue
        at = [(function, i) for function in functions for text, i in body(source(function)[2]) if line["code"] in text]
        if not at:
            raise InvalidBox(f"algorithm {name}, line {number}: {line['code']!r} is not in {', '.join(functions)}")
        found.setdefault(at[0], []).append(number)
    return found


def files(root: Path) -> set[str]:
    """The files of the library to which the pseudocode of a book leads; none where the book has no pseudocode."""
    boxes = root / "book" / "algorithms.yml"
    found = yaml.safe_load(boxes.read_text(encoding="utf-8")) if boxes.is_file() else {}
    return {source(function)[0] for box in found.values() for function in box["source"]}


class Pseudocode(SphinxDirective):
    """One algorithm of algorithms.yml."""

    required_arguments = 1

    def run(self):
        file = Path(self.env.srcdir, "book", "algorithms.yml")
        self.env.note_dependency(str(file))
        number = self.arguments[0]
        try:
            entry = yaml.safe_load(file.read_text(encoding="utf-8"))[number]
            marks = places(number, entry["source"], entry["lines"])
        except (KeyError, InvalidBox) as error:
            logger.warning("pseudocode: %s", error, location=self.get_location())
            return []
        label = f"Algorithm {number}. " if number.isdigit() else "A result of this book. "
        title = nodes.paragraph("", "", nodes.strong("", label), *self.inline(entry["title"]),
                                classes=["algorithm-title"])
        needs = nodes.paragraph("", "", nodes.emphasis("", "Given: "), *self.inline(entry["input"]), nodes.Text("."))
        at = {n: self.address(function, i) for (function, i), numbers in marks.items() for n in numbers}
        lines = nodes.container("", *(self.line(n, line, at.get(n)) for n, line in enumerate(entry["lines"], 1)),
                                classes=["pseudocode"])
        parts = [linked(nodes.literal("", function.rpartition(".")[2]), self.address(function, 0))
                 for function in entry["source"]]
        where = nodes.paragraph("", "", nodes.Text("In the library: "), *listed([[part] for part in parts]),
                                nodes.Text(". The number of a line leads to the line of the library that does it."),
                                classes=["library"])
        return [nodes.container("", title, needs, lines, where, classes=["algorithm"], ids=[f"algorithm-{number}"])]

    def address(self, function: str, place: int) -> str:
        """Where a line of a function can be read, counted from 0."""
        file, first, _ = source(function)
        return line_of(file, first + place, self.config, self.env.docname)

    def line(self, number: int, line: dict, at: str | None) -> nodes.container:
        """One line: its number, what runs, and what is printed where that differs."""
        row = nodes.container(classes=["pseudo-line", f"in-{line.get('in', 0)}"])
        shown = linked(nodes.Text(str(number)), at) if at else nodes.Text(str(number))
        what = nodes.paragraph("", "", nodes.inline("", "", shown, classes=["number"]))
        what += nodes.inline("", "", *self.inline(line["say"]), classes=["say"])
        row += what
        if "printed" in line:
            row["classes"].append("differs")
            row += nodes.paragraph("", "", nodes.inline("", "printed: ", classes=["label"]),
                                   nodes.inline("", "", *self.inline(line["printed"]), classes=["printed"]),
                                   nodes.Text(" "), *self.inline(f"{{claim}}`{line['why']}`"), classes=["was"])
        return row

    def inline(self, text: str) -> list[nodes.Node]:
        """Nodes of one line of MyST."""
        return self.state.inline_text(text, self.lineno)[0]


def setup(app):
    app.add_directive("pseudocode", Pseudocode)
    app.add_css_file("algorithms.css")
    return {"version": "1", "parallel_read_safe": True}
