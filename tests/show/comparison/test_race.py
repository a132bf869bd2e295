"""The race is what the four algorithms do."""

import numpy as np
import pytest

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
    runners = playground.race(playground.OWN, 2, 0.2, 1.0, playground.STARTS["two ways"])
    assert runners[-1].end == "broke off" and 0 < runners[-1].deployments <= playground.HORIZON
    last = playground.view(len(playground.CLOCK), playground.OWN, playground.STARTS["two ways"], 2, 0.2, 1.0)
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


def runner(name, made, size, finished, at, loss):
    return playground.Runner(name, made, size, finished, np.array(at), np.array(loss))


def test_the_pictures_of_the_race_at_a_clock_by_hand():
    """One method has stopped after 3 deployments of 100, the other is at 5 of 8 deployments of 10."""
    runners = [runner("short", 3, 100, True, [1, 3, 3], [0.5, 0.25, 0.125]),
               runner("long", 8, 10, False, [2, 5, 8, 8], [1.0, 0.75, 0.5, 0.5])]
    axes = playground.losses(runners, 5, 0.2).axes[0]
    curves = [line for line in axes.lines if line.get_label() in ("short", "long")]
    assert [[list(part) for part in line.get_data()] for line in curves] == [
        [[1, 3, 3], [0.5, 0.25, 0.125]], [[2, 5], [1.0, 0.75]]]
    stars = [line for line in axes.lines if line.get_marker() == "*"]
    assert [(line.get_xdata()[0], line.get_ydata()[0]) for line in stars] == [(3, 0.125)]
    bars = playground.spent(runners, 5).axes[0]
    widths = [patch.get_width() for patch in bars.patches]
    assert widths == pytest.approx([np.log10(300) + 0.05, np.log10(50) + 0.05])
    assert [note.get_text() for note in bars.texts] == [f"K = 3, {runners[0].end}", "K = 5, runs"]
    assert bars.get_xlim() == pytest.approx((0, np.log10(300) + 0.3))
