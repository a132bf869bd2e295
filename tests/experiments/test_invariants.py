"""What must hold in every run: kept by runs, and each noticed where it is broken."""

from dataclasses import replace

import numpy as np
import pytest

from derl import Deployer
from derl.algorithms import layerwise_exploration, low_switching_lsvi
from derl.experiments import invariants
from derl.experiments.families import draw
from derl.experiments.methods import METHODS
from derl.experiments.studies import table1
from derl.theory.comparison import online


def test_invariants_notice_what_is_too_much():
    mdp = draw("template", 1, 5, 3)
    outcome = low_switching_lsvi(Deployer(mdp, 1, 10**6), 0.2, 0.1, c_beta=0.1)
    assert invariants.kept("low_switching_lsvi", mdp, outcome, {"eta": 2.0}, 0.2, 1)
    assert len(outcome.trace) <= online.switches(5, 3, outcome.trajectories, 2.0)
    often = low_switching_lsvi(Deployer(mdp, 1, 2000), 1e-9, 0.1, c_beta=0.1, eta=1.01)
    assert not invariants.kept("low_switching_lsvi", mdp, often, {"eta": 2.0}, 0.2, 1)
    run = layerwise_exploration(Deployer(mdp, 10**6, 99), 0.2, 0.1, c_beta=0.1)
    assert invariants.kept("layerwise_exploration", mdp, run, {}, 0.2, 10**6)
    assert not invariants.kept("layerwise_exploration", mdp, replace(run, deployments=10**4), {}, 0.2, 10**6)


def planted(outcome, **changes):
    """An outcome whose last record says something else."""
    return replace(outcome, trace=(*outcome.trace[:-1], replace(outcome.trace[-1], **changes)))


def executed_run(method, mode="nominal", size=4**6, family="lock", seed=1, **more):
    mdp = draw(family, seed, 6, 4)
    known = METHODS[method]
    setting = known.setting(mdp, 0.2, 0.1, mode, 0.125, size, more.get("nu"))
    return table1.Run(mdp, known, mode, 0.2, 0.1, seed, setting)


@pytest.mark.parametrize("method, size, changes", [
    ("spanning policies", 64, {"statistic": 1.01}), ("designs, L = 1", 64, {"n_policies": 7}),
    ("cuts, L = 1", 4096, {"excess": 1.26}), ("cuts, L = 1", 4096, {"n_policies": 7}),
    ("cuts, L = 1", 4096, {"replacements": 61}), ("LSVI-UCB", 1, {"statistic": 1e3}),
    ("FRANCIS", 16, {"log_det": 40.0}), ("FRANCIS", 16, {"log_det": -1.0})])
def test_each_invariant_notices_what_cannot_be(method, size, changes):
    run = executed_run(method, "calibrated" if METHODS[method].bonus else "nominal", size)
    name, setting = METHODS[method].name, run.setting

    def kept(outcome):
        return invariants.kept(name, run.mdp, outcome, run.task.options, 0.2, setting.batch_size, 0.1,
                               setting.max_deployments)

    assert kept(run.outcome) and not kept(planted(run.outcome, **changes))


def test_the_list_of_algorithm_2_is_as_short_as_the_potential_says():
    run = executed_run("Algorithm 2, spectral", "nominal", 4**12, nu=0.4)
    kept = [invariants.kept("arbitrary_policy_exploration", run.mdp, outcome, run.task.options, 0.2, 4**12)
            for outcome in (run.outcome, planted(run.outcome, iterations=10**7))]
    assert kept == [True, False]
    blind = executed_run("Algorithm 2, self-certifying", "calibrated", 4**12)
    assert invariants.kept("arbitrary_policy_exploration", blind.mdp, blind.outcome, blind.task.options, 0.2, 4) is None


def test_a_prefix_that_is_too_uncertain_is_noticed():
    run = executed_run("Algorithm 2, best prefix", "calibrated", 4**12)
    cover = run.outcome.trace[-1].cover
    worse = planted(run.outcome, cover=replace(cover, values=np.full_like(cover.values, 10.0)))
    assert [invariants.kept("prefix_exploration", run.mdp, outcome, run.task.options, 0.2, 4**12)
            for outcome in (run.outcome, worse)] == [True, False]
    silent = replace(run.outcome, trace=tuple(replace(record, finished=False) for record in run.outcome.trace))
    assert invariants.kept("prefix_exploration", run.mdp, silent, run.task.options, 0.2, 4**12) is None


def test_pessimism_is_lost_without_a_penalty():
    broken = 0
    for seed in range(12):
        mdp = draw("tabular", seed, 6, 3)
        known = METHODS["uniform, pessimistic"]
        run = table1.Run(mdp, known, "nominal", 0.1, 0.1, seed, known.setting(mdp, 0.1, 0.1, "nominal", 1.0, 256))
        assert run.row()["invariant"]
        broken += not invariants.kept("uniform_pessimism", mdp, replace(run.outcome, beta=1e-9), {}, 0.1, 256)
    assert broken


def test_more_policies_than_the_potential_allows_are_noticed():
    run = executed_run("MOFFLE", "nominal", 4**6)
    options = run.task.options
    assert invariants.kept("moffle", run.mdp, run.outcome, options, 0.2, 4**6)
    crowd = replace(run.outcome, trace=run.outcome.trace * 40)
    assert not invariants.kept("moffle", run.mdp, crowd, options, 0.2, 4**6)


def test_olive_without_the_optimum_and_rounds_without_end_are_noticed():
    run = executed_run("OLIVE", "nominal", 4**4)
    assert invariants.kept("olive", run.mdp, run.outcome, {}, 0.2, 1)
    alive = run.outcome.dataset.copy()
    alive[0] = False
    assert not invariants.kept("olive", run.mdp, replace(run.outcome, dataset=alive), {}, 0.2, 1)
    zhang = executed_run("Zhang et al. 2025", "nominal", 4**6)
    options = zhang.task.options
    assert invariants.kept("zhang_2025", zhang.mdp, zhang.outcome, options, 0.2, 1)
    assert not invariants.kept("zhang_2025", zhang.mdp, planted(zhang.outcome, rounds=10**5), options, 0.2, 1)
    design = executed_run("Qiao and Wang 2023", "nominal", 4**6)
    assert invariants.kept("qiao_wang_2023", design.mdp, design.outcome, design.task.options, 0.2, 1)
    assert not invariants.kept("qiao_wang_2023", design.mdp, planted(design.outcome, gap=100.0), design.task.options,
                               0.2, 1)
