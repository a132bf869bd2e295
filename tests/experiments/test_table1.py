"""What a cell of the executed table is made of, each part against a slow way to say the same."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from derl import Deployer, planning
from derl.algorithms import layerwise_exploration
from derl.algorithms.outcome import Unfinished
from derl.experiments import InvalidSpec
from derl.experiments import table1 as stages
from derl.experiments.families import FAMILIES, draw
from derl.experiments.methods import METHODS, Asked
from derl.experiments.methods.baselines import EPISODES
from derl.experiments.methods.run import MethodRun
from derl.experiments.studies import calibration, choice, no_data, rotated, seconds, table1
from derl.experiments.watched import Watched, adversarial, loss, mixture_settled, plans, settled
from derl.theory.comparison import online

SMALL = {"family": "template", "d": 5, "horizon": 3, "epsilon": 0.2, "delta": 0.1}


@pytest.mark.parametrize("family, d, horizon, more", [
    ("template", 7, 5, {}), ("lock", 6, 4, {}), ("bandit", 6, 4, {}), ("simplex", 3, 3, {}), ("tabular", 6, 3, {}),
    ("lake", 16, 3, {}), ("rare", 4, 3, {"probability": 0.01})])
def test_families(family, d, horizon, more):
    mdp, turned = (draw(family, 5, d, horizon, rotate=rotate, **more) for rotate in (False, True))
    assert (mdp.dim, mdp.horizon) == (d, horizon)
    assert abs(turned.phi - mdp.phi).max() > 0.1
    assert planning.optimal(turned).value == pytest.approx(planning.optimal(mdp).value, abs=1e-9)
    assert np.allclose(turned.transitions(), mdp.transitions(), atol=1e-9)
    assert len(adversarial(mdp)) >= 2 * d
    again = draw(family, 5, d, horizon, **more)
    assert np.array_equal(again.mu, mdp.mu)
    assert family == "lake" or not all(np.array_equal(mdp.mu, draw(family, seed, d, horizon, **more).mu)
                                       for seed in range(6, 12))


def test_a_dimension_that_a_family_does_not_have():
    with pytest.raises(InvalidSpec, match="no instance of dimension 6 with 4 layers"):
        draw("template", 0, 6, 4)
    with pytest.raises(InvalidSpec, match="family is 'ring'"):
        draw("ring", 0, 6, 4)


def test_every_cell_is_one_that_can_be_run():
    cells = list(stages.cells())
    assert {cell["family"] for cell in cells} == set(FAMILIES) and {cell["method"] for cell in cells} == set(METHODS)
    assert len({stages.key_of(cell) for cell in cells}) == len(cells)


@pytest.mark.parametrize("method, mode", [("Algorithm 1", "calibrated"), ("OLIVE", "nominal"),
                                          ("Zhang et al. 2025", "nominal")])
def test_the_oracle_chooses_the_smallest_size_at_which_enough_runs_succeed(method, mode):
    """Against all runs of all sizes of the grid, from below."""
    cell = SMALL | {"method": method, "mode": mode} | ({"c_beta": 0.125} if mode == "calibrated" else {})
    rows = choice.measure(70, **cell, runs=6)
    assert [row["size"] for row in rows] == [4**k for k in range(len(rows))]
    assert [row["chosen"] for row in rows] == [False] * (len(rows) - 1) + [True]
    for row in rows:
        failed = sum(not table1.measure(seed, **cell, size=row["size"])[0]["succeeded"] for seed in range(70, 76))
        assert (failed == 0) == row["chosen"] and row["failed"] <= failed


def test_a_size_is_left_after_too_many_failures_and_one_failure_in_ten_is_allowed(monkeypatch):
    class Run:
        def __init__(self, seed, size):
            self.succeeded = size >= 16 or size == 4 and seed % 10 != 3

    monkeypatch.setattr(choice, "one_run", lambda seed, size, **cell: (Run(seed, size), None))
    cell = {"method": "Algorithm 1", "mode": "nominal", "delta": 0.1, "runs": 10}
    assert [tuple(row.values()) for row in choice.measure(0, **cell)] == [(1, 2, 2, False), (4, 10, 1, True)]
    monkeypatch.setattr(choice, "one_run", lambda seed, size, **cell: (Run(seed, 1), None))
    never = choice.measure(0, **cell)
    assert not never[-1]["chosen"] and never[-1]["size"] == METHODS["Algorithm 1"].most()


def test_the_seeds_of_the_stages_are_disjoint():
    made = stages.with_constants({stages.place_of(cell): 0.25 for cell in stages.cells()})
    used = []
    for spec, runs in ((stages.calibration(), stages.RUNS), (stages.choices(made), stages.RUNS),
                       (stages.main(made, stages.SEEDS, False), 0)):
        used.append(set(range(spec.first, spec.first + max(spec.count, runs))))
    assert all(not one & two for one, two in itertools.combinations(used, 2))


def test_methods_with_few_seeds_have_a_stage_of_their_own():
    """Every cell is in one of the two; only the slow methods have fewer seeds, and no more than each allows."""
    made = stages.with_constants({stages.place_of(cell): 0.25 for cell in stages.cells()})
    most, few = stages.main(made, 50, False), stages.main(made, 50, True)
    limits = [method.places.seeds for method in METHODS.values() if method.places.seeds is not None]
    assert most.count == 50 > few.count == min(limits) > 0
    assert len(most.cells) + len(few.cells) == len(made) and most.cells and few.cells
    assert all(METHODS[cell["method"]].places.seeds is None for cell in most.cells)
    assert all(METHODS[cell["method"]].places.seeds is not None for cell in few.cells)
    assert (stages.main(made, 1, False).count, stages.main(made, 1, True).count) == (1, 1)


def test_a_run_that_ends_at_a_cap_or_loses_the_optimum_is_no_success():
    cell = SMALL | {"method": "Algorithm 1", "mode": "calibrated", "c_beta": 0.125}
    good = table1.one_run(3, **cell, size=4**10)[0]
    assert good.succeeded and good.stop == "own rule"
    capped = replace(good, outcome=replace(good.outcome, converged=False))
    assert capped.loss <= capped.epsilon and not capped.succeeded and capped.stop == "none"
    olive = table1.one_run(3, **SMALL, method="OLIVE", mode="nominal", size=4**8)[0]
    alive = olive.outcome.dataset.alive.copy()
    alive[0] = False
    dead = replace(olive, outcome=replace(olive.outcome, dataset=replace(olive.outcome.dataset, alive=alive)))
    assert olive.succeeded and dead.loss <= dead.epsilon and not dead.succeeded


def test_without_a_size_nothing_is_run():
    assert table1.measure(0, "Algorithm 1", "calibrated", **SMALL) == [
        {"converged": False, "stop": "none", "succeeded": False}]


def test_lsvi_ucb_can_stop_at_its_cap():
    """The noise term alone, which no bonus can lower, is below epsilon there on every family; at 2^15 it is not."""
    for _, _, horizon, epsilon in stages.BASE:
        assert online.noise(horizon, stages.DELTA, EPISODES) / EPISODES**0.5 < epsilon
    assert online.noise(4, stages.DELTA, 2**15) / 2**7.5 > 0.2


def test_a_plan_without_data_is_myopic():
    for seed in range(4):
        (row,) = no_data.measure(seed, "tabular", 6, 3, 0.1, 0.1)
        mdp = draw("tabular", seed, 6, 3)
        myopic = np.where(mdp.available, mdp.rewards(), -np.inf).argmax(axis=2)
        assert row["loss"] == pytest.approx(loss(mdp, myopic), abs=1e-9)
    assert not no_data.measure(0, "template", 5, 4, 0.2, 0.1)[0]["succeeded"]


def test_the_time_of_a_run_is_positive():
    assert seconds.measure(0, axis="base", **SMALL, method="OLIVE", mode="nominal", size=64)[0]["seconds"] > 0


def test_first_places_from_which_it_stays_good():
    assert settled([0.5, 0.1, 0.5, 0.1, 0.1], 0.2) == 4 and settled([0.1], 0.2) == 1
    assert settled([0.1, 0.3], 0.2) is None


def test_first_mean_from_which_it_stays_good():
    rng = np.random.default_rng(7)
    for _ in range(200):
        losses, repeats = rng.choice([0, 0.1, 0.5, 2], size=6), rng.integers(1, 9, size=6)
        means = np.cumsum(np.repeat(losses, repeats)) / np.arange(1, repeats.sum() + 1)
        assert mixture_settled(losses, repeats, 0.31) == settled(means, 0.31)


def test_watching_changes_nothing():
    mdp = draw("template", 1, 5, 4)
    one, two = (kind(mdp, 10**6, 30, seed=4) for kind in (Deployer, Watched))
    assert np.array_equal(layerwise_exploration(one, 0.2, 0.1).policy, layerwise_exploration(two, 0.2, 0.1).policy)
    assert one.log == two.log
    assert [stage[0].sum() for stage in two.stages] == [10**6 * k for k in range(two.deployments + 1)]


def test_optimism_is_lost_without_a_bonus():
    mdp = draw("template", 1, 5, 4)
    for c_beta, good in ((1.0, True), (1e-4, False)):
        deployer = Watched(mdp, 1000, 20, seed=4)
        outcome = layerwise_exploration(deployer, 0.2, 0.1, c_beta=c_beta)
        found = plans(mdp, deployer.stages[:-1], [record.layer for record in outcome.trace], outcome.beta)
        assert (found.optimistic == 1) == good and (found.ratio <= outcome.beta) == good


def test_the_calibrated_constant_is_the_smallest_of_the_grid():
    rows = [{"c_beta": c, "within": c >= 0.1 or i < 8} for c in calibration.GRID for i in range(10)]
    assert calibration.smallest(rows, 0.1) == 0.125 and calibration.smallest(rows, 0.2) == calibration.GRID[-1]
    gap = [{"c_beta": c, "within": c != 0.25} for c in calibration.GRID]  # a smaller one passes again
    assert calibration.smallest(gap, 0.1) == 0.5
    assert [row["c_beta"] for row in calibration.measure(1, "template", 5, 3, 0.2, 0.1)] == list(calibration.GRID)


def test_francis_depends_on_the_basis_only_through_its_random_direction():
    cell = {"family": "simplex", "d": 3, "horizon": 3, "epsilon": 0.05, "delta": 0.1, "c_beta": 0.1}
    assert rotated.measure(1, method="Algorithm 1", size=4**8, **cell)[0]["same_log"]
    assert not rotated.measure(1, method="FRANCIS", size=16, **cell)[0]["same_log"]


def test_what_theorems_ask_for():
    asked = {name: method.literal(5, 4, 0.2, 0.1, 0.4472, 5) for name, method in METHODS.items()}
    assert asked["Zhang et al. 2025"][1] > 1e41 and asked["Algorithm 2"][1] > 1e29
    assert asked["Algorithm 1, flat"][1] < asked["Algorithm 1"][1] < asked["Algorithms 3 and 4"][1]
    assert all(METHODS[name].literal(5, 4, 0.2, 0.1, 0.0, 5)[1] == np.inf for name in ("Algorithm 2", "MOFFLE"))


def test_a_run_that_cannot_end_is_a_row(monkeypatch):
    def never(*words, **options):
        raise Unfinished("the matrix evaluation has not ended")

    method, mdp = METHODS["Zhang et al. 2025"], draw("rare", 3, 4, 3, 0.1)
    monkeypatch.setattr("derl.algorithms.baselines.zhang.evaluate_matrix", never)
    run = MethodRun.of(mdp, method, "nominal", 0.05, 0.1, 3, method.setting(mdp, 0.05, 0.1, "nominal", 1.0, 64))
    assert run.row() == {"converged": False, "stop": "none", "succeeded": False, "batch_size": 64}


def test_the_loss_of_the_best_policy_is_zero():
    mdp = draw("tabular", 1, 6, 3)
    assert loss(mdp, planning.optimal(mdp).policy) == 0
    worst = max(loss(mdp, np.array(policy).reshape(3, 3)) for policy in itertools.islice(
        itertools.product((0, 1), repeat=9), 64))
    assert worst > 0


OF_THIS_BOOK = ("spanning policies", "designs, L = 1", "designs, L = 2", "designs, L = H", "cuts, L = 1", "cuts, L = 2",
                "cuts, L = H - 1", "Algorithm 2, best prefix")


@pytest.mark.parametrize("method", OF_THIS_BOOK)
@pytest.mark.parametrize("family, d, horizon", [("template", 5, 4), ("lock", 6, 4), ("tabular", 6, 3)])
def test_this_books_theorems_are_executed_at_their_own_n(method, family, d, horizon):
    (row,) = table1.measure(2, method, "theorem", family=family, d=d, horizon=horizon, epsilon=0.2, delta=0.1)
    layers = {"1": 1, "2": 2, "H": horizon, "H - 1": horizon - 1}.get(method.partition("L = ")[2])
    if layers:
        assert row["deployments"] == -(-(horizon - method.startswith("cuts")) // layers)
    assert row["succeeded"] and row["converged"] and row["invariant"] and row["batch_size"] > 10**6
    assert (row["nu"] is None) == (METHODS[method].nu == "no")


def test_the_same_methods_fail_with_too_few_trajectories():
    mdp = draw("lock", 1, 6, 4)
    for method in OF_THIS_BOOK:
        known = METHODS[method]
        failed = [not MethodRun.of(mdp, known, "nominal", 0.2, 0.1, seed,
                                 known.setting(mdp, 0.2, 0.1, "nominal", 1.0, 1)).succeeded for seed in range(6)]
        assert any(failed), method


@pytest.mark.parametrize("p", [1e-3, 0.0])
def test_without_reachability_n_does_not_see_what_is_rare(p):
    for method in ("designs, L = H", "cuts, L = 1", "cuts, L = H - 1"):
        rare = {"family": "rare", "d": 4, "horizon": 3, "epsilon": 0.05, "delta": 0.1}
        (row,) = table1.measure(1, method, "theorem", probability=p, **rare)
        assert row["succeeded"] and row["nu"] is None and row["invariant"]
        (often,) = table1.measure(1, method, "theorem", probability=0.1, **rare)
        assert often["batch_size"] == row["batch_size"]
    often, rarely = (METHODS["Algorithm 2, best prefix"].theorem(Asked(4, 3, 0.05, 0.1, nu=nu)).batch_size
                     for nu in (0.3, 0.03))
    assert rarely > 100 * often


def test_a_policy_deployed_where_an_action_is_missing_is_allowed():
    mdp = draw("template", 3, 5, 4)
    assert not mdp.available[:, :, 0].all()
    known = METHODS["spanning policies"]
    run = MethodRun.of(mdp, known, "nominal", 0.2, 0.1, 3, known.setting(mdp, 0.2, 0.1, "nominal", 1.0, 256))
    assert run.succeeded and run.outcome.deployments <= mdp.dim * mdp.horizon + 1
