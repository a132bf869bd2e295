"""Intervals that are printed alone, orders as functions, and words that a line break divides."""

from fractions import Fraction as F

import mpmath
import pytest

from derl.printed import Text, Unreadable
from derl.printed.ranges import Range

TEXT = Text("Rewards lie in $[0,B)$. With probability at\nleast $1-\\delta$ there are $O(d^2H)$ of them, $x+1$ in all.")


def test_an_interval_has_the_ends_that_belong_to_it():
    found = TEXT.interval(after="Rewards lie in", B=3)
    assert (found.low, found.high, found.low_belongs, found.high_belongs) == (0, 3, True, False)
    assert 0 in found and 3 not in found
    assert TEXT.places


def test_a_range_takes_the_ends_that_it_lacks_and_is_whole_where_the_other_is():
    both = Range(bottom=1, low_belongs=True).within(Range(top=3, whole=True))
    assert [number in both for number in (1, 2, F(3, 2), 3, 4)] == [True, True, False, both.high_belongs, False]


def test_what_is_no_interval_is_refused():
    with pytest.raises(Unreadable, match="no interval"):
        TEXT.interval(after="of them,", x=1)


def test_an_order_has_a_value_only_as_a_function():
    assert TEXT("", after="there are", d=2, H=3, O=lambda inside: inside) == 12
    with pytest.raises(Unreadable, match="order of something"):
        TEXT("", after="there are", d=2, H=3)
    with pytest.raises(Unreadable, match="order of something"):
        TEXT("", after="there are", d=2, H=3, O=5)


def test_a_line_may_end_between_words():
    assert TEXT("", after="probability at least", delta=1) == 0


def test_numbers_of_mpmath_have_exponents_beyond_floats():
    text = Text(r"$N\ge2\bigl(c_K\frac{H}{\epsilon^2}\log^2H\bigr)^{\frac1{c_K-1}}$")
    values = {name: mpmath.mpf(value) for name, value in {"c_K": 1.0001, "H": 10, "epsilon": 0.1}.items()}
    assert mpmath.log10(text(r"N\ge", **values)) > 1000


def test_entries_of_a_bracket():
    text = Text(r"Let $(N,d,k)=(200,2,3)$, $(1000,2,3)$ and $x=(-\frac25,f(1,d))$; $(1,2)]$, $2$.")
    assert text.entries("(N,d,k)=") == (200, 2, 3)
    assert text.entries("", after="Let", skip=1) == (1000, 2, 3)
    assert text.entries("x=", d=3, f=lambda one, other: one + other) == (F(-2, 5), 4)
    for skip in (3, 4):
        with pytest.raises(Unreadable):
            text.entries("", after="Let", skip=skip)


def test_a_later_relation_with_the_same_beginning():
    text = Text(r"Then $\mu-1\le c\le\mu$ and $\ell-1\le c\le\ell+3$.")
    assert text.sides("...\\le", {"c": 0}, after="Then", skip=2, ell=5) == (4, 0)


def test_entries_of_a_set():
    assert Text(r"Let $d\in\{1,\frac12,10^{-2}\}$.").entries(r"d\in") == (1, F(1, 2), F(1, 100))


def test_definition_with_a_colon():
    assert Text(r"Let $\nu_h:=\sqrt{d}$.").sides(r"\nu_h:=", nu_h=3, d=4) == (3, 2)


def test_comma_between_angle_brackets():
    assert Text(r"If $\lambda\langle u,S\rangle\le L$.").sides(
        r"\lambda\langle u,S\rangle\le", {r"\langle u,S\rangle": 3}, lambda_=2, L=7) == (6, 7)
