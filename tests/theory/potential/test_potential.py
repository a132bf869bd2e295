"""Kernels of the elliptical potential lemmas, against exact fractions, by hand and against their definitions."""

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as some

from derl.certificates.check_potential import count_violations, solve
from derl.exact.logarithms import sign_of_log_sum
from derl.theory import potential as pot
from derl.theory.potential.search import rank_one_levels, rank_one_slopes, search_rank_one
from derl.theory.potential.sequences import scan

CORNERS = [(2, 200), (2, 1000), (3, 400), (4, 200), (4, 1000)]


def exact_sequence(vectors, N):
    """Traces and determinant ratios of batches of N copies of integer-valued vectors, in fractions."""
    d = len(vectors[0])
    A, traces, ratios = sympy.eye(d), [], []
    for u in vectors:
        u = sympy.Matrix([sympy.Rational(x.numerator, x.denominator) for x in map(Fraction, u)])
        traces.append(N * (u.T * A.LUsolve(u))[0])
        after = A + N * u * u.T
        ratios.append(after.det() / A.det())
        A = after
    return traces, ratios


@pytest.mark.parametrize("N", [1, 10**6, 10**15])
def test_trajectory_agrees_with_fractions_at_every_scale(N):
    # graded, not commuting: eigenvalues from 1 to about N, directions a few percent apart
    vectors = [("3/5", "4/5", "0"), ("4/5", "-3/5", "0"), ("3/5", "0", "4/5"), ("59/100", "4/5", "1/20"),
               ("0", "0", "1"), ("1/1000", "1/1000", "0")]
    traces, ratios = exact_sequence(vectors, N)
    found = pot.trajectory([[float(Fraction(x)) for x in u] for u in vectors], N, 0.1)
    np.testing.assert_allclose(found.trace, [float(t) for t in traces], rtol=1e-8)
    np.testing.assert_allclose(found.log_ratio, [float(sympy.log(r).evalf(30)) for r in ratios], rtol=1e-8)


def test_the_three_kinds_of_input_agree():
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(5, 3))
    rows /= 1.5 * np.linalg.norm(rows, axis=1, keepdims=True)
    N = 4
    as_matrices = pot.trajectory(N * rows[:, :, None] * rows[:, None, :], N, 0.2)
    as_copies = pot.trajectory(rows, N, 0.2)
    as_vectors = pot.trajectory(np.repeat(rows[:, None, :], N, axis=1), N, 0.2, kind="vectors")
    for other in (as_copies, as_vectors):
        np.testing.assert_allclose(other.trace, as_matrices.trace, rtol=1e-12)
        np.testing.assert_allclose(other.log_det, as_matrices.log_det, rtol=1e-12, atol=1e-14)
        assert (other.violates == as_matrices.violates).all()


def test_violations_follow_the_definition():
    rng = np.random.default_rng(5)
    vectors = rng.normal(size=(12, 6, 3))
    vectors /= np.linalg.norm(vectors, axis=-1, keepdims=True)
    A, expected = np.eye(3), []
    for k, batch in enumerate(vectors, 1):
        Phi = batch.T @ batch
        if np.trace(np.linalg.inv(A) @ Phi) >= 6 * 0.15:
            expected.append(k)
        A = A + Phi
    assert 1 < len(expected) < 12
    assert pot.violations(vectors, 6, 0.15, kind="vectors").tolist() == expected


def test_mask_takes_many_sequences_at_once():
    rng = np.random.default_rng(7)
    many = rng.normal(size=(8, 9, 3))
    many /= np.linalg.norm(many, axis=-1, keepdims=True)
    together = pot.violation_mask(many, 50, 0.1, kind="copies")
    assert together.shape == (8, 9) and together.any()
    for one, mask in zip(many, together, strict=True):
        assert (pot.violations(one, 50, 0.1) == np.flatnonzero(mask) + 1).all()


def test_nothing_violates_above_level_one_and_empty_batches_never_do():
    assert pot.violations(np.eye(3), 10, 1.5).size == 0
    assert pot.violations(np.eye(3), 10, 1.0).tolist() == [1, 2, 3]
    assert pot.violations(np.zeros((4, 2, 2)), 10, 0.1).size == 0
    empty = pot.trajectory(np.zeros((0, 2)), 10, 0.1)
    assert empty.count.size == 0 and empty.log_det.tolist() == [0.0]


