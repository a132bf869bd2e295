"""Changed arguments as a reader sees them."""

import operator
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
import sympy

from derl.ledger.arguments import shown, source


def scaled(factor):
    """A function that remembers a number."""
    def inner(x):
        return factor * x

    return inner


@pytest.mark.parametrize("value, words", [
    (16, "16"), (0.99, "0.99"), (True, "True"), (None, "None"), ("lock", "'lock'"), (999_999, "999999"),
    (10**6, "10**6"), (2 * 10**12, "2 * 10**12"), (-(10**6), "-10**6"), (1_983_123_000, "1_983_123_000"),
    (Fraction(9, 10), "9/10"), (sympy.Rational(3, 2), "3/2"), (1 - 1 / sympy.E, "1 - exp(-1)"), (sympy.oo, "oo"),
    ((1, (Fraction(1, 2),)), "(1, (1/2,))"), ((), "()"), ({"Bernstein": 0.99}, "{'Bernstein': 0.99}"),
    (min, "min"), (sympy.log, "log"), (operator.le, "operator.le"), (scaled, "scaled"),
    (scaled(Fraction(1, 3)), "scaled.inner with factor = 1/3"), (partial(scaled, 2), "scaled(2)"),
    (partial(scaled, factor=Fraction(1, 2)), "scaled(factor=1/2)"), (np.ones((2, 3)), "array of shape (2, 3)"),
    (object(), "an object of class object"), (np.float64(0.5), "np.float64(0.5)")])
def test_a_value_is_shown_as_it_can_be_read(value, words):
    assert shown(value) == words


def test_a_lambda_is_shown_by_its_own_source_also_beside_another_in_one_line():
    first, second = lambda x: x + 1, lambda x: x + 2
    assert (shown(first), shown(second)) == ("lambda x: x + 1", "lambda x: x + 2")
    assert (source(first), source(second)) == (shown(first), shown(second))
    broken = lambda x, y: (x  # noqa: E731
                           + y)
    assert shown(broken) == "lambda x, y: x + y"
    factor = Fraction(1, 2)
    assert shown(lambda x: factor * x) == "lambda x: factor * x with factor = 1/2"


def test_what_has_no_source_says_so():
    (made,) = [eval(compile("lambda x: x", "<typed>", "eval"))]
    assert shown(made) == "a function without source" and source(made) == ""


def test_the_source_of_a_function_is_not_indented():
    assert source(scaled(2)) == "def inner(x):\n    return factor * x"
    assert source(eval(compile("lambda: 0", "<typed>", "eval"))) == ""
