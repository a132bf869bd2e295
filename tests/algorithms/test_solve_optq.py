"""SolveOptQ against a literal transcription; optimism; the designs of the first layer; exact discretisation."""

from fractions import Fraction

import numpy as np
import pytest

from derl import LinearMDP, instances
from derl.algorithms.arbitrary_exact import discretise, exact_optq, unchanged_by_grid
from derl.algorithms.policy_cover import Problem, prepare, solve_optq, uncertainty_reward
from derl.algorithms.state_designs import leverages, own_coordinates, state_designs
from derl.deployment import deploy_counts
from derl.estimation import fit
from derl.exact.matrices import inverse
from derl.mdp import policies


def sampled(mdp, size, seed=0):
    counts = deploy_counts(mdp, policies.uniform(mdp), size, np.random.default_rng(seed)).counts.astype(float)
    return counts, [fit(mdp.phi[h], counts[h]) for h in range(mdp.horizon - 1)]


def literal(mdp, counts, matrix, beta, version="repaired"):
    """Algorithm 5 with loops and matrix inverses, without discretisation."""
    H, S, A, d = mdp.phi.shape
    policy = np.zeros((H, S), int)
    for h in reversed(range(H)):
        Sigma, target = np.eye(d), np.zeros(d)
        if h < H - 1:
            for s, a, t in np.argwhere(counts[h]):
                Sigma += counts[h, s, a, t] * np.outer(mdp.phi[h, s, a], mdp.phi[h, s, a])
                target += counts[h, s, a, t] * mdp.phi[h, s, a] * V[t]  # noqa: F821, the V of the layer behind
        inner = np.linalg.inv(matrix if h == H - 1 else Sigma)
        Q = np.full((S, A), -np.inf)
        for s, a in np.argwhere(mdp.available[h]):
            phi = mdp.phi[h, s, a]
            Q[s, a] = np.sqrt(phi @ inner @ phi)
            if h < H - 1:
                Q[s, a] = min(phi @ inner @ target + beta * Q[s, a], 1)
        policy[h] = (np.isclose(Q, Q.max(axis=1, keepdims=True), rtol=1e-12, atol=1e-12)).argmax(axis=1)
        V = Q.max(axis=1)
        if version == "repaired":
            V = np.maximum(V, 0)
    return mdp.initial @ V, policy


@pytest.mark.parametrize("name", ["simplex", "trap"])
@pytest.mark.parametrize("size", [5, 10**4])
@pytest.mark.parametrize("version", ["repaired", "as-printed"])
@pytest.mark.parametrize("beta", [0.05, 0.7])  # the second is large enough for the clip at 1
def test_it_is_the_pseudocode(name, size, version, beta):
    mdp = instances.random_simplex(5, 3, 3, 4, seed=8) if name == "simplex" else instances.optimism_trap().truncate(4)
    counts, designs = sampled(mdp, size)
    matrix = 2 * np.eye(mdp.dim) + np.diag(np.arange(mdp.dim))
    problem = prepare(mdp.phi, designs, beta, mdp.initial, mdp.available, version)
    own, chosen = solve_optq(problem, uncertainty_reward(problem, matrix))
    value, policy = literal(mdp, counts, matrix, beta, version)
    assert own == pytest.approx(value, abs=1e-10)
    np.testing.assert_array_equal(chosen, policy)


@pytest.mark.parametrize("version, value", [("repaired", 0.0), ("squared", 0.0), ("as-printed", -0.25)])
def test_values_are_clipped_below_except_as_printed(version, value):
    """One state and one action per layer: the regression multiplies by -1, the bonus is 1/4, the reward 1/2."""
    floor = prepare(np.ones((2, 1, 1, 1)), [fit(np.ones((1, 1, 1)), np.zeros((1, 1, 1)))], 1.0, np.ones(1),
                    version=version).floor
    one = np.ones((1, 1))
    problem = Problem((one, one), (-one,), (np.array([0.25]),), None, np.ones(1), 1, floor)
    assert solve_optq(problem, np.array([0.5]))[0] == value


