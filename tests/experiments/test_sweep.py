"""Sweeps: what a specification means, what is kept, and that it does not matter who does the work."""

import importlib.machinery
import json
import sys
import types

import numpy as np
import pytest
import yaml
from click.testing import CliRunner
from hypothesis import example, given, settings
from hypothesis import strategies as st

from derl.cli import main
from derl.experiments import InvalidSpec, Spec, run_sweep, table
from derl.experiments import sweep as sweeping
from derl.experiments.sweep import SweepFailed, code_digest, kept, measured, rows
from derl.inputs import Invalid, plugins
from derl.mdp import instances, planning

TEXT = """
study: run
fixed: {epsilon: 0.2, batch_size: 1e9}
grid:
  algorithm: [one, two]
cells:
  - {delta: 0.1}
  - {delta: 0.2, epsilon: 0.5}
seeds: {first: 10, count: 5, block: 2}
"""
RUN = {"study": "run", "fixed": {"epsilon": 0.2, "delta": 0.1, "batch_size": 10**9},
       "grid": {"algorithm": ["layerwise_exploration", "flat_exploration"],
                "instance": ["random_simplex:n_states=4,n_actions=2,dim=2,horizon=2,seed={seed}"]},
       "seeds": {"first": 3, "count": 8, "block": 3}}
PLAIN = st.recursive(st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text("aé1e.", max_size=4)),
                     lambda values: st.lists(values, max_size=3), max_leaves=4)


class Written(yaml.SafeDumper):
    """Writes equal lists out twice: a specification has no aliases."""

    def ignore_aliases(self, data):
        return True


@pytest.fixture
def study(monkeypatch):
    """A study made of a function."""
    def plant(measure):
        module = types.ModuleType("derl.experiments.studies.planted")
        module.__spec__ = importlib.machinery.ModuleSpec(module.__name__, None)
        module.measure = measure
        monkeypatch.setitem(sys.modules, module.__name__, module)
        return "planted"
    return plant


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.rglob("*.json"))}


def test_cells_and_blocks():
    spec = Spec.parse(TEXT)
    assert spec.cells == tuple({"epsilon": epsilon, "batch_size": 10**9, "algorithm": name, "delta": delta}
                               for name in ("one", "two") for delta, epsilon in ((0.1, 0.2), (0.2, 0.5)))
    assert [(task["first"], task["count"]) for task in spec.tasks[:3]] == [(10, 2), (12, 2), (14, 1)]
    assert len(spec.tasks) == 12 and len(Spec.of("run", grid={"algorithm": ["one", "one"]}).tasks) == 1


@pytest.mark.parametrize("text, complaint", [
    ("", "is empty or no mapping"), ("study: [", "not valid YAML"), ("study: run\nseed: 3", "unknown key 'seed'"),
    ("study: ../run", "it must be a module"), ("study: run\ngrid: {a: 1}", "grid: a is 1; it must be a list"),
    ("study: run\nfixed: {'A b': 1}", "must map names"), ("study: run\ncells: []", "cells must be a list"),
    ("study: run\nseeds: {count: 0}", "seeds: count is 0"), ("study: run\nseeds: {first: -1}", "seeds: first is -1"),
    ("study: run\nfixed: {a: .inf}", "a is inf"), ("study: run\nfixed: {a: {b: 1}}", "a is {'b': 1}"),
    ("study: run\nseeds: {count: 1e6, block: 1}", "has 1000000 tasks; at most 200000"),
])
def test_what_is_refused(text, complaint):
    with pytest.raises(InvalidSpec) as refused:
        Spec.parse(text)
    assert complaint in str(refused.value) and "\n" not in str(refused.value)


@given(st.lists(st.dictionaries(st.sampled_from(("a", "b_1")), PLAIN), min_size=1, max_size=3))
@example([{"a": [1, 1], "b_1": [1, 1]}])
@settings(max_examples=200, deadline=None)
def test_a_specification_is_the_same_as_text(cells):
    try:
        spec = Spec.of("run", cells=cells)
    except InvalidSpec:  # an infinite number
        return
    text = yaml.dump({"study": "run", "cells": list(spec.cells)}, Dumper=Written, allow_unicode=True)
    assert Spec.parse(text) == spec


@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.one_of(
    st.integers(-9, 9), st.integers(-2**70, 2**70), st.floats(allow_nan=False), st.sampled_from([True, "x", "1", [1]])),
    min_size=1), min_size=1, max_size=4))
@example([{"a": 2**60 + 1}, {"a": 0.5}])
@settings(max_examples=200, deadline=None)
def test_a_table_holds_every_number_exactly(tmp_path_factory, found):
    path = table.save(found, tmp_path_factory.mktemp("tables") / "table.parquet", {"spec": 1})
    again, about = table.load(path)
    assert about == {"spec": 1} and len(again) == len(found)
    for before, after in zip(found, again, strict=True):
        for name, value in after.items():
            given = before.get(name)
            assert (json.loads(value) if isinstance(value, str) and not isinstance(given, str) else value) == given


