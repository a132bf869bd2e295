"""Rows of mutants: one false change of one place of the code each, and whether a row still fits the code."""

from __future__ import annotations

import ast
import csv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Mutant:
    """One row of the table: in `file`, the text `old`, which stands there once, becomes `new`; that is false."""

    group: str
    series: str
    file: str
    old: str
    new: str
    meaning: str
    hits: str
    survives: str


class Stale(Exception):
    """A row that no longer fits the code."""


def read(table: Path) -> list[Mutant]:
    with table.open(encoding="utf-8", newline="") as stream:
        return [Mutant(**row) for row in csv.DictReader(stream)]


def write(table: Path, rows: list[dict]) -> None:
    table.parent.mkdir(parents=True, exist_ok=True)
    with table.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def changed(root: Path, mutant: Mutant) -> tuple[str, int]:
    """The text of the file with the change, and its line; raises Stale unless the old text stands there once."""
    file = root / mutant.file
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    if text.count(mutant.old) != 1:
        raise Stale(f"{mutant.file}: {mutant.old!r} stands there {text.count(mutant.old)} times")
    new = text.replace(mutant.old, mutant.new)
    if ast.dump(ast.parse(new)) == ast.dump(ast.parse(text)):
        raise Stale(f"{mutant.file}: {mutant.old!r} -> {mutant.new!r} changes nothing")
    return new, text[:text.index(mutant.old)].count("\n") + 1
