"""The race is what the four algorithms do."""

import numpy as np

from derl.algorithms import layerwise_exploration
from derl.deployment import Deployer
from derl.mdp import planning
from derl.show.comparison import playground


def test_every_runner_is_a_run():
    runners = {runner.name: runner for runner in playground.race("lock", 8, 0.2, 1.0)}
    mdp = playground.INSTANCES["lock"]()
    outcome = layerwise_exploration(Deployer(mdp, 10**8, playground.PATIENCE), 0.2, playground.DELTA)
    one = runners["Algorithm 1"]
    assert (one.deployments, one.finished) == (outcome.deployments, outcome.converged)
    assert one.loss[-1] == planning.gap(mdp, outcome.policy)
    assert runners["Algorithm 2"].deployments == runners["Zhang et al."].deployments == mdp.horizon
    online = runners["LSVI-UCB"]
    assert online.batch_size == 1 and online.deployments == playground.PATIENCE and not online.finished
    assert all((np.diff(runner.at) >= 0).all() and (runner.loss > -1e-12).all() for runner in runners.values())


def test_the_sentence_says_who_runs_and_who_has_stopped():
    early = playground.view(1, "lock", "", 8, 0.2, 1.0).sentence
    late = playground.view(len(playground.CLOCK), "lock", "", 8, 0.2, 1.0).sentence
    assert "Algorithm 1 runs" in early and "Algorithm 1 stopped" in late and "LSVI-UCB gave up at K = 120" in late