def test_a_trace_of_exactly_n_epsilon_is_a_violation():
    exactly = [[1.0, 0.0], [0.0, 0.5]]  # traces 4 and 1 in exact floats at N = 4
    assert pot.violations(exactly, 4, 1.0).tolist() == [1]
    assert pot.violations(exactly, 4, 0.25).tolist() == [1, 2]
    assert pot.trajectory(exactly, 4, 0.25).violates.tolist() == [True, True]


def test_paper_inequality_is_its_formula_and_infinite_where_it_says_nothing():
    growth = math.log(1 + 40 * 10**6 / 3)
    assert pot.paper_inequality(3, 10**6, 0.1, 40) == pytest.approx(
        3 * growth / math.log(10**6 * 0.1 / (3 * growth)), rel=1e-12)
    assert pot.paper_inequality(3, 10, 0.1, 40) == math.inf


def test_bridge_values_and_degenerate_batch():
    A, Phi = np.diag([1.0, 2.0]), np.array([[1.0, 1.0], [1.0, 1.0]])
    both = pot.bridge(A, Phi)
    assert both.trace == pytest.approx(1.5) and both.ratio == pytest.approx(2.5)
    assert both.sharp == pytest.approx(1.5) and both.paper == pytest.approx(2.5 * math.log(2.5))
    nothing = pot.bridge(A, np.zeros((2, 2)))
    assert (nothing.trace, nothing.log_ratio, nothing.sharp, nothing.paper) == (0, 0, 0, 0)
    assert pot.bridge(np.stack([A, A]), np.stack([Phi, 2 * Phi])).trace == pytest.approx([1.5, 3.0])



def test_sharp_bound_is_the_last_integer_that_fits():
    for d, N, epsilon in product((1, 2, 3, 5), (1, 3, 10, 180), (Fraction(1, 10), Fraction(1, 3), Fraction(9, 10), 1)):
        k = pot.sharp_bound(d, N, epsilon)
        fits = [(1 + N * epsilon) ** j <= (1 + Fraction(j * N, d)) ** d for j in range(1, k + 3)]
        assert fits == [True] * k + [False, False]


def test_exact_ties_are_not_rounded_away():
    assert (1 + 180 * Fraction(1, 10)) ** 2 == 1 + 2 * 180
    assert pot.sharp_bound(1, 180, 0.1) == 2 == pot.sharp_bound(1, 180, "1/10")
    assert pot.sharp_bound(1, 180, Fraction(1, 10) + Fraction(1, 10**30)) == 1
    assert pot.one_dimensional_count(1, Fraction(1, 2)) == 2  # (1 + 1/2)^1 <= 2
    assert pot.one_dimensional_count(2, Fraction(1, 2)) == 2  # (1 + 1)^1 = 2: a tie
    assert pot.one_dimensional_count(2, Fraction(1, 2) + Fraction(1, 10**30)) == 1


def test_huge_and_tiny_parameters_are_certified_too():
    N, tiny = 10**400, Fraction(1, 10**12)
    assert pot.sharp_bound(3, N, Fraction(1, 10)) == 3
    k = pot.sharp_bound(50, 7, tiny)
    assert k > 10**14
    assert sign_of_log_sum([(50, 1 + Fraction(7 * k, 50)), (-k, 1 + 7 * tiny)]) >= 0
    assert sign_of_log_sum([(50, 1 + Fraction(7 * (k + 1), 50)), (-k - 1, 1 + 7 * tiny)]) < 0


def test_batch_sizes_are_the_smallest():
    for c_K, epsilon in product((Fraction(3, 2), 2, Fraction(5, 2), 6), (Fraction(1, 10), Fraction(2, 3))):
        N = pot.sharp_batch_size(c_K, epsilon)
        p, q = Fraction(c_K).numerator, Fraction(c_K).denominator
        enough = [M ** (p - q) * epsilon**p >= Fraction(c_K) ** q for M in (N - 1, N)]
        assert enough == [False, True]
    for d, count in product((1, 2, 4), (4, 5, 9)):
        N = pot.smallest_batch_size(d, count, 0.1)
        assert pot.sharp_bound(d, N, 0.1) <= count and (N == 1 or pot.sharp_bound(d, N - 1, 0.1) > count)


def test_refined_bound_is_exact_for_one_dimension_and_never_above_the_sharp_one():
    for N, epsilon in product((1, 4, 60), (Fraction(1, 50), Fraction(1, 3), Fraction(4, 5))):
        total, count = Fraction(1), 0
        while total * epsilon <= 1:
            total, count = total * (1 + N * epsilon), count + 1
        assert pot.refined_bound(1, N, epsilon) == count == pot.one_dimensional_count(N, epsilon)
    assert (pot.refined_bound(4, 10, 0.1), pot.sharp_bound(4, 10, 0.1)) == (22, 23)


