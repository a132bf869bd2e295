"""The reachability coefficient on families where it is known, and what it says about bad input."""

import json
import math
import sys
from fractions import Fraction
from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from derl import instances
from derl.certificates.check_reachability import problems
from derl.exact.base import Unavailable
from derl.inputs import parts
from derl.mdp import LinearMDP
from derl.mdp.exact import ExactMDP
from derl.theory import reachability
from derl.theory.reachability import algebra, interval, model, sdp
from derl.theory.reachability.algebra import float_above, float_below, root_above, root_below
from derl.theory.reachability.examples import (
    ends,
    one_state,
    orthonormal,
    round_bandit,
    tilted,
    twelfths,
    two_states,
)
from derl.theory.reachability.model import InvalidLayer, layer_problem

SIMPLEX = instances.random_simplex(4, 3, 3, 2, seed=0)


def contains_square(found, square):
    return Fraction(found.lower) ** 2 <= square <= Fraction(found.upper) ** 2


@pytest.mark.parametrize(("mdp", "subspace", "square"), [
    (orthonormal(1), "all", Fraction(1)), (orthonormal(2), "all", Fraction(1, 2)),
    (orthonormal(5), "all", Fraction(1, 5)), (instances.hexagon(5, exact=True), "reachable", Fraction(3, 8)),
    (instances.hexagon(5), "reachable", Fraction(3, 8)),
    (instances.hexagon(3), "all", Fraction(3, 8)), (instances.from_spec("hexagon:dim=5"), "all", Fraction(0)),
    (round_bandit(), "all", Fraction(81, 250)), (round_bandit().to_float(), "all", Fraction(81, 250)),
    (tilted(), "all", Fraction(9, 25)),
])
def test_the_interval_contains_the_known_value(mdp, subspace, square):
    found = reachability.nu(mdp, 1, subspace=subspace)
    assert contains_square(found, square) and found.relative_gap < 1e-6
    assert problems(json.loads(json.dumps(found.certificate))) == []


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("layer", [1, 2, 3])
def test_tabular_values_are_those_of_the_linear_programme(seed, layer):
    """max t over occupancies with q(s, a) >= t, from scipy: another formulation of max min P(pair)."""
    from scipy.optimize import linprog

    mdp = two_states(seed)
    model = mdp.to_float()
    pairs, P = 4, np.array(mdp.transitions(), float).reshape(3, 4, 2)
    size = layer * pairs
    rows, right = [], []
    for h in range(layer):
        for s in range(2):
            row = np.zeros(size + 1)
            row[h * pairs + 2 * s:h * pairs + 2 * s + 2] = 1
            if h:
                row[(h - 1) * pairs:h * pairs] = -P[h - 1][:, s]
            rows.append(row)
            right.append(0.0 if h else model.initial[s])
    cap = np.zeros((pairs, size + 1))
    cap[:, (layer - 1) * pairs:size], cap[:, -1] = -np.eye(pairs), 1
    best = -linprog(np.r_[np.zeros(size), -1.0], A_ub=cap, b_ub=np.zeros(pairs), A_eq=rows, b_eq=right).fun
    low, high = ends(reachability.nu(mdp, layer))
    assert low == high and float(low) == pytest.approx(best, abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_one_layer_bandits_by_a_fine_grid(seed):
    """d = 2: nu^2 = min over angles of the largest |phi' theta|^2; the grid is above, and close."""
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    points = [(Fraction(3, 4), Fraction(int(x), 100)) for x in rng.integers(-60, 60, size=5)]
    mdp = one_state(points, (Fraction(4, 3), 0))
    found = reachability.nu(mdp, 1)
    angle = np.linspace(0, np.pi, 20001)
    heights = (np.array(points, float) @ np.array([np.cos(angle), np.sin(angle)])) ** 2
    least = heights.max(axis=0).min()
    assert found.method == "vertices" and found.lower**2 <= least <= found.upper**2 + 2e-3


@pytest.mark.parametrize("d", [2, 3])
def test_floats_and_fractions_agree_and_eigenvalues_are_below(d):
    mdp = twelfths(4, 3, d, 2, 1)
    exact, rounded = (reachability.nu(m, 2, relative=1e-2) for m in (mdp, mdp.to_float()))
    best = reachability.best_min_eigenvalue(mdp, 2)
    assert exact.lower <= rounded.upper and rounded.lower <= exact.upper and exact.relative_gap < 1e-2
    assert best.lower <= exact.upper**2 and exact.lower**2 <= max(1, d - 1) * best.upper
    assert problems(best.certificate) == []


def test_no_direction_beats_the_interval():
    found = reachability.nu(SIMPLEX, 2)
    rng = np.random.default_rng(np.random.SeedSequence(1))
    theta = rng.standard_normal((2000, 3))
    values, policies = reachability.reach(SIMPLEX, 2, theta / np.linalg.norm(theta, axis=1, keepdims=True))
    assert found.lower <= values.min() and values.min() < 1.2 * found.upper
    assert policies.shape == (2000, 2, 4) and found.relative_gap < 1e-6


def test_the_search_without_time_is_wide_but_right():
    narrow = reachability.nu(SIMPLEX, 1, relative=1e-5)
    for limit in (1, 5, 50):
        wide = reachability.nu(SIMPLEX, 1, relative=1e-5, limit=limit)
        assert wide.lower <= narrow.upper and narrow.lower <= wide.upper
        assert problems(wide.certificate) == []


def test_nu_min_is_the_least_and_explorability_is_below():
    least = reachability.nu_min(SIMPLEX, relative=1e-3)
    layers = [reachability.nu(SIMPLEX, h, relative=1e-3) for h in (1, 2)]
    assert (least.lower, least.upper) == (min(f.lower for f in layers), min(f.upper for f in layers))
    for h, found in enumerate(layers, 1):
        mean = reachability.explorability(SIMPLEX, h, relative=1e-2)
        assert mean.lower <= found.upper and problems(mean.certificate) == []
    assert problems(least.certificate) == []


@pytest.mark.parametrize(("arguments", "words"), [
    ((0,), "1..2"), ((3,), "1..2"), ((True,), "1..2"), ((1.5,), "1..2"), (("one",), "1..2")])
def test_a_layer_that_does_not_exist_is_named(arguments, words):
    for function in (reachability.nu, reachability.best_min_eigenvalue, reachability.explorability):
        with pytest.raises(InvalidLayer, match="layer is") as caught:
            function(SIMPLEX, *arguments)
        assert words in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(("options", "words"), [
    ({"relative": 0}, "relative is 0"), ({"relative": 2.0}, "relative is 2.0"),
    ({"subspace": "some"}, "subspace is 'some'"),
    ({"limit": 0}, "limit is 0"), ({"limit": 2.5}, "limit is 2.5")])
def test_bad_options_are_named_in_one_line(options, words):
    with pytest.raises(InvalidLayer, match=words) as caught:
        reachability.nu(SIMPLEX, 1, **options)
    assert "\n" not in str(caught.value)


def test_an_unknown_solver_is_named():
    with pytest.raises(InvalidLayer, match="solver is 'magic'"):
        reachability.best_min_eigenvalue(SIMPLEX, 1, solver="magic")


def test_integers_of_numpy_inside_fractions_do_no_harm():
    mdp = one_state(np.eye(2, dtype=np.int64), np.array([1, 1]))
    assert ends(reachability.nu(mdp, 1)) == (Fraction(1, 2), Fraction(1, 2))


def test_the_hexagons_are_isometric():
    flat, tall = instances.hexagon(3).phi[0, 0], np.array(instances.hexagon(5, exact=True).phi[0, 0], float)
    np.testing.assert_allclose(np.sort((flat @ flat.T).ravel()), np.sort((tall @ tall.T).ravel()), atol=1e-15)
    assert layer_problem(instances.hexagon(5, exact=True), 1).rank == 3
    for wrong, words in (({"dim": 4}, "dim is 4"), ({"dim": 3, "exact": True}, "must be 5")):
        with pytest.raises(ValueError, match=words):
            instances.hexagon(**wrong)


@pytest.mark.parametrize("seed", range(4))
def test_unavailable_actions_are_not_used(seed):
    """d = 2, random masks: every policy of the masked instance against a fine grid of directions."""
    full = twelfths(3, 3, 2, 2, seed)
    rng = np.random.default_rng(np.random.SeedSequence(seed))
    mask = rng.random((2, 3, 3)) < 0.5
    mask[..., 0] |= ~mask.any(axis=2)
    mdp = ExactMDP(full.phi, full.mu, full.theta, full.initial, mask)
    problem = layer_problem(mdp, 2)
    choices = [np.flatnonzero(row) for row in mask.reshape(-1, 3)]
    moments = np.array([problem.second_moment(np.array(actions).reshape(2, 3)) for actions in product(*choices)], float)
    moments /= float(problem.mass_scale * problem.feature_scale**2)
    angle = np.linspace(0, np.pi, 4001)
    theta = np.stack([np.cos(angle), np.sin(angle)])
    least = np.einsum("in,kij,jn->kn", theta, moments, theta).max(axis=0).min()
    found = reachability.nu(mdp, 2)
    assert found.lower**2 <= least + 1e-12 and least <= found.upper**2 + 2e-3
    assert problems(json.loads(json.dumps(found.certificate))) == []


def test_many_dimensions_end_in_time():
    found = reachability.nu(instances.random_simplex(6, 3, 8, 2, seed=0), 2)
    assert found.method == "mixture" and problems(found.certificate) == []
    assert 0 < found.lower <= found.upper and found.relative_gap < 0.2


def test_what_is_no_instance_is_refused_in_one_line():
    for wrong in (None, "lock", np.zeros(3)):
        with pytest.raises(reachability.InvalidLayer, match="it must be a LinearMDP or an ExactMDP"):
            reachability.nu(wrong, 1)


def test_rounding_of_the_instance_widens_the_interval():
    """The certificate is about the rationals nearby; the interval is about the floats, and says so on both sides."""
    mdp = instances.random_simplex(5, 3, 3, 3, seed=4)
    problem, found = layer_problem(mdp, 3), reachability.nu(mdp, 3, relative=0.1)
    low, high = (Fraction(found.certificate[side]["value"]) for side in ("lower", "upper"))
    assert problem.mass_radius > 0
    assert Fraction(found.upper) ** 2 >= high + Fraction(problem.mass_radius)
    assert Fraction(found.lower) ** 2 <= low - Fraction(problem.mass_radius)


def test_a_direction_in_which_nothing_moves_is_worth_exactly_nothing():
    found = reachability.explorability(tilted(), 1)
    assert (found.lower, found.upper) == (0, 0) and problems(json.loads(json.dumps(found.certificate))) == []


def test_too_few_reachable_pairs_never_span_however_the_numbers_are_rounded():
    """Two states with one open action each, d = 3: the closed actions do not count."""
    full = instances.random_simplex(2, 3, 3, 2, seed=0)
    mask = np.zeros((2, 2, 3), dtype=bool)
    mask[..., 0] = True
    mdp = LinearMDP(full.phi, full.mu, full.theta, full.initial, mask)
    assert layer_problem(mdp, 2).mass_radius > 0
    for found in (reachability.nu(mdp, 2), reachability.best_min_eigenvalue(mdp, 2)):
        assert (found.lower, found.upper) == (0, 0)


@pytest.mark.parametrize("value", [Fraction(2), Fraction(1, 3), Fraction(10**40 + 1), Fraction(9, 4), Fraction(0)])
def test_roots_are_rounded_away_from_the_truth(value):
    low, high = root_below(value), root_above(value)
    assert Fraction(low) ** 2 <= value <= Fraction(high) ** 2 and high <= math.nextafter(low, math.inf)
    assert (low == high) == (Fraction(low) ** 2 == value)
    assert Fraction(float_below(value)) <= value <= Fraction(float_above(value))


def test_the_semidefinite_game_has_its_known_solution():
    """diag(3, 0) and diag(0, 1): weights 1/4 and 3/4 make 3/4 of the identity; nothing else does as well."""
    forms = np.array([np.diag([3.0, 0.0]), np.diag([0.0, 1.0])])
    weights, rows = sdp._semidefinite(forms)
    np.testing.assert_allclose(weights, [0.25, 0.75], atol=1e-5)
    np.testing.assert_allclose((rows @ rows.T).diagonal(), [0.25, 0.75], atol=1e-5)


def test_the_game_of_forms_and_directions_is_solved_to_its_value():
    """What the mixture secures in every direction is what rho concedes to every form: both are optimal."""
    rng = np.random.default_rng(5)
    roots, rows = rng.standard_normal((4, 3, 3)), rng.standard_normal((6, 3))
    forms = np.array([root @ root.T for root in roots])
    weights, factor = sdp._game(forms, rows)
    secured = min(float(row @ sum(w * form for w, form in zip(weights, forms, strict=True)) @ row) for row in rows)
    conceded = max(float(np.trace(form @ factor @ factor.T)) for form in forms)
    assert weights.sum() == pytest.approx(1) and secured == pytest.approx(conceded) and secured > 0


class _Failing:
    """What stands in the place of a semidefinite programme's solver: its first rounds work."""

    def __init__(self, works: int):
        self.works, self.own = works, sdp._semidefinite

    def __call__(self, forms):
        self.works -= 1
        return self.own(forms) if self.works >= 0 else None


def test_a_solver_that_fails_leaves_the_bounds_reached_so_far_or_is_one_line(monkeypatch):
    mdp = instances.random_simplex(n_states=5, n_actions=3, dim=3, horizon=2, seed=1)
    whole = reachability.best_min_eigenvalue(mdp, 2)
    for solver, name in (("sdp", "_semidefinite"), ("lp", "_game")):
        monkeypatch.setattr(sdp, name, lambda *what: None)
        with pytest.raises(Unavailable, match=f"solver='{solver}' has failed before it reached a first bound"):
            reachability.best_min_eigenvalue(mdp, 2, solver=solver)
        monkeypatch.undo()
    pytest.importorskip("cvxpy")
    monkeypatch.setattr(sdp, "_semidefinite", _Failing(1))
    found = reachability.best_min_eigenvalue(mdp, 2, solver="sdp", relative=1e-12)
    assert 0 <= found.lower <= whole.upper and whole.lower <= found.upper


def test_a_solver_that_raises_or_is_missing_is_one_line(monkeypatch):
    cvxpy = pytest.importorskip("cvxpy")
    mdp = instances.random_simplex(n_states=5, n_actions=3, dim=3, horizon=2, seed=1)

    def solve(*what, **more):
        raise cvxpy.error.SolverError("the solver failed")

    monkeypatch.setattr(cvxpy.Problem, "solve", solve)
    with pytest.raises(Unavailable, match="solver='sdp' has failed"):
        reachability.best_min_eigenvalue(mdp, 2, solver="sdp")
    monkeypatch.setattr(parts, "installed", lambda name: name != "clarabel")
    with pytest.raises(Unavailable, match="clarabel .extra 'sdp' of derl., which is not installed"):
        reachability.best_min_eigenvalue(mdp, 2, solver="sdp")
    monkeypatch.setitem(sys.modules, "cvxpy", None)
    with pytest.raises(Unavailable, match="cvxpy .extra 'sdp' of derl., which is not installed: pip install"):
        reachability.best_min_eigenvalue(mdp, 2, solver="sdp")


@pytest.mark.parametrize("moved, same", [(1, True), (-2, True), (10**6, False)])
def test_a_problem_stands_for_what_another_processor_may_make_of_the_instance(moved, same):
    problem = layer_problem(instances.random_simplex(6, 3, 4, 3, seed=0), 3)
    text = problem.text()
    row = text["transitions"][0][0][0]
    row[0], row[1] = row[0] + moved, row[1] - moved
    assert problem.stands_for(text) is same


def test_an_exact_problem_stands_for_itself_only():
    problem = layer_problem(instances.random_simplex(4, 2, 2, 2, seed=0, exact=True), 2)
    text = problem.text()
    assert problem.stands_for(text)
    text["initial"][0] += 1
    assert not problem.stands_for(text)
    assert not problem.stands_for(layer_problem(instances.random_simplex(4, 2, 3, 2, seed=0, exact=True), 2).text())


@pytest.mark.parametrize("quantity, at, moved", [("lambda", Fraction(9, 16), 2), ("nu_min", Fraction(9, 16), 1)])
def test_an_instance_in_floats_widens_the_interval_as_far_as_its_features_may_move(monkeypatch, quantity, at, moved):
    """Features of length at most 1 that move by r move <theta, phi> by r, and its square by 2 r; by hand at 9/16."""
    monkeypatch.setattr(interval, "_text", lambda *what: {})
    r = 1e-6
    problem = SimpleNamespace(mass_radius=0, feature_radius=r, reachable=np.ones((1, 4), bool),
                              available=np.ones((1, 4, 3), bool), dim=2, rank=2)
    found = interval.written(problem, SimpleNamespace(lower=at, upper=at, method="game"), quantity, "all")
    value = at if quantity == "lambda" else math.sqrt(at)
    assert found.lower == pytest.approx(value - moved * r, abs=1e-12)
    assert found.upper == pytest.approx(value + moved * r, abs=1e-12)
    assert found.lower <= (math.sqrt(at) - r) ** (2 if quantity == "lambda" else 1)  # the worst move is inside
    assert found.upper >= (math.sqrt(at) + r) ** (2 if quantity == "lambda" else 1)


def test_what_an_interval_says_of_itself():
    one = interval.Interval(1.0, 4.0, {})
    assert one.relative_gap == 0.75 and interval.Interval(0.0, 0.0, {}).relative_gap == 0
    assert [x in one for x in (0.9, 1.0, 2, 4.0, 4.1)] == [False, True, True, True, False]


@pytest.mark.parametrize("quantity, low, high", [
    ("explorability", lambda r, m: 0.75 - r - m, lambda r, m: 0.75 + r + m),
    ("nu", lambda r, m: math.sqrt(0.5625 - m) - r, lambda r, m: math.sqrt(0.5625 + m) + r),
    ("lambda", lambda r, m: 0.5625 - m - 2 * r, lambda r, m: 0.5625 + m + 2 * r)])
def test_masses_in_floats_widen_the_interval_too(monkeypatch, quantity, low, high):
    """Masses that move by m move squares of numbers up to 1 by m, and means by m."""
    monkeypatch.setattr(interval, "_text", lambda *what: {})
    r, m, at = 1e-6, 1e-4, Fraction(9, 16)
    problem = SimpleNamespace(mass_radius=m, feature_radius=r, reachable=np.ones((1, 4), bool),
                              available=np.ones((1, 4, 3), bool), dim=2, rank=2)
    found = interval.written(problem, SimpleNamespace(lower=at, upper=at, method="game"), quantity, "all")
    assert (found.lower, found.upper) == pytest.approx((low(r, m), high(r, m)), abs=1e-11)
    nothing = interval.written(problem, SimpleNamespace(lower=Fraction(0), upper=at, method="game"), quantity, "all")
    assert nothing.lower == 0


def test_how_far_stored_numbers_may_be_from_those_that_are_meant():
    """Four units in the last place, unless a number is a multiple of 2^-20; a law also by what it lacks to 1."""
    third = 4 * np.spacing(1 / 3)
    assert model._vector_radius(np.array([[[1 / 3, 0.5]], [[0.0, 0.25]]])) == third
    assert model._vector_radius(np.array([[[1 / 3, -1 / 3]]])) == pytest.approx(math.sqrt(2) * third)
    assert model._law_radius(np.array([0.5, 0.5])) == 0 == model._vector_radius(np.array([[[1.0, 2.0**-20]]]))
    assert model._law_radius(np.array([1 / 3, 2 / 3])) == 4 * (np.spacing(1 / 3) + np.spacing(2 / 3))
    assert model._law_radius(np.array([0.3, 0.3])) == pytest.approx(0.8)
    unit, mask = np.eye(2)[None], np.ones((1, 2), bool)
    assert model._step_radius(unit, np.full((2, 2), 0.5), mask) == 0
    thirds = np.array([[1 / 3, 2 / 3], [0.5, 0.5]])
    assert model._step_radius(unit, thirds, mask) == pytest.approx(18 * 2.0**-53 + 8 * model.SNAP)
    assert model._step_radius(unit, 0.9 * thirds, mask) == pytest.approx(0.2)


def test_rows_of_probabilities_in_whole_numbers_have_exact_sums():
    rows = model._unit_rows(np.array([[1 / 3, 1 / 3, 1 / 3], [0.2, 0.7, 0.1], [0, 0, 0], [1, 0, 0]]))
    assert rows.sum(axis=1).tolist() == [2**53, 2**53, 0, 2**53] and rows[3].tolist() == [2**53, 0, 0]
    assert abs(rows[1, 0] - 2**53 // 5) <= 1 and max(rows[0]) - min(rows[0]) <= 3


@pytest.mark.parametrize("x, bits, whole", [(0.3, 2, 1), (-0.3, 2, -1), (0.7, 2, 3), (-0.7, 2, -3), (0.1, 0, 0),
                                            (2.0, 3, 16)])
def test_a_grid_rounds_to_the_nearest(x, bits, whole):
    (found,) = algebra.grid([x], bits)
    assert found == whole


def test_independent_rows_and_sizes_of_examples():
    assert algebra.independent(np.array([[1, 2], [2, 4], [0, 1], [5, 5]], dtype=object)) == [0, 2]
    assert algebra.independent(np.array([[0, 0], [0, 3], [0, 6]], dtype=object)) == [1]
    assert orthonormal(64).dim == 64
    for call in (lambda: orthonormal(65), lambda: two_states(0, 65), lambda: twelfths(65, 2, 2, 2, 0)):
        with pytest.raises(ValueError, match="1..64"):
            call()
