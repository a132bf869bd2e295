"""Rows of the experiments, field by field, for runs that are written out here."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from derl.experiments import blocks_at_size, one_deployment, small_batches
from derl.experiments.families import draw
from derl.experiments.methods import method as methods
from derl.experiments.methods.run import MethodRun, changes
from derl.experiments.studies import calibration, choice, known_law, rotated, table1
from derl.experiments.studies import run as study
from derl.experiments.summary import median, share
from derl.experiments.sweep import kept
from derl.experiments.watched import adversarial, mixture_settled, settled


def test_the_median_of_an_even_sample_is_the_lower_one_of_the_middle():
    assert median([4, 1, 3, 2]).value == 2 and median([1, 2]).value == 1
    assert share([1.0, 0.99, True, None]).value == 0.5  # a fraction counts where it is whole
    found = share([True] * 3 + [False] * 7)  # Clopper and Pearson for 3 of 10, from their tables
    assert (found.low, found.high) == (pytest.approx(0.0667, abs=1e-4), pytest.approx(0.6525, abs=1e-4))


def test_what_is_kept_has_six_digits():
    assert kept(1 / 3) == 0.333333 and kept(np.float64(123456.7)) == 123457 and kept(np.bool_(True)) is True
    assert kept(math.nan) is None and kept(2**63) == 9.22337e18 and kept(2**62) == 2**62 and kept("x") == "x"


def test_settled_is_where_no_loss_above_epsilon_follows():
    assert [settled(losses, 0.1) for losses in ([0.0, 0.2, 0.1], [0.2, 0.0, 0.2], [0.1], [0.2, 0.3, 0.0, 0.0])] == [
        3, None, 1, 3]
    # one deployment of loss 1, then loss 0: the mean is at most 1/4 from the fourth deployment on
    assert mixture_settled([1.0, 0.0], [1, 9], 0.25) == 4
    assert mixture_settled([0.25], [7], 0.25) == 1 and mixture_settled([0.0, 1.0], [1, 9], 0.25) is None


def test_rewards_that_are_tried_are_each_direction_alone_and_in_all_layers_and_three_more():
    mdp = draw("tabular", 1, 6, 3)
    tried = adversarial(mdp, 4)
    assert tried.shape == (2 * 6 + 3, 3, 6)
    for i in range(6):
        assert not tried[i, :2].any() and tried[i, 2].tolist() == np.eye(6)[i].tolist()
        assert (tried[6 + i] == np.eye(6)[i]).all()
    rows = mdp.mu.transpose(0, 2, 1)  # a tabular model: mu of a pair is its row, and most of a row is on few states
    assert np.mean(rows.max(axis=1) > 0.6) > 0.5


def row(policy):
    return SimpleNamespace(policy=policy)


def test_stretches_of_one_policy_are_counted():
    assert changes([row("a"), row("a"), row("b"), row("a")]) == 3 and changes([row("a")]) == 1


def run_of(outcome, ratio=None, **declared):
    plain = {"reward_free": False, "scheduled": False, "mixture": False, "sound": lambda run: True,
             "certificate": lambda run: 0.25, "invariant": lambda run: True, "optimism": lambda run: (0.5, ratio)}
    log = [SimpleNamespace(policy=policy, deterministic=True, n_policies=1) for policy in "aab"]
    return MethodRun(SimpleNamespace(horizon=7), SimpleNamespace(**plain | declared), "nominal", 0.1, 0.1,
                     SimpleNamespace(batch_size=16, draws="exact"), {}, SimpleNamespace(log=log, seed=0), outcome)


@pytest.mark.parametrize("ratio, beta, within", [(None, 1.0, None), (1.0, 1.0, True), (1.5, 1.0, False)])
def test_a_row_of_the_table(monkeypatch, ratio, beta, within):
    outcome = SimpleNamespace(converged=True, deployments=3, trajectories=48, beta=beta, policy="p", trace=())
    monkeypatch.setattr(MethodRun, "anytime", lambda self: 2)
    run = run_of(outcome, ratio)
    run.__dict__.update(loss=0.05, worst=0.75)
    assert run.row() == {
        "converged": True, "stop": "own rule", "succeeded": True, "batch_size": 16, "deployments": 3,
        "trajectories": 48, "loss": 0.05, "worst": 0.75, "certified": 0.25, "anytime": 2, "anytime_trajectories": 32,
        "optimistic": 0.5, "within": within, "distinct": 2, "changes": 2, "invariant": True, "draws": "exact"}


def test_what_a_success_needs():
    def succeeded(loss, worst, converged=True, **declared):
        run = run_of(SimpleNamespace(converged=converged), **declared)
        run.__dict__.update(loss=loss, worst=worst)
        return run.succeeded, run.stop

    assert succeeded(0.1, 0.5) == (True, "own rule") and succeeded(0.11, 0.0) == (False, "own rule")
    assert succeeded(0.1, 0.5, reward_free=True) == (False, "own rule")
    assert succeeded(0.0, 0.0, converged=False) == (False, "none")
    assert succeeded(0.0, 0.0, converged=False, scheduled=True) == (True, "schedule")
    assert succeeded(0.0, 0.0, sound=lambda run: False)[0] is False
    broken = run_of(None)
    assert (broken.loss, broken.stop, broken.succeeded) == (7.0, "none", False)
    assert broken.row() == {"converged": False, "stop": "none", "succeeded": False, "batch_size": 16}


def test_the_certificate_of_a_threshold_is_epsilon_times_statistic_over_threshold():
    last = SimpleNamespace(layer=7, statistic=0.5, threshold=2.0)
    run = run_of(SimpleNamespace(trace=[last]))
    assert methods.by_threshold(run) == pytest.approx(0.1 / 4)
    last.layer = 6
    assert methods.by_threshold(run) is None
    assert methods.violations(5, 4, 10) == 2 * 5 * 4 + 1 and methods.one_each(5, 4, 10) == 4


def test_episodes_are_of_one_layer_and_all_layers_are_deployed():
    method = methods.Method("x", None, searched="episodes", options=methods.fixed(pace=2))
    mdp = SimpleNamespace(dim=5, horizon=4)
    setting = method.setting(mdp, 0.1, 0.1, "nominal", 1.0, 30)
    assert (setting.batch_size, setting.max_deployments, setting.options) == (1, 120, {"pace": 2, "episodes": 30})
    other = methods.Method("x", None, searched="deployments").setting(mdp, 0.1, 0.1, "nominal", 1.0, 30)
    assert (other.batch_size, other.max_deployments) == (1, 30)
    plain = methods.Method("x", None).setting(mdp, 0.1, 0.1, "nominal", 1.0, 30)
    assert (plain.batch_size, plain.max_deployments) == (30, 41)


def test_the_smallest_constant_is_the_last_of_the_grid_before_too_many_runs_fail():
    """Ten runs: 1 and 1/2 always suffice, 1/4 in nine, 1/8 in eight, and 1/16 in all again."""
    good = {1.0: 10, 0.5: 10, 0.25: 9, 0.125: 8, 0.0625: 10, 0.03125: 0, 0.015625: 0}
    rows = [{"c_beta": c, "within": i < many} for c, many in good.items() for i in range(10)]
    assert calibration.GRID == tuple(good) and calibration.BATCH == 2**20
    assert calibration.smallest(rows, 0.1) == 0.25 and calibration.smallest(rows, 0.05) == 0.5
    assert calibration.smallest(rows, 0.2) == 0.0625


@pytest.mark.parametrize("ratio, within", [(0.5, True), (1.0, True), (1.5, True), (1.6, False)])
def test_a_run_is_within_its_bonus_where_no_error_exceeds_beta(monkeypatch, ratio, within):
    monkeypatch.setattr(calibration, "GRID", (0.5,))
    monkeypatch.setattr(calibration, "Watched", lambda *words, **options: SimpleNamespace(stages=[1, 2]))
    monkeypatch.setattr(calibration, "layerwise_exploration", lambda *words, c_beta: SimpleNamespace(
        trace=[SimpleNamespace(layer=3)], beta=3 * c_beta))
    monkeypatch.setattr(calibration, "plans", lambda mdp, stages, layers, beta: SimpleNamespace(
        ratio=ratio, optimistic=0.75))
    monkeypatch.setattr(calibration, "draw", lambda *where: None)
    assert calibration.measure(0, "template", 5, 3, 0.1, 0.1) == [
        {"c_beta": 0.5, "within": within, "optimistic": 0.75}]


def test_the_oracle_allows_a_share_delta_of_failures_and_begins_with_its_own_seed(monkeypatch):
    """Nine of ten runs may fail in one: sizes 1 and 4 fail on two seeds, 16 on one."""
    seen = []

    def one_run(seed, size, **where):
        seen.append((size, seed))
        return SimpleNamespace(succeeded=seed != 53 and (size >= 16 or seed != 51)), None

    monkeypatch.setattr(choice, "one_run", one_run)
    rows = choice.measure(50, "Algorithm 1", "nominal", 0.19, 10)
    assert [(row["size"], row["tried"], row["failed"], row["chosen"]) for row in rows] == [
        (1, 4, 2, False), (4, 4, 2, False), (16, 10, 1, True)]
    assert [seed for size, seed in seen if size == 16] == list(range(50, 60))


def test_blocks_of_a_junk_lock_cover_all_layers(monkeypatch):
    asked = []
    monkeypatch.setattr(known_law, "block_exploration", lambda deployer, epsilon, delta, block, **options: (
        asked.append((block, deployer.max_deployments, options)) or SimpleNamespace(policy=None)))
    monkeypatch.setattr(known_law, "known_law_block_exploration",
                        lambda deployer, epsilon, delta, first, block, **options: (
                            asked.append((first, block)) or SimpleNamespace(policy=None)))
    mdp = known_law.drawn(0, 2, 8)
    for method, number in (("one", 1), ("blocks", 3), ("known law", 3)):
        known_law.run(mdp, method, 100, number, 0)
    assert asked == [(8, 1, {"data": "pooled", "initial": 0}), (3, 3, {"data": "pooled", "initial": 0}), (0, 4)]


def test_both_bases_are_told_apart(monkeypatch):
    made = iter((SimpleNamespace(outcome=SimpleNamespace(policy=np.array([1]), deployments=3), loss=0.25,
                                 deployer=SimpleNamespace(log=[SimpleNamespace(policy="a", repeats=1)])),
                 SimpleNamespace(outcome=SimpleNamespace(policy=np.array([1]), deployments=4), loss=0.5,
                                 deployer=SimpleNamespace(log=[SimpleNamespace(policy="b", repeats=1)]))))
    monkeypatch.setattr(rotated.MethodRun, "of", lambda *words: next(made))
    (found,) = rotated.measure(0, "template", "Algorithm 1", 5, 3, 0.1, 0.1, 1.0, 16)
    assert found == {"same_policy": True, "same_log": False, "deployments": 3, "deployments_rotated": 4, "loss": 0.25,
                     "loss_rotated": 0.5}


def test_a_run_by_name_loses_what_the_optimum_is_worth_more():
    (found,) = study.measure(3, "layerwise_exploration", "optimism_trap", 0.2, 0.1, 10**12, version="as-printed")
    assert found["suboptimality"] == pytest.approx(0.24) == found["optimal_value"] - found["value"]
    assert found["trajectories"] == found["deployments"] * 10**12 and found["converged"] is True


def test_what_is_not_said_of_a_cell_is_one(monkeypatch):
    asked = []
    monkeypatch.setattr(table1, "draw", lambda *where: where)
    monkeypatch.setattr(table1.MethodRun, "of", lambda mdp, found, mode, epsilon, delta, seed, setting: setting)
    monkeypatch.setattr(methods.Method, "setting", lambda self, mdp, epsilon, delta, mode, *rest: asked.append(rest))
    table1.one_run(0, "Algorithm 1", "nominal", "template", 5, 3, 0.1, 0.1)
    table1.one_run(0, "Algorithm 1", "nominal", "template", 5, 3, 0.1, 0.1, c_beta=0.5, size=7)
    assert asked == [(1.0, 1, None), (0.5, 7, None)]
    assert table1.measure(0, "Algorithm 1", "nominal", family="template", d=5, horizon=3, epsilon=0.1, delta=0.1) == [
        {"converged": False, "stop": "none", "succeeded": False}]


def test_small_batches_are_run_at_their_accuracy():
    assert (small_batches.EPSILON, small_batches.DELTA) == (1.0, 0.1)
    found = small_batches.measured(small_batches.SPECS[2], 10**12, 60)
    assert found.converged and found.gap <= 1.0 and found.deployments <= small_batches.bound(
        small_batches.SPECS[2], 10**12)


def test_the_search_for_a_size_starts_where_it_is_necessary(monkeypatch):
    """necessary_size 100: 2^6.5 = 90 is the first power of the root of 2; losses 1, 1/2, 1/4 end at 2^7.5 = 181."""
    tried = []
    monkeypatch.setattr(one_deployment, "necessary_size", lambda *where: 100.0)
    monkeypatch.setattr(one_deployment, "mean_loss", lambda d, horizon, bias, size, locks, seed, version: (
        tried.append(size) or 2.0 / 2 ** len(tried)))
    assert one_deployment.measured_size(3, 3, 0.1, 4, 0) == 181 and tried == [90, 128, 181]


def test_a_run_of_blocks_reports_the_largest_loss_and_the_largest_cover(monkeypatch):
    """Two seeds: losses 0.25 and 0.5, and covers of 2, 3 and of 5, 1 policies; half of N = 2^64 is Gaussian."""
    asked = []
    monkeypatch.setattr(blocks_at_size, "size", lambda family, block: (0.125, 2**65))
    monkeypatch.setattr(blocks_at_size, "block_exploration", lambda deployer, epsilon, delta, block, nu: (
        asked.append((deployer.batch_size, deployer.mode, nu))
        or SimpleNamespace(policy=len(asked), trace=[SimpleNamespace(n_policies=n)
                                                     for n in ((2, 3), (5, 1))[len(asked) - 1]])))
    monkeypatch.setattr(blocks_at_size.planning, "optimal", lambda mdp: SimpleNamespace(value=1.0))
    monkeypatch.setattr(blocks_at_size.planning, "evaluate", lambda mdp, policy: SimpleNamespace(
        value={1: 0.75, 2: 0.5}[policy]))
    found = blocks_at_size.run.__wrapped__("rare state, p = 1/20", 3, 0.5, 2)
    assert (found.family, found.block, found.deployments, found.nu) == ("rare state, p = 1/20", 3, 2, 0.125)
    assert (found.batch_size, found.gap, found.cover, found.approximate) == (2**64, 0.5, 5, True)
    assert asked == [(2**64, "gaussian", 0.125)] * 2
