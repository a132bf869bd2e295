"""The table of mutants, and the script that plants them: what it refuses, what it runs, and one of them caught."""

import importlib.util
import sys
from dataclasses import replace

import pytest
import rules

SCRIPT = rules.ROOT / "benchmarks" / "mutants.py"


@pytest.fixture(scope="module")
def mutants():
    spec = importlib.util.spec_from_file_location("mutants", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules["mutants"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules["mutants"]


def test_the_table_is_whole(mutants):
    table = mutants.read(mutants.TABLE)
    assert len(table) >= 151 and len({(row.file, row.old, row.new) for row in table}) == len(table)
    assert {row.group for row in table} == {"environment", "algorithms", "theory", "ledger", "claims"}
    assert all(row.meaning and row.old != row.new and (rules.ROOT / row.file).is_file() for row in table)


@pytest.mark.parametrize(("old", "new", "words"), [
    ("no such text", "x", "0 times"), ("return", "return 1 +", "times"),
    ("WIDEST = 1e-6", "WIDEST = 1E-6", "changes nothing"), ("WIDEST = 1e-6", "WIDEST  = 1e-6", "changes nothing"),
])
def test_a_row_that_does_not_fit_or_changes_nothing_is_refused(mutants, old, new, words):
    row = mutants.Mutant("ledger", "2", "derl/ledger/evidence.py", old, new, "", "", "")
    with pytest.raises(mutants.Stale, match=words):
        mutants.changed(rules.ROOT, row)


def test_a_stale_row_is_an_error_that_names_its_line(mutants, tmp_path, capsys):
    table = mutants.read(mutants.TABLE)[:2]
    rows = [mutants.asdict(table[0]), mutants.asdict(replace(table[1], old="gone"))]
    mutants.write(tmp_path / "two.csv", rows)
    assert mutants.main(["--list", "--table", str(tmp_path / "two.csv")]) == 1
    assert "two.csv, line 3: " in capsys.readouterr().err


@pytest.mark.parametrize(("file", "test", "claim"), [
    ("derl/theory/potential/elliptical.py", "tests/theory/potential/test_potential.py", "lem-elliptical-potential"),
    ("derl/mdp/exact.py", "tests/mdp/test_exact.py", "lem-regression-bias"),
    ("derl/ledger/evidence.py", "tests/ledger/test_registry.py", None),
    ("derl/claims/potential/refined.py", "", "res-refined-potential"),
])
def test_what_speaks_of_a_file(mutants, file, test, claim):
    assert not test or test in mutants.mirrored(rules.ROOT, file)
    assert claim is None or claim in mutants.nearby(rules.ROOT, file)


def test_a_line_of_a_check_belongs_to_its_statements(mutants):
    file = "derl/claims/potential/refined.py"
    text = (rules.ROOT / file).read_text(encoding="utf-8")
    for name in ("def every_step_of_the_refinement", "def one_dimension_enumerated"):
        line = text[:text.index(name)].count("\n") + 1
        found = mutants.of_line(rules.ROOT, file, line)
        assert found and set(found) <= set(mutants.statements(rules.ROOT)["derl.claims.potential.refined"])


def test_a_planted_falsehood_is_caught_and_the_repository_stays_as_it_was(mutants, tmp_path, capsys):
    row = mutants.Mutant("ledger", "2", "derl/ledger/evidence.py", "return self.measured - self.claimed\n",
                         "return self.measured + self.claimed\n", "it adds", "tests/ledger/test_registry.py", "")
    before = (rules.ROOT / row.file).read_bytes()
    mutants.write(tmp_path / "one.csv", [mutants.asdict(row)])
    arguments = ["--table", str(tmp_path / "one.csv"), "--out", str(tmp_path / "found.csv"), "--limit", "100"]
    assert mutants.main(arguments) == 0, capsys.readouterr().out
    assert "1 of   1 caught" in capsys.readouterr().out and (rules.ROOT / row.file).read_bytes() == before
