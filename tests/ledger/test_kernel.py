"""Which theorems of the proof kernel speak of a statement, and in which order they are read."""

from dataclasses import replace

import pytest

from derl.claims import PAPER
from derl.ledger.kernel import Formal, IndexRow


@pytest.fixture(scope="module")
def formal():
    return Formal(PAPER.package)


def test_theorems_that_say_the_whole_come_before_those_that_say_the_core(formal):
    claims = {row.claim for row in formal.index.theorems if row.claim}
    scopes = {claim: [row.scope for row in formal.of(claim)] for claim in claims}
    assert any({"whole", "core"} <= set(found) for found in scopes.values())
    for claim, found in scopes.items():
        assert found == sorted(found, key="core".__eq__), claim
        assert {row.theorem for row in formal.of(claim)} == {
            row.theorem for row in formal.index.theorems if row.claim == claim}


def test_a_control_is_another_theorem_that_is_there(formal):
    theorems = formal.index.theorems
    assert all(formal.control(row) is None for row in theorems if not row.control)
    found = [(row, formal.control(row)) for row in theorems if row.control]
    assert found and all(other.theorem == row.control and other is not row for row, other in found)
    own = replace(theorems[0], theorem="x", control="x")
    alone = Formal(PAPER.package)
    alone.index = IndexRow(versions={}, files={}, theorems=(own,))
    assert alone.control(own) is None
