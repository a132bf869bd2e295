"""What a registry could be talked into: each way is planted, and each is refused or ends as failed."""

import itertools
import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import sympy

from derl.claims import PAPER
from derl.exact.compared import every
from derl.exact.symbolic import at_least, equal, nonnegative_from
from derl.judge import proofs
from derl.judge.quotes import Quote
from derl.judge.registry import Registry
from derl.judge.trial import run_check
from derl.judge.verdicts import GROUNDLESS, MEANT, earned, verdict
from derl.judge.words import words
from derl.ledger import Evidence, InvalidLedger, Ledger, steps


def outcome(function, plant=lambda: {"wrong": True}, **options):
    """The row of a check that is registered with one control."""
    registry = Registry()
    registry.claim("x", false={"something false": plant}, **{"method": "exhaustive"} | options)(function)
    return run_check(registry.checks[0])


def honest(wrong=False):
    return Evidence(2 if wrong else 1, 1, "upper", "one number")


def test_an_honest_check_passes_and_its_control_bites():
    row = outcome(honest)
    assert row["outcome"] == "pass" and row["control"]["outcome"] == "rejected"


def test_what_is_found_does_not_depend_on_the_digits_that_another_check_has_set():
    flint = pytest.importorskip("flint")

    def digits(wrong=False):
        found = flint.ctx.prec
        flint.ctx.dps = 40
        return Evidence(found + wrong, 53, "identity", "bits of a ball")

    flint.ctx.dps = 60
    row = outcome(digits)
    assert row["outcome"] == "pass" and row["control"]["outcome"] == "rejected"
    flint.ctx.default()


@pytest.mark.parametrize("value", [True, np.True_, sympy.true, sympy.Symbol("x") > 0, sympy.I, "1", None])
def test_a_truth_value_is_no_evidence(value):
    with pytest.raises(ValueError, match="evidence needs"):
        Evidence(value, 0, "upper", "one number")


@pytest.mark.parametrize("tolerance", [-1e-9, 1e-5, 1e300, float("nan"), float("inf")])
def test_a_tolerance_is_small(tolerance):
    with pytest.raises(ValueError, match="tolerance"):
        Evidence(0.5, 1.0, "upper", "one number", tolerance)


@pytest.mark.parametrize("side", [float("nan"), float("inf"), -float("inf")])
def test_what_is_not_finite_agrees_with_nothing(side):
    assert not Evidence(side, side, "identity", "one number").holds
    assert not Evidence(-float("inf"), 1.0, "upper", "one number").holds


@pytest.mark.parametrize("check", [
    lambda wrong=False: Evidence(0.5, 1, "upper", "a float"),
    lambda wrong=False: Evidence(1, 1, "upper", "a tolerance", 1e-9),
])
def test_exact_arithmetic_has_neither_floats_nor_tolerance(check):
    check.__name__ = "rounded"
    row = outcome(check)
    assert row["outcome"] == "error" and "exact arithmetic" in row["detail"]


def test_a_symbolic_proof_is_exact():
    with pytest.raises(ValueError, match="exact"):
        Registry().claim("x", arithmetic="float64")


def test_a_subclass_does_not_judge_itself():
    class Kind(Evidence):
        holds = True

    row = outcome(lambda wrong=False: Kind(2, 1, "upper", "one number"))
    assert row["outcome"] == "error" and "instead of Evidence" in row["detail"]


@pytest.mark.parametrize("plant, why", [
    (dict, "plants nothing"), (lambda: {"wrong": False}, "plants nothing"), (lambda: {"other": 1}, "TypeError"),
    (lambda: 1 / 0, "cannot be planted"), (lambda: exec("raise SystemExit(0)"), "cannot be planted"),
])
def test_a_control_has_to_plant_something(plant, why):
    row = outcome(honest, plant)
    assert row["control"]["outcome"] == "NOT REJECTED" and why in row["controls"][0]["detail"]


@pytest.mark.parametrize("measured", [float("nan"), float("inf")])
def test_a_control_is_rejected_for_a_finite_reason_only(measured):
    row = outcome(lambda wrong=False: Evidence(measured if wrong else 1.0, 1.0, "upper", "one number"),
                  arithmetic="float64")
    assert row["outcome"] == "pass" and row["control"]["outcome"] == "NOT REJECTED"