def test_closed_actions_are_never_taken_even_if_everything_is_worth_nothing():
    mdp = instances.hard_template(3, 3, 2, 1, 0, 0.3)
    _, designs = sampled(mdp, 100)
    problem = prepare(mdp.phi, designs, 1e-9, mdp.initial, mdp.available)
    value, policy = solve_optq(problem, np.zeros(mdp.n_states * mdp.n_actions))
    policies.validate(mdp, policy)
    assert value == pytest.approx(0, abs=1e-6)


def test_the_squared_reward_is_the_square():
    mdp = instances.random_simplex(4, 2, 3, 2, seed=0)
    problem = prepare(mdp.phi[:1], [], 1.0, mdp.initial)
    matrix = 2 * np.eye(3) + 0.3
    np.testing.assert_allclose(uncertainty_reward(problem, matrix, "squared"),
                               uncertainty_reward(problem, matrix) ** 2)


# --- designs of the first layer ----------------------------------------------------------------------------------

def test_designs_meet_the_criterion_also_where_features_do_not_span():
    rng = np.random.default_rng(0)
    phi = rng.standard_normal((6, 7, 4))
    phi /= np.linalg.norm(phi, axis=2, keepdims=True)
    phi[0, :, 2:] = 0  # two dimensions only
    phi[1] = phi[1, 0]  # one feature, seven times
    available = np.ones((6, 7), bool)
    available[2, 1:] = False
    weights, excess = state_designs(phi, available)
    assert excess <= 1.1
    np.testing.assert_allclose(weights.sum(axis=1), 1)
    assert weights[2].tolist() == [1, 0, 0, 0, 0, 0, 0]
    for s, rank in enumerate([2, 1, 1, 4, 4, 4]):
        gram = (phi[s] * weights[s][:, None]).T @ phi[s]
        gram_inverse = np.linalg.pinv(gram, rcond=1e-9)
        for a in np.flatnonzero(available[s]):
            assert phi[s, a] @ gram_inverse @ phi[s, a] <= 1.1 * rank + 1e-9


@pytest.mark.parametrize("angle", [1e-3, 1e-5, 1e-8])
def test_designs_span_features_that_are_nearly_parallel(angle):
    """(1, 0), (1, angle) and three between them: the design is that of (0, 1) and (1, 1), rank 2, exactly."""
    share = np.array([0, 1, 1 / 4, 1 / 2, 3 / 4])
    phi = np.stack([np.ones(5), angle * share], axis=1)[None]
    weights, excess = state_designs(phi, criterion=1 + 1e-6)
    assert excess <= 1 + 1e-6
    np.testing.assert_allclose(weights[0], [0.5, 0.5, 0, 0, 0], atol=1e-5)
    given = [Fraction(weight).limit_denominator(10**9) for weight in weights[0]]
    mean, square = (sum(w * Fraction(x)**k for w, x in zip(given, share, strict=True)) for k in (1, 2))
    spread = square - mean**2  # phi' G^-1 phi = 1 + (x - mean)^2/spread, whatever the angle
    assert all(1 + (Fraction(x) - mean)**2 / spread <= 2 + Fraction(1, 10**4) for x in share)


def test_designs_for_unit_vectors_are_uniform():
    weights, excess = state_designs(np.eye(4)[None])
    np.testing.assert_allclose(weights, 0.25)
    assert excess == pytest.approx(1)


# --- discretisation ----------------------------------------------------------------------------------------------

def test_discretisation_rounds_up_exactly():
    values = np.array([Fraction(1, 3), Fraction(-1, 3), Fraction(2, 5), Fraction(0)], dtype=object)
    assert discretise(values, Fraction(1, 5)).tolist() == [Fraction(2, 5), Fraction(-1, 5), Fraction(2, 5), 0]