@settings(max_examples=60, deadline=None)
@given(some.lists(some.tuples(*[some.integers(-5, 5)] * 2), min_size=1, max_size=8), some.integers(1, 30),
       some.fractions(Fraction(1, 20), 1))
def test_no_rational_sequence_beats_the_refined_bound(pairs, N, epsilon):
    batches = [[([Fraction(a, 8), Fraction(b, 8)], N)] for a, b in pairs]
    refined = pot.refined_bound(2, N, epsilon)
    assert count_violations(batches, 2, N * epsilon) <= refined <= pot.sharp_bound(2, N, epsilon)


@pytest.mark.parametrize(("d", "N"), CORNERS)
def test_search_beats_the_axes_and_reaches_the_bound(d, N):
    best, axes = pot.adversary_noncommuting(d, N, 0.1), pot.adversary_axis(d, N, 0.1)
    assert len(pot.violations(axes, N, 0.1)) == d * pot.one_dimensional_count(N, 0.1)
    assert len(pot.violations(best, N, 0.1)) == pot.sharp_bound(d, N, 0.1) > len(axes)
    assert np.linalg.norm(best, axis=1).max() <= 1 + 1e-12


def test_greedy_adversary_uses_up_one_direction_per_batch():
    found = pot.trajectory(pot.adversary_greedy(3, 100, 0.1), 100, 0.1)
    assert found.violates.tolist() == [True, True, True, False]
    slow = pot.trajectory(pot.adversary_greedy(2, 1, 0.3), 1, 0.3)  # 1, 1/2, 1/3 along each axis
    assert slow.count[-1] == 6 and not slow.violates[-1]


def test_axis_adversary_is_optimal_in_one_dimension():
    for N, epsilon in product((1, 7, 10**6), (0.01, 0.3, 0.8)):
        found = pot.trajectory(pot.adversary_axis(1, N, epsilon), N, epsilon)
        assert found.violates.all() and found.count[-1] == pot.one_dimensional_count(N, epsilon)


def test_search_is_reproducible():
    first, second = (search_rank_one(2, 30, 3, 2, seed=11) for _ in range(2))
    assert (first[0] == second[0]).all() and first[1] == rank_one_levels(first[0], 30).min() > 0.1


def test_slopes_of_the_levels_against_differences():
    vectors, step = np.random.default_rng(13).uniform(-0.6, 0.6, size=(4, 3)), 1e-6
    slopes = rank_one_slopes(vectors, 5)
    for j, i in product(range(4), range(3)):
        ahead, behind = vectors.copy(), vectors.copy()
        ahead[j, i] += step
        behind[j, i] -= step
        difference = (rank_one_levels(ahead, 5) - rank_one_levels(behind, 5)) / (2 * step)
        np.testing.assert_allclose(slopes[:, j, i], difference, atol=1e-7)


def test_exact_solver_of_the_checker():
    assert solve([[Fraction(2), Fraction(1)], [Fraction(1), Fraction(3)]], [Fraction(1), Fraction(0)]) == [
        Fraction(3, 5), Fraction(-1, 5)]


