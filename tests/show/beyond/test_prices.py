"""The film of the exact base: the counts are those of all codes, and a junk state never shows the right digit."""

from fractions import Fraction
from itertools import product

import pytest

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


def test_a_bar_is_as_high_as_its_share_of_the_batch():
    """64 codes are 64 pixels; bars of the first deployment are orange and stand on its wheels, later ones blue."""
    first, later = [Fraction(64), Fraction(64, 3), Fraction(64, 9)], [Fraction(64), Fraction(32)]
    for passing, start, color in ((first, 0, "orange"), (later, 3, "blue")):
        shapes = {key: (given, rest) for key, _, given, *rest in prices.picture(len(passing) - 1, passing, start)}
        for a, many in enumerate(passing[1:], 1):
            given = shapes[f"b{start}-{a}"][0]
            assert given["height"] == pytest.approx(float(many), abs=0.06)
            assert given["y"] + given["height"] == pytest.approx(84, abs=0.11)
            assert given["x"] == prices.LEFT + prices.STEP * (start + a - 1) and color in given["class"]


def test_crossed_out_is_the_digit_of_the_junk_state_on_the_wheels_that_are_not_known():
    """Wheels 1 and 2 are known: they show their right digit; on the later ones the digit of the junk is dark."""
    for crossed in (False, True):
        kinds = {key: given["class"] for key, _, given, *_ in prices.picture(2, [Fraction(64)], 0, crossed)
                 if key.startswith("d")}
        for j, digit in product(range(prices.WHEELS), range(prices.DIGITS)):
            state = ("right" if digit == prices.HIDDEN[j] else "dark") if j < 2 else (
                "dark" if crossed and digit == prices.JUNK[j] else "")
            assert kinds[f"d{j}-{digit}"] == f"wheel-cell {state}".strip()


def test_what_is_said_counts_the_codes():
    """64/3 = 21.3, 64/9 = 7.1, 64/27 = 2.4 with three digits; 32, 16, ... with two, and 1 code "passes"."""
    said = [frame["said"] for frame in moves.prices()["frames"]]
    assert said[0] == "A lock with 3 digits for each wheel, and batches of 64 codes."
    for a, (before, after) in enumerate((("64", "21.3"), ("21.3", "7.1"), ("7.1", "2.4")), 1):
        assert f"3 possible digits, so about {after} of {before} codes pass wheel {a}." in said[a]
    assert "so 2 digits are left" in said[4]
    for a, (before, after) in enumerate((("64", "32"), ("32", "16"), ("16", "8"), ("8", "4"), ("4", "2"), ("2", "1"))):
        verb = "passes" if after == "1" else "pass"
        assert f"2 digits are left, so about {after} of {before} codes {verb} wheel {4 + a}." in said[5 + a]
