"""How long a page takes, how hard it is, what it needs, and two syllabi, from book/reading.yml.

- Below its heading each page of `levels` says its minutes and its level.
- ```` ```{reading-times} ```` lists these pages with minutes and level.
- ```` ```{reading-chart} ```` draws what depends on what, as a picture whose boxes are links.
- ```` ```{syllabus} 6 ```` is the table of a syllabus; the minutes of a week are those of its pages.

Minutes are computed from words, at WORDS a minute; a formula is one word. A page has two numbers: for what is seen
without a click, and for everything that opens, proofs and solutions included. Code is not counted.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape
from math import ceil
from pathlib import Path

import yaml
from docutils import nodes
from sphinx.util.docutils import SphinxDirective

from derl.claims import PAPER

BOOK = Path(__file__).parents[1]
WORDS = 120  # a minute: slow, since there are formulas
NO_PROSE, OPENS = "code-cell|claim|pseudocode|raw", "dropdown"  # directives
CLAIM = re.compile(r"^```\{claim\} (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$]+\$", re.DOTALL)
LEVELS = {1: "a first course is enough", 2: "some effort", 3: "complete proofs"}
WIDTH, HEIGHT, STEP = 112, 30, 62  # of a box, and from row to row


class InvalidReading(ValueError):
    """reading.yml names a page, a lab, an exercise or a level that is not there; the message says which."""


@cache
def data() -> dict:
    """The file, with every name in it looked up.

    Raises
    ------
    InvalidReading
    """
    found = yaml.safe_load((BOOK / "reading.yml").read_text(encoding="utf-8"))
    weeks = [week for syllabus in found["syllabi"].values() for week in syllabus]
    pages = [page for listed in found["levels"].values() for page in listed]
    needed = [page for node in found["chart"].values() for page in node["needs"]]
    for page in (*pages, *found["chart"], *(page for week in weeks for page in week["pages"])):
        if not (BOOK / f"{page}.md").is_file():
            raise InvalidReading(f"reading.yml: there is no page {page}")
    for page in (page for page in needed if page not in found["chart"]):
        raise InvalidReading(f"reading.yml: {page} is needed and not in the chart")
    for week in weeks:
        for chapter, numbers in week["exercises"].items():
            for number in numbers:
                if f"Exercise {number} ★" not in text(f"{chapter}/exercises"):
                    raise InvalidReading(f"reading.yml: {chapter} has no exercise {number}")
    return found


@cache
def text(page: str) -> str:
    """The source of a page."""
    return (BOOK / f"{page}.md").read_text(encoding="utf-8")


def title(page: str) -> str:
    """The heading of a page."""
    return re.search(r"^# (.+)$", text(page), re.MULTILINE)[1]


def minutes(source: str, opened: bool = False) -> int:
    """Minutes for the words of a page that are seen, or that are there once everything is opened; at least 1."""
    hidden = NO_PROSE if opened else f"{NO_PROSE}|{OPENS}"
    left_out = re.compile(
        rf"\A---\n.*?\n---\n|^(?P<mark>[`:]{{3,}})\{{(?:{hidden})\}}.*?^(?P=mark)$"
        r"|^:[\w-]+:[^\n]*$", re.MULTILINE | re.DOTALL)
    seen = FORMULA.sub(" x ", left_out.sub(" ", source))
    return max(1, ceil(len(re.findall(r"\w[\w'-]*", seen)) / WORDS))


@cache
def times(page: str) -> tuple[int, int]:
    """Minutes for what is seen on a page, with the statements of its cards, and for everything, with all proofs."""
    cards = [(PAPER.statements[key], ":line:" in options) for key, options in CLAIM.findall(text(page))
             if key in PAPER.statements]
    shown = "\n".join(card.statement for card, is_line in cards if not is_line)
    whole = "\n".join("\n".join([card.statement, *(step.say for step in card.proof)]) for card, _ in cards)
    return minutes(f"{text(page)}\n{shown}"), minutes(f"{text(page)}\n{whole}", opened=True)


def level(page: str) -> int:
    """The stars of a page, from 1 to 3; 0 where it has none."""
    return next((stars for stars, pages in data()["levels"].items() if page in pages), 0)


def line(page: str, address: str) -> str:
    """What stands below the heading of a page as HTML: its minutes and its level; empty where it has no level.

    Parameters
    ----------
    page : str
    address : str
        Where the levels are explained.
    """
    stars = level(page)
    if not stars:
        return ""
    time, whole = times(page)
    return (f'<p class="reading-line">{time} minute{"s" if time > 1 else ""} to read'
            f'{f", {whole} with the proofs opened" if whole > time else ""}. '
            f'<a href="{address}">Level {stars} of {max(LEVELS)}</a> <span aria-hidden="true">'
            f'{"★" * stars}{"☆" * (max(LEVELS) - stars)}</span>: {LEVELS[stars]}.</p>')


def put_line(app, pagename, templatename, context, doctree) -> None:
    """Write the line below the heading of the page that is about to be written; a book without the file has none."""
    page = pagename.removeprefix("book/")
    if doctree is not None and page != pagename and "body" in context and (BOOK / "reading.yml").is_file():
        said = line(page, f"{'../' * page.count('/')}seminar.html#minutes-and-levels")
        context["body"] = context["body"].replace("</h1>", f"</h1>\n{said}", 1) if said else context["body"]


def chart(address: str = "{}.html") -> str:
    """The picture of what depends on what: boxes that are links, and a line from each to what it needs above it."""
    nodes_of, lines, boxes = data()["chart"], [], []
    place = {page: (6 + (WIDTH + 8) * node["at"][1], 6 + STEP * node["at"][0]) for page, node in nodes_of.items()}
    for page, (x, y) in place.items():
        for other in nodes_of[page]["needs"]:
            a, b = place[other]
            start, end = f"{a + WIDTH / 2:.0f} {b + HEIGHT}", f"{x + WIDTH / 2:.0f} {y}"
            bend = (y - b - HEIGHT) / 2
            lines.append(f'<path d="M {start} C {a + WIDTH / 2:.0f} {b + HEIGHT + bend:.0f} {x + WIDTH / 2:.0f} '
                         f'{y - bend:.0f} {end}" fill="none" stroke="currentColor" stroke-opacity="0.45"/>')
        boxes.append(f'<a href="{address.format(page)}"><rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="5" '
                     f'fill="var(--pst-color-background)" stroke="currentColor"/><text x="{x + WIDTH / 2:.0f}" '
                     f'y="{y + 20}" text-anchor="middle" font-size="13" fill="currentColor">'
                     f'{escape(nodes_of[page]["name"])}</text></a>')
    height = max(y for _, y in place.values()) + HEIGHT + 6
    said = "; ".join(f"{node['name']} needs {' and '.join(nodes_of[other]['name'] for other in node['needs'])}"
                     for node in nodes_of.values() if node["needs"])
    return (f'<svg class="reading-chart" viewBox="0 0 {3 * (WIDTH + 8) + 4} {height}" width="100%" '
            f'style="max-width: 34rem" role="group" aria-label="{escape(said)}">{"".join(lines + boxes)}</svg>')


class ReadingTimes(SphinxDirective):
    """The table of pages with minutes and levels."""

    def run(self) -> list[nodes.Node]:
        self.env.note_dependency(str(BOOK / "reading.yml"))
        listed = [page for pages in data()["levels"].values() for page in pages]
        rows = [f"| [{title(page)}]({page}.md) | {times(page)[0]} | {times(page)[1]} | {'★' * level(page)} |"
                for page in sorted(listed)]
        return self.parse_text_to_nodes("\n".join(
            ["| page | minutes | with the proofs opened | level |", "|---|---|---|---|", *rows]))


class ReadingChart(SphinxDirective):
    """The picture."""

    def run(self) -> list[nodes.Node]:
        return [nodes.raw("", chart(), format="html")]


class Syllabus(SphinxDirective):
    """The table of a syllabus."""

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        rows = []
        for number, week in enumerate(data()["syllabi"][int(self.arguments[0])], 1):
            pages = ", ".join(f"[{title(page)}]({page}.md)" for page in week["pages"])
            labs = ", ".join(f"`{lab}`" for lab in week["labs"]) or "none"
            exercises = "; ".join(f"[{chapter}]({chapter}/exercises.md) {', '.join(map(str, numbers))}"
                                  for chapter, numbers in week["exercises"].items())
            total = sum(times(page)[0] for page in week["pages"])
            rows.append(f"| {number}. {week['title']} | {pages} | {total} | {labs} | {exercises} |")
        return self.parse_text_to_nodes("\n".join(
            ["| week | pages | minutes | labs | exercises |", "|---|---|---|---|---|", *rows]))


def setup(app):
    app.add_directive("reading-times", ReadingTimes)
    app.add_directive("reading-chart", ReadingChart)
    app.add_directive("syllabus", Syllabus)
    app.connect("html-page-context", put_line)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
