"""Rational functions by ring arithmetic against sympy's own expansion, and against points."""

import random

import pytest
import sympy
from sympy import Rational as R

from derl.exact import symbolic
from derl.exact.quotients import quotient, without_minus, zero

x, y, z = VARIABLES = sympy.symbols("x y z", nonnegative=True)


def drawn(rng: random.Random, depth: int):
    """A random rational function, with quotients, powers and signs nested."""
    if depth == 0:
        return rng.choice([x, y, z, sympy.Integer(rng.randint(-2, 5)), R(rng.randint(1, 9), rng.randint(1, 9))])
    one, other = drawn(rng, depth - 1), drawn(rng, depth - 1)
    return rng.choice([one + other, one + other, one - other, one * other, (1 + one**2) ** rng.choice([-2, -1, 2]),
                       one / (other**2 + 1)])


@pytest.mark.parametrize("seed", range(20))
def test_random_functions_keep_their_values(seed):
    rng = random.Random(seed)
    function = drawn(rng, 3)
    above, below = (side.as_expr() for side in quotient(function, VARIABLES))
    for point in ({x: R(1, 3), y: 2, z: R(7, 5)}, {x: 11, y: R(1, 7), z: 1}):
        if below.subs(point) != 0:
            assert above.subs(point) / below.subs(point) == function.subs(point)
    assert zero(function - function.expand()) is True and zero(function + R(1, 10**9) - function) is False
    assert zero(function * (x + y) - function * x) is (sympy.simplify(function) == 0)


@pytest.mark.parametrize("seed", range(20))
def test_the_quick_answer_is_what_sympy_says(seed):
    """Where coefficients of one sign are found, points agree; where a minus is, so does the slow way."""
    function = drawn(random.Random(1000 + seed), 3)
    answer = without_minus(function, VARIABLES)
    tried = [(0, 1, 2), (3, R(1, 5), 0), (1, 1, 1), (50, 2, R(1, 9))]
    values = [function.subs(dict(zip(VARIABLES, point, strict=True))) for point in tried]
    if answer:
        assert all(value >= 0 for value in values if value.is_finite)
    numerator, denominator = map(sympy.expand, sympy.fraction(sympy.together(function)))
    signs = [c for part in (numerator, denominator) for c in sympy.Poly(part, *VARIABLES).coeffs()]
    if answer is False:
        assert min(signs) < 0 < max(signs)
    if min(signs) >= 0:
        assert answer is not False


@pytest.mark.parametrize("expression", [
    sympy.log(1 + x), sympy.sqrt(2) * x, sympy.E * x, x**sympy.Symbol("n"), x**R(1, 2), x**(x + 1), x**1000,
    1 / (x + sympy.Symbol("w"))], ids=str)
def test_what_is_no_rational_function_is_left_to_sympy(expression):
    assert quotient(expression, (x,)) is None and without_minus(expression, (x,)) is None


def test_matrices_do_not_commute():
    A, B = sympy.symbols("A B", commutative=False)
    assert zero(A * B - B * A) is None
    assert not symbolic.same_operator(A * B, B * A) and symbolic.same_operator((A + B)**2, A**2 + A * B + B * A + B**2)


@pytest.mark.parametrize("nearly", [1 - R(1, 10**30), 1 + R(1, 10**30)])
def test_identities_and_inequalities_next_to_true_ones(nearly):
    square = x**2 + 2 * x * y + y**2
    assert symbolic.equal((x + y)**2, square) and not symbolic.equal((x + y)**2, nearly * square)
    assert symbolic.same_fraction(1 / (1 + x) + x / (1 + x), 1)
    assert not symbolic.same_fraction(1 / (1 + x) + nearly * x / (1 + x), 1)
    assert bool(symbolic.at_least(1 + x, nearly * (1 + x), x)) == (nearly < 1)
    assert bool(symbolic.at_least(x / (1 + x), nearly * x / (1 + x), x)) == (nearly < 1)


def test_an_answer_that_is_remembered_belongs_to_its_variables():
    difference = x - y
    assert not symbolic.at_least(x, y, x, y)
    assert symbolic.nonnegative(x + 1, x) and not symbolic.nonnegative(x - 1, x)
    assert zero(difference) is False and zero(difference - x + y) is True
    assert without_minus(x * y, (x, y)) is True and without_minus(x * y, (x,)) is None
