"""The command line: exit status, one line for unusable input, nothing half-written."""

import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner

from derl import LinearMDP
from derl.claims import PAPER
from derl.cli import checks, main, papers
from derl.judge.registry import Control
from derl.ledger import Ledger

CHEAP = "eq-resolution-final"


def call(*words):
    return CliRunner().invoke(main, list(words))


def one_line_error(*words):
    result = call(*words)
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output and result.exception.__class__ is SystemExit
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1 and lines[0].startswith("derl: "), lines
    return lines[0]


def test_verify_writes_a_ledger_and_says_that_all_is_as_expected(tmp_path):
    out = tmp_path / "deep" / "ledger.json"
    result = call("verify", CHEAP, "--out", str(out))
    assert result.exit_code == 0 and "1 of 1 controls rejected" in result.stdout
    ledger = json.loads(out.read_text())
    assert ledger["schema"] == 1 and ledger["claims"][CHEAP]["verdict"] == "proved"
    assert ledger["claims"][CHEAP]["checks"][0]["control"]["outcome"] == "rejected"
    again = call("verify", CHEAP, "--compare", str(out))
    assert again.exit_code == 0 and "changed" not in again.stdout


def test_a_verdict_that_differs_gives_status_one():
    (check,) = PAPER.register().of(CHEAP)
    kept = check.controls[:]
    check.controls[:] = [Control("nothing is false", {})]
    try:
        result = call("verify", CHEAP)
    finally:
        check.controls[:] = kept
    assert result.exit_code == 1 and "expected holds" in result.stderr and "NOT REJECTED" in result.stderr


def test_compare_reports_a_changed_verdict(tmp_path):
    out = tmp_path / "ledger.json"
    call("verify", CHEAP, "--out", str(out))
    ledger = Ledger.load(out)
    replace(ledger, claims=ledger.claims | {CHEAP: replace(ledger.claims[CHEAP], verdict="tested")}).save(out)
    assert f"changed: {CHEAP}: tested -> proved" in call("verify", CHEAP, "--compare", str(out)).stdout


def test_the_result_does_not_depend_on_the_number_of_workers(tmp_path):
    def content(jobs):
        out = tmp_path / f"{jobs}.json"
        ran = call("verify", "asm-bounded-rewards", "rem-feature-norm", "--jobs", jobs, "--out", str(out))
        assert ran.exit_code == 0
        claims = json.loads(out.read_text())["claims"]
        for row in claims.values():
            row.pop("seconds")
            for check in row["checks"]:
                check.pop("seconds")
        return claims

    assert content("1") == content("2")


def test_show_by_number_and_by_id():
    assert call("show", "C.3").stdout == call("show", "lem-trace-det").stdout
    shown = call("show", "text-discretisation-error").stdout
    assert "verdict: proved" in shown and "rests on: def-discretisation" in shown and "rejected" in shown
    assert CHEAP in call("show").stdout


def test_run_prints_json():
    result = call("run", "layerwise_exploration", "--instance", "optimism_trap", "--epsilon", "0.2", "--delta", "0.1",
                  "--batch-size", "1e12", "--version", "as-printed", "--json")
    report = json.loads(result.stdout)
    assert result.exit_code == 0 and report["suboptimality"] == pytest.approx(0.24) and report["batch_size"] == 10**12


def test_run_plans_after_reward_free_exploration():
    result = call("run", "reward_free_exploration", "--instance", "lock:d=3,horizon=3,digits=1-2-0,bias=0.3",
                  "--epsilon", "0.2", "--delta", "0.1", "--batch-size", "1e13", "--json")
    report = json.loads(result.stdout)
    assert report["converged"] and report["suboptimality"] <= 0.2


LOCK = ("--instance", "lock:d=3,horizon=3,digits=1-2-0,bias=0.2", "--epsilon", "0.2", "--delta", "0.1")
ARBITRARY, SAFE = ("run", "arbitrary_policy_exploration", *LOCK), ("run", "safe_mixture", *LOCK, "--batch-size", "1e15")