@pytest.mark.parametrize(("call", "words"), [
    (lambda: pot.violations(np.eye(2), 0, 0.1), "N is 0; it must be a whole number >= 1"),
    (lambda: pot.violations(np.eye(2), 2.5, 0.1), "N is 2.5"),
    (lambda: pot.violations(np.eye(2), True, 0.1), "N is True"),
    (lambda: pot.violations(np.eye(2), 5, 0.0), "epsilon is 0.0; it must be a finite number > 0"),
    (lambda: pot.violations(np.eye(2), 5, -1), "epsilon is -1"),
    (lambda: pot.violations(np.eye(2), 5, math.nan), "epsilon is nan; it must be a finite number"),
    (lambda: pot.violations([[math.nan, 0.0]], 5, 0.1), "increments contains NaN or infinity"),
    (lambda: pot.violations([[1.0, 0.1]], 5, 0.1), "length 1.00498756; it must be <= 1"),
    (lambda: pot.violations([-np.eye(2)], 5, 0.1), "increments is not positive semi-definite"),
    (lambda: pot.violations([[[0.0, 1.0], [0.0, 0.0]]], 5, 0.1), "increments is not symmetric"),
    (lambda: pot.violations([3 * np.eye(2)], 5, 0.1), "a batch has trace 6; N = 5"),
    (lambda: pot.violations(np.ones(3), 5, 0.1), "increments has 1 axes"),
    (lambda: pot.violations(np.zeros((2, 6, 2)), 5, 0.1, kind="vectors"), "a batch has 6 vectors; at most N = 5"),
    (lambda: pot.violations(np.zeros((2, 2)), 5, 0.1, kind="rows"), "kind is 'rows'"),
    (lambda: pot.violations("no", 5, 0.1), "increments must be an array of real numbers"),
    (lambda: pot.trajectory(np.eye(2), 5, 1.5), "epsilon is 1.5; it must be a finite number > 0 and <= 1"),
    (lambda: pot.trajectory(np.zeros((2, 3, 2, 2)), 5, 0.5, kind="matrices"), "one sequence of batches"),
    (lambda: pot.bridge(np.zeros((2, 2)), np.eye(2)), "A is not positive definite"),
    (lambda: pot.bridge(np.eye(2), np.eye(3)[:2]), "Phi has shape (2, 3)"),
    (lambda: pot.bridge(np.eye(2), np.eye(3)), "A is 2 x 2 and Phi 3 x 3"),
    (lambda: pot.sharp_bound(2.5, 5, 0.1), "d is 2.5"),
    (lambda: pot.sharp_bound(2, math.inf, 0.1), "N is inf"),
    (lambda: pot.sharp_bound(2, 5, 0), "epsilon is 0; it must be a finite number > 0 and <= 1"),
    (lambda: pot.sharp_batch_size(1, 0.1), "c_K is 1; it must be a finite number > 1"),
    (lambda: pot.paper_batch_size(2, 2, 1, 2), "epsilon is 1; the printed batch size needs 0 < epsilon < 1"),
    (lambda: pot.paper_batch_size(2, 2, 0.5, 2, c=0), "c is 0; it must be a finite number > 0"),
    (lambda: pot.smallest_batch_size(3, 2, 0.1), "count is 2; it must be >= d = 3"),
])
def test_bad_input_gets_one_clear_line(call, words):
    with pytest.raises(pot.InvalidPotential) as caught:
        call()
    assert words in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("scale", [1e-300, 1e-12, 1.0, 1e12, 1e300])
def test_semi_definite_is_judged_at_every_scale(scale):
    """A negative eigenvalue is one in comparison with the largest; rounding of that is allowed."""
    turn = np.linalg.qr(np.random.default_rng(np.random.SeedSequence(3)).normal(size=(3, 3)))[0]
    rounded = turn @ np.diag([2.0, 1.0, -1e-15]) @ turn.T * scale
    found = pot.batches.root_of_psd(rounded, "Phi")
    np.testing.assert_allclose(found.T @ found, rounded, atol=1e-13 * scale)
    with pytest.raises(pot.batches.InvalidPotential, match="not positive semi-definite"):
        pot.batches.root_of_psd(turn @ np.diag([2.0, 1.0, -0.01]) @ turn.T * scale, "Phi")


@pytest.mark.parametrize("gain", [0.1, 0.7, 1.0, 3.0, 50.0, 1e6, 1e15])
@pytest.mark.parametrize("part", [0.02, 0.4, 0.95, 1.0])
def test_the_largest_exponent_is_where_the_two_sides_meet(gain, part):
    """e^{rate z} <= 1 + z gain up to z and not beyond; at the largest rate that is z = 1."""
    rate = part * math.log1p(gain)
    z = pot.bounds.largest_exponent(rate, math.log(gain))
    assert rate * z == pytest.approx(math.log1p(z * gain), rel=1e-12 if part < 1 else 1e-9) and z >= 1
    assert rate * (1.001 * z) > math.log1p(1.001 * z * gain)
    assert part < 1 or z == pytest.approx(1, rel=1e-6)


def test_a_trajectory_comes_with_the_bounds_of_its_size():
    """d = 4, N = 10, epsilon = 1/10: 23 by the sharp bound, 22 by the refined one; 3 log(1 + 10^6) at d = K = 3."""
    small = pot.trajectory(np.eye(4)[[0, 1]], 10, 0.1)
    assert (small.sharp_bound, small.refined_bound, small.batch_size, small.epsilon) == (23, 22, 10, 0.1)
    assert small.paper_bound == math.inf and small.count.tolist() == [1, 2]
    large = pot.trajectory(np.eye(3), 10**6, 0.1)
    growth = 3 * math.log(1 + 10**6)
    assert large.paper_bound == pytest.approx(growth / math.log(10**5 / growth))
    assert large.log_det == pytest.approx([0, *(k * math.log(1 + 10**6) for k in (1, 2, 3))])


