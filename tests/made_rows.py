"""Rows of a ledger for tests, from what a test is about; everything else is neutral: it passes, and is rejected."""

from derl.judge.rows import CheckRow, ControlRow
from derl.ledger.rows import StatementRow, read

CONTROL = {"planted": "two for one", "outcome": "rejected", "measured": "2", "claimed": "1", "breaks": [],
           "witness": ""}
CHECK = {"name": "check", "title": "Check", "method": "symbolic", "arithmetic": "exact", "covers": "everything",
         "gap": "none", "tier": "quick", "refutes": False, "file": "checks.py", "line": 1, "seconds": 0.0,
         "outcome": "pass", "scope": "one case", "direction": "identity", "measured": "1", "claimed": "1",
         "margin": "0", "tolerance": 0, "steps": [], "controls": [],
         "control": {"planted": "two for one", "outcome": "rejected"}}
STATEMENT = {"verdict": "proved", "expected": "holds", "as_expected": True, "scope_gap": "none", "rests_on": [],
             "weakest": [], "grounded": True, "seconds": 0.0, "checks": []}


def control(**given) -> ControlRow:
    return read(ControlRow, CONTROL | given)


def check(**given) -> CheckRow:
    """Steps need a name, controls what they are about; `control` is a word, that of all controls in one."""
    steps = [{"holds": True} | step for step in given.get("steps", ())]
    controls = [CONTROL | planted for planted in given.get("controls", ())]
    word = {"control": CHECK["control"] | {"outcome": given["control"]}} if "control" in given else {}
    return read(CheckRow, CHECK | given | word | {"steps": steps, "controls": controls})


def statement(*checks: CheckRow, **given) -> StatementRow:
    made = read(StatementRow, STATEMENT | given)
    return StatementRow(**{name: getattr(made, name) for name in made} | {"checks": checks})
