"""Ends of balls enclose, comparisons are decided or refused."""

from fractions import Fraction

import pytest

pytest.importorskip("flint")

from flint import arb  # noqa: E402

from derl.exact.balls import Undecided, ball, below, lower, minimum, precise, upper  # noqa: E402


def test_ends_enclose_what_lies_in_the_ball():
    with precise():
        third = ball(Fraction(1, 3))
        assert lower(third) <= Fraction(1, 3) <= upper(third) and upper(third) - lower(third) < Fraction(1, 10**100)
        wide = arb(2, 1)
        assert lower(wide) <= 1 and 3 <= upper(wide) < Fraction(31, 10)


def test_what_overlaps_is_not_compared():
    assert below(arb(1), arb(2)) and not below(arb(2), arb(1)) and not below(arb(2), arb(2))
    with pytest.raises(Undecided):
        below(arb(1, 1), arb(2))
    assert minimum(arb(1), arb(2)) == 1 == minimum(arb(2), arb(1))
    assert lower(minimum(arb(2, 1), arb(2))) <= 1 and upper(minimum(arb(2, 1), arb(2))) >= 2
