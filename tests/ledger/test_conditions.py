"""Ranges of parameters are read from a text, and a control that goes beyond one is told from one that does not."""

from types import SimpleNamespace

import pytest

from derl.claims import PAPER
from derl.ledger.conditions import beyond, empty, left_out, nothing_beyond, ranges, untried

MOST = 123  # ranges that no control goes beyond, and of which nothing is said; may only shrink
TEXT = r"Let $dH\ge2$, $0<\epsilon\le1$ and $c_K>1$. Then $K\le d+1$, $a\le b$ and $x=3$."


def check(label, covers="everything", **arguments):
    return SimpleNamespace(covers=covers, formal=None, controls=[SimpleNamespace(plants=label, arguments=arguments)])


def test_ranges_are_comparisons_of_letters_with_a_number():
    assert [one.said for one in ranges(TEXT)] == [r"dH\ge2", r"0<\epsilon", r"\epsilon\le1", "c_K>1"]


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


def test_a_list_of_letters_is_a_range_of_each():
    found = ranges(r"Let $d,H\ge2$ and $0<\epsilon,\delta<1$; $x=d,H\ge4$.")
    assert [one.said for one in found] == [r"d\ge2", r"H\ge2", r"0<\epsilon", r"\epsilon<1", r"0<\delta", r"\delta<1",
                                           r"H\ge4"]
    assert [(one.low, one.strict, one.bound) for one in found[:4]] == [
        (True, False, 2), (True, False, 2), (True, True, 0), (False, True, 1)]


@pytest.mark.parametrize("text, said, why", [
    (r"Let $0<\epsilon$ and $N\ge1/\epsilon$.", r"0<\epsilon", r"$1/\epsilon$ has no value at $\epsilon=0$"),
    (r"Let $0<\epsilon$ and $N\ge1+\epsilon$.", r"0<\epsilon", ""),
    (r"For $c_K>1$ take $N^{\frac1{c_K-1}}$.", "c_K>1", r"$N^{\frac1{c_K-1}}$ has no value at $c_K=1$"),
    (r"For $c_K\ge2$ take $N^{\frac1{c_K-1}}$.", r"c_K\ge2", ""),
    (r"For $d\ge2$ it is $\log_dN$.", r"d\ge2", r"$\log_dN$ has no value at $d=1$"),
    (r"For $d\ge3$ it is $\log_dN$.", r"d\ge3", ""),
    (r"Let $\delta<1$. With probability at least $1-\delta$ it stops.", r"\delta<1", r"$1-\delta$ at $\delta=1$"),
    (r"Let $\delta<\frac13$. With probability at least $1-\delta$ it stops.", r"\delta<\frac13", ""),
    (r"Let $m\ge3$. With probability at least $1-\frac Km$ it stops.", r"m\ge3", ""),
    (r"Let $\epsilon<\frac14$ and $2\epsilon<b\le\frac12$.", r"\epsilon<\frac14", r"at $\epsilon=\frac{1}{4}$"),
    (r"Let $\epsilon<\frac15$ and $2\epsilon<b\le\frac12$.", r"\epsilon<\frac15", ""),
    (r"Let $\epsilon<\frac14$ and $b=1$. Then $2\epsilon<b\le\frac12$.", r"\epsilon<\frac14", ""),
    (r"Let $H\ge2$, $1\le L<H$.", r"H\ge2", "there is no $L$"), (r"Let $H\ge3$, $1\le L<H$.", r"H\ge3", ""),
    (r"Let $N\ge1$.", r"N\ge1", "a number"), (r"Let $N\ge2$.", r"N\ge2", ""), (r"Let $l\ge1$.", r"l\ge1", ""),
    (r"Let $j\ge0$.", r"j\ge0", "an index"), (r"Let $j\ge1$.", r"j\ge1", ""), (r"Let $dH\ge2$.", r"dH\ge2", "")])
def test_nothing_is_claimed_beyond_some_ranges_and_the_reason_is_computed(text, said, why):
    one = next(one for one in ranges(text) if one.said == said)
    assert why in nothing_beyond(text, one) and bool(why) == bool(nothing_beyond(text, one))


def test_a_range_is_tried_or_empty_or_neither():
    text, checks = r"Let $0<\epsilon\le1$, $d\ge3$, $H\ge2$, $N\ge1/\epsilon$.", [check("H = 1")]
    assert [one.said for one in left_out(text, checks)] == [r"0<\epsilon", r"\epsilon\le1", r"d\ge3"]
    assert untried(text, checks) == [r"\epsilon\le1", r"d\ge3"]
    assert [said for said, _ in empty(text, checks)] == [r"0<\epsilon"] and empty(text, []) == []


def test_ranges_of_the_paper_that_were_never_left():
    register = PAPER.register()
    found = {key: untried(statement.statement, register.of(key)) for key, statement in PAPER.statements.items()}
    assert sum(map(len, found.values())) <= MOST, {key: said for key, said in found.items() if said}
    assert found["eq-n-constraint-1"] and not found["lem-trace-det"]


def test_a_sign_and_a_letter_stay_two_words():
    assert [one.said for one in ranges(r"for $2\le t$")] == [r"2\le t"]
