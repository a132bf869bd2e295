"""At which points formulas are compared: Greek letters are small at first, also with accents; Latin ones are not."""

import pytest

from derl.printed.points import ROWS, bare, points


@pytest.mark.parametrize("name", ["epsilon", "tilde epsilon", "hat epsilon", "bar epsilon", "epsilon_0", "epsilon'",
                                  "hat epsilon_{h,1}", "epsilon^*", "tilde nu_min"])
def test_greek_letters_are_below_one_in_the_first_half(name):
    values = [point[name] for point in points([name])]
    assert len(values) == ROWS
    assert all(0 < value < 1 for value in values[:ROWS // 2]) and all(value >= 2 for value in values[ROWS // 2:])


@pytest.mark.parametrize("name", ["H", "tilde h", "hat H", "mathcal K", "K_epsilon", "d'"])
def test_latin_letters_are_whole_numbers_and_fractions_only_at_the_end(name):
    values = [point[name] for point in points([name])]
    assert all(value.denominator == 1 and value >= 2 for value in values[:-2])
    assert all(0 < value < 1 for value in values[-2:])


def test_the_letter_itself():
    assert [bare(name) for name in ("tilde epsilon", "x^*", "beta'", "nu_min", "mathcal K")] == [
        "epsilon", "x", "beta", "nu", "K"]


def test_two_letters_of_one_kind_differ_somewhere():
    assert any(point["epsilon"] != point["delta"] and point["d"] != point["H"]
               for point in points(["epsilon", "delta", "d", "H"]))
