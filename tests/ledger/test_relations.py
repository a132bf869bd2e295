"""Relations of a text are read and evaluated: one that held everywhere and fails after a change was made false."""

import pytest

from derl.claims import PAPER
from derl.ledger.compared import text_of
from derl.ledger.relations import holds, relations, true_in

LEAST = 200  # relations of the paper's texts that hold wherever they are evaluated


@pytest.mark.parametrize("left, sign, right", [
    (r"\rho-1", r"\le", r"\rho\log\rho"), ("(a+b)^2", "=", "a^2+2ab+b^2"), (r"2\lceil z\rceil+1", r"\le", "2z+3"),
    (r"\log3", ">", "1"), (r"\frac x{1+x^2}", r"\leq", r"\frac12"), (r"\lceil x\rceil", r"\ge", "x")])
def test_a_true_relation_holds_and_its_opposite_does_not(left, sign, right):
    assert holds(left, sign, right)
    opposite = {r"\le": ">", r"\leq": r"\gt", "=": "<", ">": r"\le", r"\ge": "<"}[sign]
    assert not holds(left, opposite, right)


@pytest.mark.parametrize("left, sign, right", [
    ("a", "<", "b"), ("d", r"\ge", "1"), ("x_t", "=", "3"), (r"\nu_{\min}", ">", "0"), ("a^2", "=", "a^3"),
    (r"\operatorname{tr}A", r"\le", "1"), ("a+b", "<", "a+b"), (r"\sqrt{-1}", "=", r"\sqrt{-1}")])
def test_hypotheses_and_what_cannot_be_evaluated_do_not_count(left, sign, right):
    assert not holds(left, sign, right)


def test_chains_are_taken_one_by_one_and_brackets_stay_whole():
    found = list(relations(r"As $a\le\min\{b,c\}<d$, $x=1$; and $f(x=2)\ge y\text{ for }y=3$."))
    assert found == [("a", r"\le", r"\min\{b,c\}"), (r"\min\{b,c\}", "<", "d"), ("x", "=", "1"),
                     ("f(x=2)", r"\ge", "y"), ("y", "=", "3")]


def test_a_direction_a_number_and_a_sign_in_a_text_are_noticed():
    text = r"Hence $1-\frac1y\le\log y\le y-1$ and $(n+1)^2=n^2+2n+1$."
    assert len(true_in(text)) == 3
    for old, new in ((r"\log y\le", r"\log y\ge"), ("2n", "3n"), ("y-1", "y-2"), (r"1-\frac", r"1+\frac")):
        assert len(true_in(text.replace(old, new))) == 2


def test_the_paper_has_relations_that_hold():
    found = {key: true_in(text_of(statement)) for key, statement in PAPER.statements.items()}
    assert sum(map(len, found.values())) >= LEAST and sum(map(bool, found.values())) >= 100
