"""The numbers that LaTeX prints, read off a LaTeX source.

`python -m derl.ledger.numbering paper.tex > numbers.csv` makes the table that ships with a package of claims: one row
(label, kind, number, line) for each theorem-like environment, equation, algorithm and table. Things without a label get
the label `line-N`. With `sections` as second argument it prints the table (number, line) of sections and subsections,
which is `sections.csv`. The source itself is not needed afterwards.
"""

from __future__ import annotations

import csv
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

DECLARATION = re.compile(r"\\newtheorem\{(\w+)\}(?:\[(\w+)\])?\{(\w+)\}(?:\[(\w+)\])?")
OPENING = re.compile(r"\\begin\{(\w+\*?)\}(?:\{(\w+)\})?")
CLOSING = re.compile(r"\\end\{(\w+\*?)\}")
LABEL = re.compile(r"\\label\{([^}]*)\}")
SECTION = re.compile(r"\\section\{")
SUBSECTION = re.compile(r"\\subsection\{")
FLOATS = ("algorithm", "table", "figure")
NUMBERED_MATHS = ("align", "equation")
# labels of sections, figures and code lines stand close by and must not be taken for those of statements
PREFIXES = {"algorithm": ("alg:",), "table": ("table:",), "figure": ("fig:",), "equation": ("eq:",)}
STATEMENT_PREFIXES = ("assump:", "def:", "thm:", "lem:", "corollary:", "claim:", "cond:")


@dataclass
class _Counters:
    """LaTeX's counters while the source is read from top to bottom."""

    shared: dict[str, str]  # environment -> the counter it uses
    in_section: set[str]  # counters that restart with each section
    values: dict[str, int] = field(default_factory=dict)
    section: str = ""
    appendix: bool = False

    def step(self, counter: str) -> int:
        self.values[counter] = self.values.get(counter, 0) + 1
        return self.values[counter]

    def next_section(self) -> None:
        number = self.step("section")
        self.section = chr(ord("A") + number - 1) if self.appendix else str(number)
        for counter in self.in_section:
            self.values[counter] = 0

    def number(self, environment: str) -> str:
        # an environment that is never declared is printed as if it shared the theorem counter
        counter = self.shared.get(environment, "theorem")
        value = self.step(counter)
        return f"{self.section}.{value}" if counter in self.in_section else str(value)


def read(source: str) -> list[tuple[str, str, str, int]]:
    """Rows (label, kind, number, line) of a LaTeX source, in the order of the text.

    Parameters
    ----------
    source : str
        The whole LaTeX document. These constructs are understood: `\\newtheorem`, `restatable`,
        `align` with `\\notag`, `\\numberthis`, `algorithm`, `table`, `\\section`, `\\appendix`.
    """
    counters = _declared(source)
    rows: list[list] = []
    maths = False  # inside numbered maths
    unnumbered = False  # the current row of it says \notag
    held: list[str] = []  # labels whose row has not come yet
    for line, text in enumerate(_without_comments(source), 1):
        if "\\newcommand" in text or "\\newtheorem" in text:
            continue
        before = len(rows)
        if text.strip() == "\\appendix":
            counters.appendix, counters.values["section"] = True, 0
        if SECTION.search(text):
            counters.next_section()
        opens = False
        for match in OPENING.finditer(text):
            name = match[2] if match[1] == "restatable" else match[1]
            if name in counters.shared or match[1] == "restatable":
                rows.append(["", name, counters.number(name), line])
            elif name in FLOATS:
                rows.append(["", name, str(counters.step(name)), line])
            elif name in NUMBERED_MATHS:
                maths, unnumbered, opens = True, False, True
        closes = any(name in NUMBERED_MATHS for name in CLOSING.findall(text))
        unnumbered = unnumbered or "\\notag" in text
        ends_row = text.rstrip().endswith("\\\\")
        if "\\numberthis" in text or (maths and (ends_row or closes) and not unnumbered):
            rows.append(["", "equation", f"({counters.step('equation')})", line - (closes and not opens)])
        held += LABEL.findall(text)
        if not maths or len(rows) > before:  # a label inside maths belongs to the row that is still to come
            for label in held:
                if rows and label.startswith(PREFIXES.get(rows[-1][1], STATEMENT_PREFIXES)):
                    rows[-1][0] = rows[-1][0] or label
            held = []
        if ends_row:
            unnumbered = False
        if closes:
            maths = False
    return [(label or f"line-{line}", kind, number, line) for label, kind, number, line in rows]


def sections(source: str) -> list[tuple[str, int]]:
    """Rows (number, line) of the numbered sections and subsections: ("4.2", 343), ("E.1", 1266)."""
    counters, rows = _Counters({}, {"subsection"}), []
    for line, text in enumerate(_without_comments(source), 1):
        if text.strip() == "\\appendix":
            counters.appendix, counters.values["section"] = True, 0
        if SECTION.search(text):
            counters.next_section()
            rows.append((counters.section, line))
        elif SUBSECTION.search(text):
            rows.append((f"{counters.section}.{counters.step('subsection')}", line))
    return rows


def _declared(source: str) -> _Counters:
    shared, in_section = {}, {"theorem"}
    for environment, of, _, within in DECLARATION.findall(source):
        shared[environment] = of or environment
        if within == "section":
            in_section.add(environment)
    return _Counters(shared, in_section)


def _without_comments(source: str) -> list[str]:
    return [re.sub(r"(?<!\\)%.*", "", line) for line in source.splitlines()]


def main() -> None:
    """Print a table of the LaTeX file named on the command line as CSV."""
    source = Path(sys.argv[1]).read_text(encoding="utf-8")
    header, rows = ((["number", "line"], sections(source)) if sys.argv[2:] == ["sections"] else
                    (["label", "kind", "number", "line"], read(source)))
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)


if __name__ == "__main__":
    main()
