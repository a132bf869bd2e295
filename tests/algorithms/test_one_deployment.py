"""One deployment of designs: its three versions at their own sizes, the choice among plans, bounded predictions."""

import numpy as np
import pytest
from scipy.optimize import minimize

from derl import Deployer, algorithms, instances, planning
from derl.algorithms import InvalidParameter
from derl.algorithms.by_name import run_by_name
from derl.algorithms.one_deployment import nearest, state_designs_of, trajectory_values
from derl.deployment.known import KnownPart
from derl.estimation.design import fit
from derl.theory.beyond import one_deployment as theory

SIMPLEX = instances.random_simplex(4, 3, 3, 3, seed=2)


@pytest.mark.parametrize("version", theory.VERSIONS)
def test_each_version_succeeds_at_its_own_size_and_knows_that_it_is_enough(version):
    found = run_by_name("one_deployment_exploration", SIMPLEX, 0.2, 0.1, seed=3, version=version)
    assert found.outcome.deployments == 1 and found.outcome.converged
    assert planning.gap(SIMPLEX, found.outcome.policy) <= 0.2
    fewer = run_by_name("one_deployment_exploration", SIMPLEX, 0.2, 0.1, batch_size=found.outcome.trajectories - 1,
                        version=version)
    assert not fewer.outcome.converged


def test_the_confidence_is_added_to_the_dimension_and_not_multiplied():
    sizes = {version: [theory.batch_size(4, 3, 0.1, 10.0**-power, 4, version) for power in (3, 6)]
             for version in theory.VERSIONS}
    assert sizes["mean"][0] == sizes["mean"][1]
    assert sizes["selected"][1] / sizes["selected"][0] == pytest.approx(21 / 11)
    assert sizes["bounded"][1] < 1.6 * sizes["bounded"][0]
    assert theory.batch_size(4, 1, 0.1, 0.1, 4, "mean") == 1


def test_the_mean_over_all_trajectories_is_the_value_of_the_plan():
    known = KnownPart(SIMPLEX.phi, SIMPLEX.rewards(), SIMPLEX.available)
    designs, _ = state_designs_of(known)
    paths = Deployer(SIMPLEX, 10**9, 1, "any", 0).deploy_paths(designs, [10**9])
    law, true = SIMPLEX.initial[paths.states[:, 0]], SIMPLEX.transitions()
    for h in range(2):
        state, action = paths.states[:, h], paths.actions[:, h]
        law = law * designs[h, state, action] * true[h, state, action, paths.states[:, h + 1]]
    assert law.sum() == pytest.approx(1)  # every trajectory occurs
    plan = np.array([[0, 1, 2, 0], [2, 2, 1, 0], [1, 0, 0, 2]])
    values = trajectory_values(known, designs, known.rewards, plan, paths)
    assert law @ values == pytest.approx(planning.evaluate(SIMPLEX, plan).value)


def test_the_nearest_prediction_within_the_bound_is_the_constrained_minimizer():
    rng = np.random.default_rng(0)
    for _ in range(20):
        phi = rng.normal(size=(4, 3, 2))
        phi /= np.linalg.norm(phi, axis=2).max()
        counts = rng.integers(0, 30, (4, 3, 4))
        design, weights, rows = fit(phi, counts), rng.normal(size=2) * 4, phi.reshape(-1, 2)
        found = nearest(design, rows, weights, 1.0)
        assert np.abs(rows @ found).max() <= 1 + 1e-9
        by_descent = minimize(lambda w, R=design.factor, at=weights: ((R @ (w - at)) ** 2).sum(), np.zeros(2),
                              constraints=[{"type": "ineq", "fun": lambda w, rows=rows: 1 - rows @ w},
                                           {"type": "ineq", "fun": lambda w, rows=rows: 1 + rows @ w}])
        assert found == pytest.approx(by_descent.x, abs=1e-4)
    assert nearest(design, rows, weights / 100, 1.0) is not None


@pytest.mark.parametrize("size, options, word", [
    (10**6, {"version": "typical"}, "version"), (5, {"version": "selected"}, "divided into 5 plans"),
    (1, {"version": "mean"}, "divided into 1 plans")])
def test_what_no_version_can_do_is_refused(size, options, word):
    with pytest.raises(InvalidParameter, match=word):
        algorithms.one_deployment_exploration(Deployer(SIMPLEX, size, 1, "any"), 0.2, 0.1, **options)


def test_the_choice_among_plans_needs_a_small_failure_probability():
    with pytest.raises(theory.InvalidOneDeployment, match="delta < 1/2"):
        theory.batch_size(2, 3, 0.1, 0.5, 2, "selected")
    with pytest.raises(theory.InvalidOneDeployment, match="below 1e300"):
        theory.batch_size(10, 300, 0.1, 0.1, 10, "mean")


def test_the_shares_of_the_layers_by_hand():
    first, second = theory.shares(3, 2.0)  # (2^2 2)^(1/3) and (1^2 2^2)^(1/3)
    assert (first + second, first / second) == pytest.approx((1, 2 ** (1 / 3)))
