"""D-optimal mixtures of policies and Qiao and Wang 2023: certificates, the design in other ways, and its data."""

import numpy as np
import pytest
import scipy.optimize

from derl import Deployer, instances, planning
from derl.algorithms import InvalidParameter, qiao_wang_2023
from derl.algorithms.baselines.frank_wolfe import frank_wolfe
from derl.algorithms.baselines.qiao_wang import enumerated, second_moment
from derl.estimation import fit
from derl.mdp.policies import compose
from derl.theory.arbitrary.optimal_design import d_optimal


def design(vectors, **options):
    """Policy k is the vector of number k."""
    def oracle(inverse):
        return np.array([int(np.einsum("ki,ij,kj->k", vectors, inverse, vectors).argmax())])

    def moment(policy):
        return np.outer(vectors[policy[0]], vectors[policy[0]])

    return frank_wolfe(oracle, moment, vectors.shape[1], **options)


def best_log_det(vectors):
    """By another method, from the uniform design."""
    count = len(vectors)
    found = scipy.optimize.minimize(
        lambda w: -np.linalg.slogdet((vectors * w[:, None]).T @ vectors)[1], np.full(count, 1 / count), method="SLSQP",
        bounds=[(1e-9, 1)] * count, constraints={"type": "eq", "fun": lambda w: w.sum() - 1}, options={"maxiter": 500})
    return -found.fun


@pytest.mark.parametrize("seed", range(4))
def test_the_gap_bounds_what_is_missing(seed):
    vectors = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(31,))).normal(size=(8, 3))
    best = best_log_det(vectors)
    for tolerance in (0.3, 0.01, 1e-4):
        found = design(vectors, tolerance=tolerance)
        missing = best - np.linalg.slogdet(found.matrix)[1]
        assert -1e-6 <= missing <= found.gap + 1e-6 and found.gap <= 3 * tolerance
        chosen = [policy[0] for policy in found.policies]
        mixed = (vectors[chosen] * found.weights[:, None]).T @ vectors[chosen]
        np.testing.assert_allclose(mixed, found.matrix, rtol=1e-6, atol=1e-9)
        assert found.weights.sum() == pytest.approx(1) and len(set(chosen)) == len(chosen)


@pytest.mark.parametrize("ridge", [0.5, 2.0])
def test_the_gap_with_a_ridge_is_that_of_the_best_policy(ridge):
    """With V = r I + M the gap is the maximum over k of tr(V^-1 (M_k - M)), the slope of log det V towards k."""
    vectors = np.random.default_rng(np.random.SeedSequence(3, spawn_key=(31,))).normal(size=(8, 3))
    for most in (1, 4, 500):
        found = design(vectors, tolerance=1e-3, ridge=ridge, most=most)
        inverse, mixed = np.linalg.inv(found.matrix), found.matrix - ridge * np.eye(3)
        slopes = np.einsum("ki,ij,kj->k", vectors, inverse, vectors) - np.trace(inverse @ mixed)
        assert found.gap == pytest.approx(slopes.max(), rel=1e-6, abs=1e-9) and found.gap > -1e-9
    assert found.gap <= 3e-3


def test_a_basis_is_weighted_equally():
    found = design(np.eye(4), tolerance=1e-6)
    assert sorted(p[0] for p in found.policies) == [0, 1, 2, 3]
    np.testing.assert_allclose(found.weights, 1 / 4, rtol=1e-3)


@pytest.mark.parametrize("most", [1, 2, 5])
def test_no_more_steps_than_are_allowed(most):
    vectors = np.random.default_rng(np.random.SeedSequence(0, spawn_key=(31,))).normal(size=(8, 3))
    assert design(vectors, tolerance=1e-12, most=most).steps == most


EPSILON, DELTA = 0.5, 0.1
SIMPLEX = instances.random_simplex(9, 3, 4, 4, seed=1)
TINY = instances.random_simplex(3, 2, 2, 3, seed=2)


def explored(mdp, size=10**7, mode="exact", seed=0, **options):
    return qiao_wang_2023(Deployer(mdp, size, mdp.horizon, "any", seed, mode), EPSILON, DELTA, **options)


def exact_oracle(mdp, h):
    """Frank-Wolfe's two questions answered by the model."""
    def oracle(inverse):
        values = np.einsum("sai,ij,saj->sa", mdp.phi[h], inverse, mdp.phi[h])
        policy = [values.argmax(axis=1)]
        for t in reversed(range(h)):
            values = mdp.transitions()[t] @ values.max(axis=1)
            policy.append(values.argmax(axis=1))
        return compose(mdp, np.stack(policy[::-1]), h + 1, 0)
    return oracle, lambda policy: planning.feature_covariance(mdp, policy)[h]


