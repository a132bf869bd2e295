"""The algorithm with a flat threshold and the one without layers, beside Algorithm 1."""

import numpy as np
import pytest

from derl import Deployer, algorithms, instances, planning
from derl.algorithms import InvalidParameter
from derl.algorithms.layerwise import direct_exploration, flat_exploration
from derl.theory.layerwise.samples import budget

MDP = instances.random_simplex(6, 3, 3, 4, seed=4)


@pytest.mark.parametrize("explore", [flat_exploration, direct_exploration])
@pytest.mark.parametrize("version", ["chernoff", "share"])
def test_it_is_near_optimal_at_its_own_batch_size(explore, version):
    plan = budget(MDP.dim, MDP.horizon, 0.25, 0.1, 3, version)
    outcome = explore(Deployer(MDP, plan.batch_size, plan.deployments, seed=3), 0.25, 0.1, share=plan.share,
                      beta=plan.beta)
    assert outcome.converged and outcome.deployments <= plan.deployments
    assert planning.gap(MDP, outcome.policy) <= 0.25
    assert all(r.threshold == pytest.approx(plan.share * 0.25) for r in outcome.trace)


def test_flat_differs_from_algorithm_1_in_the_threshold_alone():
    runs = [algorithms.layerwise_exploration(Deployer(MDP, 10**10, 60, seed=1), 0.5, 0.1, beta=30.0),
            flat_exploration(Deployer(MDP, 10**10, 60, seed=1), 0.5, 0.1, beta=30.0)]
    first = [run.trace[0] for run in runs]
    assert first[0].statistic == first[1].statistic
    assert [r.threshold for r in runs[0].trace] == [0.5 * r.layer / (2 * MDP.horizon) for r in runs[0].trace]
    assert runs[1].deployments <= runs[0].deployments


def test_without_layers_every_deployment_plans_for_the_whole_horizon():
    outcome = direct_exploration(Deployer(MDP, 10**10, 60, seed=1), 0.5, 0.1)
    assert {r.layer for r in outcome.trace} == {MDP.horizon}
    assert [r.finished for r in outcome.trace] == [False] * (outcome.deployments - 1) + [True]
    assert np.array_equal(outcome.policy, outcome.trace[-1].policy)


def test_running_out_of_deployments_is_reported():
    for explore in (flat_exploration, direct_exploration):
        outcome = explore(Deployer(MDP, 100, 2, seed=1), 0.1, 0.1)
        assert not outcome.converged and outcome.deployments == 2


@pytest.mark.parametrize("explore", [flat_exploration, direct_exploration])
@pytest.mark.parametrize("arguments, word", [({"epsilon": 0}, "epsilon"), ({"delta": 1}, "delta"),
                                             ({"share": 1}, "share"), ({"share": 0}, "share"), ({"beta": -1}, "beta")])
def test_bad_parameters_are_named_in_one_line(explore, arguments, word):
    deployer = Deployer(MDP, 100, 3)
    with pytest.raises(InvalidParameter, match=word) as caught:
        explore(deployer, **({"epsilon": 0.1, "delta": 0.1} | arguments))
    assert "\n" not in str(caught.value) and deployer.deployments == 0
