"""The chain of rules behind Theorem 4.1, repaired: it derives the theorem, and nothing more than it should."""

import pytest

from derl.claims import PAPER
from derl.claims.layerwise import theorem
from derl.judge.verdicts import MEANT
from derl.theory.texts import said

START = {*theorem.HYPOTHESES, "x <= 1/d", "(A)", "(B)", "(D)", "beta^2 >= (9/2) d^2 H^2 l", "delta/2 + delta/2 = delta"}


def test_the_theorem_follows():
    assert theorem.consequences(START, theorem.CHAIN).issuperset(theorem.GOAL)


@pytest.mark.parametrize("missing", sorted(START))
def test_no_fact_is_idle(missing):
    assert not theorem.consequences(START - {missing}, theorem.CHAIN).issuperset(theorem.GOAL)


def test_stopping_needs_neither_optimism_nor_concentration():
    known = theorem.consequences({"Algorithm 1", "x <= 1/d", "(A)"}, theorem.CHAIN)
    assert theorem.GOAL[0] in known and theorem.GOAL[1] not in known


def test_every_lemma_of_the_chain_and_all_below_it_are_proved(ledger):
    row = ledger.claims["thm-layerwise-repaired"]
    assert set(theorem.LEMMAS) <= set(row["rests_on"]) and row["grounded"]
    assert {ledger.claims[key]["verdict"] for key in row["rests_on"]
            if PAPER.statements[key].kind not in MEANT} <= {"proved", "machine-checked"}


@pytest.mark.parametrize("power, constant, c_beta, holds", [
    (1, 2 * 10**7, 20, False), (1, 10**8, 20, True), (2, 10**8, 20, True), (3, 10**9, 25, True), (3, 10**8, 20, False)])
def test_constants_for_other_ranges_of_n(power, constant, c_beta, holds):
    text = said("thm-layerwise-repaired").edit(r"$c_\beta=19$ and $c=3.5\cdot10^7$",
                                                 rf"$c_\beta={c_beta}$ and $c={constant}$")
    if power != 2:
        text = text.edit("to $N_0^2$", f"to $N_0^{power}$")
    assert theorem.theorem_with_the_printed_beta(text).holds is holds
