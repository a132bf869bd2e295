"""Arrays as they come in: float64 before any rule is looked at, and nothing that has no value."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy

from derl import Deployer, InvalidInstance, InvalidPolicy, LinearMDP, Mixture, instances, planning
from derl.algorithms.outcome import InvalidParameter, first_states
from derl.inputs import Invalid, real, whole
from derl.inputs.arrays import NESTED, as_array, as_floats, unmasked
from derl.mdp.exact import ExactMDP
from derl.theory import potential, reachability

MASKED = np.ma.array([[0.0, 1.0]], mask=[[False, True]])
WIDTHS = [(np.float16, 2.0**-11), (np.float32, 2.0**-24)]  # 1 + this is 1 in the arithmetic of the width


@pytest.fixture
def mdp():
    return instances.tabular(np.full((2, 2, 2), 0.5), np.zeros((2, 2)), [1, 0], horizon=3)


@pytest.mark.parametrize("width, small", WIDTHS)
def test_a_row_is_refused_in_every_width(mdp, width, small):
    """The row [1, small] sums to 1 in its own width, and to more in that of the computation."""
    row = np.zeros((3, 2, 2), width) + np.array([1, small], width)
    assert (row.sum(axis=2, dtype=width) == 1).all()
    bound = 1e-9
    for given in (row, row.astype(np.float64), row.astype(np.longdouble)):
        for use in (lambda given=given: planning.evaluate(mdp, given),
                    lambda given=given: Deployer(mdp, 10, 1, "any").deploy(given),
                    lambda given=given: planning.evaluate(mdp, Mixture((given,), [1.0]))):
            if small > bound:
                with pytest.raises(InvalidPolicy, match="layer 1, state 0: action probabilities sum to 1"):
                    use()
    with pytest.raises(InvalidPolicy, match="sum 1.0"):
        Mixture((np.zeros((3, 2), int),) * 2, np.array([1, 2.0**-11], np.float16))


@pytest.mark.parametrize("width", [np.float16, np.float32, np.longdouble])
def test_a_value_is_at_most_the_horizon_in_every_width(width):
    """All rewards are 1: rows that are thirds in a small width would be worth more than H = 3."""
    sure = instances.tabular(np.full((1, 3, 1), 1.0), np.ones((1, 3)), [1], horizon=3)
    rows = np.full((3, 1, 3), 1, width) / width(3)
    try:
        assert planning.evaluate(sure, rows).value <= 3 + 1e-8
    except InvalidPolicy as error:
        assert "sum to" in str(error) and width is not np.longdouble


@pytest.mark.parametrize("use", [
    lambda: instances.tabular(np.ones((1, 2, 1)), MASKED, [1], horizon=1),
    lambda: instances.tabular([np.ma.array([[1.0], [1.0]], mask=[[0], [1]])], [[0, 1]], [1], horizon=1),
    lambda: LinearMDP(np.ones((1, 1, 1, 1)), np.ones((1, 1, 1)), np.ma.array([[1.0]], mask=True), [1]),
    lambda: LinearMDP(np.ones((1, 1, 1, 1)), np.ones((1, 1, 1)), [[1.0]], [1], np.ma.array([[[True]]], mask=True)),
    lambda: ExactMDP(np.ones((1, 1, 1, 1)), np.ones((1, 1, 1)), np.ma.array([[1.0]], mask=True), [1]),
    lambda: planning.evaluate(instances.optimism_trap(), np.ma.array(np.zeros((2, 2), int), mask=True)),
    lambda: Mixture((np.zeros((1, 1), int),), np.ma.array([1.0], mask=True)),
    lambda: reachability.reach(instances.hexagon(3), 1, np.ma.array(np.ones((1, 3)), mask=True)),
    lambda: potential.violations(np.ma.array(np.eye(2)[None], mask=True), 10, 0.5),
])
def test_masked_entries_have_no_value(use):
    with pytest.raises(Invalid, match="masked entries have no value") as caught:
        use()
    assert "\n" not in str(caught.value)


def test_a_mask_that_hides_nothing_hides_nothing():
    assert as_floats(np.ma.array([1, 2], mask=False), "x").tolist() == [1, 2]
    assert type(as_array(np.ma.array([1, 2]), "x")) is np.ndarray
    deep = MASKED
    for _ in range(NESTED):
        deep = [deep]
    with pytest.raises(Invalid, match="masked"):
        unmasked(deep, "x")


@pytest.mark.parametrize("value", [np.ma.masked, np.ma.array(1, mask=True), np.ma.array([1], mask=True)])
def test_a_masked_number_is_none(value):
    for read in (real, whole):
        with pytest.raises(Invalid):
            read(value, "x")
    assert whole(np.ma.array(3), "x") == 3 and real(np.ma.array(0.5), "x") == 0.5


@pytest.mark.parametrize("value", [[1, 2.5], np.float16([1, 2.5]), np.array([Fraction(1), 2.5], object), (1, 2.5),
                                   np.array([sympy.Integer(1), sympy.Rational(5, 2)], object), np.longdouble([1, 2.5])])
def test_real_numbers_become_float64(value):
    found = as_floats(value, "x")
    assert found.dtype == np.float64 and found.tolist() == [1, 2.5]


def test_more_digits_than_float64_has_are_rounded_once():
    assert as_floats(np.array([1 + 2**-70], np.longdouble), "x") == [1]
    same = np.eye(2)
    assert as_floats(same, "x") is same


@pytest.mark.parametrize("value", [
    [True, False], np.array(["1", "2"]), np.array(["1", 2], object), np.array([None, 1], object), [b"1"],
    np.array([1 + 0j]), np.array([1 + 0j, 2], object), np.array([True, 2], object), np.array([Decimal(1)], object),
    np.array(["2020-01-01"], "datetime64[D]"), np.array([np.timedelta64(1, "s")], object), [[1], [1, 2]], object(),
    {"a": 1}, np.zeros(1, [("a", float)]),
])
def test_what_is_no_real_number_is_refused_in_one_line(value):
    with pytest.raises(InvalidInstance, match="^x must be an array of real numbers") as caught:
        as_floats(value, "x", InvalidInstance)
    assert "\n" not in str(caught.value)


def test_lack_of_memory_is_no_property_of_an_array():
    class Large:
        def __array__(self, *_, **__):
            raise MemoryError

    with pytest.raises(MemoryError):
        as_floats(Large(), "x")


@pytest.mark.parametrize("given", [
    [True, False], ["1", "0"], np.ma.array([1, 0], mask=[0, 1]), [np.float16(1), 2**-11]])
def test_a_law_of_first_states_is_made_of_numbers_that_sum_to_one(mdp, given):
    known = Deployer(mdp, 10, 1).known
    assert first_states(known, np.float16([0.5, 0.5])).dtype == np.float64
    with pytest.raises(InvalidParameter):
        first_states(known, given)
