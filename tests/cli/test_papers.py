"""A paper of one's own: two commands make a page, and what is wrong with it is said in one line."""

import subprocess
import sys
from pathlib import Path

import pytest

from derl.cli import papers
from derl.ledger import Ledger

ROOT = Path(__file__).parents[2]


def run(folder, *words):
    """`derl` in a process of its own: the code of a paper is imported, and stays imported."""
    return subprocess.run([sys.executable, "-m", "derl", *words], cwd=folder, capture_output=True, text=True,
                          check=False)


def test_two_commands_make_a_page_with_a_verdict(tmp_path):
    made = run(tmp_path, "paper", "new", "primes")
    assert made.returncode == 0 and made.stderr == "next: derl paper build primes\n"
    folder = tmp_path / "primes"
    there = sorted(path.relative_to(tmp_path).as_posix() for path in folder.rglob("*") if path.is_file())
    assert there == sorted(made.stdout.split()) and "primes/primes/claims.yml" in there
    built = run(tmp_path, "paper", "build", "primes")
    assert built.returncode == 0, built.stderr
    assert built.stderr.startswith(f"the code in {folder} runs now, with your rights\n")
    for verdict in ("enumerated      Theorem 1", "proved          Lemma 2", "tested          Lemma 3",
                    "refuted         Theorem 4"):
        assert f"ok  {verdict}" in built.stdout
    page = folder / "_build" / "html" / "index.html"
    assert built.stdout.endswith(f"the first page is {page}\n")
    assert "verdict-enumerated" in page.read_text(encoding="utf-8")
    assert Ledger.load(folder / "_build" / "ledger.json").claims["thm-odd-numbers"]["verdict"] == "enumerated"


@pytest.mark.parametrize("name", ["Primes", "two words", "class", "p" * 41, "json", "derl"])
def test_a_name_that_no_package_can_have_is_refused(tmp_path, one_line_error, name):
    assert "name of a package" in one_line_error("paper", "new", str(tmp_path / name))
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_overwritten(tmp_path, one_line_error):
    (tmp_path / "primes").write_text("mine", encoding="utf-8")
    assert "is there already" in one_line_error("paper", "new", str(tmp_path / "primes"))
    assert "cannot be made: " in one_line_error("paper", "new", str(tmp_path / "primes" / "below"))
    assert (tmp_path / "primes").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("number, file, old, new, said", [
    (1, "_config.yml", "claims_paper: ", "claims_papers: ", "`claims_paper` under `sphinx: config:` is None"),
    (2, "_config.yml", "claims_paper: primes2", "claims_paper: json", "has no package json"),
    (3, "_config.yml", "sphinx:", "sphinx: [", "is not valid YAML"),
    (4, "primes4/__init__.py", "PAPER.printed", "PAPER.printed\nPAPER = 7", "primes4 has no `PAPER`"),
    (5, "primes5/__init__.py", "PAPER = Paper", "PAPER = Papr", "primes5 cannot be imported: NameError"),
    (6, "primes6/checks.py", "def sums", "def def sums", "the checks of primes6 cannot be imported: SyntaxError"),
    (7, "primes7/claims.yml", "expected: holds", "expected: hopes", "expected is 'hopes'"),
    (8, "primes8/checks.py", '"thm-odd-numbers"', '"thm-even"', "checks 'thm-even', which claims.yml does not have")])
def test_what_is_wrong_with_a_paper_is_said_in_one_line(tmp_path, monkeypatch, number, file, old, new, said):
    folder = tmp_path / f"primes{number}"
    papers.begin(folder)
    text = (folder / file).read_text(encoding="utf-8")
    assert old in text
    (folder / file).write_text(text.replace(old, new), encoding="utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path])
    with pytest.raises(papers.Invalid, match=said.replace("`", ".").replace("(", ".")):
        papers.of_folder(folder)


def test_a_folder_that_is_no_paper_is_refused(tmp_path, one_line_error):
    for place in (tmp_path, tmp_path / "nowhere"):
        assert "_config.yml" in one_line_error("paper", "build", str(place))


def test_a_statement_of_a_paper_is_tried_with_another_formula(tmp_path):
    papers.begin(tmp_path / "primes9")
    found = run(tmp_path, "paper", "edit", "primes9", "thm-odd-numbers", "n^2", "n^3")
    assert found.returncode == 1 and "sums_are_squares: refuted (measured 1, " in found.stdout, found
    wrong = run(tmp_path, "paper", "edit", "primes9", "thm-even-numbers", "n^2", "n^3")
    assert wrong.returncode == 2 and "allowed are 'thm-odd-numbers'" in wrong.stderr
