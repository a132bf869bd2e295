"""The graph of dependencies: all statements, as a picture that needs no Jupyter kernel and no plotting
library.

Two pictures in HTML and SVG. `overview` has one row per page and one column per depth (a statement is one column to the
right of the deepest one that it uses); `page_diagram` lists the statements of one page and draws arcs. Marks are the
signs of the verdicts, so that colour only repeats them; a ring says that everything below is proved. The look and what
happens under the pointer are in book/_static/graph.css and graph.js; without them the links still work.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from IPython.display import HTML

from derl.claims import PAPER
from derl.judge.verdicts import SIGNS
from derl.ledger import Ledger, Paper, Statement
from derl.ledger.rows import StatementRow

COLUMN, STEP, ROW, LABEL = 44, 20, 20, 150  # pixels
PER_ROW = 2  # marks side by side in one cell of the overview
UNCHECKED = ("not checked", False)  # verdict and ring of a statement without a row
LINE, MARGIN = 28, 96  # height of a line and width of the arcs in the diagram of a page


@dataclass(frozen=True)
class Node:
    """One statement: its place, what it uses, and its verdict in the last run.

    Attributes
    ----------
    solid : bool
        It is proved, certified or enumerated, and so is everything that it rests on (definitions apart).
    """

    key: str
    name: str
    page: str
    verdict: str
    needs_to_state: tuple[str, ...]
    needs_to_prove: tuple[str, ...]
    repair: str | None
    depth: int
    solid: bool

    @property
    def uses(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*self.needs_to_state, *self.needs_to_prove)))


def latest_ledger(start: Path | None = None) -> Ledger:
    """The ledger that the book is built from: _build/ledger.json in this folder or the nearest one above it.

    Raises
    ------
    InvalidLedger
        Where there is none.
    """
    here = (start or Path.cwd()).resolve()
    found = next((folder / "_build" / "ledger.json" for folder in (here, *here.parents)
                  if (folder / "_build" / "ledger.json").is_file()), here / "_build" / "ledger.json")
    return Ledger.load(found)


def page_titles(pages, start: Path | None = None) -> dict[str, str]:
    """Heading of each page, read from book/<page>.md; the path itself where there is no such file."""
    here = (start or Path.cwd()).resolve()
    titles = {}
    for page in dict.fromkeys(pages):
        files = [folder / "book" / f"{page}.md" for folder in (here, *here.parents)]
        lines = next((file.read_text(encoding="utf-8").splitlines() for file in files if file.is_file()), [])
        titles[page] = next((line[2:] for line in lines if line.startswith("# ")), page)
    return titles


def nodes(rows: Mapping[str, StatementRow], paper: Paper = PAPER) -> dict[str, Node]:
    """All statements with their place in the order of dependence.

    Parameters
    ----------
    rows : mapping
        id -> row of the ledger; a statement without a row counts as not checked.
    """
    depth = paper.dependencies.depth
    found = {key: (row.verdict, bool(row.grounded)) for key, row in rows.items()}
    return {key: Node(key, _name(s), s.page, found.get(key, UNCHECKED)[0], s.uses_statement, s.uses_proof, s.repair,
                      depth[key], found.get(key, UNCHECKED)[1]) for key, s in paper.statements.items()}


def _name(statement: Statement) -> str:
    title = statement.title.translate(str.maketrans("", "", "$\\{}"))
    return title if statement.own else f"{statement.name}: {title}"


def _mark(node: Node, x: float, y: float) -> str:
    """The sign of a verdict at (x, y), a link to the statement, with a ring where everything below is proved."""
    ring = f'<circle cx="{x:g}" cy="{y:g}" r="8.5"/>' if node.solid else ""
    below = "; everything it rests on is proved" if node.solid else ""
    tip = html.escape(f"{node.name} ({node.verdict}{below})")
    return (f'<a href="../{node.page}.html#{node.key}" data-key="{node.key}" class="mark verdict-'
            f'{node.verdict.replace(" ", "-")}" aria-label="{tip}"><title>{tip}</title>{ring}'
            f'<rect x="{x - 9:g}" y="{y - 9:g}" width="18" height="18"/>'
            f'<text x="{x:g}" y="{y + 4:g}">{SIGNS[node.verdict]}</text></a>')


def _edge(of: str, to: str, kind: str, path: str) -> str:
    return f'<path class="edge {kind}" data-from="{of}" data-to="{to}" d="{path}"/>'


def _svg(width: int, height: int, alt: str, parts: list[str]) -> str:
    """The colours have a dark form of their own, so the filter of the book for dark mode is switched off."""
    return (f'<svg style="filter:none" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="group" '
            f'aria-label="{alt}">{"".join(parts)}</svg>')


def _edges(node: Node):
    """(other, kind) for everything that a statement uses, and for its repair."""
    yield from ((other, "to-prove") for other in node.needs_to_prove)
    yield from ((other, "to-state") for other in node.needs_to_state if other not in node.needs_to_prove)
    if node.repair:
        yield node.repair, "repair"


def overview(graph: Mapping[str, Node], titles: Mapping[str, str] | None = None) -> HTML:
    """Every statement: one row per page in the order of claims.yml, one column per depth."""
    titles = titles or {}
    pages = list(dict.fromkeys(node.page for node in graph.values()))
    place, rows, y = {}, [], 34
    for page in pages:
        cells: dict[int, list[str]] = {}
        for node in graph.values():
            if node.page == page:
                cells.setdefault(node.depth, []).append(node.key)
        tall = max(-(-len(cell) // PER_ROW) for cell in cells.values())
        for depth, cell in cells.items():
            for i, key in enumerate(cell):
                place[key] = (LABEL + depth * COLUMN + 14 + (i % PER_ROW) * STEP, y + 12 + (i // PER_ROW) * ROW)
        height = 8 + tall * ROW
        rows.append(f'<rect class="band" x="0" y="{y}" width="100%" height="{height}"/><a href="../{page}.html">'
                    f'<text class="page" x="6" y="{y + 17}">{html.escape(_short(titles.get(page, page)))}</text></a>')
        y += height + 5
    width = LABEL + (1 + max(node.depth for node in graph.values())) * COLUMN + 10
    lines = [_edge(key, other, kind, _curve(place[key], place[other]))
             for key, node in graph.items() for other, kind in _edges(node) if other in place]
    marks = [_mark(node, *place[key]) for key, node in graph.items()]
    heads = "".join(f'<text class="head" x="{LABEL + k * COLUMN + 20}" y="20">{k}</text>'
                    for k in range(1 + max(node.depth for node in graph.values())))
    solid = sum(node.solid for node in graph.values())
    alt = (f"{len(graph)} statements on {len(pages)} pages, placed by how deep they rest on others; {solid} of them "
           "are proved together with everything below them")
    corner = '<text class="head" x="6" y="20">page / depth</text>'
    drawn = _svg(width, y + 6, alt, [*rows, heads, corner, *lines, *marks])
    return HTML(f'<div class="derl-graph"><p class="said" aria-live="polite">{_legend()}</p>'
                f'<div class="scroll" tabindex="0" role="region" aria-label="{alt}">{drawn}</div></div>')


def _short(title: str, longest: int = 22) -> str:
    return title if len(title) <= longest else title[:longest - 1].rstrip() + "…"


def _curve(start, end) -> str:
    (x0, y0), (x1, y1) = start, end
    bend = max(18, abs(x0 - x1) / 3)
    return f"M{x0 - 8:g} {y0:g}C{x0 - bend:g} {y0:g} {x1 + bend:g} {y1:g} {x1 + 8:g} {y1:g}"


def page_diagram(graph: Mapping[str, Node], page: str, title: str = "") -> str:
    """The statements of one page, one line each, with arcs to what they use; grey lines are on other pages."""
    own = [node for node in graph.values() if node.page == page]
    outside = [graph[key] for key in dict.fromkeys(key for node in own for key, _ in _edges(node))
               if graph[key].page != page]
    lines = sorted(outside, key=lambda n: n.depth) + sorted(own, key=lambda n: n.depth)
    at = {node.key: LINE / 2 + i * LINE for i, node in enumerate(lines)}
    arcs = []
    for node in own:
        for other, kind in _edges(node):
            y0, y1 = at[node.key], at[other]
            reach = MARGIN - 26 - min(MARGIN - 34, 10 + 1.1 * abs(y0 - y1) ** 0.72)
            path = f"M{MARGIN - 24} {y0:g}C{reach:g} {y0:g} {reach:g} {y1:g} {MARGIN - 24} {y1:g}"
            arcs.append(_edge(node.key, other, kind, path))
    marks = [_mark(node, MARGIN - 12, at[node.key]) for node in lines]
    items = "".join(f'<li class="{"own" if node.page == page else "outside"}"><a href="../{node.page}.html#{node.key}" '
                    f'data-key="{node.key}">{html.escape(node.name)}</a></li>' for node in lines)
    drawn = _svg(MARGIN, len(lines) * LINE, "what rests on what on this page", [*arcs, *marks])
    return (f'<details class="derl-graph arcs"><summary>{html.escape(title or page)} <span class="count">'
            f'{len(own)} statements</span></summary><div class="lines">{drawn}<ol>{items}</ol></div></details>')


def page_diagrams(graph: Mapping[str, Node], titles: Mapping[str, str] | None = None) -> HTML:
    """The diagrams of all pages, closed at first."""
    titles = titles or {}
    return HTML("".join(page_diagram(graph, page, titles.get(page, page))
                        for page in dict.fromkeys(node.page for node in graph.values())))


def _legend() -> str:
    signs = " ".join(f'<span class="verdict-{word.replace(" ", "-")}"><b>{sign}</b> {word}</span>'
                     for word, sign in SIGNS.items() if word != "failed")
    return f"{signs} <span>ring: everything below is proved, too</span>"

