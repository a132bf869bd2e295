"""Numbers, choices and texts: what is taken, and one line for what is not."""

import time
from fractions import Fraction

import numpy as np
import pytest
import sympy
from generators import Spoilt

from derl.inputs import Invalid, as_fraction, choice, number, real, shown, text, whole


def refused(call, *fragments):
    with pytest.raises(Invalid) as caught:
        call()
    message = str(caught.value)
    assert "\n" not in message and len(message) < 300
    for fragment in fragments:
        assert fragment in message, message


@pytest.mark.parametrize("value", [3, 3.0, Fraction(3), np.int8(3), np.float32(3), np.array(3), sympy.Integer(3)])
def test_whole_numbers_of_any_type(value):
    found = whole(value, "n", 1, 3)
    assert type(found) is int and found == 3


NO_NUMBERS = [True, np.True_, sympy.true, None, "3", [3], np.array([3]), 1 + 2j, np.complex128(2), float("nan"), np.nan,
              float("inf"), np.timedelta64(3), np.timedelta64("NaT"), sympy.Symbol("x"), sympy.zoo, sympy.nan, object(),
              Spoilt(), {}, b"3"]


@pytest.mark.parametrize("value", NO_NUMBERS, ids=lambda value: type(value).__name__)
def test_what_is_no_number(value):
    refused(lambda: whole(value, "n"), "n is ", "whole number >= 1")
    refused(lambda: real(value, "x"), "x is ", "finite number")


@pytest.mark.parametrize("value", [0, -1, 2.5, Fraction(1, 2), 10, 10**400])
def test_whole_numbers_out_of_range(value):
    refused(lambda: whole(value, "n", 1, 9), "n is ", "whole number in 1..9")


@pytest.mark.parametrize("value, wanted", [(0.5, 0.5), (np.float32(0.5), 0.5), (1, 1), (Fraction(1, 3), Fraction(1, 3)),
                                           (sympy.Rational(1, 3), Fraction(1, 3)), (np.array(0.25), 0.25),
                                           (sympy.sqrt(2), 2**0.5)])
def test_real_numbers_keep_what_is_exact(value, wanted):
    assert real(value, "x") == wanted and isinstance(real(value, "x"), int | float | Fraction)


@pytest.mark.parametrize("bounds, rule", [({"low": 1}, ">= 1"), ({"above": 0.5}, "> 0.5"), ({"high": 0}, "<= 0"),
                                          ({"below": 0.5}, "< 0.5"), ({"low": 1, "high": 2}, "in [1, 2]"),
                                          ({"above": 0.5, "below": 1}, "> 0.5 and < 1")])
def test_real_numbers_out_of_range(bounds, rule):
    refused(lambda: real(0.5, "x", **bounds), "x is 0.5; it must be a finite number " + rule)


@pytest.mark.parametrize("value", [10**400, -(10**400), Fraction(10**400), Fraction(1, 10**400)])
def test_exact_numbers_that_float64_cannot_hold(value):
    refused(lambda: real(value, "x"), "digits", "finite number")


def test_a_choice():
    assert choice("a", "letter", ("a", "b")) == "a" and choice(3.0, "dim", (3, 5)) == 3
    for value in ("c", None, ["a"], np.array(["a"]), True, Spoilt()):
        refused(lambda value=value: choice(value, "letter", ("a", "b")), "letter is ", "allowed are 'a', 'b'")


def test_a_text():
    assert text("abc", "name", 3) == "abc"
    refused(lambda: text("abcd", "name", 3), "4 characters", "at most 3")
    refused(lambda: text(5, "name", 3), "name is 5", "text")


@pytest.mark.parametrize("written, value", [("12", 12), ("0.1", Fraction(1, 10)), (" 1/10 ", Fraction(1, 10)),
                                            ("1e10", 10**10), ("-2.5E-1", Fraction(-1, 4)), (".5", Fraction(1, 2))])
def test_written_numbers(written, value):
    assert number(written, "x") == value


@pytest.mark.parametrize("written", ["", "x", "nan", "inf", "1/0", "1e99999999", "1e-9999999999", "1e401", "9" * 5000,
                                     "\u0663", "0x10", "1+2j", "1/1/1", "1e1e1", "\udcff"])
def test_numbers_that_are_refused_before_anything_is_computed(written):
    started = time.process_time()  # of this process, whatever else the machine does
    refused(lambda: number(written, "x"), "x ")
    assert time.process_time() - started < 0.5


def test_a_value_is_shown_on_one_short_line():
    assert shown("a\nb") == "'a\\nb'" and shown([1, "\n"]) == "[1, '\\n']" and shown(np.float64(0.5)) == "0.5"
    assert shown(Fraction(1, 2)) == "1/2" and shown(10**5000) == "a whole number of about 5001 digits"
    assert len(shown("x" * 10**6)) <= 60 and shown(Spoilt()) == "a Spoilt"


def test_fractions_of_numpy_do_not_overflow():
    large = np.int64(2**40)
    for value in (large, Fraction(large), Fraction(large, np.int64(1))):
        found = as_fraction(value)
        assert type(found.numerator) is int is type(found.denominator) and found * found == 2**80
    assert as_fraction("3/20") == Fraction(3, 20) and as_fraction(0.5) == Fraction(1, 2) == as_fraction(Fraction(1, 2))
    for wrong, error in (("", ValueError), ("1/0", ZeroDivisionError), (float("inf"), OverflowError), (1j, TypeError)):
        with pytest.raises(error):
            as_fraction(wrong)
