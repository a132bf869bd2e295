"""Qiao and Wang 2023: the design against two other ways to find it, and what its data are good for."""

import numpy as np
import pytest

from derl import Deployer, instances, planning
from derl.algorithms import InvalidParameter, qiao_wang_2023
from derl.algorithms.baselines.frank_wolfe import frank_wolfe
from derl.algorithms.baselines.qiao_wang import enumerated, second_moment
from derl.estimation import fit
from derl.mdp.policies import compose
from derl.theory.arbitrary.optimal_design import d_optimal

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


@pytest.mark.parametrize("options, word", [({"version": "best"}, "version"), ({"tolerance": 0}, "tolerance")])
def test_bad_parameters_are_named(options, word):
    with pytest.raises(InvalidParameter, match=word):
        explored(TINY, **options)
    with pytest.raises(InvalidParameter, match="max_deployments"):
        qiao_wang_2023(Deployer(TINY, 10, 2, "any"), EPSILON, DELTA)