def test_exact_optq_agrees_with_floats_and_keeps_the_accuracy():
    mdp = instances.random_simplex(3, 2, 2, 3, 1, exact=True)
    counts, designs = sampled(mdp.to_float(), 40, seed=4)
    matrix = np.array([[Fraction(3), Fraction(1, 2)], [Fraction(1, 2), Fraction(5, 2)]], dtype=object)
    problem = prepare(mdp.to_float().phi, designs, 0.25, mdp.to_float().initial)
    value, policy = solve_optq(problem, uncertainty_reward(problem, matrix.astype(float)))
    for resolution in (Fraction(1, 4), Fraction(1, 164), Fraction(1, 10**28)):
        found = exact_optq(mdp.phi, counts[:2].astype(int), matrix, Fraction(1, 4), resolution, mdp.initial)
        assert found.value[0] <= found.value[1] and float(found.value[1]) == pytest.approx(value, abs=1e-12)
        np.testing.assert_array_equal(found.policy, policy)
        assert 0 < found.distance <= resolution and found.greedy_loss <= 2 * resolution
    coarse = exact_optq(mdp.phi, counts[:2].astype(int), matrix, Fraction(1, 4), Fraction(1, 4), mdp.initial)
    assert (coarse.discretised_policy != coarse.policy).any()  # the grid is felt


def test_too_coarse_a_grid_is_refused_and_ties_go_to_the_lowest_index():
    phi = np.array([[[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]] * 2, dtype=object)
    matrix = np.array([[Fraction(2), Fraction(0)], [Fraction(0), Fraction(2)]], dtype=object)
    start = np.array([Fraction(1, 2)] * 2, dtype=object)
    found = exact_optq([phi], [], matrix, Fraction(1), Fraction(1, 10), start)
    assert found.policy.tolist() == [[0, 0]] and found.value[0] ** 2 <= Fraction(1, 2) <= found.value[1] ** 2
    # epsilon_0^2/(4d) = 2/25; in this unit the matrix is rounded from ((0.9, 1.6), (1.6, 3)) to ((1, 2), (2, 3))
    unit, away = Fraction(2, 25), np.array([[[Fraction(4, 5), Fraction(-2, 5)]]], dtype=object)
    quadratic = unit * np.array([[Fraction(9, 10), Fraction(8, 5)], [Fraction(8, 5), Fraction(3)]], dtype=object)
    with pytest.raises(ValueError, match="too coarse"):
        exact_optq([away], [], inverse(quadratic), Fraction(1), Fraction(4, 5), start[:1] * 2)


def test_the_grid_of_the_theorem_is_idle_in_float64():
    values = np.random.default_rng(0).random(1000)
    assert unchanged_by_grid(values, 1 / (4e28)).all()
    assert not unchanged_by_grid(values, 1 / (4e6)).any()


def test_features_on_an_mdp_without_mask():
    mdp = instances.random_simplex(3, 2, 2, 2, seed=0)
    assert isinstance(mdp, LinearMDP)
    problem = prepare(mdp.phi[:1], [], 1.0, mdp.initial)
    assert problem.closed is None and solve_optq(problem, np.arange(6.0))[1].tolist() == [[1, 1, 1]]


@pytest.mark.parametrize("scale", [1e-7, 1.0, 1e5])
def test_designs_do_not_depend_on_the_scale_of_the_features(scale):
    """Three actions in a plane, one of them nearly parallel to another, at any length."""
    phi = np.array([[[1.0, 0.0, 0.0], [1.0, 1e-5, 0.0], [1.0, 1.0, 0.0]]])
    mask = np.ones((1, 3), bool)
    coordinates, spans = own_coordinates(scale * phi, mask)
    assert spans.tolist() == [[True, True, False]]
    np.testing.assert_allclose(leverages(np.full((1, 3), 1 / 3), coordinates, spans),
                               leverages(np.full((1, 3), 1 / 3), *own_coordinates(phi, mask)), rtol=1e-6)
