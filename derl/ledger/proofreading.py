"""A proofreading: one row for every thing that a source says, right or wrong.

The rows are in a CSV file with the columns of `Row`. A row that is `right` needs no more than its place and what was
read. A `slip` is a matter of typography (a bracket, a subscript, a reference) and says what it should be. What is
`wrong` has a mathematical content, and names the statement whose entry says so and whose check shows it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from derl.inputs import Invalid
from derl.ledger.errata import CLASSES
from derl.ledger.paper import Paper
from derl.ledger.statements import Statement

VERDICTS = ("right", "slip", "wrong")
KINDS = ("algorithm-line", "constant", "dependence", "direction", "exponent", "index", "integrality", "logic",
         "missing-hypothesis", "missing-step", "notation", "quantifier", "range", "reference", "sign", "table", "typo",
         "undefined", "word")


class InvalidProofreading(Invalid):
    """A file of rows that cannot be read; the message names the file and the rule."""


@dataclass(frozen=True)
class Row:
    """One row.

    Attributes
    ----------
    line : int
        Line of the source.
    where, what : str
        The place in words, and what was read there.
    verdict : str
        One of `VERDICTS`.
    kind : str
        One of `KINDS`; empty where the verdict is right. Of the less obvious ones, "dependence" is about what a
        constant depends on, and "integrality" about a number that has to be whole. "Undefined" is an object that is
        used before its definition or without one, and "word" a term instead of another one.
    finding, corrected : str
        What is amiss, and what should stand there.
    statement : str
        Id of the statement that is about it, or empty.
    """

    line: int
    where: str
    what: str
    verdict: str
    kind: str
    finding: str
    corrected: str
    statement: str


def read(path: Path) -> tuple[Row, ...]:
    """The rows of a file.

    Raises
    ------
    InvalidProofreading
        Where the columns are others, or a line is no whole number.
    """
    with Path(path).open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream)
        wanted = [field.name for field in fields(Row)]
        if reader.fieldnames != wanted:
            raise InvalidProofreading(f"{path}: the columns are {reader.fieldnames}; they have to be {wanted}")
        raw = list(reader)
    try:
        return tuple(Row(**row | {"line": int(row["line"])}) for row in raw)
    except (TypeError, ValueError) as error:
        raise InvalidProofreading(f"{path}: {error}") from None


def problems(rows: Iterable[Row], statements: Mapping[str, Statement], needed: Iterable[int], last: int) -> list[str]:
    """What is amiss with the rows themselves.

    Parameters
    ----------
    statements : mapping
        The statements of the paper by id.
    needed : iterable of int
        Lines of the source that must have a row.
    last : int
        The last line of the source.
    """
    rows, found = tuple(rows), []
    for row in rows:
        name = f"line {row.line}, {row.what}"
        for value, allowed in ((row.verdict, VERDICTS), (row.kind, ("",) if row.verdict == "right" else KINDS)):
            if value not in allowed:
                found.append(f"{name}: {value!r} is none of {', '.join(map(repr, allowed))}")
        if not 1 <= row.line <= last:
            found.append(f"{name}: the source has the lines 1 to {last}")
        if not (row.where.strip() and row.what.strip()):
            found.append(f"line {row.line}: place or subject is missing")
        if row.statement and row.statement not in statements:
            found.append(f"{name}: no statement has the id {row.statement!r}")
        if row.verdict == "wrong" and not row.statement:
            found.append(f"{name}: what is wrong names its statement")
        if row.verdict != "right" and not (row.finding.strip() and row.corrected.strip()):
            found.append(f"{name}: say what is amiss and what should stand there")
    lines = {row.line for row in rows}
    return found + [f"line {line} has no row" for line in needed if line not in lines]


def severity(row: Row, statements: Mapping[str, Statement]) -> tuple[int, int]:
    """A key that sorts: what is false as stated first, slips last, and by line within a class."""
    if row.verdict != "wrong":
        return len(CLASSES) + 1, row.line
    fault = statements[row.statement].fault
    return CLASSES.index(fault) if fault else len(CLASSES), row.line


def by_section(rows: Iterable[Row], paper: Paper) -> dict[str, list[Row]]:
    """What is not right, section by section of the paper, the gravest first: "Section 4.2" -> rows."""
    found: dict[str, list[Row]] = {}
    for row in sorted(rows, key=lambda row: row.line):
        if row.verdict != "right":
            found.setdefault(_section(row.line, paper), []).append(row)
    return {name: sorted(part, key=lambda row: severity(row, paper.statements)) for name, part in found.items()}


def _section(line: int, paper: Paper) -> str:
    number = [number for number, first in paper.sections if first <= line][-1:]
    return f"{'Section' if number[0][0].isdigit() else 'Appendix'} {number[0]}" if number else "Before Section 1"
