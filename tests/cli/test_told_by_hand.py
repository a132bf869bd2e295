"""What commands print of ledgers, runs and sweeps that are written out here, line by line."""

import json
from types import SimpleNamespace

import made_rows
import numpy as np
import pytest
from click.testing import CliRunner

from derl import planning
from derl.claims import PAPER
from derl.cli import checks, main, runs, statements, sweeps, tour
from derl.ledger import Ledger
from derl.mdp import instances

GOOD, BAD, SILENT = "lem-trace-det", "rem-feature-norm", "lem-norm-det"


def ledger(tier="quick"):
    """One statement as expected, one that is not, and one of whose checks has no result."""
    rows = {GOOD: made_rows.statement(made_rows.check(controls=[{"outcome": "rejected"}, {"outcome": "NOT REJECTED"}]),
                                      made_rows.check(), seconds=1.5),
            BAD: made_rows.statement(made_rows.check(name="bounded", outcome="fail", measured="3", claimed="2",
                                                     controls=[{"outcome": "rejected"}]),
                                     verdict="failed", as_expected=False, seconds=0.25)}
    return Ledger(tier, rows, {}, "", digest="0" * 64)


def test_a_run_of_the_checks_is_told_line_by_line(capsys):
    checks.printed(ledger(), PAPER)
    out, err = capsys.readouterr()
    first, second, total = out.splitlines()
    assert first.split() == ["ok", "proved", *PAPER.statements[GOOD].name.split(), GOOD, "1.50", "s"]
    assert second.split() == ["NOT", "failed", *PAPER.statements[BAD].name.split(), BAD, "0.25", "s"]
    assert total.startswith("2 statements, 3 checks, 2 of 3 controls rejected, 1 not as expected, ")
    assert total.endswith("s of checks, tier quick")
    assert f"{BAD} is failed, expected holds: bounded: fail, control rejected (measured 3, claimed 2)" in err


def test_a_change_is_told_from_the_old_word_to_the_new_one(capsys):
    old = ledger()
    old.claims[GOOD] = made_rows.statement(made_rows.check(), verdict="tested")
    checks.printed(ledger(), PAPER, old)
    assert f"changed: {GOOD}: tested -> proved" in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("outcomes, surprised, found", [
    (("pass",), False, 0), (("pass", "error"), False, 1), (("pass",), True, 1), (("fail",), True, 1)])
def test_the_status_is_one_where_a_verdict_differs_or_a_check_raised(outcomes, surprised, found):
    row = made_rows.statement(*(made_rows.check(outcome=outcome) for outcome in outcomes), as_expected=not surprised)
    assert checks.status(Ledger("quick", {GOOD: row}, {}, "")) == found


def call(*words):
    result = CliRunner().invoke(main, list(words))
    assert result.exit_code == 0, result.output
    return result


RUN = ("run", "1", "--instance", "optimism_trap", "--epsilon", "0.2", "--delta", "0.1", "--batch-size", "1e12",
       "--seed", "7", "--version", "as-printed")


def test_a_run_is_told_with_its_exact_values():
    """The trap is worth 8 to the best policy, and the printed version of Algorithm 1 loses 0.24 of it."""
    report = json.loads(call(*RUN, "--json").stdout)
    mdp = instances.optimism_trap()
    best = planning.optimal(mdp).value
    assert (report["optimal_value"], report["suboptimality"]) == (best, pytest.approx(0.24))
    assert report["value"] == pytest.approx(best - 0.24)
    assert report["trajectories"] == report["deployments"] * 10**12 and report["batch_size"] == 10**12
    assert (report["epsilon"], report["delta"], report["seed"], report["mode"]) == (0.2, 0.1, 7, "exact")
    assert (report["algorithm"], report["instance"]) == ("layerwise_exploration", "optimism_trap")
    told = dict(line.split(maxsplit=1) for line in call(*RUN).stdout.splitlines())
    assert {key: told[key] for key in ("deployments", "seed", "epsilon", "delta")} == {
        "deployments": str(report["deployments"]), "seed": "7", "epsilon": "0.2", "delta": "0.1"}
    assert float(told["value"]) == report["value"] and float(told["beta"]) == report["beta"]


def test_the_file_of_an_instance_is_told_with_its_sizes(tmp_path):
    out = tmp_path / "x.npz"
    told = call("instance", "random_simplex:n_states=7,n_actions=3,dim=4,horizon=5,seed=0", "--out", str(out)).stdout
    assert told == f"{out}: 7 states, 3 actions, horizon 5, dimension 4\n"


def test_a_long_run_is_told_at_most_every_five_seconds(monkeypatch, capsys):
    clock = iter([0.0, 4.9, 5.0, 5.0, 9.9, 10.0, 10.0])
    monkeypatch.setattr(runs.time, "monotonic", lambda: next(clock))
    told = runs._Told()
    for made in (10, 20, 30, 40):
        told(made)
    assert capsys.readouterr().err.splitlines() == ["20 deployments so far", "40 deployments so far"]


