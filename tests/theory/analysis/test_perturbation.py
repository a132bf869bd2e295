"""Exact inverses and ridge regressions against numpy; the bounds of the matrix lemmas against random layers."""

import math
from fractions import Fraction

import numpy as np
import pytest

from derl.estimation.design import fit
from derl.exact import matrices
from derl.theory.analysis import perturbation
from derl.theory.analysis.perturbation import InvalidMatrix, Layer


def random_fractions(rng, shape, denominator=12):
    numerators = rng.integers(-denominator, denominator + 1, shape)
    return np.frompyfunc(lambda k: Fraction(int(k), denominator), 1, 1)(numerators)


def random_layer(rng):
    n_states, n_actions, dim = rng.integers(1, 4), rng.integers(1, 5), rng.integers(1, 5)
    phi = rng.normal(size=(n_states, n_actions, dim))
    phi *= rng.uniform(0.1, 1, size=(n_states, n_actions, 1)) / np.linalg.norm(phi, axis=-1, keepdims=True)
    return Layer(phi, rng.dirichlet(np.ones(n_states)))


@pytest.mark.parametrize("seed", range(5))
def test_inverse_times_matrix_is_the_identity(seed):
    rng = np.random.default_rng(seed)
    matrix = random_fractions(rng, (4, 4)) + 3 * np.eye(4, dtype=int)
    inverse = matrices.inverse(matrix)
    assert (inverse @ matrix == np.eye(4, dtype=int)).all()
    assert np.allclose(inverse.astype(float), np.linalg.inv(matrix.astype(float)))


def test_inverse_looks_for_a_pivot():
    assert matrices.inverse([[0, 2], [1, 0]]).tolist() == [[0, 1], [Fraction(1, 2), 0]]


def test_squared_norm_by_hand():
    assert perturbation.squared_norm([[2, 1], [1, 2]], [1, 0]) == Fraction(2, 3)


@pytest.mark.parametrize("seed", range(3))
def test_ridge_is_the_regression_of_the_library(seed):
    rng = np.random.default_rng(seed)
    phi = random_fractions(rng, (3, 2, 2))
    counts = rng.integers(0, 7, size=(3, 2, 3))
    Sigma_inverse, operator = matrices.ridge(phi, counts)
    design = fit(phi.astype(float), counts)
    assert np.allclose(operator.astype(float), design.operator, atol=1e-12)
    norms = design.norms(phi.astype(float)).ravel() ** 2
    exact = [row @ Sigma_inverse @ row for row in phi.reshape(-1, 2)]
    assert np.allclose(np.array(exact, dtype=float), norms, atol=1e-12)
    assert all(isinstance(entry, Fraction) for entry in operator.ravel())


def test_layer_is_a_maximum_over_policies():
    """Two states reached fairly, one action in the first: the maximum acts in the second state only."""
    phi = np.array([[[1.0, 0.0], [1.0, 0.0]], [[0.0, 1.0], [0.6, 0.0]]])
    layer = Layer(phi, np.array([0.5, 0.5]))
    matrix = np.diag([1.0, 4.0])
    assert layer.uncertainty(matrix) == pytest.approx(0.5 * 1 + 0.5 * 0.6)
    assert layer.uncertainty(matrix, squared=True) == pytest.approx(0.5 * 1 + 0.5 * 0.36)
    assert layer.reach(np.array([0.0, 1.0])) == pytest.approx(0.5)


def test_domination_is_sharp_and_decreases_in_the_eigenvalue():
    lam, c = Fraction(1, 3), Fraction(2)
    assert perturbation.domination(lam, c, 1) == 1
    assert 1 / (c + 5 * lam) == perturbation.domination(lam, c, 5) / (c + lam)
    assert perturbation.domination(2 * lam, c, 5) < perturbation.domination(lam, c, 5)


@pytest.mark.parametrize("seed", range(20))
def test_every_direction_is_covered_as_the_eigenvalue_bounds_say(seed):
    rng = np.random.default_rng(seed)
    layer, c = random_layer(rng), 10 ** rng.uniform(-1, 1)
    dim = layer.phi.shape[-1]
    root = rng.normal(size=(dim, dim))
    A = root @ root.T
    matrix = c * np.eye(dim) + A
    values, vectors = np.linalg.eigh(A)
    for sigma, direction in zip(values, vectors.T, strict=True):
        reach, e = layer.reach(direction), layer.uncertainty(matrix)
        assert perturbation.eigenvalue_from_norm(reach, e**2, c) <= sigma + 1e-9
        assert perturbation.eigenvalue_from_square(reach, layer.uncertainty(matrix, squared=True), c) <= sigma + 1e-9


def test_blow_up_bounds_where_they_can_be_computed_by_hand():
    """d = 1, phi = 1, nu = 1, A = 3: e^2 = 1/(c+3); the sharp bound is the value itself, the printed one is larger."""
    for c, n in ((Fraction(1, 4), 9), (Fraction(1), 2), (Fraction(1, 100), 50)):
        e_squared, value = 1 / (c + 3), 1 / (c + 3 * n)
        assert perturbation.blow_up_sharp(1, c, n, e_squared) == value
        assert perturbation.blow_up_printed(c, n, e_squared) >= value**2
    quarter = Fraction(1, 4)
    assert perturbation.blow_up_printed(quarter, 9, Fraction(1)) == Fraction(5, 37) ** 2 * 4
    assert perturbation.blow_up_of_proof(quarter, 9, Fraction(1)) == Fraction(1, 5) ** 2 * 4


