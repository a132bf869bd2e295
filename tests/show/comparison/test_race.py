"""The race is what the four algorithms do."""

import numpy as np

from derl.algorithms import layerwise_exploration
from derl.algorithms.baselines import zhang
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


def test_your_own_instance_races_or_is_told_why_not():
    runs = playground.view(len(playground.CLOCK), playground.OWN, playground.STARTS["two ways"], 8, 0.2, 1.0)
    assert "Algorithm 1 stopped" in runs.sentence and not runs.idle
    wrong = playground.view(3, playground.OWN, playground.STARTS["not linear yet"], 8, 0.2, 1.0)
    assert wrong.sentence.startswith("✗ No race") and wrong.marks and "tick" in wrong.idle
    assert playground.view(3, "lock", "anything", 8, 0.2, 1.0).idle == ("text",)


def test_too_little_data_is_told():
    runners = playground.race(playground.OWN, 4, 0.2, 1.0, playground.STARTS["two ways"])
    assert runners[-1].end == "broke off" and 0 < runners[-1].deployments <= playground.HORIZON
    last = playground.view(len(playground.CLOCK), playground.OWN, playground.STARTS["two ways"], 4, 0.2, 1.0)
    assert f"Zhang et al. broke off at K = {runners[-1].deployments}, on too little data" in last.sentence


def test_the_pace_of_the_lab_changes_nothing_that_is_shown():
    mdp = playground.INSTANCES["simplex"]()
    with_pace, without = (zhang.zhang_2025(Deployer(mdp, 10**6, mdp.horizon, "any"), 0.2, 0.1, pace=pace)
                          for pace in (playground.PACE, 0.0))
    assert planning.gap(mdp, with_pace.policy) == planning.gap(mdp, without.policy)
    assert with_pace.deployments == without.deployments and with_pace.converged == without.converged
    for one, other in zip(with_pace.trace, without.trace, strict=True):
        assert one.n_policies <= 1.02 * other.n_policies
        assert abs(planning.gap(mdp, one.policy) - planning.gap(mdp, other.policy)) < 0.01
