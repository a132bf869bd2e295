"""A check whose bound is turned: the verdict comes from a run, and turns where the bound is attained."""

import pytest

from derl.show.foundations.playground import BREAKABLE, CHECK, check_view, tried


@pytest.mark.parametrize("name", BREAKABLE)
def test_the_verdict_turns(name):
    row, claim, word = tried(name, 1.0)
    assert word != "failed" and row["outcome"] == "pass" and row["control"]["outcome"] == "rejected"
    low, *_, low_claim = tried(name, 0.99)
    assert low["outcome"] == "fail" and low_claim == "failed"
    assert tried(name, 1.2)[2] != "failed"
    assert check_view(name, 99).sentence.startswith("! failed: with 99 %") and claim


def test_the_truth_is_where_the_slider_starts():
    assert CHECK.start["percent"] == 100
