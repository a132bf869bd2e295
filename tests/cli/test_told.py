"""What commands print of ledgers, runs and sweeps that are written out here, line by line."""

import json
import time
from types import SimpleNamespace

import made_rows
import pytest
from click.testing import CliRunner

from derl import planning
from derl.claims import PAPER
from derl.cli import checks, main, runs, sweeps, tour
from derl.ledger import Ledger
from derl.mdp import instances

GOOD, BAD = "lem-trace-det", "rem-feature-norm"
RUN = ("run", "1", "--instance", "optimism_trap", "--epsilon", "0.2", "--delta", "0.1", "--batch-size", "1e12",
       "--seed", "7", "--version", "as-printed")


def ledger():
    """One statement as expected, and one that is not."""
    rows = {GOOD: made_rows.statement(made_rows.check(controls=[{"outcome": "rejected"}, {"outcome": "NOT REJECTED"}]),
                                      made_rows.check(), seconds=1.5),
            BAD: made_rows.statement(made_rows.check(name="bounded", outcome="fail", measured="3", claimed="2",
                                                     controls=[{"outcome": "rejected"}]),
                                     verdict="failed", as_expected=False, seconds=0.25)}
    return Ledger("quick", rows, {}, "", digest="0" * 64)


def call(*words):
    result = CliRunner().invoke(main, list(words))
    assert result.exit_code == 0, result.output
    return result


def test_a_run_of_the_checks_is_told_line_by_line(capsys):
    old = ledger()
    old.claims[GOOD] = made_rows.statement(made_rows.check(), verdict="tested")
    checks.printed(ledger(), PAPER, old)
    out, err = capsys.readouterr()
    first, second, changed, total = out.splitlines()
    assert first.split() == ["ok", "proved", *PAPER.statements[GOOD].name.split(), GOOD, "1.50", "s"]
    assert second.split() == ["NOT", "failed", *PAPER.statements[BAD].name.split(), BAD, "0.25", "s"]
    assert changed == f"changed: {GOOD}: tested -> proved"
    assert total.startswith("2 statements, 3 checks, 2 of 3 controls rejected, 1 not as expected, ")
    assert f"{BAD} is failed, expected holds: bounded: fail, control rejected (measured 3, claimed 2)" in err


@pytest.mark.parametrize("planted, said", [
    ([], "counts: NOT REJECTED: it has no false variant"),
    ([{"planted": "two for one", "outcome": "NOT REJECTED"}], "counts: control NOT REJECTED: two for one")])
def test_why_a_check_that_passes_is_not_enough(capsys, planted, said):
    row = made_rows.statement(made_rows.check(name="counts", controls=planted, control="NOT REJECTED"),
                              verdict="failed", as_expected=False)
    checks.printed(Ledger("quick", {BAD: row}, {}, ""), PAPER)
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("outcomes, surprised, found", [
    (("pass",), False, 0), (("pass", "error"), False, 1), (("pass",), True, 1), (("fail",), True, 1)])
def test_the_status_is_one_where_a_verdict_differs_or_a_check_raised(outcomes, surprised, found):
    row = made_rows.statement(*(made_rows.check(outcome=outcome) for outcome in outcomes), as_expected=not surprised)
    assert checks.status(Ledger("quick", {GOOD: row}, {}, "")) == found


def test_a_run_is_told_with_its_exact_values_and_its_trace():
    """The trap is worth 8 to the best policy, and the printed version of Algorithm 1 loses 0.24 of it."""
    report = json.loads(call(*RUN, "--trace", "--json").stdout)
    best = planning.optimal(instances.optimism_trap()).value
    assert (report["optimal_value"], report["suboptimality"]) == (best, pytest.approx(0.24))
    assert report["trajectories"] == report["deployments"] * 10**12 and report["batch_size"] == 10**12
    told = call(*RUN, "--trace").stdout.splitlines()
    values = dict(line.split(maxsplit=1) for line in told)
    assert values["seed"] == "7" and float(values["value"]) == report["value"]
    rows = [dict(part.split(" ") for part in line.split("  ")) for line in told if line.startswith("deployment ")]
    for found, row in zip(rows, report["trace"], strict=True):
        assert found["layer"] == str(row["layer"])
        assert float(found["statistic"]) == pytest.approx(row["statistic"], rel=1e-5)


def test_a_long_run_is_told_until_it_is_over(monkeypatch, capsys):
    monkeypatch.setattr(runs, "EVERY", 0.02)
    with runs._Told() as told:
        told(20)
        time.sleep(1)
    told.thread.join()
    first, second, *_ = capsys.readouterr().err.splitlines()
    assert first == second == "20 deployments so far, 0 s"


@pytest.mark.parametrize("terminal", [False, True])
def test_progress_is_a_bar_on_a_terminal_and_plain_lines_elsewhere(monkeypatch, capsys, terminal):
    monkeypatch.setattr(sweeps.sys.stderr, "isatty", lambda: terminal, raising=False)
    found = checks._with_progress((BAD, GOOD), "quick", 1)
    total = sum(len(row.checks) for row in found.claims.values())
    said = capsys.readouterr().err
    assert ("|" in said) == terminal
    assert terminal or said.splitlines()[-1] == f"{total} of {total} checks"


def test_show_tells_each_number_of_a_check_by_its_name(tmp_path):
    path = tmp_path / "ledger.json"
    row = made_rows.statement(made_rows.check(
        title="A title", name="a_name", method="interval", arithmetic="balls", file="f.py", line=17, measured="1/3",
        claimed="1/2", direction="upper", margin="1/6", scope="three cases",
        controls=[{"planted": "one for two", "outcome": "rejected", "witness": "at 7"}]),
        verdict="tested", expected="holds", scope_gap="few cases", rests_on=["lem-norm-det"])
    Ledger("quick", {GOOD: row}, {}, "").save(path)
    told = call("show", GOOD, "--ledger", str(path)).stdout.splitlines()
    for line in ("verdict: tested (expected: holds)    scope gap: few cases", "- A title [interval, balls]: pass",
                 "    f.py:17, a_name", "    measured 1/3, claimed 1/2 (upper), margin 1/6; scope: three cases",
                 "    control: one for two: rejected (at 7)", "rests on: lem-norm-det"):
        assert line in told, told
    assert GOOD in call("list", "--ledger", str(path)).stdout


def test_the_demonstration_compares_the_exact_loss_with_epsilon(monkeypatch):
    """Two policies of which one loses a little more than epsilon, and the other exactly epsilon."""
    monkeypatch.setattr(tour.claims, "verify", lambda *words, **options: ledger())
    monkeypatch.setattr(tour, "THEOREM", GOOD)
    monkeypatch.setattr(tour, "ERROR", BAD)
    values = {"as-printed": 7.79, "repaired": 7.8}
    monkeypatch.setattr(tour.by_name, "run_by_name", lambda *words, version: SimpleNamespace(
        policy=version, outcome=SimpleNamespace(deployments=len(version))))
    monkeypatch.setattr(tour.planning, "optimal", lambda mdp: SimpleNamespace(value=8.0))
    monkeypatch.setattr(tour.planning, "evaluate", lambda mdp, policy: SimpleNamespace(value=values[policy]))
    monkeypatch.setattr(tour, "EPSILON", 8.0 - 7.8)
    told = call("demo").stdout.splitlines()
    assert "  as-printed   10 deployments, suboptimality 0.2100: NOT within epsilon" in told
    assert "  repaired      8 deployments, suboptimality 0.2000: within epsilon" in told
