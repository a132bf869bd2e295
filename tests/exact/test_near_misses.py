"""The falsehood next to a true step and the point where a false one fails, as text and as numbers, by hand."""

from fractions import Fraction as F

import numpy as np
import pytest
import sympy
from sympy import Rational as R

from derl.exact import compared
from derl.exact.compared import at_most, bookkeeping, every, exactly, less_than
from derl.exact.decided import Decided
from derl.exact.symbolic import at_least, below, by_sign, equal, exceeds, nonnegative, nonnegative_from, tangent

x, y = sympy.symbols("x y", nonnegative=True)
u = sympy.Symbol("u")
SELF = "the numbers themselves"


@pytest.mark.parametrize("step, planted, at, room, factor", [
    (at_least(2 + x, 1, x), "times 1001/500", "x = 0", "factor 2", 2.002),
    (at_least(3 + 2 * x, 2 + x, x), "times 3003/2000", "x = 0", "factor 3/2", 1.5015),
    (at_least(5 + x, 1 + x, x), "times 201/200", "x = 1000", "factor 1005/1001", 1.005),
    (nonnegative(1 + x, x), "plus 1001/1000", "x = 0", "1", None),
    (exceeds(1 + x, -1, x), "plus 2001/1000", "x = 0", "2", None),
    (equal((x + 1) ** 2, x**2 + 2 * x + 1), "times 1001/1000", "x = 0", "none", 1.001),
    (equal(x * (x + 1), x**2 + x), "times 1001/1000", "x = 1", "none", 1.001),
    (below(R(1, 2), R(3, 4)), "times 3003/2000", SELF, "factor 3/2", 1.5015),
    (at_most(2, 3), "times 3003/2000", SELF, "factor 3/2", 1.5015),
    (less_than(F(1, 3), 1), "times 3003/1000", SELF, "factor 3", 3.003),
    (at_most(0, 1), "plus 1001/1000", SELF, "1", None), (less_than(-1, 0), "plus 1001/1000", SELF, "1", None),
    (at_most(-2, -2), "plus 1/1000", SELF, "0", None), (exactly(5, 5), "times 1001/1000", SELF, "none", 1.001),
    (exactly(0, 0), "plus 1/1000", SELF, "none", 1.001), (exactly(True, True), "negated", SELF, "none", 1.001),
    (exactly(sympy.oo, sympy.oo), "replaced by 10^6", SELF, "none", 1.001),
    (exactly([0, 3], [0, 3]), "at 1: times 1001/1000", SELF, "none", 1.001),
    (exactly([0, 0], [0, 0]), "at 0: plus 1/1000", SELF, "none", 1.001),
    (exactly({"H": 2}, {"H": 2}), "at H: times 1001/1000", SELF, "none", 1.001),
    (exactly([1, [2]], [1, [2]]), "at 0: times 1001/1000", SELF, "none", 1.001),
    (exactly([["a"], [2]], [["a"], [2]]), "at 1, 0: times 1001/1000", SELF, "none", 1.001),
    (exactly({2, 1}, {1, 2}), "without 1", SELF, "none", 1.001),
    (exactly(np.array([0.0]), np.array([0.0])), "at 0: plus 1/1000", SELF, "none", 1.001)])
def test_what_was_asked_of_the_prover_and_how_much_room_there_is(step, planted, at, room, factor):
    miss = step.near_miss()
    assert step and miss.rejected
    assert (miss.planted, miss.at, miss.room) == (f"the right side {planted}", at, room)
    assert miss.factor == (None if factor is None else pytest.approx(factor))


@pytest.mark.parametrize("step", [exactly("a", "a"), exactly(None, None), exactly((), ()), exactly(set(), set()),
                                  bookkeeping(True), every(exactly(1, 1), exactly("a", "a"))])
def test_what_has_no_number_has_no_falsehood_next_to_it(step):
    assert step and step.near_miss() is None


def test_of_several_relations_the_closest_is_asked():
    """The factors are 3.003, 1.5015 and 2.002; bookkeeping is passed over, and a smaller change of a sum has none."""
    step = every(at_most(1, 3), bookkeeping(True), [at_most(2, 3), at_most(1, 2)], less_than(-1, 0))
    miss = step.near_miss()
    assert (miss.planted, miss.room) == ("one of 4 relations: the right side times 3003/2000", "factor 3/2")
    assert every(at_most(2, 3)).near_miss().planted == "the right side times 3003/2000"
    accepted = Decided(2 + x, sympy.Integer(1), ">=", (x,), lambda left, right: True)
    assert not every(at_most(2, 3), accepted).near_miss().rejected


