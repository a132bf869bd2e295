"""What the last run says of itself in numbers: ```` ```{believed} ```` on a page.

Per chapter: statements by how strongly they stand, checks, false variants and how many were rejected, steps of
symbolic checks by what was tried on them, the smallest falsehood that was rejected; then what is still open.
"""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from check_boxes import facts, listed, text
from docutils.parsers.rst import directives
from ledger_pages import FromLedger, table
from said_role import in_prose

import derl
from derl.judge.places import reading
from derl.judge.verdicts import SIGNS, STRONG
from derl.ledger.rows import StatementRow

SILENT = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
WEAK = ("tested", "executed", "stated", "cited", "stale", "not checked", "failed")


@dataclass(frozen=True)
class Counts:
    """How much was checked of some statements; `smallest` is the smallest falsehood that was rejected, or None."""

    statements: int
    strong: int
    checks: int
    kernel: int
    planted: int
    rejected: int
    steps: int
    tried: int
    unasked: int
    smallest: float | None


def of_chapter(rows: Sequence[StatementRow]) -> Counts:
    """Counts over the rows of some statements."""
    checks = [check for row in rows for check in row.checks]
    controls = [control for row in rows for control in row.controls]
    powers = [row.power for row in rows if row.power]
    small = [size for power in powers for size in (power.smallest, power.control) if size]
    return Counts(
        statements=len(rows), strong=sum(row.verdict in STRONG for row in rows), checks=len(checks),
        kernel=sum(check.method == "kernel" for check in checks), planted=len(controls),
        rejected=sum(control.outcome == "rejected" for control in controls),
        steps=sum(power.steps for power in powers), tried=sum(power.flipped + power.asked for power in powers),
        unasked=sum(power.unasked for power in powers), smallest=min(small, default=None))


def lines_that_decide() -> tuple[int, int]:
    """Lines of the modules on which every verdict rests: those with code, and all of them."""
    root, code, whole = Path(derl.__file__).parent, 0, 0
    for file in (file for part in ("printed", "judge", "exact") for file in (root / part).glob("*.py")):
        text = file.read_text(encoding="utf-8")
        whole += len(text.splitlines())
        code += len(_lines_with_code(text))
    return code, whole


def _lines_with_code(text: str) -> set[int]:
    """The lines of a module without those that are empty, a comment or part of a docstring."""
    found = {line for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type not in SILENT
             for line in range(token.start[0], token.end[0] + 1)}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            found -= {*range(node.lineno, node.end_lineno + 1)}
    return found


def line(name: str, counts: Counts) -> list:
    small = "" if counts.smallest is None else f"{counts.smallest:.1g}"
    return [text(word) for word in (
        name, str(counts.statements), str(counts.strong), str(counts.checks), str(counts.kernel),
        f"{counts.rejected} of {counts.planted}", f"{counts.tried} of {counts.steps}", small)]


class Believed(FromLedger):
    """The table by chapter, and what is open; `:short:` leaves the table and the lists out."""

    option_spec = {"short": directives.flag}

    def shown(self):
        claims = self.domain.ledger.claims
        chapters = list(dict.fromkeys(row.chapter for row in claims.values()))
        rows = [line(name.replace("_", " "), of_chapter([row for row in claims.values() if row.chapter == name]))
                for name in chapters]
        total = of_chapter(list(claims.values()))
        header = ["chapter", "statements", "proved, machine-checked, certified or enumerated", "checks",
                  "of these in Coq", "false variants rejected",
                  "steps with a false variant tried (the rest is bookkeeping)", "smallest rejected, relative"]
        weak = [self.inline(f"{{claim}}`{key}`") + text(f" ({row.verdict})") for key, row in claims.items()
                if row.verdict in WEAK]
        gaps = [self.inline(f"{{claim}}`{key}`") for key, row in claims.items() if row.scope_gap != "none"]
        words = [f"{sum(row.verdict == word for row in claims.values())} {word}" for word in SIGNS
                 if any(row.verdict == word for row in claims.values())]
        texts = [reading(self.domain.statements[key].statement, row.checks) for key, row in claims.items()
                 if key in self.domain.statements]
        planted = self.domain.ledger.changes_of_texts
        changes = f"{sum(planted.values())}: " + ", ".join(f"{n} {said}" for said, n in planted.items())
        pages = [Path(self.env.doc2path(name)) for name in sorted(self.env.found_docs)]
        printed, typed = in_prose(page.read_text(encoding="utf-8") for page in pages if page.suffix == ".md")
        counts = [
            ("Verdicts", text(", ".join(words))),
            ("Checks", text(f"{total.checks}, of these {total.kernel} in Coq")),
            ("False variants of statements, rejected", text(f"{total.rejected} of {total.planted}")),
            ("One-sign changes of printed formulas, planted", text(changes)),
            ("Places of printed formulas that a check reads", text(
                f"{sum(read.read for read in texts)} of {sum(read.places for read in texts)}")),
            ("Formulas that a check evaluates; the entries name the others with a reason", text(
                f"{sum(read.formulas - len(read.says) for read in texts)} of {sum(read.formulas for read in texts)}")),
            ("Lines that decide (derl/printed, derl/judge, derl/exact), which import nothing else of derl", text(
                "{:,} with code, {:,} with docstrings and empty lines".format(*lines_that_decide()))),
            ("Formulas in sentences of pages", text(
                f"{printed} are printed from their statements; {typed} are typed and hold a number or a relation"))]
        found = [self.inline(f"{{claim}}`{key}`") for key in self.domain.ledger.surprises]
        surprises = ("Not as expected", listed(found) or text("nothing"))
        if "short" in self.options:
            return [facts([*counts, surprises], "facts-believed")]
        return [table(header, [*rows, line("all", total)], "believed-table"), facts([
            *counts,
            ("Steps on which no false variant was tried", text(str(total.unasked))),
            ("Stands on tests, a citation or a word only", listed(weak) or text("nothing")),
            ("Checked on less than is claimed", listed(gaps) or text("nothing")), surprises], "facts-believed")]


def setup(app):
    app.add_directive("believed", Believed)
    return {"version": "1", "parallel_read_safe": True}
