"""N of Algorithm 2 against nu, as the page carries it."""

import math

import pytest

from derl.show.arbitrary import moves


def test_the_curves_end_at_the_largest_coefficient_and_fall():
    for curve in moves.reach()["curves"]:
        assert 10 ** curve["logs"][-1] == pytest.approx(1 / math.sqrt(curve["d"]))
        for values in curve["sizes"].values():
            assert values == sorted(values, reverse=True)


def test_linear_evaluation_never_asks_for_more_than_the_proof_of_the_paper():
    for curve in moves.reach()["curves"]:
        pairs = zip(curve["sizes"]["spectral"], curve["sizes"]["repaired"], strict=True)
        assert all(mended < printed for mended, printed in pairs)