def test_a_sweep_is_told_with_the_time_that_is_left(monkeypatch, capsys):
    """Begun at 4 of 10 tasks; after 30 seconds 7 are done, so 3 tasks took 30 seconds and 3 are left."""
    clock = iter([100.0, 100.0, 130.0, 131.0, 160.0])
    monkeypatch.setattr(sweeps.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(sweeps.sys.stderr, "isatty", lambda: False, raising=False)
    with sweeps.Progress("table") as progress:
        progress.said = 99.0
        for done in (4, 7, 8, 10):
            progress(done, 10)
    assert capsys.readouterr().err.splitlines() == ["table: 7 of 10 tasks, 00:30 passed, 00:30 left",
                                                    "table: 10 of 10 tasks, 01:00 passed, 00:00 left"]


def test_the_list_has_sign_verdict_number_id_and_title(tmp_path):
    path = tmp_path / "ledger.json"
    ledger().save(path)
    result = call("list", "--ledger", str(path))
    for line, (key, word) in zip(result.stdout.splitlines(), sorted(
            ((GOOD, "proved"), (BAD, "failed")), key=lambda pair: list(PAPER.statements).index(pair[0])), strict=True):
        statement = PAPER.statements[key]
        assert line.split() == [statements.SIGNS[word], word, *statement.name.split(), key, *statement.title.split()]
    assert result.stderr == "2 of 2 statements\n"


def test_show_tells_each_number_of_a_check_by_its_name(tmp_path):
    path = tmp_path / "ledger.json"
    row = made_rows.statement(made_rows.check(
        title="A title", name="a_name", method="interval", arithmetic="balls", file="f.py", line=17, measured="1/3",
        claimed="1/2", direction="upper", margin="1/6", scope="three cases",
        controls=[{"planted": "one for two", "outcome": "rejected", "witness": "at 7"}]),
        verdict="tested", expected="holds", scope_gap="few cases", rests_on=["lem-norm-det"])
    Ledger("quick", {GOOD: row}, {}, "").save(path)
    told = call("show", GOOD, "--ledger", str(path)).stdout
    for line in ("verdict: tested (expected: holds)    scope gap: few cases", "- A title [interval, balls]: pass",
                 "    f.py:17, a_name", "    measured 1/3, claimed 1/2 (upper), margin 1/6; scope: three cases",
                 "    control: one for two: rejected (at 7)", "rests on: lem-norm-det"):
        assert line in told.splitlines(), told
    users = told.splitlines()[-1].removeprefix("used by: ").split(", ")
    assert users == [key for key in users if GOOD in PAPER.dependencies.uses[key]] and users


def test_the_demonstration_compares_the_exact_loss_with_epsilon(monkeypatch):
    """Two policies of which one loses a little more than epsilon, and the other exactly epsilon."""
    monkeypatch.setattr(tour.claims, "verify", lambda *words, **options: ledger())
    monkeypatch.setattr(tour, "THEOREM", GOOD)
    monkeypatch.setattr(tour, "ERROR", BAD)
    monkeypatch.setitem(PAPER.statements, BAD, PAPER.statements[BAD])
    values = {"as-printed": 7.79, "repaired": 7.8}
    monkeypatch.setattr(tour.by_name, "run_by_name", lambda *words, version: SimpleNamespace(
        policy=version, outcome=SimpleNamespace(deployments=len(version))))
    monkeypatch.setattr(tour.planning, "optimal", lambda mdp: SimpleNamespace(value=8.0))
    monkeypatch.setattr(tour.planning, "evaluate", lambda mdp, policy: SimpleNamespace(value=values[policy]))
    monkeypatch.setattr(tour, "EPSILON", 8.0 - 7.8)
    told = call("demo").stdout.splitlines()
    assert "  as-printed   10 deployments, suboptimality 0.2100: NOT within epsilon" in told
    assert "  repaired      8 deployments, suboptimality 0.2000: within epsilon" in told
    assert any("optimal value 8.0000; N = 1e+12" in line for line in told)


def test_rows_of_a_trace_have_six_digits():
    told = [line for line in call(*RUN, "--trace").stdout.splitlines() if line.startswith("deployment ")]
    rows = json.loads(call(*RUN, "--trace", "--json").stdout)["trace"]
    for line, row in zip([line for line in told if "layer" in line], rows, strict=True):
        found = dict(part.split(" ") for part in line.split("  "))
        assert found["layer"] == str(row["layer"]) and found["deployment"] == str(row["deployment"])
        assert np.float64(found["statistic"]) == pytest.approx(row["statistic"], rel=1e-5)
        assert np.float64(found["threshold"]) == pytest.approx(0.2 * row["layer"] / 20)
