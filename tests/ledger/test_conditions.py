"""Ranges of parameters are read from a text, and a control that goes beyond one is told from one that does not."""

from types import SimpleNamespace

import pytest

from derl.claims import PAPER
from derl.ledger.conditions import beyond, ranges, untried

MOST = 236  # ranges that no control goes beyond; may only shrink
TEXT = r"Let $dH\ge2$, $0<\epsilon\le1$ and $c_K>1$. Then $K\le d+1$, $a\le b$ and $x=3$."


def check(label, covers="everything", **arguments):
    return SimpleNamespace(covers=covers, formal=None, controls=[SimpleNamespace(plants=label, arguments=arguments)])


def test_ranges_are_comparisons_of_letters_with_a_number():
    assert [said for said, _ in ranges(TEXT)] == [r"dH\ge2", r"0<\epsilon", r"\epsilon\le1", "c_K>1"]


@pytest.mark.parametrize("label, letters, seen", [
    ("d = 1: one action", {"d"}, True), ("d = H = 1", {"H"}, True), ("c_K = 1", {"c_K"}, True),
    ("epsilon >= 2", {"epsilon"}, True), ("d^2 in place of d", {"d"}, False), ("the bound d + 1", {"d"}, False),
    ("bad = 1", {"d"}, False), ("d <= H", {"d"}, False)])
def test_a_control_goes_beyond_a_range_where_it_names_a_number(label, letters, seen):
    assert beyond(letters, check(label)) == seen


def test_an_argument_of_the_name_of_a_letter_counts_and_a_part_of_the_statement_does_not():
    assert untried(TEXT, [check("no label", d=1, epsilon=2)]) == ["c_K>1"]
    assert untried(TEXT, [check("no label", d=1), check("c_K = 1", covers="one case")]) == [
        r"0<\epsilon", r"\epsilon\le1", "c_K>1"]
    assert untried(TEXT, [check("d = 1", covers="one case")]) == []


def test_ranges_of_the_paper_that_were_never_left():
    register = PAPER.register()
    found = {key: untried(statement.statement, register.of(key)) for key, statement in PAPER.statements.items()}
    assert sum(map(len, found.values())) <= MOST, {key: said for key, said in found.items() if said}
    assert found["eq-n-constraint-1"] and not found["lem-trace-det"]


def test_a_sign_and_a_letter_stay_two_words():
    assert [said for said, _ in ranges(r"for $2\le t$")] == [r"2\le t"]
