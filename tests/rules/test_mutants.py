"""The table of mutants, and the scripts that plant them: what they refuse, what they run, and one of them caught."""

import importlib
import os
import signal
from dataclasses import asdict, replace

import pytest
import rules


@pytest.fixture
def mutants():
    return importlib.import_module("mutants")


@pytest.fixture
def near():
    return importlib.import_module("mutants_nearby")


@pytest.fixture
def table():
    return importlib.import_module("mutants_table")


def test_the_table_is_whole(mutants, table):
    rows = table.read(mutants.TABLE)
    assert len(rows) >= 151 and len({(row.file, row.old, row.new) for row in rows}) == len(rows)
    assert {row.group for row in rows} == {"environment", "algorithms", "theory", "ledger", "claims"}
    assert all(row.meaning and row.old != row.new and (rules.ROOT / row.file).is_file() for row in rows)
    for row in rows:  # a row that no longer fits the code is mended when the code changes
        table.changed(rules.ROOT, row)


@pytest.mark.parametrize(("old", "new", "words"), [
    ("no such text", "x", "0 times"), ("return", "return 1 +", "times"),
    ("WIDEST = 1e-6", "WIDEST = 1E-6", "changes nothing"), ("WIDEST = 1e-6", "WIDEST  = 1e-6", "changes nothing"),
])
def test_a_row_that_does_not_fit_or_changes_nothing_is_refused(table, old, new, words):
    row = table.Mutant("ledger", "2", "derl/ledger/evidence.py", old, new, "", "", "")
    with pytest.raises(table.Stale, match=words):
        table.changed(rules.ROOT, row)


def test_a_stale_row_is_an_error_that_names_its_line(mutants, table, tmp_path, capsys):
    first, second = table.read(mutants.TABLE)[:2]
    table.write(tmp_path / "two.csv", [asdict(first), asdict(replace(second, old="gone"))])
    assert mutants.main(["--list", "--table", str(tmp_path / "two.csv")]) == 1
    assert "two.csv, line 3: " in capsys.readouterr().err


@pytest.mark.parametrize(("file", "test", "claim"), [
    ("derl/theory/potential/elliptical.py", "tests/theory/potential/test_potential.py", "lem-elliptical-potential"),
    ("derl/mdp/exact.py", "tests/mdp/test_exact.py", "lem-regression-bias"),
    ("derl/ledger/evidence.py", "tests/ledger/test_registry.py", None),
    ("derl/claims/potential/refined.py", "", "res-refined-potential"),
])
def test_what_speaks_of_a_file(near, file, test, claim):
    assert not test or test in near.mirrored(rules.ROOT, file)
    assert claim is None or claim in near.nearby(rules.ROOT, file)


def test_a_line_of_a_check_belongs_to_its_statements(near):
    file = "derl/claims/potential/refined.py"
    text = (rules.ROOT / file).read_text(encoding="utf-8")
    for name in ("def every_step_of_the_refinement", "def one_dimension_enumerated"):
        line = text[:text.index(name)].count("\n") + 1
        found = near.of_line(rules.ROOT, file, line)
        assert found and set(found) <= set(near.statements(rules.ROOT)["derl.claims.potential.refined"])


def test_a_falsehood_planted_outside_of_functions_belongs_to_the_check_that_it_is_planted_against(near):
    file = "derl/claims/beyond/weakened_cuts.py"
    text = (rules.ROOT / file).read_text(encoding="utf-8")
    line = text[:text.index("control(spanner_in_steps")].count("\n") + 1
    (claim,) = near.of_line(rules.ROOT, file, line)
    assert claim in near.statements(rules.ROOT)["derl.claims.beyond.truncation_covers"]


def test_a_function_that_a_control_plants_belongs_to_the_check_of_the_control(near):
    file = "derl/claims/reachability/certified.py"
    text = (rules.ROOT / file).read_text(encoding="utf-8")
    assert near.of_line(rules.ROOT, file, text[:text.index("def _moved_up")].count("\n") + 2) == ["res-nu-certified"]
    assert near.of_line(rules.ROOT, file, text[:text.index("def write")].count("\n") + 2) == []


def test_a_test_that_names_what_a_file_defines_is_tried_first(near):
    found = near.naming(rules.ROOT, "derl/algorithms/outcome.py")
    assert "tests/inputs/test_arrays.py" in found  # its mirror is tests/algorithms
    assert 0 < len(found) <= near.NAMING and near.naming(rules.ROOT, "derl/algorithms/__init__.py") == []


def busy(*_):
    while True:
        pass


@pytest.mark.parametrize("task, wanted", [
    (lambda *_: 0, 0), (lambda *_: 1, 1), (lambda *_: 1 / 0, 1), (lambda *_: os._exit(0), 101),
    (lambda *_: os.kill(os.getpid(), signal.SIGKILL), -signal.SIGKILL), (busy, -signal.SIGXCPU)],
    ids=["silent", "objects", "raises", "leaves", "killed", "does not end"])
def test_only_what_comes_to_its_end_is_silent(monkeypatch, tmp_path, task, wanted):
    """A mutant may end the process that tests it, with 0."""
    judge = importlib.import_module("mutants_judge")
    monkeypatch.setattr(judge, "tests", task)
    assert judge.fork("tests", [], str(tmp_path / "output"), 1, [], False) == wanted


@pytest.mark.slow
def test_slow_tests_do_not_judge_where_only_the_quick_tier_does(tmp_path, monkeypatch):
    judge = importlib.import_module("mutants_judge")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "test_it.py").write_text("import pytest\n@pytest.mark.slow\ndef test_it():\n    assert False\n",
                                         encoding="utf-8")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers = slow\n", encoding="utf-8")
    found = [judge.fork("tests", ["test_it.py"], str(tmp_path / "output"), 60, [], quick) for quick in (False, True)]
    assert found == [1, 5]  # an objection, and no test that is left


@pytest.mark.slow
def test_a_planted_falsehood_is_caught_and_the_repository_stays_as_it_was(mutants, table, tmp_path, capsys):
    row = table.Mutant("ledger", "2", "derl/ledger/evidence.py", "return self.measured - self.claimed\n",
                         "return self.measured + self.claimed\n", "it adds", "tests/ledger/test_registry.py", "")
    before = (rules.ROOT / row.file).read_bytes()
    table.write(tmp_path / "one.csv", [asdict(row)])
    arguments = ["--table", str(tmp_path / "one.csv"), "--out", str(tmp_path / "found.csv"), "--limit", "100"]
    assert mutants.main(arguments) == 0, capsys.readouterr().out
    assert "1 of   1 caught" in capsys.readouterr().out and (rules.ROOT / row.file).read_bytes() == before
