"""What the guarantee is refuted with: rare exceptions, and an instance that is what it is said to be."""

from fractions import Fraction

import pytest

from derl.claims.layerwise import guarantee
from derl.mdp import exact, planning


def test_a_replay_whose_exceptions_are_not_rare_is_no_evidence(monkeypatch):
    monkeypatch.setattr(guarantee.replay, "DEVIATION", 2)
    assert not guarantee.truncated_guarantee_fails().holds
    assert not guarantee.both_parts_fail().holds


def test_the_longer_trap_is_a_linear_mdp_whose_best_branch_is_q():
    trap = guarantee.longer_trap()
    assert (trap.horizon, trap.dim) == (11, 7)
    best = exact.optimal(trap, 10)
    assert best.value == 8 and best.policy[1, 3] == 1  # f at C
    worse = best.policy.copy()
    worse[1, 3] = 0
    assert best.value - exact.evaluate(trap, worse, 10).value == Fraction(34, 625)
    assert planning.optimal(trap.to_float(), 10).value == pytest.approx(8)