@pytest.mark.parametrize("vectors, kind, size", [
    (lambda off: [[1 + off, 0.0]], "copies", 5), (lambda off: [[[1 + off, 0.0]]], "vectors", 5),
    (lambda off: [[[5 * (1 + off), 0.0], [0.0, 0.0]]], "matrices", 5),
    (lambda off: [[[1.0, 0.5], [0.5 + off, 1.0]]], "matrices", 5)])
def test_rounding_has_room_for_a_part_in_a_thousand_million(vectors, kind, size):
    assert pot.violations(vectors(4e-10), size, 0.1, kind).tolist() == [1]
    with pytest.raises(pot.InvalidPotential):
        pot.violations(vectors(4e-9), size, 0.1, kind)


@pytest.mark.parametrize("N, epsilon, words", [(10**100 + 1, 0.1, "1..10^100"), (5, 9e-101, "at least 1e-100"),
                                               (5, "1.1e100", "<= ")])
def test_numbers_beyond_the_range_are_refused(N, epsilon, words):
    assert pot.violations(np.eye(2), 10**100, 1e-100).tolist() == [1, 2]
    with pytest.raises(pot.InvalidPotential) as caught:
        pot.violations(np.eye(2), N, epsilon)
    assert words in str(caught.value)


@pytest.mark.parametrize("c", [1, Fraction(1, 1000), Fraction(7, 3), 50])
def test_the_constant_of_the_printed_size_is_a_factor(c):
    for d, H, epsilon, c_K in product((1, 3), (1, 4), (0.05, 0.9), (2, 2.5, 6)):
        formula = (c_K * H * (d / epsilon * math.log(H * d / epsilon)) ** c_K) ** (1 / (c_K - 1))
        assert pot.paper_batch_size(d, H, epsilon, c_K, c) == math.ceil(c * formula)


def test_the_first_number_is_found_from_every_guess():
    for first, guess in product(range(1, 34), (-5, 0, 1, 2, 3, 7, 16, 17, 33, 100)):
        assert pot.bounds._first(lambda n, first=first: n >= first, guess) == first


def sample(shape, seed=0):
    vectors = np.random.default_rng(np.random.SeedSequence(seed)).normal(size=shape)
    return vectors / np.linalg.norm(vectors, axis=-1, keepdims=True)


@pytest.mark.parametrize("shape", [(7, 3, 1, 1), (70, 5, 3, 4), (3, 50, 1, 2), (4, 6, 8, 2), (9, 2, 1)], ids=str)
@pytest.mark.parametrize("regularisation", [1.0, 0.01, 3.0])
def test_batches_of_every_shape_against_their_matrices(shape, regularisation):
    batches = sample(shape)
    trace, log_ratio = scan(batches, regularisation)
    A = regularisation * np.eye(shape[-1])
    for k in range(shape[-3]):
        grown = A + np.swapaxes(batches[..., k, :, :], -1, -2) @ batches[..., k, :, :]
        traces = np.trace(np.linalg.solve(A, grown - A), axis1=-2, axis2=-1)
        np.testing.assert_allclose(trace[..., k], traces, rtol=1e-9)
        np.testing.assert_allclose(log_ratio[..., k], np.linalg.slogdet(grown)[1] - np.linalg.slogdet(A)[1], rtol=1e-8)
        A = grown


def test_another_batch_in_one_place_is_seen_there_and_later_and_nowhere_else():
    batches = sample((40, 6, 2, 3))
    changed = batches.copy()
    changed[33, 2, 1] = -0.5, 0.5, 0.1
    before, after = scan(batches)[0], scan(changed)[0]
    assert (before != after).any(axis=1).nonzero()[0].tolist() == [33]
    assert (before[33] != after[33]).tolist() == [False] * 2 + [True] * 4


@pytest.mark.parametrize("batches, start, traces, growths", [
    ([[[1, 0], [1, 0]], [[0, 1], [1, 0]]], 1, [2, 4 / 3], [2, 5 / 3]),
    ([[[1, 0], [1, 0]], [[0, 1], [1, 0]]], 2, [1, 3 / 4], [1, 7 / 8]),
    ([[[1, 1]], [[1, 0]]], 1, [2, 2 / 3], [2, 2 / 3])])
def test_traces_and_determinants_by_hand(batches, start, traces, growths):
    """From I: e_1 twice, then e_2 and e_1; from 2 I likewise; from I: (1, 1), then (1, 0) onto (2, 1; 1, 2)."""
    trace, log_ratio = scan(np.array(batches, float), start)
    np.testing.assert_allclose([trace, np.expm1(log_ratio)], [traces, growths], rtol=1e-14)