def test_who_does_the_work_does_not_change_the_bytes(tmp_path):
    distributed = pytest.importorskip("distributed")
    spec, seen = Spec.of(**RUN), []
    with distributed.LocalCluster(n_workers=1, processes=False, dashboard_address=None) as cluster:
        for name, how in (("one", {}), ("two", {"jobs": 2}), ("there", {"scheduler": cluster.scheduler_address})):
            run_sweep(spec, tmp_path / name, report=lambda *numbers: seen.append(numbers), **how)
            table.write_table(spec, tmp_path / name, tmp_path / name / "table.parquet")
    assert seen == [(done, 6) for done in range(7)] * 3
    one = contents(tmp_path / "one")
    assert len(one) == 6 and one == contents(tmp_path / "two") == contents(tmp_path / "there")
    assert len({(tmp_path / name / "table.parquet").read_bytes() for name in ("one", "two", "there")}) == 1
    found, about = table.load(tmp_path / "one" / "table.parquet")
    assert [row["seed"] for row in found] == [*range(3, 11)] * 2 and found == rows(spec, tmp_path / "one")
    assert about["spec"] == spec.content and about["code"] == code_digest()
    assert all(row["converged"] and 0 <= row["suboptimality"] <= 0.2 for row in found)


def test_what_is_done_is_not_done_again_and_other_code_is_another_task(tmp_path, study, monkeypatch):
    done = []
    name = study(lambda seed, shift: [{"sum": done.append(seed) or seed + shift}])
    for count, shift, expected in ((4, 1, "0123"), (4, 1, ""), (8, 1, "4567"), (2, 2, "01")):
        done.clear()
        run_sweep(Spec.of(name, {"shift": shift}, seeds={"count": count, "block": 2}), tmp_path)
        assert done == [*map(int, expected)]
    monkeypatch.setattr(sweeping, "code_digest", lambda: "0" * 64)
    run_sweep(Spec.of(name, {"shift": 2}, seeds={"count": 2, "block": 2}), tmp_path)
    assert done == [0, 1, 0, 1]
    with pytest.raises(InvalidSpec, match="another version"):
        measured({"study": name, "parameters": {}, "first": 0, "count": 1}, "1" * 64)


def test_an_error_names_the_task_and_what_was_done_before_is_kept(tmp_path, study):
    spec = Spec.of(study(lambda seed, limit: [{"value": 1 / (limit - seed)}]), {"limit": 2}, seeds={"count": 4,
                                                                                                   "block": 1})
    with pytest.raises(SweepFailed, match=r"planted with \{'limit': 2\}, seeds from 2: ZeroDivisionError"):
        run_sweep(spec, tmp_path)
    assert len(contents(tmp_path)) == 2
    with pytest.raises(InvalidSpec, match="is not done"):
        rows(spec, tmp_path)


def test_a_damaged_result_is_named(tmp_path, study):
    spec = Spec.of(study(lambda seed: [{"value": seed}]), seeds={"count": 2, "block": 1})
    one, two = (path for path in run_sweep(spec, tmp_path).rglob("*.json"))
    for content in (one.read_bytes()[:20], two.read_bytes()):
        one.write_bytes(content)
        with pytest.raises(InvalidSpec, match=f"{one.name} is not what the sweep wrote"):
            rows(spec, tmp_path)


def test_a_scheduler_that_is_not_there_is_one_line(tmp_path):
    pytest.importorskip("distributed")
    with pytest.raises(InvalidSpec, match="no scheduler answers at 'tcp://127.0.0.1:1'") as refused:
        run_sweep(Spec.of(**RUN), tmp_path / "out", scheduler="tcp://127.0.0.1:1")
    assert "\n" not in str(refused.value)


def test_what_is_kept_of_a_number():
    assert [kept(value) for value in (1 / 3, np.float64(2 / 3), np.int64(7), 2**70, float("inf"), np.True_, None)] == [
        0.333333, 0.666667, 7, 1.18059e21, None, True, None]


def test_the_command_continues_and_says_what_it_cannot_run(tmp_path):
    (tmp_path / "spec.yml").write_text(json.dumps(RUN))
    words = ["sweep", str(tmp_path / "spec.yml"), "--out", str(tmp_path / "out")]
    for _ in range(2):
        found = CliRunner().invoke(main, [*words, "--jobs", "1"])
        assert found.exit_code == 0 and "table.parquet: 6 tasks" in found.stdout, found.output
    assert len(table.load(tmp_path / "out" / "table.parquet")[0]) == 16
    wrong = CliRunner().invoke(main, [*words, "--jobs", "2", "--scheduler", "tcp://127.0.0.1:1"])
    assert wrong.exit_code and "give one of them" in wrong.output and "Traceback" not in wrong.output


MINE = """
import numpy as np
from derl.algorithms import Outcome
from derl.deployment import known_part

def first_action(deployer, epsilon, delta, action=0):
    "One batch of one action everywhere."
    known = known_part(deployer)
    policy = np.full((known.horizon, known.n_states), action)
    deployer.deploy(policy)
    return Outcome(policy, 1, deployer.batch_size, False, (), 0.0)

def doubled(seed, factor=2):
    return [{"value": factor * seed}]
"""


