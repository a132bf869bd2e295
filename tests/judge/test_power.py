"""Every step of a symbolic check is tried with a falsehood, every control is false somewhere, and the room is told."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace

import made_rows
import pytest
import sympy

from derl.claims import PAPER
from derl.exact.compared import at_most, bookkeeping, every, exactly, less_than
from derl.exact.decided import Decided
from derl.exact.symbolic import at_least, below, by_sign, equal, exceeds, nonnegative_from
from derl.judge.power import kinds, unasked
from derl.judge.registry import Registry
from derl.judge.trial import run_check
from derl.judge.verdicts import earned
from derl.ledger import steps
from derl.ledger.power import phrase, power

x, y = sympy.symbols("x y", nonnegative=True)


def row_of(*outcomes, witness="", words="2 in place of 1"):
    registry = Registry()

    @registry.claim("x", false={words: ({"wrong": 1}, witness)})
    def several(wrong=0):
        return steps([("planted here", at_least((1 + x) ** 2, 1 + wrong, x)), *outcomes], "all x")

    return run_check(registry.checks[0])


def test_a_step_on_which_nothing_was_tried_is_not_proved():
    row = row_of(("x = x, says the author", True))
    assert row["control"]["outcome"] == "rejected" and kinds(row) == ["flipped", "unasked"]
    assert unasked([row]) == ["several: x = x, says the author"]
    assert earned("proved", "none", "lemma", [], unasked([row])) == (
        "tested", "no false variant was tried on several: x = x, says the author")


def test_a_prover_that_accepts_the_falsehood_next_to_a_step_is_not_believed():
    row = row_of(("yes to everything", Decided((1 + x) ** 2, sympy.Integer(1), ">=", (x,), lambda left, right: True)))
    assert unasked([row]) == ["several: yes to everything"]


@pytest.mark.parametrize("step", [
    exceeds(2 + x, 1, x), below(sympy.log(2), Fraction(7, 10)), by_sign(sympy.Symbol("p", positive=True) + 1),
    equal((x + y) ** 2, x**2 + 2 * x * y + y**2), at_most(Fraction(1, 3), Fraction(1, 2)), less_than(-1, 0),
    exactly((2, 3, -1), (2, 3, -1)), exactly({"H": 2}, {"H": 2}), exactly({1, 2}, {2, 1}), exactly(sympy.oo, sympy.oo),
    exactly(sympy.Matrix([[0, 1]]), sympy.Matrix([[0, 1]])), exactly(True, True), exactly(0, 0),
    every(at_least(1 + x, 1, x), at_most(1, 2)), every(exactly(k, k) for k in range(3))])
def test_a_relation_is_asked(step):
    miss = step.near_miss()
    assert step and miss.rejected and kinds(row_of(("a relation", step))) == ["flipped", "asked"]


@pytest.mark.parametrize("step, said", [
    (at_least(x, 1, x), "x = 0: 0 < 1"), (equal(x, 2 * x), "x = 1: 1 != 2"), (at_most(2, 1), "1 < 2"),
    (every(at_most(1, 2), exactly(1, 2)), "1 != 2"), (nonnegative_from(sympy.log(1 + x) - x, x, 0), "shift = 1")])
def test_a_false_relation_names_a_point(step, said):
    assert not step and said in step.witness()


def test_what_the_prover_cannot_show_is_no_falsehood():
    assert not at_least((x - 1) ** 2, 0, x) and at_least((x - 1) ** 2, 0, x).witness() == ""


def test_an_unasked_part_leaves_the_whole_step_unasked():
    assert every(at_least(1 + x, 1, x), True).near_miss() is None
    with pytest.raises(ValueError, match="no relations"):
        every(exactly(k, k) for k in ())


def test_bookkeeping_is_shown_and_not_counted():
    row = row_of(("a list", bookkeeping(isinstance([], list))))
    assert row["steps"][1]["bookkeeping"] and power([row])["bookkeeping"] == 1 and unasked([row]) == []


def test_an_exact_comparison_refuses_rounded_numbers():
    with pytest.raises(ValueError, match="rounded"):
        at_most(0.1, 1)


def test_room_is_the_factor_of_the_closest_inequality():
    row = row_of(("3 >= 2", at_most(2, 3)), ("3 >= 1", at_most(1, 3)))
    first, *others = row.steps
    found = power([replace(row, steps=(replace(first, near_miss=None), *others))])
    assert found["room"] == 1.5 and found["closest"] == "several: 3 >= 2" and found["smallest"] == 0.5015
    assert "room for a factor 1.5" in phrase(found)


def test_a_falsehood_that_the_prover_accepts_is_no_change_that_it_rejects():
    row = row_of(("3 >= 2", at_most(2, 3)), ("3 >= 1", at_most(1, 3)))
    first, *others = row.steps
    assert others[0].near_miss.factor is not None
    accepted = replace(others[0], near_miss=replace(others[0].near_miss, rejected=False, factor=1.0001))
    found = power([replace(row, steps=(replace(first, near_miss=None), accepted, *others))])
    assert found["smallest"] == power([replace(row, steps=(replace(first, near_miss=None), *others))])["smallest"]


def test_a_check_that_measures_one_number_is_as_strong_as_its_nearest_control():
    """Of a check in steps the steps speak, and its measured number is only how many of them hold."""
    measured = made_rows.check(method="certificate", controls=[
        {"planted": "far", "outcome": "rejected", "measured": "9", "claimed": "3"},
        {"planted": "near", "outcome": "rejected", "measured": "33/10", "claimed": "3"},
        {"planted": "slip", "outcome": "NOT REJECTED", "measured": "3", "claimed": "3"}])
    assert power([measured])["control"] == 0.1 and "off by 10 %" in phrase(power([measured]))
    assert power([row_of()])["control"] is None


def test_a_control_needs_a_name_and_can_bring_a_witness():
    assert row_of()["controls"][0]["witness"] == "planted here: x = 0: 1 < 2"
    assert row_of(witness="x = 1/2")["controls"][0]["witness"] == "x = 1/2"
    with pytest.raises(ValueError, match="say what it plants"):
        row_of(words=" ")


# ------------------------------------------------------------------------------------------ the paper


def test_a_falsehood_was_tried_on_every_step(ledger):
    assert [name for row in ledger.claims.values() for name in unasked(row["checks"])] == []


def test_every_statement_with_a_symbolic_check_has_power(ledger):
    for key, row in ledger.claims.items():
        if any(check["method"] == "symbolic" for check in row["checks"]):
            assert phrase(row["power"]), key
    assert PAPER.statements.keys() == ledger.claims.keys()


UNWITNESSED = (Path(__file__).parent / "unwitnessed.txt").read_text(encoding="utf-8").splitlines()
MOST_UNWITNESSED = 1  # may only shrink


def test_every_control_is_false_somewhere(ledger):
    """A prover that cannot show the planted variant has not shown that it is false: a point, or numbers, do."""
    missing = {f"{key} {check['name']}: {planted['planted']}" for key, row in ledger.claims.items()
               for check in row["checks"] for planted in check["controls"] if not planted["witness"]}
    assert missing == set(UNWITNESSED) and len(UNWITNESSED) <= MOST_UNWITNESSED


@pytest.mark.parametrize("share, words", [(0.001, "1 part in 1000"), (0.2, "20 %")])
def test_small_changes_are_said_as_parts_and_large_ones_in_percent(share, words):
    entry = replace(power([]), smallest=share)
    assert phrase(entry) == f"rejects a change of {words}"


def test_what_is_planted_beside_an_identity_is_a_part_in_a_thousand_off():
    assert equal(3 * x, 3 * x).near_miss().factor == pytest.approx(1.001)


@pytest.mark.parametrize("broken, miss, bookkeeping, kind", [
    (True, None, False, "flipped"), (True, True, False, "flipped"), (True, None, True, "bookkeeping"),
    (False, True, False, "asked"), (False, True, True, "asked"), (False, None, True, "bookkeeping"),
    (False, None, False, "unasked"),
    # its prover accepts the falsehood next to it: neither a control nor a word makes up for that
    (True, False, False, "unasked"), (False, False, True, "unasked"), (False, False, False, "unasked")])
def test_of_which_kind_a_step_is(broken, miss, bookkeeping, kind):
    near = None if miss is None else SimpleNamespace(rejected=miss)
    row = SimpleNamespace(steps=[SimpleNamespace(name="s", near_miss=near, bookkeeping=bookkeeping)],
                          variants=None, controls=[SimpleNamespace(breaks=["s"] if broken else ["another"])])
    assert kinds(row) == [kind]
