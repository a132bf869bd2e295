"""The first lock by enumeration; runs at small angles: what the norm of the measures decides."""

import math
from itertools import product

import pytest

from derl.show.foundations import moves


def test_the_first_lock_is_opened_after_four_deployments_on_average_and_seven_at_the_latest():
    lock = moves.first_lock()
    codes = list(product(range(lock["digits"]), repeat=lock["wheels"]))
    counts = [1 + sum(code) for code in codes]  # digits are tried in their order, wheel after wheel
    assert lock["chance"] == pytest.approx([sum(count <= k for count in counts) / len(codes)
                                            for k in range(max(counts) + 1)])
    assert sum(counts) / len(codes) == 4 and max(counts) == 7


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
