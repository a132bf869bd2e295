"""An algorithm on the page: pseudocode as printed and as corrected, and beside it the source that runs.

```` ```{pseudocode} 1 ```` shows algorithm 1 of book/algorithms.yml. Each line names a piece of the source; the same
number stands beside the line and beside that piece. A piece that is not in the source is a warning, and warnings fail
the build.
"""

from __future__ import annotations

import importlib
import inspect
from functools import cache
from pathlib import Path

import yaml
from docutils import nodes
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonLexer
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


def listing(function: str, marks: dict[tuple[str, int], list[int]]) -> str:
    """The source of a function as HTML, a line of it marked where a line of the pseudocode stands."""
    file, first, lines = source(function)
    kept = body(lines)
    margin = min((len(text) - len(text.lstrip()) for text, _ in kept if text.strip()), default=0)
    shown = highlight("\n".join(text[margin:] for text, _ in kept), PythonLexer(stripnl=False),
                      HtmlFormatter(nowrap=True)).rstrip("\n").split("\n")
    rows = []
    for html, (_, i) in zip(shown, kept, strict=True):
        numbers = marks.get((function, i), [])
        mark = f'<span class="at">{" ".join(map(str, numbers))}</span>'
        kinds = " ".join(f"line-{number}" for number in numbers)
        rows.append(f'<span class="code-line {kinds}">{mark}{html or " "}</span>')
    return (f'<p class="file"><code>{function.rpartition(".")[2]}</code> in <code>{file}</code>, line {first}</p>'
            f'<div class="highlight"><pre tabindex="0">{"".join(rows)}</pre></div>')


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
        left = nodes.container("", *map(self.line, range(1, len(entry["lines"]) + 1), entry["lines"]),
                               classes=["pseudocode"])
        right = nodes.container(classes=["source"])
        right += nodes.raw("", "".join(listing(function, marks) for function in entry["source"]), format="html")
        return [nodes.container("", title, needs, nodes.container("", left, right, classes=["sides"]),
                                classes=["algorithm"], ids=[f"algorithm-{number}"])]

    def line(self, number: int, line: dict) -> nodes.container:
        """One line: its number, what runs, and what is printed where that differs."""
        row = nodes.container(classes=["pseudo-line", f"in-{line.get('in', 0)}", f"line-{number}"])
        what = nodes.paragraph("", "", nodes.inline("", str(number), classes=["number"]))
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
