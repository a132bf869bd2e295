"""Algorithm 2 on sums of a layer: the same regressions and covers from the same data, and runs of its own."""

import numpy as np
import pytest

from derl import Deployer, algorithms, instances, planning
from derl.algorithms.arbitrary import arbitrary_policy_planning
from derl.algorithms.audit import audit
from derl.algorithms.outcome import InvalidParameter
from derl.deployment import InvalidDeployment
from derl.deployment.layer_sums import LayerSums
from derl.estimation import fit, fit_sums

SIMPLEX = instances.random_simplex(8, 3, 3, 4, seed=2)
LOCK = instances.lock(3, 3, (1, 2, 0), 0.2)


class Told:
    """A deployer whose layer sums are read off the cube."""

    def __init__(self, deployer, phi):
        self._deployer, self._phi = deployer, phi
        self.known, self.batch_size = deployer.known, deployer.batch_size
        self.max_deployments, self.policy_class = deployer.max_deployments, deployer.policy_class

    def deploy_layer(self, policy, layer):
        batch = self._deployer.deploy(policy)
        counts = batch.counts[layer - 1].astype(float)
        moments = np.einsum("sad,sat->dt", self._phi[layer - 1], counts)
        return LayerSums(layer, counts.sum(axis=2), moments, np.array(batch.initial), counts.sum(axis=(0, 1)),
                         batch.batch_size, batch.exact, batch.mode, batch.members)


def explored(deployer, **options):
    return algorithms.arbitrary_policy_exploration(deployer, 0.1, 0.1, version="self-certifying", **options)


@pytest.mark.parametrize("size", [10**6, 10**12, 10**14])
@pytest.mark.parametrize("known_start", [False, True])
@pytest.mark.parametrize("mdp", [SIMPLEX, LOCK], ids=["simplex", "lock"])
def test_the_same_data_give_the_same_run(mdp, known_start, size):
    initial = mdp.initial if known_start else None
    cube = explored(Deployer(mdp, size, mdp.horizon, "any", seed=5), initial=initial, i_max=400)
    told = Told(Deployer(mdp, size, mdp.horizon, "any", seed=5), mdp.phi)
    sums = explored(told, initial=initial, i_max=400, keep="sums")
    assert sums.converged == cube.converged and sums.deployments == mdp.horizon
    np.testing.assert_array_equal(sums.policy, cube.policy)
    for one, other in zip(cube.trace, sums.trace, strict=True):
        assert (one.iterations, one.n_distinct, one.finished, one.exact) == (
            other.iterations, other.n_distinct, other.finished, other.exact)
        assert other.statistic == pytest.approx(one.statistic, rel=1e-6)
        assert other.uncertainty == pytest.approx(one.uncertainty, rel=1e-6)
    np.testing.assert_allclose(sums.dataset.counts, cube.dataset.counts.sum(axis=3))
    np.testing.assert_allclose(sums.dataset.initial, cube.dataset.initial)
    audits = [audit(mdp, run, linear=True) for run in (cube, sums)]
    for name in ("uncertainty", "loss_bound", "covariance_error", "matrix_error"):
        np.testing.assert_allclose(getattr(audits[1], name), getattr(audits[0], name), rtol=1e-4, atol=1e-6)
    theta = np.abs(np.random.default_rng(3).dirichlet(np.ones(mdp.dim), mdp.horizon))
    for horizon in (None, 2):
        plans = [arbitrary_policy_planning(run.dataset, theta, horizon) for run in (cube, sums)]
        np.testing.assert_array_equal(plans[0].policy, plans[1].policy)
        np.testing.assert_allclose(plans[0].values, plans[1].values, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("mdp", [SIMPLEX, LOCK], ids=["simplex", "lock"])
def test_runs_on_sums_are_near_optimal(mdp, seed):
    found = explored(Deployer(mdp, 10**14, mdp.horizon, "any", seed=seed), keep="sums")
    assert found.converged and found.deployments == mdp.horizon
    assert planning.gap(mdp, found.policy) <= 0.1
    assert all(record.exact and record.mode == "exact" for record in found.trace)
    blind = explored(Deployer(mdp, 2, mdp.horizon, "any", seed=seed), keep="sums", i_max=50)
    assert not blind.converged  # two trajectories vouch for nothing


@pytest.mark.parametrize("size", [1, 10**6, 10**15])
def test_a_regression_from_sums_is_that_from_counts(size):
    rng = np.random.default_rng(np.random.SeedSequence(31, spawn_key=(size.bit_length(),)))
    phi = rng.normal(size=(6, 3, 4))
    phi /= np.linalg.norm(phi, axis=-1, keepdims=True)
    counts = np.floor(size * rng.random((6, 3, 6)) * (rng.random((6, 3, 1)) < 0.4))
    visits, moments = counts.sum(axis=2), np.einsum("sad,sat->dt", phi, counts)
    one, other = fit(phi, counts), fit_sums(phi, visits, moments)
    np.testing.assert_allclose(other.norms(phi), one.norms(phi), rtol=1e-8)
    assert other.log_det == pytest.approx(one.log_det, rel=1e-10)
    values = rng.random(6)
    apart = np.abs(phi @ (one.weights(values) - other.weights(values)))
    assert (apart <= 1e-12 + 1e-14 * size * one.norms(phi)).all()
    nothing = fit_sums(phi, np.zeros((6, 3)), np.zeros((4, 6)))
    np.testing.assert_array_equal(np.abs(nothing.factor), np.eye(4))
    assert not nothing.operator.any()


def test_what_is_kept_is_one_of_two():
    with pytest.raises(InvalidParameter, match="keep"):
        explored(Deployer(LOCK, 10, 4, "any"), keep="nothing")
    with pytest.raises(InvalidDeployment, match="gaussian"):
        explored(Deployer(LOCK, 10, 4, "any", mode="gaussian"), keep="sums", i_max=5)
