"""The parts of the checkers by hand, and against the library's own whole numbers, which share no code with them."""

from fractions import Fraction as F

import numpy as np
import pytest
import sympy

from derl.certificates import check_potential, check_reachability
from derl.certificates.check_reachability import Model, Wrong
from derl.certificates.stored import ends_of, relative_gap
from derl.mdp import instances
from derl.theory.reachability.examples import twelfths, two_states
from derl.theory.reachability.model import layer_problem

PROBLEMS = {"random": layer_problem(twelfths(4, 3, 3, 3, 1), 3), "tabular": layer_problem(two_states(1), 2),
            "hexagon": layer_problem(instances.hexagon(5, exact=True), 1)}


def fractions(rows):
    return [[F(x) for x in row] for row in rows]


def test_inner_products_over_one_denominator():
    dot = check_reachability.dot
    assert dot([F(1, 2), F(1, 3)], [F(1, 4), 3]) == F(9, 8) and dot([], []) == 0
    assert dot([0, F(-2, 3), 5], [7, F(3, 4), 0]) == F(-1, 2) and dot((1, -1), (1, 1)) == 0
    rng = np.random.default_rng(np.random.SeedSequence(1))
    for _ in range(20):
        x, y = ([F(int(a), int(b)) for a, b in zip(rng.integers(-9, 9, 6), rng.integers(1, 9, 6), strict=True)]
                for _ in range(2))
        assert dot(x, y) == sum(a * b for a, b in zip(x, y, strict=True))
    with pytest.raises(ValueError):
        dot([1], [1, 2])


def test_semidefinite_is_what_the_principal_minors_say():
    rng = np.random.default_rng(np.random.SeedSequence(2))
    answers = set()
    for _ in range(60):
        half = rng.integers(-2, 3, (3, 3))
        for matrix in (half @ half.T, half + half.T, half[:, :1] @ half[:, :1].T, half @ half.T - np.eye(3, dtype=int)):
            minors = [sympy.Matrix(matrix[np.ix_(rows, rows)]).det() for rows in
                      ([0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2])]
            said = check_reachability.semidefinite(fractions(matrix.tolist()))
            assert said == all(minor >= 0 for minor in minors)
            answers.add((said, bool(minors[-1] == 0)))
    assert answers == {(True, True), (True, False), (False, True), (False, False)}


def test_a_basis_is_one_at_its_pivots_and_spans_the_rows():
    rows = [[0, 2, 4, 6], [0, 1, 2, 3], [1, 1, 1, 1], [1, 2, 3, 4], [0, 0, 0, 5]]
    found = check_reachability.reduced(rows)
    assert len(found) == sympy.Matrix(rows).rank() == 3
    for i, row in found:
        assert row[i] == 1 and all(other[i] == 0 for k, other in found if k != i)
    assert sympy.Matrix([row for _, row in found]).col_join(sympy.Matrix(rows)).rank() == 3
    assert check_reachability.reduced([[0, 0]]) == []


def test_a_congruence_by_numpy():
    rng = np.random.default_rng(np.random.SeedSequence(3))
    rows, matrix = rng.integers(-4, 5, (2, 3)), rng.integers(-4, 5, (3, 3))
    found = check_reachability.congruence(fractions(rows.tolist()), fractions(matrix.tolist()))
    assert found == (rows @ matrix @ rows.T).tolist()


@pytest.mark.parametrize("form, cone, proved", [
    ([[1, 0], [0, 1]], [(1, 0), (0, 1)], True), ([[2, -1], [-1, 2]], [(1, 0), (0, 1)], True),
    ([[1, 5], [5, 1]], [(1, 0), (0, 1)], True), ([[1, -2], [-2, 1]], [(1, 0), (0, 1)], False),
    ([[3, -2], [-2, 1]], [(1, 0), (0, 1)], False), ([[-1, 5], [5, 1]], [(1, 0), (0, 1)], False),
    ([[1, -2], [-2, 1]], [(1, 0), (4, 1)], True), ([[1, -2], [-2, 1]], [(1, 0), (3, 1)], False)])
def test_a_form_on_a_cone_by_hand(form, cone, proved):
    """(3, -2; -2, 1) is -1 at (1, 2); x^2 - 4 x y + y^2 is positive between (1, 0) and (4, 1)."""
    assert check_reachability.copositive(cone, fractions(form), [], 1) is proved


