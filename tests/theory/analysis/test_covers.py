"""Rounding, grids, and square roots in rational numbers; the float64 twin of rounding; against plainer formulations."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derl.theory.analysis import covers
from derl.theory.analysis.covers import InvalidGrid

RATIONALS = st.fractions(min_value=-50, max_value=50, max_denominator=1000)
STEPS = st.fractions(min_value=Fraction(1, 10**6), max_value=3, max_denominator=10**6).filter(lambda x: x > 0)


@settings(deadline=None)
@given(RATIONALS, STEPS)
def test_rounding_is_the_smallest_multiple_above(number, step):
    (rounded,) = covers.discretise([number], step)
    assert (rounded / step).denominator == 1
    assert rounded - step < number <= rounded


def test_rounding_keeps_shape_and_symmetry():
    matrix = [[Fraction(1, 3), Fraction(-1, 7)], [Fraction(-1, 7), 2]]
    rounded = covers.discretise(matrix, Fraction(1, 10))
    assert rounded.tolist() == [[Fraction(2, 5), Fraction(-1, 10)], [Fraction(-1, 10), 2]]


@pytest.mark.parametrize("bound, step, points", [(1, Fraction(2, 3), 5), (1, Fraction(1, 2), 5), (0, 1, 1),
                                                 (Fraction(5, 4), Fraction(1, 3), 9)])
def test_grid_points_by_hand(bound, step, points):
    assert covers.grid_points(bound, step) == points
    assert len(covers.printed_grid(bound, step) | {0}) == points
    assert 0 not in covers.printed_grid(bound, step)


@settings(deadline=None)
@given(st.fractions(min_value=0, max_value=100, max_denominator=10**4))
def test_root_bounds_enclose(square):
    low, high = covers.root_bounds(square)
    assert 0 <= low <= high and low**2 <= square <= high**2
    assert high - low <= Fraction(1, 2**covers.BITS)
    assert covers.root_bounds(square**2) == (square, square)


def test_q_bounds_take_the_positive_part_and_the_cap():
    indefinite = [[Fraction(0), Fraction(1)], [Fraction(1), Fraction(0)]]
    assert covers.q_bounds([Fraction(1, 4), 0], indefinite, [Fraction(3, 5), Fraction(-4, 5)]) == (Fraction(3, 20),) * 2
    assert covers.q_bounds([Fraction(1), 0], [[Fraction(1), 0], [0, Fraction(1)]], [Fraction(1), Fraction(0)]) == (1, 1)


def test_rounding_effect_by_hand():
    """d = 1, eps_0 = 1/2: w = 1/10 goes to 1/4, Sigma = 1/100 to 1/16; Q = 1/5 against 1/2 at phi = 1."""
    distance, loss = covers.rounding_effect([Fraction(1, 10)], [[Fraction(1, 100)]], [[Fraction(1)]], Fraction(1, 2))
    assert (distance, loss) == (Fraction(3, 5), 0)


def test_rounding_may_change_the_greedy_action_within_the_bound():
    """Q(1, 0) = 1/10 > Q(0, 1) = 9/100, and rounding to 1/8 makes them tie: the loss counts the worse of the two."""
    w = [Fraction(1, 10), Fraction(9, 100)]
    zero = [[Fraction(0)] * 2] * 2
    distance, loss = covers.rounding_effect(w, zero, [[1, 0], [0, 1]], Fraction(1, 2))
    assert distance == (Fraction(1, 8) - Fraction(9, 100)) * 2 and loss == Fraction(1, 100) * 2
    assert distance <= 1 and loss <= 2


def test_an_action_that_rounding_cannot_make_greedy_costs_nothing():
    """Q(1, 0) = 3/4 and Q(0, 1) = 1/10 go to 7/8 and 1/8."""
    w = [Fraction(3, 4), Fraction(1, 10)]
    zero = [[Fraction(0)] * 2] * 2
    assert covers.rounding_effect(w, zero, [[1, 0], [0, 1]], Fraction(1, 2))[1] == 0


def test_zero_one_matrices_are_all_and_symmetric():
    matrices = [tuple(map(tuple, m)) for m in covers.zero_one_matrices(3)]
    assert len(matrices) == len(set(matrices)) == 2**6
    assert all(np.array_equal(np.array(m), np.array(m).T) for m in matrices)


def test_away_from_zero_never_lands_on_zero():
    third = Fraction(1, 3)
    moved = covers.away_from_zero([0, Fraction(1, 9), -Fraction(1, 9), third, -2 * third, Fraction(1, 2)], third)
    assert moved.tolist() == [third, third, -third, third, -2 * third, 2 * third]


@settings(deadline=None)
@given(st.lists(RATIONALS, min_size=4, max_size=4), STEPS)
def test_the_definite_neighbour_lies_above_within_three_steps(entries, step):
    """d = 2: the error is between 0 and (2d-1) steps, off the diagonal at most one step, and the grid reaches 2B."""
    root = np.array(entries, dtype=object).reshape(2, 2)
    Sigma = root @ root.T
    bound = Sigma.trace() + 1
    near = covers.definite_neighbour(Sigma, bound, step)
    allowed = covers.printed_grid(2 * bound, step) if bound / step < 1000 else None
    if allowed is not None:
        assert set(near.ravel()) <= allowed
    assert all((x / step).denominator == 1 and 0 < abs(x) <= covers.grid_limit(2 * bound, step) for x in near.ravel())
    if bound >= step:
        error = (near - Sigma) / step
        assert abs(error[0, 1]) <= 1 and error[0, 1] == error[1, 0]
        assert all(error[i, i] - 1 >= 0 and error[i, i] <= 2 for i in range(2))
    assert near[0, 0] * near[1, 1] >= near[0, 1] ** 2


@pytest.mark.parametrize("d", [2, 3, 4, 6])
@pytest.mark.parametrize("small", [Fraction(1, 100), Fraction(9, 10), Fraction(5)])
def test_the_definite_neighbour_stays_definite_where_all_entries_are_rounded_away(d, small):
    """A multiple of d I minus all ones, which is singular: entries off the diagonal move away from zero."""
    Sigma = small * (d * np.eye(d, dtype=int) - 1).astype(object)
    near = covers.definite_neighbour(Sigma, small * d + 1, Fraction(1))
    assert np.linalg.eigvalsh((near - Sigma).astype(float))[0] >= -1e-9
    assert np.linalg.eigvalsh(near.astype(float))[0] >= -1e-9 and (near == near.T).all()
    assert np.linalg.eigvalsh((near - Sigma).astype(float))[-1] <= 2 * d - 1 + 1e-9


def test_the_definite_neighbour_of_a_tiny_matrix_is_constant():
    near = covers.definite_neighbour([[Fraction(1, 100), 0], [0, Fraction(1, 100)]], Fraction(1, 50), Fraction(1, 4))
    assert near.tolist() == [[Fraction(1, 4)] * 2] * 2


def test_the_definite_neighbour_at_a_bound_that_is_one_step():
    """B = eta is not tiny: the neighbour is Sigma + E with 0 <= E <= (2d - 1) eta I."""
    step = Fraction(1, 4)
    near = covers.definite_neighbour([[step, 0], [0, step]], step, step)
    error = (near - np.diag([step, step])).astype(float)
    assert 0 <= np.linalg.eigvalsh(error)[0] <= np.linalg.eigvalsh(error)[-1] <= 3 / 4 and (near != 0).all()


def test_float_rounding_agrees_where_the_grid_is_coarse_and_is_idle_where_it_is_fine():
    numbers = np.random.default_rng(0).uniform(-1, 1, 1000)
    exact = covers.discretise([Fraction(x) for x in numbers], Fraction(1, 1024)).astype(float)
    assert np.array_equal(covers.float_rounding(numbers, 2.0**-10), exact)
    fine = covers.float_rounding(numbers, 1e-28)
    assert (np.abs(fine - numbers) <= np.spacing(np.abs(numbers))).all()


@pytest.mark.parametrize("call, words", [
    (lambda: covers.discretise([1], 0), "resolution is 0; it must be a finite number > 0"),
    (lambda: covers.grid_points(-1, 1), "bound is -1; it must be a finite number >= 0"),
    (lambda: covers.root_bounds(Fraction(-1, 2)), "the square is .*; it must be a finite number >= 0"),
])
def test_bad_input_is_named_in_one_line(call, words):
    with pytest.raises(InvalidGrid, match=words) as caught:
        call()
    assert "\n" not in str(caught.value) and isinstance(caught.value, ValueError)


@pytest.mark.parametrize("bound, step, last", [(1, Fraction(2, 3), Fraction(4, 3)), (1, Fraction(1, 2), 1), (0, 1, 0),
                                               (Fraction(5, 4), Fraction(1, 3), Fraction(4, 3))])
def test_the_last_point_of_the_grid_by_hand(bound, step, last):
    assert covers.grid_limit(bound, step) == last == max(covers.printed_grid(bound, step), default=0)


def test_a_quadratic_form_by_hand():
    matrix = [[Fraction(2), Fraction(1)], [Fraction(3), Fraction(5)]]
    assert covers.quadratic(matrix, [Fraction(1, 2), Fraction(2)]) == Fraction(1, 2) + 4 + 20
