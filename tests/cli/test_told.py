"""What a command tells and draws: the bar, the picture of a run, the verdict beside the one that was expected."""

import json
import sys
from dataclasses import replace

from click.testing import CliRunner

from derl import claims, planning
from derl.cli import checks, main
from derl.mdp import instances
from derl.show.layerwise import deployments


def call(*words):
    return CliRunner().invoke(main, list(words))


class Bar:
    """A bar of tqdm that keeps what it was told."""

    def __init__(self, **options):
        self.n, self.total, self.seen = 0, None, []

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def set_postfix_str(self, words, refresh):
        assert len(words) <= 40 and not refresh

    def update(self, more):
        self.n += more
        self.seen.append((self.n, self.total))


def test_the_bar_of_a_terminal_counts_each_check_once(monkeypatch):
    bars, ids = [], ("rem-feature-norm", "lem-trace-det", "C.3")
    monkeypatch.setattr(checks, "tqdm", lambda **options: bars.append(Bar()) or bars[-1])
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    ledger = checks._with_progress(ids, "quick", 1, None)
    total = sum(len(row.checks) for row in ledger.claims.values())
    (bar,) = bars
    assert total > 2 and bar.seen == [(done, total) for done in range(1, total + 1)]


def test_elsewhere_plain_lines_end_with_the_last_check(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: False, raising=False)
    ledger = checks._with_progress(("rem-feature-norm", "lem-trace-det"), "quick", 1, None)
    total = sum(len(row.checks) for row in ledger.claims.values())
    assert capsys.readouterr().err.splitlines()[-1] == f"{total} of {total} checks"


def test_the_picture_of_a_run_has_the_optimal_value_and_not_that_of_the_policy(monkeypatch, tmp_path):
    """The printed version of Algorithm 1 ends on the trap with a policy that is not the best."""
    drawn = []
    monkeypatch.setattr(deployments, "of_run", lambda rows, best, ending: drawn.append((rows, best)) or b"x")
    words = ("run", "1", "--instance", "optimism_trap", "--epsilon", "0.2", "--delta", "0.1", "--batch-size", "1e12",
             "--version", "as-printed", "--json", "--plot", str(tmp_path / "x.svg"))
    report = json.loads(call(*words).stdout)
    ((rows, best),) = drawn
    assert best == planning.optimal(instances.optimism_trap()).value == report["optimal_value"]
    assert report["value"] < best - 0.1 and len(rows) == report["deployments"]


def test_show_says_the_verdict_and_the_one_that_was_expected(tmp_path):
    path = tmp_path / "ledger.json"
    ledger = claims.verify(["rem-feature-norm"])
    row = replace(ledger.claims["rem-feature-norm"], verdict="tested", expected="refuted", as_expected=False)
    replace(ledger, claims={"rem-feature-norm": row}, digest="").save(path)
    shown = call("show", "rem-feature-norm", "--ledger", str(path))
    assert "verdict: tested (expected: refuted)" in shown.stdout, shown.output
