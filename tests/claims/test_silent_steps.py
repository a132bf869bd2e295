"""Steps that say nothing are marked, and no written proof rests on them alone."""

import importlib
import sys
from dataclasses import replace

import pytest
import rules
import sympy

from derl.claims import PAPER
from derl.theory.exact.compared import exactly
from derl.theory.exact.symbolic import at_least, equal, exceeds, nonnegative

x, t = sympy.symbols("x t", nonnegative=True)


@pytest.fixture(scope="module")
def silent():
    sys.path.insert(0, str(rules.ROOT / "attacks"))
    yield importlib.import_module("silent")
    sys.path.remove(str(rules.ROOT / "attacks"))


@pytest.mark.parametrize("step, says", [
    (equal(x + t, t + x), False), (at_least(x + t, x, x, t), False), (at_least(2 + x + 3 * x * t**2, 2, x, t), False),
    (nonnegative(t, t), False), (exceeds(1 + x, 1 + x - 1, x), True), (at_least((1 + x) ** 2, 1 + x, x), True),
    (equal((x + 1) ** 2, x**2 + 2 * x + 1), True), (nonnegative((1 + x) ** 2 - 1 - 2 * x, x), True),
    (at_least(x, x - t, x, t), True), (exactly(2, 2), True)])
def test_a_side_that_was_added_by_hand_says_nothing(step, says):
    assert step and step.trivial != says


@pytest.mark.parametrize("code, kind", [
    ("exactly(total, total)", "same"), ("at_least(a + b, a + b, a)", "same"), ("equal(f(x), f(x))", "same"),
    ("exactly(2 * 3, 6)", "constants"), ("bookkeeping(exactly(a, a))", None), ("exactly(a, b)", None),
    ("every(exactly(k, k) for k in range(3))", "same")])
def test_a_tautology_in_the_source_is_seen(silent, code, kind):
    assert [found[1] for found in silent.silent(code)] == ([kind] if kind else [])


def test_no_relation_of_the_checks_has_the_same_words_on_both_sides(silent):
    found = [(path.name, *row) for path in sorted(silent.CLAIMS.rglob("*.py"))
             for row in silent.silent(path.read_text(encoding="utf-8")) if row[1] == "same"]
    assert found == []


def places(ledger, key, step):
    """The steps of checks to which a step of a proof refers: (statement, check, position)."""
    return {(key, row.name, at) for name, part in step.check for row in ledger.claims[key].checks if row.name == name
            for at, made in enumerate(row.steps, 1) if part in ("", made.part)}


def alone(proofs, marked, ledger):
    """Steps of written proofs that name nothing but bookkeeping: (statement, number)."""
    return [(key, number) for key, proof in proofs.items() for number, step in enumerate(proof, 1)
            if step.check and not (step.use or step.joint or step.quote)
            and (named := places(ledger, key, step)) and named <= marked]


def test_no_step_of_a_proof_rests_on_bookkeeping_alone(silent, ledger):
    marked = {row[:3] for row in silent.of_the_judge(ledger.claims)}
    proofs = {key: statement.proof for key, statement in PAPER.statements.items()}
    assert len(marked) > 100 and alone(proofs, marked, ledger) == []
    key, step = next((key, step) for key, proof in proofs.items() for step in proof
                     if step.check and places(ledger, key, step) and not (step.use or step.joint or step.quote))
    assert alone(proofs, marked | places(ledger, key, step), ledger)


def test_a_proof_for_all_that_goes_through_a_few_is_found(silent):
    check = '@check("x", method="symbolic", covers="everything")\ndef f():\n    return all(g(k) for k in range({}))\n'
    assert [row[3] for row in silent.few(check.format("1, 4"))] == [3] and not list(silent.few(check.format("n")))


def test_steps_that_no_control_changes_are_found(silent):
    found = list(silent.untouched_of(PAPER.register().of("lem-trace-det")))
    assert ("lem-trace-det", "trace_at_most_rho_log_rho", 1, "A + X = A (I + A^{-1} X)") in found
    assert all(row[2] != 6 for row in found)


MOST_UNPLANTED = 24  # parameters of checks for everything that no control changes; may only shrink


def test_what_could_be_false_is_planted(silent):
    """A parameter of a check says what could be false; one that no control changes was never tried."""
    found = list(silent.unplanted(PAPER.register().checks))
    assert len(found) <= MOST_UNPLANTED, found
    check = next(check for check in PAPER.register().of("lem-trace-det") if check.covers == "everything")
    assert list(silent.unplanted([check])) == []
    assert list(silent.unplanted([replace(check, controls=[])])) == [(check.source, "bound")]
