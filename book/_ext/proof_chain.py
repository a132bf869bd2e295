"""A chain of formal statements, drawn from its own table: ```` ```{proof-chain} ```` around a table of four columns.

Each row has a letter, what the statement says, its name and its file in `proofs/`, and the letters that its proof uses
(`B, C` or `K to O`). The picture has a box for each row, from what is assumed on the left to the theorem on the right.
A box is a link to the line of the Coq source. The table follows the picture.
"""

from __future__ import annotations

import html
import re
import textwrap
from dataclasses import dataclass
from pathlib import Path

import repository
from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

logger = logging.getLogger(__name__)
PROOFS = Path(__file__).parents[2] / "proofs"
WIDE, GAP, LINE, BETWEEN, PADDING = 130, 22, 14, 12, 8  # pixels
SHORTEST = 18  # characters of a line in a box


class InvalidChain(ValueError):
    """A row of the table is not a statement of a chain; the message says which row and why."""


@dataclass(frozen=True)
class Link:
    """One row: a letter, what it says, the name and the file of the statement, its line, and the rows that it uses."""

    letter: str
    says: str
    name: str
    file: str
    line: int
    uses: tuple[str, ...]


def letters(text: str) -> tuple[str, ...]:
    """`B, C` and `K to O` as letters."""
    if found := re.fullmatch(r"([A-Z]) to ([A-Z])", text):
        return tuple(map(chr, range(ord(found[1]), ord(found[2]) + 1)))
    return tuple(part for part in re.split(r",\s*", text) if part)


def stated_at(name: str, file: str, folder: Path = PROOFS) -> int:
    """The line of a Coq file on which a theorem or a definition of this name begins.

    Raises
    ------
    InvalidChain
    """
    path = folder / file
    if not path.is_file():
        raise InvalidChain(f"there is no file proofs/{file}")
    begins = re.compile(rf"(?:Theorem|Lemma|Corollary|Definition)\s+{re.escape(name)}(?![\w'])")
    found = [n for n, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1) if begins.match(line)]
    if len(found) != 1:
        raise InvalidChain(f"{name} begins on {len(found)} lines of proofs/{file}; it must begin on one")
    return found[0]


def read(table: str, folder: Path = PROOFS) -> list[Link]:
    """The rows of a table; the first two lines are its head.

    Raises
    ------
    InvalidChain
    """
    found: list[Link] = []
    for row in [line for line in table.splitlines() if line.strip()][2:]:
        cells = [cell.strip() for cell in row.strip().strip("|").split("|")]
        source = re.fullmatch(r"`([\w']+)`, `([\w/]+\.v)`", cells[2]) if len(cells) == 4 else None
        if source is None or not re.fullmatch(r"[A-Z]", cells[0]):
            raise InvalidChain(f"a row is not | letter | what it says | `name`, `file.v` | uses |: {row}")
        if cells[0] in {link.letter for link in found}:
            raise InvalidChain(f"two rows have the letter {cells[0]}")
        found.append(Link(cells[0], cells[1], source[1], source[2], stated_at(*source.groups(), folder),
                          letters(cells[3])))
    for link in found:
        if unknown := set(link.uses) - {other.letter for other in found[:found.index(link)]}:
            raise InvalidChain(f"row {link.letter} uses {', '.join(sorted(unknown))}, which is not a row above it")
    return found


def columns(chain: list[Link]) -> dict[str, int]:
    """How many steps lie between each row and the end of the chain."""
    far = {link.letter: 0 for link in chain}
    for link in reversed(chain):
        for other in link.uses:
            far[other] = max(far[other], far[link.letter] + 1)
    return far


def words(text: str) -> list[str]:
    """What a box says, in short lines and without the signs of formulas."""
    plain = re.sub(r"\$([^$]*)\$", lambda found: found[1].replace(r"\delta", "δ").replace("-", " − "), text)
    return textwrap.wrap(plain, SHORTEST, break_long_words=False)


def drawn(chain: list[Link], address) -> str:
    """The picture as HTML.

    Parameters
    ----------
    chain : list of Link
    address : callable
        Where the Coq text of a row can be read: file, line -> address.
    """
    far = columns(chain)
    last = max(far.values())
    size = {link.letter: 2 * PADDING + LINE * (1 + len(words(link.says))) for link in chain}
    stacks = {column: [link for link in chain if far[link.letter] == column] for column in range(last + 1)}
    tall = {column: sum(size[link.letter] + BETWEEN for link in stack) - BETWEEN for column, stack in stacks.items()}
    height, width = max(tall.values()) + 4, (last + 1) * (WIDE + GAP) - GAP + 4
    place = {}
    for column, stack in stacks.items():
        y = (height - tall[column]) / 2
        for link in stack:
            place[link.letter] = (2 + (last - column) * (WIDE + GAP), y)
            y += size[link.letter] + BETWEEN
    parts = []
    for link in chain:
        for other in link.uses:
            (x0, y0), (x1, y1) = place[other], place[link.letter]
            start, end, bend = (x0 + WIDE, y0 + size[other] / 2), (x1, y1 + size[link.letter] / 2), GAP * 0.7
            parts.append(f'<path class="uses" d="M{start[0]:g} {start[1]:g}C{start[0] + bend:g} {start[1]:g} '
                         f'{end[0] - bend:g} {end[1]:g} {end[0]:g} {end[1]:g}"/>')
    for link in chain:
        x, y = place[link.letter]
        rows = "".join(f'<text x="{x + PADDING}" y="{y + PADDING + LINE * (n + 2) - 3:g}">{html.escape(line)} </text>'
                       for n, line in enumerate(words(link.says)))
        parts.append(f'<a href="{html.escape(address(link.file, link.line))}">'
                     f'<title>{html.escape(f"{link.name}, {link.file}")}</title>'
                     f'<rect class="{"end" if not far[link.letter] else "box"}" x="{x}" y="{y:g}" width="{WIDE}" '
                     f'height="{size[link.letter]}" rx="5"/>'
                     f'<text class="letter" x="{x + PADDING}" y="{y + PADDING + LINE - 3:g}">{link.letter} </text>'
                     f"{rows}</a>")
    alt = f"{len(chain)} formal statements, from what is assumed on the left to the theorem on the right"
    return (f'<div class="derl-chain" tabindex="0" role="region" aria-label="{alt}"><svg style="filter:none" '
            f'width="{width}" height="{height:g}" viewBox="0 0 {width} {height:g}" role="group" aria-label="{alt}">'
            f'{"".join(parts)}</svg></div>')


class ProofChain(SphinxDirective):
    """The picture of a chain, and its table."""

    has_content = True

    def run(self):
        try:
            chain = read("\n".join(self.content))
        except InvalidChain as error:
            logger.warning("proof-chain: %s", error, location=self.get_location())
            return self.parse_content_to_nodes()
        for link in chain:
            self.env.note_dependency(str(PROOFS / link.file))

        def address(file, line):
            return repository.line_of(f"proofs/{file}", line, self.env.config, self.env.docname)

        return [nodes.raw("", drawn(chain, address), format="html"), *self.parse_content_to_nodes()]


def setup(app):
    app.add_directive("proof-chain", ProofChain)
    return {"version": "1", "parallel_read_safe": True}
