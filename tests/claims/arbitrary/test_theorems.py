"""Checks that only the full tier runs: on one instance, or as they are where they are cheap."""

from derl.claims import PAPER
from derl.claims.arbitrary import theorems


def of(function):
    (first, *_) = (check for check in PAPER.register().checks if check.function is function)
    return first


def test_the_runs_of_theorem_r_pass_on_the_lock_and_starved_ones_do_not():
    assert theorems.theorem_r_runs(names=("lock",)).holds
    assert [planted for planted in of(theorems.theorem_r_runs).controls
            if theorems.theorem_r_runs(**planted.plant()).holds] == []
