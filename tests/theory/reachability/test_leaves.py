"""What a leaf of a tree of cones proves, decided in whole numbers: true just below the level and refused just above."""

import itertools

import numpy as np
import pytest

from derl.theory.reachability.copositive import positive_on_cone
from derl.theory.reachability.examples import twelfths
from derl.theory.reachability.means import FirstMoments, SignedBlock
from derl.theory.reachability.model import layer_problem
from derl.theory.reachability.pool import Pool
from derl.theory.reachability.sdp import BITS, Forms, mixture_certificate, positive_semidefinite
from derl.theory.reachability.sphere import identity

NONE = np.zeros((0, 2), dtype=object)


def whole(rows):
    return np.array(rows, dtype=object)


@pytest.mark.parametrize("form, proved", [
    ([[1, 0], [0, 1]], True), ([[2, -1], [-1, 2]], True), ([[1, 5], [5, 1]], True), ([[0, 0], [0, 0]], True),
    ([[1, -2], [-2, 1]], False), ([[3, -2], [-2, 1]], False), ([[-1, 5], [5, 1]], False), ([[0, -1], [-1, 0]], False),
])
def test_a_form_is_positive_on_the_quadrant_by_its_rows(form, proved):
    """Diagonally dominant over what is negative; (3, -2; -2, 1) is -1 at (1, 2)."""
    eye = whole([[1, 0], [0, 1]])
    assert positive_on_cone(whole(form), eye, eye, NONE, 1) is proved


def test_the_corners_of_a_cone_decide_not_the_axes():
    """x^2 - 4 x y + y^2 is -2 at (1, 1), and positive between (1, 0) and (4, 1)."""
    form, eye = whole([[1, -2], [-2, 1]]), whole([[1, 0], [0, 1]])
    assert not positive_on_cone(form, eye, eye, NONE, 1)
    assert positive_on_cone(form, eye, whole([[1, 4], [0, 1]]), NONE, 1)
    assert not positive_on_cone(form, eye, whole([[1, 3], [0, 1]]), NONE, 1)


def test_a_square_is_left_out_and_never_put_in():
    """1001 x^2 - 4000 x y + 5000 y^2 = 1000 (x - 2 y)^2 + x^2 + 1000 y^2; and -x^2 stays negative beside 4 x^2."""
    eye, one = whole([[1, 0], [0, 1]]), 1 << 40
    form, square = whole([[1001, -2000], [-2000, 5000]]), whole([[one, -2 * one]])
    assert not positive_on_cone(form, eye, eye, NONE, 1000)
    assert positive_on_cone(form, eye, eye, square, 1000)
    assert not positive_on_cone(form, eye, eye, square, 1002)  # more is taken than is there
    assert not positive_on_cone(whole([[-1, 0], [0, 1]]), eye, eye, whole([[2 * one, 0]]), 1)


@pytest.mark.parametrize("rank", [2, 3])
def test_what_is_said_to_be_positive_is_so_at_every_point_of_the_cone(rank):
    """Random whole forms, corners and squares; the points are whole combinations of the corners."""
    rng, answers = np.random.default_rng(np.random.SeedSequence(rank, spawn_key=(41,))), []
    eye = np.eye(rank, dtype=int).astype(object)
    points = np.array(list(itertools.product(range(5), repeat=rank)), dtype=object)
    for _ in range(300):
        half = rng.integers(-3, 4, (rank, rank))
        form = (half + half.T + np.diag(rng.integers(0, 14, rank))).astype(object)
        corners = eye + rng.integers(0, 2, (rank, rank)).astype(object)
        squares = (rng.integers(-2, 3, (rng.integers(3), rank)).astype(object)) << 40
        said = positive_on_cone(form, eye, corners, squares, 1)
        worst = min(x @ corners.T @ form @ corners @ x for x in points)
        assert worst >= 0 or not said
        answers.append((said, bool(worst >= 0), len(squares) > 0))
    assert {(True, True, True), (True, True, False), (False, False, True), (False, True, True)} <= set(answers)


@pytest.mark.parametrize("weights", [{0: 1}, {0: 7}, {0: 3, 2: 2}])
def test_a_mixture_of_means_proves_its_least_height_and_no_more(weights):
    """At a corner e_i the mean m has height |m_i|: its square is the level, up to one part in a million."""
    mdp = twelfths(5, 3, 3, 3, 15)
    problem, pool = layer_problem(mdp, 3), Pool(mdp.to_float(), 3, "first")
    pool.peak(np.eye(3))
    bounds = FirstMoments(pool, problem, np.eye(3, dtype=int).astype(object))
    mean = sum(w * pool.means[k // 2] for k, w in weights.items()) / sum(weights.values())
    level, corners = float((mean**2).min()), np.diag(np.sign(mean).astype(int)).astype(object)
    assert level > 1e-3
    for factor, proved in ((1 - 1e-6, True), (1 + 1e-6, False)):
        assert bounds.proves(weights, NONE, int(level * factor * 2**BITS), corners) is proved
    assert not bounds.proves(weights, NONE, 1, -corners)


@pytest.mark.parametrize("heights, level", [([[1, 0], [0, 1]], 0.25), ([[0.5, 0.5], [0, 1]], 0.25), ([[2, 1]], 1.0),
                                            ([[-1, -1]], -1.0)])
def test_the_best_mixture_has_the_largest_least_height(heights, level):
    """Of e_1 and e_2 half of each: 1/2 everywhere, level 1/4."""
    local = np.array([heights], dtype=float)
    block = SignedBlock(np.arange(local.shape[1])[None], local, np.eye(2)[None], np.zeros(local.shape[:2]))
    found = FirstMoments.mix(None, block, 0, 0.0)
    assert found.level == pytest.approx(level)
    assert found.weights.sum() == pytest.approx(1)


@pytest.mark.parametrize("factor, tight", [(0.5, False), (1.0, True), (1 + 1e-9, True), (1 + 1e-5, True), (1.5, False),
                                           (1e6, False), (-1.0, False)])
def test_a_mixture_certifies_no_more_than_its_least_eigenvalue(factor, tight):
    """Whatever a solver claims: what is returned is decided in whole numbers, and just below the truth if asked so."""
    problem = layer_problem(twelfths(5, 3, 3, 3, 15), 3)
    pool = Pool(twelfths(5, 3, 3, 3, 15).to_float(), 3)
    pool.peak(np.eye(3))
    weights = np.arange(1.0, len(pool.policies) + 1)
    weights /= weights.sum()
    least = np.linalg.eigvalsh(np.tensordot(weights, pool.matrices, axes=1))[0]
    assert least > 1e-4
    forms = Forms(problem, identity(problem))
    level, mixture = mixture_certificate(forms, pool, weights, factor * least)
    assert 0 <= level <= least * (1 + 1e-9) and (not tight or level >= least * (1 - 2e-4))
    assert factor != 0.5 or level == pytest.approx(0.5 * least, rel=1e-9)
    chosen, shares = [pool.policies[k] for k, _ in mixture], [weight for _, weight in mixture]
    assert positive_semidefinite(forms.excess(chosen, shares, int(level * 2**BITS)))


@pytest.mark.parametrize("kind", [np.int64, object])
def test_a_form_in_whole_numbers_of_numpy_is_judged_without_overflow(kind):
    """16 - (2^32)^2 is negative; in int64 it would be 16."""
    assert not positive_semidefinite(np.array([[1, 2**32], [2**32, 16]], dtype=kind))
    assert positive_semidefinite(np.array([[2**32, 2**31], [2**31, 2**30]], dtype=kind))
