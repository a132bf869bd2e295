"""Searches for directions that are hard to reach, on instances whose answer is known by hand."""

from fractions import Fraction

import numpy as np
import pytest

from derl.mdp import instances
from derl.mdp.exact import ExactMDP
from derl.theory.reachability import best_min_eigenvalue, explorability, reach
from derl.theory.reachability.certified import hexagon_eigenvalue
from derl.theory.reachability.examples import ends, orthonormal, round_bandit, tilted
from derl.theory.reachability.model import layer_problem
from derl.theory.reachability.pool import Pool, descend, lowest
from derl.theory.reachability.sdp import dual_certificate
from derl.theory.reachability.tabular import axis_game


def on_the_hexagon(theta):
    angles = np.arange(6) * np.pi / 3
    return max((theta @ [1, np.cos(a), np.sin(a)]) ** 2 / 2 for a in angles)


def test_a_descent_ends_in_a_local_minimum_and_several_in_the_lowest():
    """The pole is a local minimum with 1/2; the lowest value is 3/8, half-way between two corners."""
    pool, eye, pole = Pool(instances.hexagon(3), 1), np.eye(3), np.array([1.0, 0, 0])
    value, where = descend(pool, eye, 2 * pole)
    assert value == pytest.approx(1 / 2) and abs(where[0]) == pytest.approx(1)
    start = np.array([0.1, 1.0, 0.4])
    value, where = descend(pool, eye, start)
    assert value == pytest.approx(3 / 8) == pytest.approx(on_the_hexagon(where))
    assert value < on_the_hexagon(start / np.linalg.norm(start))
    for starts in ([pole, start], [start, pole]):
        assert lowest(pool, eye, np.array(starts))[0] == pytest.approx(3 / 8)


def test_a_descent_in_a_basis_divides_by_the_length():
    """Features e_1 and e_2 in the basis e_1, 3 e_2: cos^2 against sin^2, equal to 1/2."""
    pool = Pool(orthonormal(2).to_float(), 1)
    pool.peak(np.eye(2))  # a descent sees only policies that are known
    value, x = descend(pool, np.diag([1.0, 3.0]), np.array([1.0, 0.5]))
    assert value == pytest.approx(1 / 2)
    assert (x[0] ** 2, 9 * x[1] ** 2) == pytest.approx((1 / 2, 1 / 2))


def test_the_game_on_the_axes_shares_the_rarer_state():
    """States with probability 1/3 and 2/3, two actions each: the pairs of the rarer one are met 1/6 each at best."""
    unit = np.eye(4, dtype=int).reshape(1, 2, 2, 4)
    start = np.array([Fraction(1, 3), Fraction(2, 3)])
    mdp = ExactMDP(unit, np.array([[[1, 0]] * 4]), np.zeros((1, 4), dtype=int), start)
    game = axis_game(layer_problem(mdp, 1), Pool(mdp.to_float(), 1))
    assert game.lower == game.upper == Fraction(1, 6)
    assert [Fraction(int(s), int(sum(game.squares))) for s in game.squares] == [Fraction(1, 2), Fraction(1, 2), 0, 0]
    first, second = ([Fraction(int(sum(w for policy, w in zip(game.policies, game.weights, strict=True)
                                       if np.ravel(policy)[s] == a)), int(sum(game.weights))) for a in (0, 1)]
                     for s in (0, 1))
    assert first == [Fraction(1, 2)] * 2 and min(second) >= Fraction(1, 4)  # 2/3 times 1/4 is 1/6


def test_the_eigenvalue_of_the_hexagon_is_that_of_equal_weights():
    corners = [(1, -1, 0), (1, 0, -1), (0, 1, -1), (0, -1, 1), (-1, 0, 1), (-1, 1, 0)]
    features = np.array([(1, 1, *corner) for corner in corners]) / 2
    found = np.linalg.eigvalsh(features.T @ features / 6)
    np.testing.assert_allclose(found, [0, 0, 1 / 4, 1 / 4, 1 / 2], atol=1e-12)
    interval = hexagon_eigenvalue()
    assert ends(interval) == (Fraction(1, 4), Fraction(1, 4)) and interval.lower <= 0.25 <= interval.upper
    weights = interval.certificate["lower"]["mixture"]
    assert len(weights) == 6 and len({weight for _, weight in weights}) == 1


def test_the_reach_of_a_direction_on_the_hexagon():
    rng = np.random.default_rng(np.random.SeedSequence(6))
    theta = np.concatenate([np.eye(3), rng.normal(size=(20, 3))])
    values, policies = reach(instances.hexagon(3), 1, theta)
    assert values == pytest.approx([np.sqrt(on_the_hexagon(direction)) for direction in theta])
    met = instances.hexagon(3).phi[0, 0][policies[:, 0, 0]]
    assert np.abs((met * theta).sum(axis=1)) == pytest.approx(values)


@pytest.mark.parametrize("mdp, eigenvalue", [(orthonormal(1), 1), (orthonormal(3), Fraction(1, 3)),
                                             (round_bandit(), Fraction(9, 50)), (tilted(), Fraction(9, 25))])
def test_the_largest_least_eigenvalue_by_hand(mdp, eigenvalue):
    """Equal weights: 1/d; (9/25)/2 in the plane of twelve points; diag(16, 9)/25 where signs cancel."""
    found = best_min_eigenvalue(mdp, 1, relative=1e-3)
    low, high = ends(found)
    assert low <= eigenvalue <= high and high - low <= 1e-3 * high and eigenvalue in found


@pytest.mark.parametrize("d", [1, 2])
def test_the_explorability_of_unit_vectors(d):
    """Pure policies are as good as mixtures: max |theta_i|, least at equal entries."""
    found = explorability(orthonormal(d), 1, relative=1e-3)
    assert found.lower**2 <= 1 / d <= found.upper**2 * (1 + 1e-12) and found.relative_gap < 1e-3


@pytest.mark.parametrize("factor, value", [([[1, 0], [0, 1]], Fraction(1, 2)), ([[1], [0]], 1),
                                           ([[2, 0], [0, 1]], Fraction(4, 5)), ([[1, 1], [1, -1]], Fraction(1, 2))])
def test_a_dual_certificate_of_two_unit_vectors(factor, value):
    """max rho_ii over the trace of rho = R R'."""
    found, whole = dual_certificate(layer_problem(orthonormal(2), 1), np.array(factor, float))
    assert found == value and np.array_equal(whole / whole.max(), np.array(factor) / np.max(factor))