def test_a_square_is_left_out_of_the_form_and_no_more_than_there_is():
    """1001 x^2 - 4000 x y + 5000 y^2 = 1000 (x - 2 y)^2 + x^2 + 1000 y^2."""
    form, one = fractions([[1001, -2000], [-2000, 5000]]), 1 << 40
    corners, square = [(1, 0), (0, 1)], [[one, -2 * one]]
    assert not check_reachability.copositive(corners, form, [], 1000)
    assert check_reachability.copositive(corners, form, square, 1000)
    assert not check_reachability.copositive(corners, form, square, 1002)


@pytest.mark.parametrize("row, scale, size", [([1, 2], 3, 2), ([0, 0, 4], 4, 3)])
def test_a_law_is_whole_not_negative_and_adds_up(row, scale, size):
    assert check_reachability.distribution(row, scale, size) == [F(x, scale) for x in row]
    for wrong in ([*row, 0], [row[0] - 1, *row[1:]], [row[0] + 1, *row[1:]], [-1, *row[1:-1], row[-1] + row[0] + 1]):
        with pytest.raises(Wrong, match="distribution"):
            check_reachability.distribution(wrong, scale, size)


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_model_has_the_moments_values_and_points_of_the_library(name):
    problem = PROBLEMS[name]
    model = Model(problem.text(), "all")
    rng = np.random.default_rng(np.random.SeedSequence(4))
    scale, unit = problem.mass_scale, problem.feature_scale
    shape = problem.available.shape
    policies = [model.read_policy([[int(rng.choice(np.flatnonzero(problem.available[h, s]))) for s in range(shape[1])]
                                   for h in range(shape[0])]) for _ in range(4)]
    for k, policy in enumerate(policies):
        mean, square = model.moments(policies, k)
        policy = np.array(policy)
        assert mean == [F(int(x), scale * unit) for x in problem.first_moment(policy)]
        assert square == [[F(int(x), scale * unit**2) for x in row] for row in problem.second_moment(policy)]
    theta = rng.integers(-5, 6, problem.dim)
    reward = problem.features @ theta.astype(object)
    assert model.best(lambda x: check_reachability.dot(x, theta.tolist())) == F(problem.best(reward), scale * unit)
    assert model.best(lambda x: check_reachability.dot(x, theta.tolist()) ** 2) == F(
        problem.best(problem.quadratic(np.outer(theta, theta).astype(object))), scale * unit**2)
    assert [list(point) for point in model.points] == fractions([[F(x, unit) for x in row] for row in problem.points])
    assert model.certain == problem.steerable
    assert len(Model(problem.text(), "reachable").basis) == problem.rank and len(model.basis) == problem.dim


def test_a_mixed_form_subtracts_the_level_once_for_every_weight():
    model = Model(PROBLEMS["tabular"].text(), "all")
    policies = [model.read_policy([[0, 0], [0, 1]]), model.read_policy([[1, 0], [1, 0]])]
    first, second = (model.moments(policies, k)[1] for k in (0, 1))
    found = check_reachability.mixed_form(model, [(0, 3), (1, 4)], F(1, 5), policies)
    for i in range(4):
        for j in range(4):
            assert found[i][j] == 3 * first[i][j] + 4 * second[i][j] - (F(7, 5) if i == j else 0)


def test_a_batch_at_the_threshold_violates():
    """d = 2 from I: e_1 four times has trace 4, then trace 4/5; (3/5, 4/5) once has 9/25/9 + 16/25 after eight."""
    batches = [[([F(1), F(0)], 4)], [([F(1), F(0)], 4)], [([F(3, 5), F(4, 5)], 1)]]
    for threshold, count in ((F(4), 1), (F(401, 100), 0), (F(4, 5), 2), (F(17, 25), 3), (F(69, 100), 2)):
        assert check_potential.count_violations(batches, 2, threshold) == count


@pytest.mark.parametrize("d, size, level", [(1, 4, F(1, 10)), (2, 10, F(1, 10)), (3, 2, F(1, 3)), (2, 7, F(1))])
def test_both_bounds_by_their_formulas(d, size, level):
    for k in range(1, 30):
        assert check_potential.sharp(k, d, size, level) == ((1 + size * level)**k <= (1 + F(k * size, d))**d)
        total = d + (k - 1) * size
        least = min(1 / level, F(total, d))
        product = least * ((total - least) / (d - 1))**(d - 1) if d > 1 else least
        assert check_potential.refined(k, d, size, level) == ((1 + size * level)**(k - 1) <= product)


def test_ends_and_gap_of_a_certificate():
    made = {"lower": {"value": "3/8"}, "upper": {"value": "1/2"}}
    assert ends_of(made) == (F(3, 8), F(1, 2)) and relative_gap(made) == F(1, 4)
