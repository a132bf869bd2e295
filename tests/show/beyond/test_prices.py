"""The film of the exact base: the counts are those of all codes, and a junk state never shows the right digit."""

from fractions import Fraction
from itertools import product

from derl.show.beyond import moves, prices


def test_the_codes_that_pass_are_counted():
    """Of all codes over the digits that are left, the share that has the first wheels right, times the batch."""
    for digits, most in ((3, 4), (2, 6)):
        codes = list(product(range(digits), repeat=most))
        counted = [Fraction(64 * sum(code[:a] == (0,) * a for code in codes), len(codes)) for a in range(most + 1)]
        assert prices.reach(digits)[:most + 1] == counted


def test_three_wheels_at_the_price_of_three_and_six_at_the_price_of_two():
    rows = moves.prices()["rows"]
    assert [row[:3] for row in rows if row[0] == "first"] == [["first", str(a), "3"] for a in (1, 2, 3)]
    assert [row[1:] for row in rows if row[0] == "next"] == [[str(3 + a), "2", str(64 // 2**a)] for a in range(1, 7)]


def test_a_junk_state_excludes_a_wrong_digit():
    assert all(junk != right for junk, right in zip(prices.JUNK, prices.HIDDEN, strict=True))
    assert len(prices.JUNK) == len(prices.HIDDEN) == prices.WHEELS
