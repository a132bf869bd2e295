"""Listing, showing and opening statements; mathematics as a terminal shows it."""

import re

import pytest
from click.testing import CliRunner

from derl import claims
from derl.cli import main, statements
from derl.cli.mathematics import readable


def call(*words):
    return CliRunner().invoke(main, list(words))


@pytest.fixture(scope="module")
def ledger(tmp_path_factory):
    out = tmp_path_factory.mktemp("ledger") / "ledger.json"
    claims.verify(["rem-feature-norm", "asm-bounded-rewards", "asm-linear-mdp", "lem-norm-det"]).save(out)
    return str(out)


@pytest.mark.parametrize(("source", "shown"), [
    (r"$\rho=\det A_{kN}/\det A_{(k-1)N}$", "ρ=det A_(kN)/ det A_((k-1)N)"),
    (r"$\frac{1}{N}\sum_n\|\phi\|^2\le\tfrac12\epsilon^{2}$", "1/N∑ₙ‖ϕ‖²≤1/2ϵ²"),
    (r"$\sqrt{d+1}\,\{1,\dots,H\}$", "√(d+1) {1,…,H}"),
    (r"$\frac{a}{b+c}$", "a/(b+c)"),
    ("no formula, $5 without an end", "no formula, $5 without an end"),
])
def test_mathematics_is_readable(source, shown):
    assert readable(source) == shown


def test_no_statement_and_no_proof_leaves_latex_behind():
    texts = [text for s in claims.load().values() for text in (s.statement, *(step.say for step in s.proof))]
    left = [text for text in map(readable, texts) if "\\" in text or "$" in text]
    assert len(texts) > 300 and left == []


def test_list_filters_by_verdict_chapter_and_kind(ledger):
    def ids(*words):
        result = call("list", "--ledger", ledger, *words)
        assert result.exit_code == 0, result.output
        return {key for key in known if f" {key} " in result.stdout}

    known = claims.Ledger.load(ledger).claims
    assert ids() == known.keys()
    assert ids("--chapter", "potential", "--kind", "lemma") == {"lem-norm-det"}
    assert ids("--verdict", "refuted") == {key for key, row in known.items() if row["verdict"] == "refuted"}
    assert ids("--verdict", "cited") == set()


@pytest.mark.parametrize(("option", "value"), [("--verdict", "wrong"), ("--chapter", "reward-free"), ("--kind", "x")])
def test_list_names_what_is_allowed(ledger, option, value):
    result = call("list", "--ledger", ledger, option, value)
    assert result.exit_code == 2 and len(result.stderr.splitlines()) == 1
    assert option in result.stderr and "allowed are" in result.stderr


def test_show_says_who_uses_it_and_keeps_latex_on_request():
    plain, latex = call("show", "rem-feature-norm").stdout, call("show", "rem-feature-norm", "--latex").stdout
    assert "used by: " in plain and "$" not in plain and "$" in latex


def test_open_prints_the_place_of_a_statement(monkeypatch, tmp_path):
    monkeypatch.setattr(statements, "ROOT", tmp_path)
    result = call("open", "C.3", "--print")
    assert result.exit_code == 2 and "make book" in result.stderr
    page = tmp_path / "_build/html/book" / f"{claims.find('C.3').page}.html"
    page.parent.mkdir(parents=True)
    page.write_text("")
    opened = []
    monkeypatch.setattr(statements.click, "launch", lambda address: opened.append(address) or 0)
    assert call("open", "C.3", "--print").stdout.strip() == f"{page.as_uri()}#lem-trace-det" and opened == []
    assert call("open", "C.3").exit_code == 0 and opened[0].endswith("#lem-trace-det")


def test_the_demonstration_runs_what_it_says():
    shown = call("demo").stdout
    assert "verdict: machine-checked" in shown and "verdict: repaired" in shown and "rejected" in shown
    assert "NOT rejected" not in shown
    printed, repaired = (line for line in shown.splitlines() if "suboptimality" in line)
    assert printed.endswith("NOT within epsilon") and repaired.endswith(": within epsilon")


def test_code_prints_the_checks_and_what_each_control_changes():
    shown = call("show", "res-cut-regression", "--code").stdout
    assert "def regression_in_steps(" in shown
    for name, change in (("a cover of mesh 1/sqrt N, with the same remainder", "rho = 1"),
                         ("failures of delta/(H members)", "share = 1")):
        assert re.search(rf"# control, .*beyond/truncation_event.py:\d+: {re.escape(name)}\n{change}\n", shown), shown
    assert re.search(r"# control: the logarithm of rho alone .*\nnear = True\n", call("show", "C.3", "--code").stdout)