def test_a_check_that_remembers_what_was_planted_is_caught():
    calls = itertools.count()

    def stateful(wrong=False):
        return Evidence(next(calls), 0, "upper", "one number")

    row = outcome(stateful)
    assert row["outcome"] == "error" and "a second run finds something else" in row["detail"]


@pytest.mark.parametrize("error", [SystemExit(0), RecursionError(), ValueError("no")])
def test_whatever_a_check_raises_is_its_error(error):
    def broken(wrong=False):
        raise error

    assert outcome(broken)["outcome"] == "error"


# ------------------------------------------------------------------------------------------ words


def test_proved_needs_a_written_proof_and_no_gap_inwords():
    assert earned("proved", "none", "lemma", []) == ("proved", "none")
    assert earned("proved", "none", "lemma", ["there is none"])[0] == "tested"
    assert earned("proved", "argued in the text", "lemma", [])[0] == "tested"
    assert earned("tested", "a sample", "lemma", ["there is none"]) == ("tested", "a sample")


@pytest.mark.parametrize("kind, before, after", [
    ("definition", "tested", "stated"), ("assumption", "certified", "stated"), ("algorithm", "tested", "executed"),
    ("algorithm", "proved", "proved"), ("definition", "failed", "failed"), ("algorithm", "repaired", "repaired")])
def test_what_is_meant_is_stated_and_what_runs_is_executed(kind, before, after):
    assert earned(before, "none", kind, [])[0] == after


def test_every_proof_names_every_computed_step(ledger):
    lacking = {key: found for key, statement in PAPER.statements.items() if statement.proof
               and (found := proofs.problems(statement.proof, ledger.claims[key].checks))}
    assert lacking == {}
    assert all(PAPER.statements[key].proof for key, row in ledger.claims.items() if row["verdict"] == "proved")


@pytest.mark.parametrize("chapter", PAPER.chapters)
def test_a_failure_at_the_bottom_is_seen_at_every_top(chapter, ledger):
    """The statement of each chapter on which most proofs rest, directly or not, is made to fail."""
    statements = PAPER.statements
    proofs_above = {key: set() for key in statements}
    for key in reversed(PAPER.order):  # what uses something comes after it
        for other in statements[key].uses_proof:
            proofs_above[other] |= {key} | proofs_above[key]
    own = [key for key, statement in statements.items() if statement.chapter == chapter and statement.kind not in MEANT
           and ledger.claims[key]["verdict"] not in GROUNDLESS and ledger.claims[key]["checks"]]
    bottom = max(own, key=lambda key: len(proofs_above[key]))
    rows = {key: row.checks for key, row in ledger.claims.items()}
    before = words(PAPER, rows)
    rows[bottom] = (replace(rows[bottom][0], outcome="fail"), *rows[bottom][1:])
    after = words(PAPER, rows)
    assert after[bottom][0] == "failed"
    for key in statements:
        reached = _passes_on(bottom, key, before)
        assert (after[key][0] == "failed") == reached, key


def _passes_on(bottom, key, words):
    """Whether the proof of a statement rests on the bottom through statements that have a word of their own to lose.

    What a kernel has read rests on its axioms alone.
    """
    if key == bottom:
        return True
    if words[key][0] in ("repaired", "refuted", "cited", "proof mended", "open", "proof fails", "minor slip",
                         "machine-checked"):
        return False
    return any(PAPER.statements[other].kind not in MEANT and _passes_on(bottom, other, words)
               for other in PAPER.statements[key].uses_proof)


# ------------------------------------------------------------------------------------------ ledger and code


def test_an_edited_ledger_is_refused(ledger, tmp_path):
    path = tmp_path / "ledger.json"
    ledger.save(path)
    assert Ledger.load(path).claims == ledger.claims
    body = json.loads(path.read_text(encoding="utf-8"))
    next(row for row in body["claims"].values() if row["verdict"] == "tested")["verdict"] = "proved"
    path.write_text(json.dumps(body), encoding="utf-8")
    with pytest.raises(InvalidLedger, match="was changed after the run"):
        Ledger.load(path)


# ------------------------------------------------------------------------------------------ near misses

x, y = sympy.symbols("x y", nonnegative=True)


