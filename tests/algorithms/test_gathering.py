"""Sums in the place of transitions: the same regressions from the same data, and Algorithm 1 on them."""

import tracemalloc

import numpy as np
import pytest

from derl import Deployer, LinearMDP, algorithms, instances, planning
from derl.algorithms.gathering import Moments, Transitions, updated
from derl.algorithms.outcome import InvalidParameter
from derl.deployment import Sums
from derl.mdp import policies

MDP = instances.random_simplex(6, 3, 4, 3, seed=2)


class Told:
    """A deployer whose cube and sums are the same trajectories."""

    def __init__(self, mdp, size):
        self._mdp, self._deployer = mdp, Deployer(mdp, size, 9, "any", seed=1)
        self.known, self.batch_size = self._deployer.known, size

    def deploy(self, policy):
        self.batch = self._deployer.deploy(policy)
        return self.batch

    def deploy_sums(self, policy):
        moments = np.einsum("hsad,hsat->hdt", self._mdp.phi, self.batch.counts.astype(float))
        return Sums(self.batch.visits, moments, self.batch_size)


@pytest.mark.parametrize("size", [3, 10**6, 10**12, 10**15])
@pytest.mark.parametrize("mdp", [MDP, instances.lock(3, 3, (1, 2, 0), 0.2)], ids=["simplex", "lock"])
def test_regressions_are_those_of_the_cube(mdp, size):
    told = Told(mdp, size)
    cube, sums = Transitions(told.known), Moments(told.known)
    for policy in (policies.uniform(mdp), planning.optimal(mdp).policy):
        cube.deploy(told, policy)
        sums.deploy(told, policy)
    np.testing.assert_allclose(sums.data.visits, cube.data.sum(axis=3))
    for h, (one, other) in enumerate(zip(cube.designs(mdp.horizon), sums.designs(mdp.horizon), strict=True)):
        norms = one.norms(mdp.phi[h])
        np.testing.assert_allclose(other.norms(mdp.phi[h]), norms, rtol=1e-8)
        assert other.log_det == pytest.approx(one.log_det, rel=1e-10)
        values = np.linspace(0, 1, mdp.n_states)
        apart = np.abs(mdp.phi[h] @ (one.weights(values) - other.weights(values)))
        assert (apart <= 1e-12 + 4e-16 * size * norms).all()  # rounding of the moments, in the norm of the bonus


def test_a_factor_goes_on_from_the_last():
    rng = np.random.default_rng(np.random.SeedSequence(5))
    phi, visits = rng.normal(size=(2, 4, 3, 3)), rng.integers(0, 3, (2, 2, 4, 3))
    factors = np.tile(np.eye(3), (2, 1, 1))
    for part in visits:
        factors = updated(factors, phi, part)
    wanted = np.eye(3) + np.einsum("hsa,hsad,hsae->hde", visits.sum(axis=0), phi, phi)
    np.testing.assert_allclose(factors.transpose(0, 2, 1) @ factors, wanted, rtol=1e-12)
    np.testing.assert_allclose(updated(factors, phi, np.zeros_like(visits[0])).transpose(0, 2, 1)
                               @ updated(factors, phi, np.zeros_like(visits[0])), wanted, rtol=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_algorithm_one_on_sums_is_near_optimal(seed):
    """At a batch size where the cube's run converges, with nearly as many deployments."""
    runs = {}
    for keep in ("transitions", "sums"):
        runs[keep] = algorithms.layerwise_exploration(Deployer(MDP, 10**10, 200, seed=seed), 0.2, 0.1, keep=keep)
        assert runs[keep].converged and planning.gap(MDP, runs[keep].policy) <= 0.2
    assert abs(runs["sums"].deployments - runs["transitions"].deployments) <= 2
    data = runs["sums"].dataset.counts
    assert data.batch_size == runs["sums"].trajectories and data.exact
    assert data.visits.sum(axis=(1, 2)).tolist() == [runs["sums"].trajectories] * MDP.horizon
    assert max(planning.gap(MDP, run.dataset.plan(MDP.theta)) for run in runs.values()) <= 0.2


def test_many_states_never_form_a_row_of_the_whole(monkeypatch):
    """The path of a hundred thousand states, with fifteen hundred: memory as that of the features, not of P."""
    def rows(*_):
        raise AssertionError("rows of P were formed")

    algorithms.layerwise_exploration(Deployer(MDP, 10, 1, seed=0), 0.2, 0.1, keep="sums")  # imports
    tracemalloc.start()
    try:
        with monkeypatch.context() as patch:
            patch.setattr(LinearMDP, "transition_rows", rows)
            mdp = instances.random_simplex(1500, 4, 5, 3, seed=0)
            plan = planning.optimal(mdp)
            sums = Deployer(mdp, 10**4, 1, seed=0).deploy_sums(plan.policy)
            found = algorithms.layerwise_exploration(Deployer(mdp, 10**4, 3, seed=0), 0.2, 0.1, keep="sums")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert sums.visits.sum(axis=(1, 2)).tolist() == [10**4] * 3 and found.deployments == 3
    assert found.dataset.counts.batch_size == 3 * 10**4
    layer_of_rows = 8 * 1500 * 4 * 1500
    assert peak < layer_of_rows / 2


def test_what_is_kept_is_one_of_two():
    with pytest.raises(InvalidParameter, match="keep"):
        algorithms.layerwise_exploration(Deployer(MDP, 10, 2), 0.2, 0.1, keep="nothing")


@pytest.mark.parametrize("sizes, mode, exact", [
    ((2**53,), "exact", True), ((2**53 + 1,), "exact", False), ((2**52, 2**52), "exact", True),
    ((2**53, 1), "exact", False), ((10,), "expected", False)])
def test_sums_are_called_exact_as_far_as_a_double_counts(sizes, mode, exact):
    class Sized:
        def deploy_sums(self, policy):
            return Sums(np.zeros(MDP.phi.shape[:3]), np.zeros((3, 4, 6)), next(self.sizes), mode == "exact", mode)

    deployer, kept = Sized(), Moments(Deployer(MDP, 1, 1).known)
    deployer.sizes = iter(sizes)
    for _ in sizes:
        kept.deploy(deployer, None)
    assert (kept.data.exact, kept.data.mode, kept.data.batch_size) == (exact, mode, sum(sizes))