def test_threshold_by_hand():
    """c = 3: both formulas give 1/5; c = 8: 7/25; c = 9/16, root = 5/4: 1/26; from above it tends to 1/3."""
    assert perturbation.blow_up_threshold(Fraction(2)) == Fraction(1, 5)
    assert perturbation.blow_up_threshold(Fraction(3)) == Fraction(7, 25)
    assert perturbation.blow_up_threshold(Fraction(5, 4)) == Fraction(1, 26)
    assert perturbation.blow_up_threshold(1e8) == pytest.approx(1 / 3) and perturbation.blow_up_threshold(1e3) < 1 / 3


@pytest.mark.parametrize("c", [0.01, 0.25, 1.0, 3.0, 10.0, 1e4])
def test_the_lemma_of_one_dimension_holds_from_the_threshold_on(c):
    """Exact left side (c + n sigma)^(-1/2) against the printed bound over all sigma >= 3c that the premise allows."""
    n0 = perturbation.blow_up_threshold(math.sqrt(1 + c))
    sigma = c * np.concatenate([np.linspace(3, 50, 20_000), np.logspace(math.log10(50), 8, 5000)])
    for n, fails in ((n0 * (1 + 1e-9), False), (0.99 * n0, True)):
        ratio = (c + n * sigma) ** -2.0 / perturbation.blow_up_printed(c, n, 1 / (c + sigma))
        assert (ratio.max() > 1 + 1e-6) == fails


@pytest.mark.parametrize("seed", range(20))
def test_thinning_out_costs_what_the_sharp_bound_says(seed):
    rng = np.random.default_rng(seed)
    layer, c, n = random_layer(rng), 10 ** rng.uniform(-1, 1), rng.uniform(0.01, 1)
    dim = layer.phi.shape[-1]
    root = rng.normal(size=(dim, dim)) * 3
    A = root @ root.T
    e = layer.uncertainty(c * np.eye(dim) + A)
    assert layer.uncertainty(c * np.eye(dim) + n * A) ** 2 <= perturbation.blow_up_small(c, n, e**2) * (1 + 1e-9)


@pytest.mark.parametrize("call, words", [
    (lambda: matrices.inverse([[1, 2], [2, 4]]), "the matrix is singular"),
    (lambda: perturbation.relative_range(2, 2), "eta is 2 and a is 2"),
    (lambda: perturbation.relative_range(-1, 2), "0 <= eta < a is needed"),
])
def test_bad_input_is_named_in_one_line(call, words):
    with pytest.raises(InvalidMatrix, match=words) as caught:
        call()
    assert "\n" not in str(caught.value) and isinstance(caught.value, ValueError)


@pytest.mark.parametrize("a", [Fraction(1, 10), Fraction(1, 2), Fraction(1), Fraction(5)])
@pytest.mark.parametrize("share", [Fraction(0), Fraction(1, 3), Fraction(9, 10)])
def test_the_relative_range_is_met_and_no_wider(a, share):
    """A = a I and Delta = +- eta I meet both ends; larger A stay inside."""
    eta = share * a
    low, high = perturbation.relative_range(eta, a)
    assert ((a - eta) / a, (a + eta) / a) == (low, high)
    rng = np.random.default_rng(np.random.SeedSequence(3))
    for _ in range(20):
        half = rng.normal(size=(3, 3))
        A, Delta = float(a) * np.eye(3) + half @ half.T, rng.normal(size=(3, 3))
        Delta = (Delta + Delta.T) / np.linalg.norm(Delta + Delta.T, 2) * float(eta)
        root = np.linalg.inv(np.linalg.cholesky(A))
        found = np.linalg.eigvalsh(root @ (A + Delta) @ root.T)
        assert float(low) - 1e-12 <= found[0] and found[-1] <= float(high) + 1e-12


@pytest.mark.parametrize("c, a", [(Fraction(1), Fraction(3)), (Fraction(1, 4), Fraction(1, 2)),
                                  (Fraction(5), Fraction(0))])
def test_the_bounds_are_met_by_one_vector_of_length_one(c, a):
    """d = 1, phi = 1, nu = 1, A = a: |phi|^2 is 1/(c + a), and thinning A out by n makes it 1/(c + n a)."""
    square = 1 / (c + a)
    assert perturbation.eigenvalue_from_norm(1, square, c) == perturbation.eigenvalue_from_square(1, square, c) == a
    for n in (Fraction(1, 10), Fraction(1, 2), Fraction(1)):
        assert perturbation.blow_up_small(c, n, square) == 1 / (c + n * a)
        assert a == 0 or perturbation.blow_up_sharp(1, c, n, square) == 1 / (c + n * a)


def test_the_bounds_count_the_length_of_a_shorter_vector():
    """phi = 1/2: nu^2 = 1/4 and |phi|^2 = (1/4)/(c + a), so that A >= (nu^4/e^2 - c) = (c + a)/4 - c is true."""
    c, a = Fraction(1), Fraction(7)
    assert perturbation.eigenvalue_from_norm(Fraction(1, 4), Fraction(1, 4) / (c + a), c) == (c + a) / 4 - c
    assert perturbation.eigenvalue_from_square(Fraction(1, 4), Fraction(1, 4) / (c + a), c) == a
