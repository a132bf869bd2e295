"""`derl paper compare` shows text beside arguments, and records nothing that it was not told to record."""

import subprocess
import sys

from click.testing import CliRunner

from derl.claims import PAPER
from derl.cli import comparing, main, papers
from derl.ledger import compared

KEY = "lem-trace-det"


def run(*words):
    return CliRunner().invoke(main, ["paper", "compare", *words])


def planted(monkeypatch, **change):
    """As if this row of the record were another."""
    rows = compared.recorded(PAPER)
    row = type(rows[KEY])(**(vars(rows[KEY]) | change))
    monkeypatch.setattr(compared, "recorded", lambda paper: rows | {KEY: row})


def test_it_shows_text_beside_the_arguments_of_checks_and_controls():
    shown = run("C.3")
    assert shown.exit_code == 0
    assert "== lem-trace-det" in shown.output and "\\rho\\log\\rho" in shown.output
    assert "bound = lambda rho" in shown.output and "false: rho log rho replaced by log rho" in shown.output


def test_what_changed_is_one_line_and_status_1(monkeypatch):
    planted(monkeypatch, text="0" * 16)
    found = run()
    assert found.exit_code == 1 and f"derl: {KEY}: its text has changed since" in found.stderr


def test_only_the_named_statement_is_recorded(monkeypatch):
    planted(monkeypatch, text="0" * 16, holds="0", by="before")
    written = {}
    monkeypatch.setattr(comparing.files, "write", lambda path, content: written.update({path.name: content.decode()}))
    assert run("4.2", "--renew", "--by", "read").exit_code == 0
    assert f"{KEY},formal,{'0' * 16}," in written["compared.csv"] and ",read\n" in written["compared.csv"]
    assert run("--renew", "--by", "all that changed").exit_code == 0
    assert f"{KEY},formal,{'0' * 16}," not in written["compared.csv"]
    assert len(written["compared.csv"].splitlines()) == len(PAPER.statements) + 1


def test_a_paper_of_ones_own_is_compared_in_its_folder(tmp_path):
    papers.begin(tmp_path / "primes_apart")
    done = [subprocess.run([sys.executable, "-m", "derl", "paper", "compare", "--folder", "primes_apart", *words],
                           cwd=tmp_path, capture_output=True, text=True, check=False)
            for words in ((), ("--renew", "--by", "me"), ())]
    assert [run.returncode for run in done] == [1, 0, 0], done
    assert "were never compared" in done[0].stderr
    rows = (tmp_path / "primes_apart" / "primes_apart" / "compared.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0] == "id,how,text,checks,holds,by" and rows[1].endswith(",me") and ",reading," in rows[1]


def test_nothing_is_recorded_by_nobody(one_line_error):
    assert "--renew needs --by" in one_line_error("paper", "compare", "C.3", "--renew")
    assert "no statement has the id" in one_line_error("paper", "compare", "lem-nothing", "--renew", "--by", "me")
