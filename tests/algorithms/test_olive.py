"""Q-type OLIVE: Q* survives, what is executed does not, and the loss is the sum of Bellman errors."""

from types import SimpleNamespace

import numpy as np
import pytest

from derl import Deployer, instances, planning
from derl.algorithms import InvalidParameter, olive
from derl.algorithms import run_defaults as defaults
from derl.algorithms.baselines.olive import bellman_errors, class_around
from derl.algorithms.by_name import run_by_name
from derl.deployment import deploy_counts
from derl.theory.comparison import quoted

EPSILON, DELTA = 0.5, 0.1
MDPS = {"simplex": instances.random_simplex(6, 3, 3, 3, seed=2), "lock": instances.lock(3, 2, (1, 2), 0.25),
        "trap": instances.optimism_trap()}


def optimum(mdp):
    values = planning.optimal(mdp).values
    return np.stack([np.where(mdp.available[h], mdp.backup(h, values[h + 1]), 0.0) for h in range(mdp.horizon)])


def functions(mdp, n=400, draw=0):
    return class_around(optimum(mdp), mdp.phi, n, draw)


@pytest.mark.parametrize("name", MDPS)
@pytest.mark.parametrize("seed", range(3))
def test_at_the_size_of_the_theorem_it_ends_within_epsilon_and_keeps_the_optimum(name, seed):
    mdp, n = MDPS[name], 400
    sizes = quoted.olive(mdp.dim, mdp.horizon, EPSILON / 4, DELTA, n)
    found = olive(Deployer(mdp, sizes.batch_size, 4 * sizes.phases, seed=seed), EPSILON, DELTA,
                  functions(mdp, n, seed))
    assert found.converged and planning.gap(mdp, found.policy) <= EPSILON
    assert found.dataset.alive[0]  # Q* is alive, whatever was eliminated
    assert found.deployments <= sizes.phases + 1
    assert (found.dataset.counts.sum(axis=(1, 2, 3)) == found.trajectories).all()
    eliminated = [record for record in found.trace if record.layer]
    assert all(not found.dataset.alive[record.function] for record in eliminated)
    assert (np.diff([record.alive for record in found.trace]) <= 0).all()


@pytest.mark.parametrize("name", MDPS)
def test_the_loss_of_a_greedy_policy_is_the_sum_of_its_bellman_errors(name):
    """V_f(s_1) - V^{pi_f}(s_1) = sum_h E(f, h), exactly where counts are expectations; and E(Q*, h) = 0."""
    mdp, class_ = MDPS[name], np.where(MDPS[name].available, functions(MDPS[name], 12, 3), -np.inf)
    values = class_.max(axis=3)
    for i, q in enumerate(class_):
        policy = q.argmax(axis=2)
        counts = deploy_counts(mdp, policy, 10**6, np.random.default_rng(np.random.SeedSequence(0)), "expected").counts
        errors = bellman_errors(class_, values, mdp.rewards(), counts)
        promised = mdp.initial @ values[i, 0]
        assert errors[i].sum() == pytest.approx(promised - planning.evaluate(mdp, policy).value, abs=1e-9)
        np.testing.assert_allclose(errors[0], 0, atol=1e-9)
        swapped = bellman_errors(class_, np.roll(values, 1, axis=1), mdp.rewards(), counts)  # the wrong next layer
        assert np.abs(swapped[0]).max() > 1e-3


def test_a_class_of_the_optimum_alone_needs_one_phase():
    mdp = MDPS["simplex"]
    found = olive(Deployer(mdp, 10**8, 5), EPSILON, DELTA, optimum(mdp)[None])
    assert found.converged and found.deployments == 1 and planning.gap(mdp, found.policy) < 1e-12


def test_a_class_without_the_optimum_dies_out_and_far_too_few_trajectories_fail():
    mdp = MDPS["simplex"]
    found = olive(Deployer(mdp, 10**9, 50), 0.05, DELTA, np.minimum(optimum(mdp) + 1, 3)[None])
    assert not found.converged and not found.dataset.alive.any() and found.deployments == 1
    mdp = MDPS["lock"]
    found = [olive(Deployer(mdp, 3, 40, seed=seed), 0.05, DELTA, functions(mdp)) for seed in range(5)]
    assert all(not run.converged or planning.gap(mdp, run.policy) > 0.05 for run in found)
    assert not any(run.dataset.alive[0] for run in found)  # three trajectories eliminate Q*


def test_the_seed_and_the_door():
    runs = [run_by_name("olive", MDPS["lock"], EPSILON, DELTA, 10**7, seed=seed, n_functions=50) for seed in (1, 1)]
    assert runs[0].outcome.trajectories == runs[1].outcome.trajectories and runs[0].findings["optimum_alive"]
    assert "Q* and perturbations" in runs[0].options["functions_are"] and "functions" not in runs[0].options
    alone = run_by_name("olive", MDPS["lock"], EPSILON, DELTA, 10**7, seed=1, n_functions=1)
    assert alone.outcome.converged and alone.options["n_functions"] == 1
    with pytest.raises(InvalidParameter, match="n_functions"):
        run_by_name("olive", MDPS["lock"], EPSILON, DELTA, 10**7, n_functions=0)
    for wrong in (np.zeros((2, 3)), "q", np.full((1, *MDPS["lock"].available.shape), np.nan)):
        with pytest.raises(InvalidParameter, match="functions"):
            olive(Deployer(MDPS["lock"], 10, 5), EPSILON, DELTA, wrong)


def test_with_too_few_deployments_it_stops_and_says_so():
    mdp = MDPS["simplex"]
    sizes = quoted.olive(mdp.dim, mdp.horizon, EPSILON / 4, DELTA, 400)
    whole = olive(Deployer(mdp, sizes.batch_size, 4 * sizes.phases, seed=0), EPSILON, DELTA, functions(mdp))
    assert whole.deployments > 1
    deployer = Deployer(mdp, sizes.batch_size, whole.deployments - 1, seed=0)
    found = olive(deployer, EPSILON, DELTA, functions(mdp))
    assert not found.converged and found.deployments == deployer.deployments == whole.deployments - 1
    assert found.dataset.alive.any()


def test_by_default_four_times_the_phases_that_the_rank_allows():
    task = SimpleNamespace(mdp=MDPS["lock"])
    assert defaults.phases(task) == 4 * (MDPS["lock"].dim * MDPS["lock"].horizon + 1)
