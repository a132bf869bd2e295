"""`derl sweep` and `derl table1` at the command line."""

import pytest
from click.testing import CliRunner

from derl.cli import main
from derl.cli.sweeps import Progress
from derl.experiments import table1 as stages
from derl.experiments.table import load

SPEC = """
study: run
fixed: {epsilon: 0.2, delta: 0.1, batch_size: 1e6, algorithm: flat_exploration}
grid: {instance: ["random_simplex:n_states=4,n_actions=2,dim=2,horizon=2,seed={seed}"]}
seeds: {count: 4, block: 2}
"""


def test_a_sweep_from_a_file(tmp_path):
    (tmp_path / "spec.yml").write_text(SPEC)
    words = ["sweep", str(tmp_path / "spec.yml"), "--out", str(tmp_path / "out"), "--jobs", "1"]
    first, second = CliRunner().invoke(main, words), CliRunner().invoke(main, words)
    assert first.exit_code == second.exit_code == 0, first.output + second.output
    assert "2 of 2 tasks" in first.stderr and "left" in first.stderr and "table.parquet: 2 tasks" in first.stdout
    rows, about = load(tmp_path / "out" / "table.parquet")
    assert len(rows) == 4 and about["spec"]["study"] == "run"


@pytest.mark.parametrize("text, words, complaint", [
    ("study: nothing", [], "study is 'nothing'"), (None, [], "no such file"),
    (SPEC, ["--jobs", "2", "--scheduler", "tcp://127.0.0.1:1"], "give one of them"),
    (SPEC.replace("flat_exploration", "flat"), ["--jobs", "1"], "InvalidParameter: algorithm is 'flat'"),
])
def test_what_cannot_be_run_is_one_line(tmp_path, text, words, complaint):
    if text is not None:
        (tmp_path / "spec.yml").write_text(text)
    found = CliRunner().invoke(main, ["sweep", str(tmp_path / "spec.yml"), "--out", str(tmp_path / "out"), *words])
    errors = [line for line in found.stderr.splitlines() if line.startswith("derl: ")]
    assert found.exit_code == 2 and len(errors) == 1 and "Traceback" not in found.output
    assert complaint in errors[0]


def test_the_whole_table_on_one_small_family(tmp_path, monkeypatch):
    cell = {"family": "template", "d": 5, "horizon": 3, "epsilon": 0.3, "delta": 0.1, "axis": "base"}
    monkeypatch.setattr(stages, "cells", lambda: iter([cell | {"method": "Algorithm 1", "mode": "calibrated"},
                                                       cell | {"method": "OLIVE", "mode": "theorem"}]))
    monkeypatch.setattr(stages, "TURNED", (("template", 5, 3, 0.3),))
    monkeypatch.setattr(stages, "METHODS", {name: stages.METHODS[name] for name in ("Algorithm 1", "OLIVE")})
    found = CliRunner().invoke(main, ["table1", "--seeds", "2", "--out", str(tmp_path), "--jobs", "1"])
    assert found.exit_code == 0, found.output
    rows, _ = load(tmp_path / "table1.parquet")
    assert [(row["method"], row["seed"]) for row in rows] == [("Algorithm 1", 0), ("Algorithm 1", 1), ("OLIVE", 0),
                                                             ("OLIVE", 1)]
    assert all(row["succeeded"] for row in rows) and len(load(tmp_path / "rotated.parquet")[0]) == 4


def test_progress_says_how_long_it_will_take(capsys, monkeypatch):
    moments = iter([0.0, 0.0, 10.0, 20.0, 30.0])
    monkeypatch.setattr("derl.cli.sweeps.time.monotonic", lambda: next(moments))
    with Progress("table") as progress:
        for done in (2, 4, 6):
            progress(done, 10)
    lines = capsys.readouterr().err.splitlines()
    assert lines[-1] == "table: 6 of 10 tasks, 00:20 passed, 00:20 left"