def report_of(*words):
    result = call(*words, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_run_certifies_the_reachability_and_takes_the_batch_size_of_the_theorem():
    report = report_of(*ARBITRARY, "--batch-size", "theorem")
    assert report["nu_min_is"] == "certified from the instance" and report["nu_min"] == pytest.approx(0.2**0.5)
    assert report["mode"] == "gaussian" and report["batch_size"] > 2**63
    assert report["converged"] and report["deployments"] == 4 and len(report["policies"]) == 4
    assert report["suboptimality"] <= report["loss_bound"] <= 0.2


def test_run_takes_a_reachability_that_is_given():
    report = report_of(*ARBITRARY, "--batch-size", "1e16", "--nu-min", "0.4", "--version", "spectral")
    assert (report["nu_min"], report["nu_min_is"], report["mode"]) == (0.4, "given", "exact")
    assert report["version"] == "spectral" and report["converged"] and report["loss_bound"] <= 0.2


def test_run_without_the_reachability():
    report = report_of(*ARBITRARY, "--batch-size", "1e12", "--version", "self-certifying")
    assert "nu_min" not in report and report["converged"] and max(report["policies"]) < 20


def test_a_loss_that_nothing_bounds_is_null_in_json():
    report = report_of(*ARBITRARY, "--batch-size", "1e6", "--nu-min", "0.4", "--c-beta", "1e-6")
    assert report["loss_bound"] is None


@pytest.mark.parametrize("optimistic, deployments", [("layerwise", 11), ("arbitrary", 4)])
def test_run_mixes_safely(optimistic, deployments):
    report = report_of(*SAFE, "--alpha", "0.02", "--optimistic", optimistic)
    assert report["converged"] and report["deployments"] == deployments and report["suboptimality"] <= 0.2
    assert report["largest_drop"] <= 0.2 and report["alpha"] == 0.02 and "version" not in report
    shown = call(*SAFE, "--alpha", "0.02", "--optimistic", optimistic).stdout
    assert f"{report['deployments']}" in shown and "largest_drop" in shown


def test_run_puts_a_list_on_one_line():
    shown = call(*ARBITRARY, "--batch-size", "1e12", "--version", "self-certifying").stdout
    (line,) = (line for line in shown.splitlines() if line.startswith("policies"))
    assert len(line.split()) == 5


def test_a_step_that_the_printed_algorithm_leaves_undefined_is_one_line(tmp_path):
    path, features = tmp_path / "close.npz", 0.9 / 4 + 0.1 * np.eye(4)
    LinearMDP(features[None, None], np.ones((1, 4, 1)), np.zeros((1, 4)), [1.0]).save(path)
    words = ("run", "arbitrary_policy_exploration", "--instance", str(path), *LOCK[2:], "--batch-size", "1000",
             "--nu-min", "1")
    assert "Pi_h is empty" in one_line_error(*words, "--version", "as-printed")
    assert call(*words).exit_code == 0


def test_instance_writes_an_mdp_that_run_reads(tmp_path):
    out = tmp_path / "trap.npz"
    assert call("instance", "optimism_trap", "--out", str(out)).exit_code == 0
    assert LinearMDP.load(out).horizon == 10
    assert call("run", "layerwise_exploration", "--instance", str(out), "--epsilon", "0.2", "--delta", "0.1",
                "--batch-size", "1e12").exit_code == 0


RUN = ("run", "layerwise_exploration", "--instance", "optimism_trap", "--epsilon", "0.2", "--delta", "0.1",
       "--batch-size", "1e12")


@pytest.mark.parametrize("words, part", [
    (("verify", "lem-nothing"), "no statement has the id or number 'lem-nothing'"),
    (("verify", "--tier", "slow"), "slow"), (("verify", "--jobs", "0"), "0"),
    (("verify", CHEAP, "--compare", "missing.json"), "cannot read the ledger"),
    (("show", "Z.99"), "no statement"), (("frobnicate",), "frobnicate"),
    ((*RUN[:-1], "0"), "whole number >= 1"), ((*RUN[:-1], "2.5"), "whole number >= 1"),
    ((*RUN[:-1], "ten"), "whole number"),
    ((*RUN[:-1], "1e25"), "mode"), ((*RUN, "--epsilon", "0"), "epsilon"), ((*RUN, "--delta", "1"), "delta"),
    ((*RUN, "--instance", "no-such-family"), "no-such-family"), ((*RUN, "--version", "fixed"), "version"),
    (("instance", "lock:d=3", "--out", "x.npz"), "lock"),
    ((*RUN[:-1], "theorem"), "needs a batch size"), ((*RUN, "--nu-min", "0.4"), "takes no nu_min"),
    ((*RUN, "--alpha", "0.1"), "takes no alpha"), ((*RUN, "--mode", "guess"), "mode"),
    (SAFE, "needs alpha"), ((*SAFE, "--alpha", "2"), "alpha"),
    ((*SAFE, "--alpha", "0.1", "--version", "sharp"), "takes no version"),
    ((*SAFE, "--alpha", "0.1", "--optimistic", "random"), "optimistic"),
    ((*ARBITRARY, "--batch-size", "1e10", "--nu-min", "2"), "nu_min"),
    ((*ARBITRARY, "--batch-size", "1e10", "--nu-min", "0.4", "--version", "fixed"), "version"),
    ((*ARBITRARY, "--batch-size", "1e10", "--nu-min", "0.4", "--max-deployments", "2"), "none is left"),
    ((*ARBITRARY, "--batch-size", "1e25", "--nu-min", "0.4"), "mode"),
])
def test_unusable_input_is_one_line_and_status_two(words, part, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert part in one_line_error(*words)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", ["truncated", "pickle", "text"])
def test_a_broken_npz_is_one_line(content, tmp_path):
    path = tmp_path / "broken.npz"
    call("instance", "optimism_trap", "--out", str(path))
    whole = path.read_bytes()
    if content == "truncated":
        path.write_bytes(whole[: len(whole) // 2])
    elif content == "pickle":
        np.save(tmp_path / "evil.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
        path.write_bytes((tmp_path / "evil.npy").read_bytes())
    else:
        path.write_text("not an archive")
    assert "broken.npz" in one_line_error("run", "layerwise_exploration", "--instance", str(path), *RUN[4:])


@pytest.mark.parametrize("content", ["", "{", "[]", '{"schema": 7, "claims": {}}'])
def test_a_broken_ledger_is_one_line_and_is_left_alone(content, tmp_path):
    path = tmp_path / "ledger.json"
    path.write_text(content)
    one_line_error("verify", CHEAP, "--compare", str(path))
    assert path.read_text() == content


def test_a_run_is_told_deployment_by_deployment(tmp_path):
    plot = tmp_path / "run.png"
    words = ("run", "1", "--instance", "optimism_trap", "--epsilon", "0.2", "--delta", "0.1", "--batch-size", "1e12",
             "--trace")
    report = json.loads(call(*words, "--json", "--plot", str(plot)).stdout)
    assert len(report["trace"]) == report["deployments"] and plot.read_bytes()[1:4] == b"PNG"
    layers = [row["layer"] for row in report["trace"]]
    assert layers == sorted(layers) and report["trace"][-1]["value"] == pytest.approx(report["value"])
    told = call(*words).stdout
    assert all(f"deployment {row['deployment']} " in told for row in report["trace"])
    assert "ending of the file" in one_line_error(*words, "--plot", "run.gif")


@pytest.mark.parametrize("outcome, word, status", [
    ("pass", {}, 0), ("error", {}, 1), ("pass", {"lem-trace-det": ("failed", "holds")}, 1)])
def test_a_check_that_raised_ends_with_status_1(outcome, word, status):
    claim = SimpleNamespace(checks=[SimpleNamespace(outcome=outcome)])
    assert checks.status(SimpleNamespace(surprises=word, claims={"lem-trace-det": claim})) == status


def test_half_a_paper_is_not_left_behind(tmp_path, monkeypatch):
    def full(path, content):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content[:1])
        raise OSError("no space left")

    monkeypatch.setattr(papers.files, "write", full)
    with pytest.raises(OSError, match="no space left"):
        papers.begin(tmp_path / "primes")
    assert not (tmp_path / "primes").exists()


def test_an_error_in_a_check_ends_with_status_1_whatever_word_the_others_give():
    def ledger(*outcomes, surprises=()):
        rows = [SimpleNamespace(outcome=outcome) for outcome in outcomes]
        return SimpleNamespace(claims={"a": SimpleNamespace(checks=rows)}, surprises=surprises)

    assert [checks.status(ledger("pass")), checks.status(ledger("pass", "error")),
            checks.status(ledger("pass", surprises=["a"]))] == [0, 1, 1]
