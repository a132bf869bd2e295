"""The chain of rules behind Theorem 4.1, repaired: it derives the theorem, and nothing more than it should."""

import pytest

from derl.claims import layerwise_theorem as theorem
from derl.claims import ledger

START = {*theorem.HYPOTHESES, "x <= 1/d", "(A)", "(B)", "(D)", "beta^2 >= (9/2) d^2 H^2 l", "delta/2 + delta/2 = delta"}


@pytest.fixture(scope="module", autouse=True)
def registry():
    ledger.register_all()


def test_the_theorem_follows():
    assert theorem.consequences(START, theorem.CHAIN).issuperset(theorem.GOAL)


@pytest.mark.parametrize("missing", sorted(START))
def test_no_fact_is_idle(missing):
    assert not theorem.consequences(START - {missing}, theorem.CHAIN).issuperset(theorem.GOAL)


def test_stopping_needs_neither_optimism_nor_concentration():
    known = theorem.consequences({"Algorithm 1", "x <= 1/d", "(A)"}, theorem.CHAIN)
    assert theorem.GOAL[0] in known and theorem.GOAL[1] not in known


def test_a_claim_that_only_runs_is_no_ground():
    assert theorem.proved_in_this_book("res-sharp-potential")
    assert not theorem.proved_in_this_book("def-deployment")
    assert not theorem.proved_in_this_book("lem-overestimation")  # refuted, by a check of everything


@pytest.mark.parametrize("power, constant, c_beta, holds", [
    (1, 2 * 10**7, 20, False), (1, 10**8, 20, True), (2, 10**8, 20, True), (3, 10**9, 25, True), (3, 10**8, 20, False)])
def test_constants_for_other_ranges_of_n(power, constant, c_beta, holds):
    assert theorem.theorem_with_the_printed_beta(constant, c_beta, power).holds is holds
