"""`derl table1`: all stages on one small family, and a method that is declared once is in every stage and table."""

import numpy as np
import pytest
from click.testing import CliRunner

from derl.algorithms import Outcome
from derl.algorithms.catalogue import Entry
from derl.algorithms.dataset import Regressions
from derl.cli import main
from derl.deployment import known_part
from derl.experiments import InvalidSpec
from derl.experiments import table1 as stages
from derl.experiments.methods import METHODS, Method
from derl.experiments.studies import table1 as study
from derl.experiments.table import load
from derl.mdp.policies import compose
from derl.show.comparison import executed

CELL = {"family": "template", "d": 5, "horizon": 3, "epsilon": 0.3, "delta": 0.1, "axis": "base"}


def test_the_whole_table_on_one_small_family(tmp_path, monkeypatch):
    monkeypatch.setattr(stages, "cells", lambda: iter([CELL | {"method": "Algorithm 1", "mode": "calibrated"},
                                                       CELL | {"method": "OLIVE", "mode": "theorem"}]))
    monkeypatch.setattr(stages, "TURNED", (("template", 5, 3, 0.3),))
    monkeypatch.setattr(stages, "METHODS", {name: stages.METHODS[name] for name in ("Algorithm 1", "OLIVE")})
    found = CliRunner().invoke(main, ["table1", "--seeds", "2", "--out", str(tmp_path), "--jobs", "1"])
    assert found.exit_code == 0, found.output
    rows, _ = load(tmp_path / "table1.parquet")
    assert [(row["method"], row["seed"]) for row in rows if row["axis"] == "base"] == [
        ("Algorithm 1", 0), ("Algorithm 1", 1), ("OLIVE", 0), ("OLIVE", 1)]
    assert all(row["succeeded"] for row in rows) and len(load(tmp_path / "rotated.parquet")[0]) == 4


def first_action(deployer, epsilon, delta) -> Outcome:
    """A toy: one batch of the policy that takes the first action everywhere, which is also what it returns."""
    known = known_part(deployer)
    policy = compose(known, np.zeros((0, known.n_states), int), 0, 0)
    batch = deployer.deploy(policy)
    return Outcome(policy=policy, deployments=1, trajectories=deployer.batch_size, converged=True, trace=(), beta=0.0,
                   dataset=Regressions(known, batch.counts))


def test_one_declaration_adds_a_method_to_every_stage_and_table(tmp_path, monkeypatch):
    toy = Method("a toy", Entry(first_action, "the first action everywhere"), bonus=False, scheduled=True,
                 deployments=lambda d, horizon, size: 1, nu="a toy needs none")
    monkeypatch.setattr(stages, "BASE", (("template", 5, 3, 0.6),))
    monkeypatch.setattr(stages, "TURNED", (("template", 5, 3, 0.6),))
    for name in ("VARIED", "RARE"):
        monkeypatch.setattr(stages, name, type(getattr(stages, name))())
    for name in [name for name in METHODS if name != "Algorithm 1"]:
        monkeypatch.delitem(METHODS, name)
    monkeypatch.setitem(METHODS, toy.label, toy)
    found = CliRunner().invoke(main, ["table1", "--seeds", "2", "--out", str(tmp_path), "--jobs", "1"])
    assert found.exit_code == 0, found.output
    rows, _ = load(tmp_path / "table1.parquet")
    ours = [row for row in rows if row["method"] == "a toy" and row["axis"] == "base"]
    assert [row["mode"] for row in ours] == ["nominal"] * 2 and {row["deployments"] for row in ours} == {1}
    assert {row["invariant"] for row in ours} == {row["certified"] for row in ours} == {None}
    assert {row["method"] for row in load(tmp_path / "rotated.parquet")[0]} == {"a toy", "Algorithm 1"}
    monkeypatch.setattr(executed, "recorded", lambda name="table1": (tuple(rows) if name == "table1" else (), {}))
    for clear in (executed.of_method, executed.sizes):
        clear.cache_clear()
    try:
        shown = [table(family="template") for table in (executed.of_family, executed.overview, executed.losses)]
        assert all("a toy" in [row[0] for row in body] for _, body in shown)
        assert next(row for row in shown[2][1] if row[0] == "a toy")[-2:] == ["a toy needs none", "yes"]
        assert "a toy" in [row[0] for row in executed.promised()[1]]
    finally:
        for clear in (executed.of_method, executed.sizes):
            clear.cache_clear()


def test_a_method_that_was_not_declared_is_refused():
    with pytest.raises(InvalidSpec, match="method is 'a toy'"):
        study.measure(0, "a toy", "nominal", family="template", d=5, horizon=3, epsilon=0.3, delta=0.1)


def test_a_stage_waits_for_the_one_before(tmp_path):
    coming = stages.stages(2, tmp_path)
    assert next(coming)[0] == "calibration"
    with pytest.raises(InvalidSpec, match="is not done"):
        next(coming)