@pytest.fixture
def mine(tmp_path):
    (tmp_path / "mine.py").write_text(MINE)
    return tmp_path / "mine.py"


def test_a_file_that_is_overwritten_gives_new_numbers(tmp_path):
    path, found = tmp_path / "case{seed}.npz", []
    for value in (1, 2):
        for seed in (0, 1):
            instances.random_simplex(4, 2, 2, 2, 10 * value + seed).save(tmp_path / f"case{seed}.npz")
        spec = Spec.of("run", {"epsilon": 0.2, "delta": 0.1, "batch_size": 10**9, "instance": str(path),
                               "algorithm": "layerwise_exploration"}, seeds={"count": 2, "block": 2})
        run_sweep(spec, tmp_path / "out")
        found.append([row["optimal_value"] for row in rows(spec, tmp_path / "out")])
    assert found == [[kept(planning.optimal(instances.random_simplex(4, 2, 2, 2, 10 * value + seed)).value)
                      for seed in (0, 1)] for value in (1, 2)]


def test_code_of_ones_own_runs_everywhere_and_is_part_of_the_result(tmp_path, mine):
    study = Spec.of(f"{mine}:doubled", grid={"factor": [2, 3]}, seeds={"count": 3})
    cell = {"epsilon": 0.2, "delta": 0.1, "batch_size": 100, "max_deployments": 3, "action": 1,
            "instance": RUN["grid"]["instance"][0], "algorithm": f"{mine}:first_action"}
    algorithm = Spec.of("run", cell, seeds={"count": 4, "block": 2})
    for jobs in (1, 2):
        for spec in (study, algorithm):
            run_sweep(spec, tmp_path / str(jobs), jobs)
    assert contents(tmp_path / "1") == contents(tmp_path / "2")
    assert [row["value"] for row in rows(study, tmp_path / "1")] == [0, 2, 4, 0, 3, 6]
    assert {row["deployments"] for row in rows(algorithm, tmp_path / "1")} == {1}
    mine.write_text(MINE.replace("factor * seed", "-factor * seed"))
    with pytest.raises(InvalidSpec, match="is not done"):
        rows(study, tmp_path / "1")
    run_sweep(study, tmp_path / "1")
    assert [row["value"] for row in rows(study, tmp_path / "1")] == [0, -2, -4, 0, -3, -6]


def test_what_an_imported_file_holds_is_part_of_the_result(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    found = []
    for number in (1, 2):
        (tmp_path / "beside_it.py").write_text(f"NUMBER = {number}\n")
        found.append(plugins.imported(b"import json, numpy\nfrom beside_it import NUMBER\n"))
    assert set(found[0]) == {"numpy", "beside_it"} and found[0]["numpy"] == found[1]["numpy"]
    assert found[0]["beside_it"] != found[1]["beside_it"]


@pytest.mark.parametrize("change, complaint", [
    ({"algorithm": "layerwise"}, "algorithm is 'layerwise'"), ({"K": 20}, "takes no K"),
    ({"instance": "lock:d=3"}, "parameter 'horizon' is missing"), ({"instance": "nowhere.npz"}, "no such file"),
    ({"algorithm": "nowhere.py:search"}, "no such file"), ({"epsilon": None}, None)])
def test_every_cell_is_looked_at_before_the_first_one_runs(tmp_path, change, complaint):
    cell = {"epsilon": 0.2, "delta": 0.1, "batch_size": 100, "algorithm": "flat_exploration",
            "instance": RUN["grid"]["instance"][0]}
    wrong = cell | change if complaint else {name: value for name, value in cell.items() if name != "epsilon"}
    with pytest.raises(InvalidSpec, match=complaint or "missing a required argument: 'epsilon'"):
        run_sweep(Spec.of("run", cells=[cell, wrong]), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_function_that_is_not_in_the_file_is_named(mine):
    with pytest.raises(InvalidSpec, match="has no function 'other'; it has doubled, first_action"):
        run_sweep(Spec.of(f"{mine}:other"), mine.parent / "out")
    mine.write_text("1 / 0")
    with pytest.raises(Invalid, match="fails when it is loaded: ZeroDivisionError"):
        plugins.load(f"{mine}:doubled")


def test_the_command_runs_an_algorithm_of_ones_own(mine):
    words = ["run", f"{mine}:first_action", "--instance", "lock:d=3,horizon=3,digits=1-2-0,bias=0.3",
             "--epsilon", "0.2", "--delta", "0.1",
             "--batch-size", "10", "--set", "action=1", "--json"]
    found = CliRunner().invoke(main, words)
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["action"] == 1 and json.loads(found.stdout)["deployments"] == 1


def test_a_task_names_the_files_of_its_own_seeds():
    task = {"study": "own.py:study", "parameters": {"instance": "{seed}.npz", "K": 3}, "first": 5, "count": 2}
    assert sweeping.named(task) == ("own.py", "5.npz", "6.npz")
