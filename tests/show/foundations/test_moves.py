"""Runs at small angles: what the norm of the measures decides."""

import math

import pytest

from derl.show.foundations import moves


def test_measures_grow_as_the_angle_falls():
    rows = moves.angles()["rows"]
    assert rows[0]["longest"] == pytest.approx(math.sqrt(2))  # at a right angle Assumption 1 holds
    for wide, narrow in zip(rows, rows[1:], strict=False):
        assert narrow["angle"] < wide["angle"] and narrow["longest"] > wide["longest"]
        assert narrow["total"] <= math.sqrt(2)


def test_the_better_action_is_found_until_the_angle_is_tiny():
    rows = moves.angles()["rows"]
    assert rows[0]["loss"] == 0 and rows[-1]["loss"] > 0.99
    for row in rows:
        assert row["loss"] == pytest.approx(0, abs=1e-12) or row["loss"] == pytest.approx(1 - math.sin(row["angle"]))
