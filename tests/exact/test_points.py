"""Points at which two sides are compared, values there, and how both are written."""

import pytest
import sympy
from sympy import Rational as R

from derl.exact.points import points, short, unknowns, value_at, written

u, v = sympy.symbols("u v")
p = sympy.Symbol("p", positive=True)
m = sympy.Symbol("m", negative=True)
n = sympy.Symbol("n", integer=True)
f = sympy.Function("f")
FEW = [0, 1, R(1, 1000), 1000, R(7, 3), R(2, 5)]


def tried(expression, symbol, **options):
    return [point[symbol] for point in points(sympy.sympify(expression), **options)]


@pytest.mark.parametrize("expression, symbol, options, values", [
    (u, u, {}, FEW), (p, p, {}, FEW[1:]), (m, m, {}, [-1, R(-7, 3)]), (u, u, {"nonnegative": (u,)}, FEW),
    (n, n, {}, [0, 1, 1000, 2, 3, 5, 4, -1]), (n, n, {"nonnegative": (n,)}, [0, 1, 1000, 2, 3, 5, 4]),
    (2**u, u, {}, [0, 1, R(1, 1000), R(7, 3), R(2, 5)]), (sympy.exp(n), n, {}, [0, 1, 2, 3, 5, 4, -1]),
    (m, m, {"nonnegative": (m,)}, [])])
def test_one_symbol_takes_all_values_that_are_assumed_of_it(expression, symbol, options, values):
    """An exponent is at most 5, so that numbers stay short."""
    assert tried(expression, symbol, **options) == values


@pytest.mark.parametrize("tries", [0, 3, 8])
def test_two_symbols_take_ones_then_zeros_then_some_at_random(tries):
    found = list(points(u + p, v, tries=tries))
    assert len(found) == 2 + tries
    assert found[0] == {u: 1, v: 1, p: 1} and found[1] == {u: 0, v: 0, p: 1}  # p has no zero
    assert found == list(points(u + p, v, tries=tries)), "the same in every run"
    assert list(points(sympy.Integer(3))) == [{}]


def test_what_is_unknown_is_a_symbol_or_an_applied_function():
    assert unknowns(u + v, p) == (p, u, v)
    assert unknowns(f(u) + v) == (f(u), v) and unknowns(f(u) * u) == (f(u), u)
    assert unknowns(sympy.Sum(u**n, (n, 1, 4))) == (u,)


@pytest.mark.parametrize("expression, point, value", [
    ((u + 1) / (v - 2), {u: R(1, 2), v: 5}, R(1, 2)), (u**-3, {u: R(2, 3)}, R(27, 8)),
    (sympy.sqrt(u), {u: 2}, sympy.sqrt(2)),
    (1 / u, {u: 0}, None), (u**-1 * u, {u: 3}, 1), (sympy.log(u), {u: 0}, None), (sympy.sqrt(u), {u: -1}, None),
    (sympy.Sum(n, (n, 1, u)), {u: 4}, 10), (2**u, {u: 255}, 2**255), (2**u, {u: 256}, None), (u + v, {u: 1}, None),
    (u**0, {u: 0}, 1)], ids=str)
def test_a_value_is_exact_real_and_short_or_none(expression, point, value):
    found = value_at(sympy.sympify(expression), {s: sympy.sympify(x) for s, x in point.items()})
    assert found == value and (found is None) == (value is None)


@pytest.mark.parametrize("number, text", [(5, "5"), (R(1, 3), "1/3"), (-7, "-7"), (10**11, "100000000000"),
                                          (10**12, "1e+12"), (R(10**6 + 1, 10**6), "1"), (R(2, 3) * 10**6, "2000000/3"),
                                          (sympy.pi, "pi"), (sympy.sqrt(2) * 10**9 + 1, "1.41421e+09")])
def test_a_number_is_written_out_where_it_has_at_most_twelve_signs(number, text):
    assert short(sympy.sympify(number)) == text


def test_a_point_as_text():
    assert written({u: sympy.Integer(1), p: R(2, 3)}) == "u = 1, p = 2/3" and written({}) == "the numbers themselves"