@pytest.mark.parametrize("h", [1, 3])
@pytest.mark.parametrize("tolerance", [0.1, 0.001])
def test_the_design_is_the_optimum_of_the_exact_model(h, tolerance):
    found = frank_wolfe(*exact_oracle(SIMPLEX, h), SIMPLEX.dim, tolerance)
    assert 0 <= found.gap <= tolerance * SIMPLEX.dim and found.weights.sum() == pytest.approx(1)
    best = d_optimal(SIMPLEX, h + 1)
    shares = np.array([float(w) for w in best.weights])
    matrix = sum(w * planning.feature_covariance(SIMPLEX, compose(SIMPLEX, np.asarray(policy), h + 1, 0))[h]
                 for w, policy in zip(shares / shares.sum(), best.policies, strict=True))
    optimum, value = np.linalg.slogdet(matrix)[1], np.linalg.slogdet(found.matrix)[1]
    assert optimum - found.gap - 1e-6 <= value <= optimum + 1e-4  # log det is concave: the gap bounds what is missing
    # for every mixture the maximum is at least d
    some = frank_wolfe(*exact_oracle(SIMPLEX, h), SIMPLEX.dim, 1e-9, most=3)
    assert some.gap > 0


def test_moments_are_exact_in_the_limit():
    counts = np.einsum("hsa,hsat->hsat", np.full((3, 3, 2), 1e13), TINY.transitions())
    designs = [fit(phi, seen) for phi, seen in zip(TINY.phi, counts, strict=True)]
    rng = np.random.default_rng(np.random.SeedSequence(1))
    for h in range(3):
        policy = rng.integers(2, size=(3, 3))
        exact = planning.feature_covariance(TINY, policy)[h]
        np.testing.assert_allclose(second_moment(TINY_KNOWN, designs, policy[:h + 1], TINY.initial), exact, atol=1e-9)


TINY_KNOWN = Deployer(TINY, 1, 1).known


def test_the_reconstruction_finds_the_design_of_the_enumeration():
    runs = {version: explored(TINY, mode="expected", version=version, tolerance=1e-3)
            for version in ("frank-wolfe", "enumeration")}
    assert len(enumerated(TINY_KNOWN, 3)) == 2**9 and all(run.converged for run in runs.values())
    first, second = (run.trace for run in runs.values())
    for one, other in zip(first[1:], second[1:], strict=True):
        assert one.least_eigenvalue == pytest.approx(other.least_eigenvalue, rel=0.05)
        covariances = [planning.feature_covariance(TINY, record.policy)[one.layer - 1] for record in (one, other)]
        assert np.diff(np.linalg.slogdet(covariances)[1]) == pytest.approx(0, abs=1e-2)
    with pytest.raises(InvalidParameter, match="enumerat"):
        explored(SIMPLEX, version="enumeration")


@pytest.mark.parametrize("mdp", [SIMPLEX, TINY, instances.lock(3, 3, (1, 2, 0), 0.2)], ids=["simplex", "tiny", "lock"])
def test_every_linear_reward_in_h_deployments(mdp):
    found, again, other = (explored(mdp, seed=seed) for seed in (1, 1, 2))
    rng = np.random.default_rng(np.random.SeedSequence(4))
    rewards = [mdp.theta, *rng.random((20, mdp.horizon, mdp.dim))]
    assert found.converged and found.deployments == mdp.horizon
    assert max(planning.gap(mdp, found.dataset.plan(theta), theta=theta) for theta in rewards) <= EPSILON
    np.testing.assert_array_equal(found.policy, found.dataset.plan(mdp.theta))
    assert (found.dataset.counts == again.dataset.counts).all() and (found.dataset.counts != other.dataset.counts).any()


def test_far_too_few_trajectories_fail():
    mdp = instances.lock(3, 3, (1, 2, 0), 0.5)
    assert planning.gap(mdp, explored(mdp, 1).policy) > 0.4 > 1e-9 > planning.gap(mdp, explored(mdp, 10**5).policy)


def test_every_layer_needs_a_deployment():
    with pytest.raises(InvalidParameter, match="max_deployments"):
        qiao_wang_2023(Deployer(TINY, 10, 2, "any"), EPSILON, DELTA)
