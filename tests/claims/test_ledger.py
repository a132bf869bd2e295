"""Every statement as the ledger has it that was made just now; the checks are not run a second time."""

import math
import re

import pytest

from derl.claims import PAPER
from derl.judge.rows import CheckRow, ControlRow
from derl.judge.verdicts import MEANT, MENDS, STRONG, as_expected, verdict
from derl.ledger.rows import StatementRow
from derl.ledger.statements import Statement

EXACT = re.compile(r"-?\d+(/\d+)?")  # how the ledger writes an exact number


def complaints(statement: Statement, row: StatementRow) -> list[str]:
    """What a row of the ledger says that it must not say, one line each."""
    found = []
    if not (row.as_expected and as_expected(row.verdict, statement.expected, statement.word,
                                              statement.standing)):
        found.append(f"it is {row.verdict}, not {statement.word or statement.expected}")
    if not row.checks and statement.expected != "cited":
        found.append("nothing checks it")
    faulty = statement.expected in ("refuted", "holds-with-repair")  # then a check refutes the text, or its proof
    if any(check.refutes or faulty and check.breaks_proof for check in row.checks) != faulty:
        found.append("a counterexample where none is expected, or none where one is")
    return found + [f"{check.name}: {problem}" for check in row.checks for problem in _of_check(check)]


def _of_check(check: CheckRow) -> list[str]:
    found = [f"its {key} is empty" for key in ("title", "summary", "scope", "covers", "gap", "file")
             if not check[key].strip()]
    if check.outcome != "pass" or not all(step.holds for step in check.steps):
        found.append(f"outcome {check.outcome}, {check.detail}")
    if check.arithmetic == "exact" and check.tolerance != 0:
        found.append(f"exact arithmetic with a tolerance of {check.tolerance}")
    if check.refutes and (check.arithmetic == "float64" or verdict([check])[0] != "refuted"):
        found.append("it refutes nothing")
    if check.method != "kernel" and not (check.controls or check.variants and check.variants.count("rejected")):
        found.append("nothing false was planted")
    return found + [f"planted: {planted.planted}: {problem}" for planted in check.controls
                    for problem in _of_control(planted, check)]


def _of_control(planted: ControlRow, check: CheckRow) -> list[str]:
    """A rejection is for a measured reason: two numbers, and not those of the true run."""
    if planted.outcome != "rejected":
        return [f"{planted.outcome}, {planted.detail}"]
    found = [f"the {side} number is {planted[side]}" for side in ("measured", "claimed")
             if not _is_number(planted[side])]
    same = all(planted[side] == check[side] for side in ("measured", "claimed"))
    return found + (["the same numbers as in the true run"] if same else [])


def _is_number(value) -> bool:
    """An exact number, or a finite float."""
    if isinstance(value, str):
        return EXACT.fullmatch(value) is not None
    return isinstance(value, int | float) and math.isfinite(value)


@pytest.mark.parametrize("key", PAPER.statements)
def test_the_statement_is_what_claims_yml_says_for_a_measured_reason(ledger, key):
    assert complaints(PAPER.statements[key], ledger.claims[key]) == []


def test_the_ledger_has_every_check_of_its_tier_where_it_stands(ledger):
    registered = {(check.claim, check.name, check.source, check.method, check.covers)
                  for check in PAPER.register().checks if ledger.tier == "full" or check.tier == "quick"}
    assert registered == {(key, check.name, check.source, check.method, check.covers)
                          for key, row in ledger.claims.items() for check in row.checks}


def test_every_repair_holds(ledger):
    for key, statement in PAPER.statements.items():
        if statement.repair:
            repair = ledger.claims[statement.repair]
            assert repair.verdict in MENDS and any(not check.refutes for check in repair.checks), key


def test_what_is_proved_below_is_counted_right(ledger):
    """The rule once more, by a walk of its own: definitions, assumptions and algorithms say what is meant, and what a
    kernel has read rests on its axioms alone."""
    def weak(key, seen):
        for other in PAPER.statements[key].uses:
            if other not in seen:
                seen.add(other)
                if PAPER.statements[other].kind not in MEANT and ledger.claims[other].verdict not in STRONG:
                    yield other
                yield from weak(other, seen)

    for key, row in ledger.claims.items():
        read = row.verdict == "machine-checked"
        assert set(row.weakest) == (set() if read else set(weak(key, set()))), key
        assert row.grounded == (row.verdict in STRONG and not row.weakest), key


# --- the rules themselves can say no -----------------------------------------------------------------------------