@pytest.mark.parametrize("step", [
    at_least(2 + x, 1, x), at_least((1 + x) * (1 + y), 1 + x + y, x, y), equal((x + 1) ** 2, x**2 + 2 * x + 1),
    nonnegative_from(x - sympy.log(1 + x), x, 0), at_least(x + Fraction(1, 2), x, x)])
def test_a_step_is_asked_for_the_falsehood_next_to_it(step):
    miss = step.near_miss()
    assert step.truth and not step.trivial and miss.rejected and "=" in miss.at


def test_a_prover_that_says_yes_to_everything_is_found_out():
    from derl.exact.decided import Decided

    assert not Decided(1 + x, sympy.Integer(1), ">=", (x,), lambda left, right: True).near_miss().rejected


@pytest.mark.parametrize("made, outcome", [
    (lambda text: equal(text(r"s\le", n=x), 2 * x), "pass"),  # the same because the text says so
    (lambda text: at_least(text(r"s\le", n=x) + y, 2 * x, x, y), "pass"),
    (lambda text: equal(2 * x, x + x), "error"), (lambda text: at_least(x + y, x, x, y), "error"),
    (lambda text: every(equal(text(r"s\le", n=x), 2 * x), equal(x, x)), "pass")])
def test_a_step_that_holds_whatever_the_text_says_is_refused(made, outcome):
    def check(text):
        return steps([("read", equal(text(r"s\le", n=x), 2 * x)), ("asked", made(text))], "all n")

    registry = Registry(printed=lambda key: Quote(lambda *_: r"Then $s\le2n$.", key, "statement"))
    registry.claim("x")(check)
    row = run_check(registry.checks[0])
    assert row.outcome == outcome and ("asked" in row.detail) == (outcome == "error"), row.detail


# ------------------------------------------------------------------------------------------ exceptions


class Solver(Exception):
    """As the errors of a tool say where they are at home."""


Solver.__module__ = "cvxpy.error"
RAISED = [ImportError("no module"), OSError(28, "No space left on device"), MemoryError(), RecursionError(),
          Solver("no"), SystemError(), RuntimeError("cannot cache"), TypeError("of the check"),
          AttributeError("of the check")]


def raising(error, when):
    def check(wrong=False):
        if when == wrong or when == "always":
            raise error
        return Evidence(int(wrong), 0, "upper", "one number")
    return check


@pytest.mark.parametrize("error", RAISED)
@pytest.mark.parametrize("when", [False, True, "always"])
@pytest.mark.parametrize("refutes", [False, True])
def test_no_exception_is_evidence(error, when, refutes):
    """Neither on the truth nor on a planted falsehood; the same check that raises nothing has its word."""
    row = outcome(raising(error, when), refutes=refutes)
    word, why = verdict([row])
    assert word == "not checked" and type(error).__name__ in why
    assert verdict([outcome(raising(error, None), refutes=refutes)])[0] == ("refuted" if refutes else "enumerated")
    assert row["control"]["outcome"] == "NOT REJECTED" if when is True else "control" not in row


@pytest.mark.parametrize("error, missed", [(MemoryError(), None), (ValueError("no such point"), False)])
def test_a_machine_that_cannot_ask_for_the_falsehood_next_to_a_step_is_no_lack_of_the_proof(error, missed):
    class Asked:
        truth, trivial = True, False

        def near_miss(self):
            raise error

    row = outcome(lambda wrong=False: steps([("x", not wrong), ("y", Asked())], "all x"))
    assert row["outcome"] == ("error" if missed is None else "pass")
    assert missed is None or row["steps"][1]["near_miss"]["rejected"] is missed


def test_a_machine_that_cannot_look_for_a_witness_stops_the_control():
    class Asked:
        def __init__(self, error):
            self.error = error

        truth = False

        def witness(self):
            raise self.error

        def near_miss(self):
            return None

    def check(wrong=None):
        return steps([("x", Asked(wrong) if wrong else True)], "all x")

    rows = [outcome(check, lambda error=error: {"wrong": error}) for error in (MemoryError(), ValueError("no point"))]
    assert [row["outcome"] for row in rows] == ["error", "pass"]
    assert [row["controls"][0]["outcome"] for row in rows] == ["NOT RUN", "rejected"]
