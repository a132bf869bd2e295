"""The D-optimal design, its exact gap, and the game that tabular instances need."""

from fractions import Fraction

import numpy as np
import pytest

from derl import instances
from derl.theory.arbitrary.optimal_design import criterion, d_optimal
from derl.theory.reachability.examples import orthonormal, twelfths
from derl.theory.reachability.model import InvalidLayer, layer_problem
from derl.theory.reachability.tabular import solve_game


@pytest.mark.parametrize("d", [1, 2, 4])
def test_unit_vectors_want_equal_weights(d):
    design = d_optimal(orthonormal(d), 1)
    assert len(set(design.weights)) == 1 and design.criterion == d and design.gap == 0


@pytest.mark.parametrize("d", [2, 3, 5])
def test_the_gap_is_exact_and_small(d):
    mdp = twelfths(5, 3, d, 2, 1)
    design = d_optimal(mdp, 2, relative=1e-6)
    assert 0 <= design.gap <= d * 1e-6
    assert design.criterion == criterion(layer_problem(mdp, 2), design.policies, design.weights)
    lopsided = design.weights * 1
    lopsided[0] *= 7
    if len(lopsided) > 1:
        assert criterion(layer_problem(mdp, 2), design.policies, lopsided) > design.criterion


def test_no_other_mixture_has_a_larger_determinant():
    mdp = instances.random_simplex(4, 3, 3, 2, seed=2)
    design, problem = d_optimal(mdp, 2), layer_problem(mdp, 2)
    best = np.linalg.slogdet(design.covariance)[1]
    rng = np.random.default_rng(np.random.SeedSequence(5))
    moments = [np.array(problem.second_moment(rng.integers(0, 3, (2, 4))), float) for _ in range(200)]
    moments = np.array(moments) / float(problem.mass_scale * problem.feature_scale**2)
    for _ in range(200):
        weights = rng.dirichlet(np.full(200, 0.05))
        assert np.linalg.slogdet(np.tensordot(weights, moments, axes=1))[1] <= best + float(design.gap)


def test_bad_input_is_named_in_one_line():
    for arguments, words in ((([orthonormal(2), 2]), "layer is 2"), (([instances.hexagon(5), 1]), "span 3 of 5")):
        with pytest.raises(InvalidLayer, match=words) as caught:
            d_optimal(*arguments)
        assert "\n" not in str(caught.value)
    with pytest.raises(InvalidLayer, match="relative is 0"):
        d_optimal(orthonormal(2), 1, relative=0)
    with pytest.raises(InvalidLayer, match="singular"):
        criterion(layer_problem(orthonormal(2), 1), [np.array([[0]])], [1])


def test_small_games_are_solved_exactly():
    value, w, p = solve_game(np.array([[3, 0], [0, 1]], dtype=object))
    assert value == Fraction(3, 4) and list(w) == list(p) == [Fraction(1, 4), Fraction(3, 4)]
    rng = np.random.default_rng(np.random.SeedSequence(0))
    for _ in range(20):
        payoff = rng.integers(-5, 6, size=rng.integers(1, 6, size=2)).astype(object)
        value, w, p = solve_game(payoff)
        assert sum(w) == sum(p) == 1 and min(w) >= 0 and min(p) >= 0
        assert min(payoff @ w) == max(p @ payoff) == value


@pytest.mark.parametrize("weights", [(1, 1, 1), (1, 2, 5), (7, 1, 3)])
def test_the_criterion_of_unit_vectors_by_hand(weights):
    """Lambda is diagonal with the shares: the rarest direction has E|phi|^2 = sum of weights over its own."""
    found = criterion(layer_problem(orthonormal(3), 1), [np.array([[a]]) for a in range(3)], weights)
    assert found == Fraction(sum(weights), min(weights))