@pytest.mark.parametrize("step, trivial", [
    (at_least(x + y, x, x, y), True), (at_least(x + 3 * y**2 / 2, x, x, y), True), (at_least(x, 0, x), True),
    (at_least(x, x, x), True), (equal(x, x), True), (at_least(u + x, x, u, x), True), (equal(x + y, y + x), True),
    (at_least(x + 1, x, x), False), (at_least(x * (1 + y), 0, x, y), False), (at_least(2 * x, x, x), False),
    (exceeds(2 + x, 1, x), False), (equal((x + 1) ** 2, x**2 + 2 * x + 1), False),
    (Decided(x - u**2, x, ">=", (), lambda a, b: True), False), (Decided(x + u, x, ">=", (), lambda a, b: True), False),
    (Decided(x + 1 / y, x, ">=", (y,), lambda a, b: True), False),
    (Decided(x + y, y, "=", (), lambda a, b: True), False),
    (Decided(x, x + y, ">=", (x, y), lambda a, b: True), False)], ids=lambda value: str(value)[:40])
def test_a_step_is_trivial_where_it_is_written_down_twice(step, trivial):
    """Or where what one side has more is a sum of symbols that are supposed not to be negative."""
    assert step.trivial is trivial


@pytest.mark.parametrize("step, said", [
    (at_least(x, 1, x), "x = 0: 0 < 1"), (exceeds(x, 0, x), "x = 0: 0 <= 0"), (equal(2 * x, x), "x = 1: 2 != 1"),
    (by_sign(u), "u = 0: 0 <= 0"), (nonnegative_from(1 - x, x, 0), "shift = 1000: -999 < 0"),
    (below(1, 1), f"{SELF}: 1 <= 1"), (at_most(2, 1), "1 < 2"), (less_than(1, 1), "1 <= 1"),
    (exactly((1, 2), (1, 3)), "(1, 2) != (1, 3)"), (exactly("a" * 61, "b"), f"{'a' * 57}... != b"),
    (exactly("a" * 60, "b"), f"{'a' * 60} != b"), (every(at_most(1, 2), at_most(3, 2), exactly(1, 2)), "2 < 3"),
    (at_least(1 + x, 1, x), ""), (at_most(1, 2), ""), (every(at_most(1, 2), False), "")])
def test_a_witness_is_the_first_point_that_fails(step, said):
    assert step.witness() == said


def test_truth_counts_as_a_number_and_a_rounded_side_is_never_true():
    assert (int(at_least(1 + x, 1, x)), int(at_least(x, 1, x))) == (1, 0)
    assert not Decided(sympy.Float(2), sympy.Integer(1), ">=", (), lambda a, b: True)
    assert not Decided(sympy.Integer(2), sympy.Float(1) * x, ">=", (), lambda a, b: True)


def test_the_two_tangents_are_proved_and_say_what_they_prove():
    (above, first), (behind, second) = tangent()
    assert first and second and ("z >= 1" in above, "<= 1" in behind) == (True, True)
    z = sympy.Symbol("z", nonnegative=True)
    assert sympy.simplify(first.left.subs(sympy.Symbol("shift", nonnegative=True), z) - (z - sympy.log(1 + z))) == 0
    assert sympy.simplify(second.left.subs(sympy.Symbol("shift", nonnegative=True), z)
                          - (sympy.log(1 + z) - z / (1 + z))) == 0


@pytest.mark.parametrize("side, changed", [
    (0.5, 0.5005), (0.0, 0.001), (F(1, 2), F(1001, 2000)), (7, F(7007, 1000)), (-2, F(-2002, 1000)), (0, F(1, 1000)),
    (True, False), ([3, 4], [F(3003, 1000), 4]), ((0, 4), (0, F(4004, 1000))), ({1: 2}, {1: F(2002, 1000)}),
    (sympy.sqrt(2), sympy.sqrt(2) * R(1001, 1000)), ({3, 5}, {5}), (sympy.oo, 10**6)])
def test_the_changed_right_side_of_an_equality(side, changed):
    found, _ = compared._changed(side)
    assert found == (pytest.approx(changed) if isinstance(side, float) else changed)
