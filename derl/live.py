"""What a page of the book asks where Python runs in the reader's browser: checks of statements, an edited statement."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from derl import claims
from derl.claims import PAPER
from derl.cli.checks import printed
from derl.inputs import Invalid
from derl.judge.rows import CheckRow
from derl.ledger.edited import rewritten
from derl.ledger.rows import plain, read
from derl.ledger.verification import assembled
from derl.ledger.workers import row_of


def check(name: str) -> None:
    """Print what `derl verify` prints of one statement, from checks that run here; progress goes to the errors."""
    def report(check, done, total):
        print(f"{done} of {total} checks", file=sys.stderr)
    printed(claims.verify([claims.find(name).id], progress=report), PAPER)


def edit(name: str, source: str) -> None:
    """Print what the checks of a statement say of another text in its place."""
    try:
        found = rewritten(PAPER, claims.find(name).id, source)
    except Invalid as problem:
        print(problem)
        return
    for answer in found.answers:
        print(answer)
    print(found.verdict)


def positions() -> list[int]:
    """The quick checks of all statements, by position in the registry."""
    return [at for at, check in enumerate(PAPER.register().checks) if check.tier == "quick"]


def rows(wanted: list[int]) -> None:
    """Run checks and print the row of each as one line of JSON, with its position."""
    for at in wanted:
        print(json.dumps({"position": at, "row": plain(row_of(PAPER, at))}))


def ledger(lines: list[str], commit: str, folder: str = "/tmp") -> None:
    """Print the ledger of the statements whose quick checks are all among lines of `rows`, and write `ledger.json`."""
    found = {line["position"]: read(CheckRow, line["row"]) for line in map(json.loads, lines)}
    known, missing = PAPER.statements, {PAPER.registry.checks[at].claim for at in positions() if at not in found}
    wanted = [key for key, one in known.items() if key not in missing and one.repair not in missing]
    made = assembled(PAPER, wanted, "quick", found, commit=commit)
    made.environment["platform"] = f"a browser, {made.environment['platform']}"
    printed(made, PAPER)
    Path(folder, "ledger.json").write_text(made.text, encoding="utf-8")
