"""What must hold in every run: kept by runs, and each noticed where it is broken."""

from dataclasses import replace

import numpy as np
import pytest

from derl.experiments.families import draw
from derl.experiments.methods import METHODS
from derl.experiments.methods.run import MethodRun
from derl.theory.comparison import online


def kept(run, outcome=None, **changes):
    """What the method's invariant says of a run, with another outcome or other facts in the place of its own."""
    return run.method.invariant(replace(run, outcome=outcome or run.outcome, **changes))


def planted(outcome, **changes):
    """An outcome whose last record says something else."""
    return replace(outcome, trace=(*outcome.trace[:-1], replace(outcome.trace[-1], **changes)))


def executed_run(method, mode="nominal", size=4**6, family="lock", seed=1, **more):
    mdp = draw(family, seed, 6, 4)
    known = METHODS[method]
    setting = known.setting(mdp, 0.2, 0.1, mode, 0.125, size, more.get("nu"))
    return MethodRun.of(mdp, known, mode, 0.2, 0.1, seed, setting)


def executed_with(method, size, most, epsilon=0.2, **options):
    mdp, known = draw("template", 1, 5, 3), METHODS[method]
    setting = replace(known.setting(mdp, epsilon, 0.1, "calibrated", 0.1, size), batch_size=size, max_deployments=most,
                      options=options)
    return MethodRun.of(mdp, known, "calibrated", epsilon, 0.1, 0, setting)


def test_invariants_notice_what_is_too_much():
    run = executed_with("low switching", 1, 10**6, c_beta=0.1)
    assert kept(run) and len(run.outcome.trace) <= online.switches(5, 3, run.outcome.trajectories, 2.0)
    often = executed_with("low switching", 1, 2000, 1e-9, c_beta=0.1, eta=1.01)
    assert not kept(often, options={"eta": 2.0})
    run = executed_with("Algorithm 1", 10**6, 99, c_beta=0.1)
    assert kept(run) and not kept(run, replace(run.outcome, deployments=10**4))


@pytest.mark.parametrize("method, size, changes", [
    ("spanning policies", 64, {"statistic": 1.01}), ("designs, L = 1", 64, {"n_policies": 7}),
    ("cuts, L = 1", 4096, {"excess": 1.26}), ("cuts, L = 1", 4096, {"n_policies": 7}),
    ("cuts, L = 1", 4096, {"replacements": 61}), ("LSVI-UCB", 1, {"statistic": 1e3}),
    ("FRANCIS", 16, {"log_det": 40.0}), ("FRANCIS", 16, {"log_det": -1.0})])
def test_each_invariant_notices_what_cannot_be(method, size, changes):
    run = executed_run(method, "calibrated" if METHODS[method].bonus else "nominal", size)
    assert kept(run) and not kept(run, planted(run.outcome, **changes))


def test_the_list_of_algorithm_2_is_as_short_as_the_potential_says():
    run = executed_run("Algorithm 2, spectral", "nominal", 4**12, nu=0.4)
    assert [kept(run), kept(run, planted(run.outcome, iterations=10**7))] == [True, False]
    assert kept(executed_run("Algorithm 2, self-certifying", "calibrated", 4**12)) is None


def test_a_prefix_that_is_too_uncertain_is_noticed():
    run = executed_run("Algorithm 2, best prefix", "calibrated", 4**12)
    cover = run.outcome.trace[-1].cover
    worse = planted(run.outcome, cover=replace(cover, values=np.full_like(cover.values, 10.0)))
    assert [kept(run), kept(run, worse)] == [True, False]
    silent = replace(run.outcome, trace=tuple(replace(record, finished=False) for record in run.outcome.trace))
    assert kept(run, silent) is None


def test_pessimism_is_lost_without_a_penalty():
    broken = 0
    for seed in range(12):
        mdp = draw("tabular", seed, 6, 3)
        known = METHODS["uniform, pessimistic"]
        run = MethodRun.of(mdp, known, "nominal", 0.1, 0.1, seed, known.setting(mdp, 0.1, 0.1, "nominal", 1.0, 256))
        assert run.row()["invariant"]
        broken += not kept(run, replace(run.outcome, beta=1e-9))
    assert broken


def test_more_policies_than_the_potential_allows_are_noticed():
    run = executed_run("MOFFLE", "nominal", 4**6)
    assert kept(run) and not kept(run, replace(run.outcome, trace=run.outcome.trace * 40))


def test_olive_without_the_optimum_and_rounds_without_end_are_noticed():
    run = executed_run("OLIVE", "nominal", 4**10)
    alive = run.outcome.dataset.alive.copy()
    alive[0] = False
    dead = replace(run.outcome, dataset=replace(run.outcome.dataset, alive=alive))
    assert kept(run) and not kept(run, dead) and run.method.optimism(run) == (1.0, None)
    assert run.method.optimism(replace(run, outcome=dead)) == (0.0, None)
    zhang = executed_run("Zhang et al. 2025", "nominal", 4**6)
    assert kept(zhang) and not kept(zhang, planted(zhang.outcome, rounds=10**5))
    design = executed_run("Qiao and Wang 2023", "nominal", 4**6)
    assert kept(design) and not kept(design, planted(design.outcome, gap=100.0))
