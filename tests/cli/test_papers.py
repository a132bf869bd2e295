"""Two commands make a paper of one's own and its page with verdicts; bad input is one line and changes nothing."""

import subprocess
import sys

import pytest
from bs4 import BeautifulSoup
from click.testing import CliRunner

from derl.cli import main, papers
from derl.inputs import files
from derl.ledger import Ledger

DERL = (sys.executable, "-m", "derl")


def run(folder, *words):
    """`derl` in a process of its own: the code of a paper is imported, and stays imported."""
    return subprocess.run([*DERL, *words], cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def fresh(tmp_path):
    """A paper as the command writes it."""
    papers.begin(tmp_path / "primes")
    return tmp_path / "primes"


def change(file, old, new):
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_two_commands_make_a_page_with_a_verdict(tmp_path):
    made = run(tmp_path, "paper", "new", "primes")
    assert made.returncode == 0 and made.stderr == "next: derl paper build primes\n"
    folder = tmp_path / "primes"
    there = sorted(path.relative_to(tmp_path).as_posix() for path in folder.rglob("*") if path.is_file())
    assert there == sorted(made.stdout.split()) == sorted(f"primes/{name}" for name in (
        "_config.yml", "_toc.yml", "index.md", "primes/__init__.py", "primes/checks.py", "primes/claims.yml"))
    built = run(tmp_path, "paper", "build", "primes")
    assert built.returncode == 0, built.stderr
    assert "ok  enumerated      Theorem 1" in built.stdout
    first = folder / "_build" / "html" / "index.html"
    assert built.stdout.endswith(f"the first page is {first}\n")
    page = BeautifulSoup(first.read_text(encoding="utf-8"), "html.parser")
    assert "enumerated" in page.find(id="thm-odd-numbers").get_text()
    assert page.find("link", href=lambda href: href and "book.css" in href)
    assert (first.parent / "_static" / "book.css").is_file()
    (source,) = {link["href"].partition("#")[0] for link in page.find_all("a", href=lambda href: "static/code" in href)}
    assert (first.parent / source).is_file()
    assert Ledger.load(folder / "_build" / "ledger.json").claims["thm-odd-numbers"]["verdict"] == "enumerated"


@pytest.mark.slow
@pytest.mark.parametrize("file, old, new", [("claims.yml", "=n^2", "=n^3"),
                                            ("checks.py", "return Evidence(right,", "return Evidence(len(numbers),")])
def test_a_false_statement_and_a_check_that_rejects_nothing_end_with_status_1(fresh, file, old, new):
    change(fresh / "primes" / file, old, new)
    built = run(fresh.parent, "paper", "build", "primes")
    assert built.returncode == 1 and "NOT failed" in built.stdout
    assert "derl: thm-odd-numbers is failed, expected holds" in built.stderr
    page = (fresh / "_build" / "html" / "index.html").read_text(encoding="utf-8")
    assert "verdict-failed" in page and "verdict-enumerated" not in page


@pytest.mark.slow
def test_a_page_that_names_what_is_not_there_stops_the_build(fresh):
    change(fresh / "index.md", "{claim}`thm-odd-numbers`", "{claim}`thm-even-numbers`")
    built = run(fresh.parent, "paper", "build", "primes")
    assert built.returncode == 2 and "claims.yml has no statement 'thm-even-numbers'" in built.stderr
    assert built.stderr.splitlines()[-1].startswith("derl: the pages of ") and "first page" not in built.stdout


@pytest.mark.parametrize("name", ["Primes", "two words", "2primes", "a-b", "class", "", "p" * 41, "primzahlen\u00e4"])
def test_a_name_that_no_package_has_is_refused(tmp_path, one_line_error, name):
    place = str(tmp_path / "in" / name) if name else "/"
    assert "cannot be the name of a package" in one_line_error("paper", "new", place)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["derl", "json", "numpy"])
def test_the_name_of_an_installed_package_is_refused(tmp_path, one_line_error, name):
    assert "is installed; choose another name" in one_line_error("paper", "new", str(tmp_path / name))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("kind", ["folder", "file", "dangling link"])
def test_nothing_is_overwritten(tmp_path, one_line_error, kind):
    place = tmp_path / "primes"
    if kind == "folder":
        place.mkdir()
    elif kind == "file":
        place.write_text("mine", encoding="utf-8")
    else:
        place.symlink_to(tmp_path / "nowhere")
    assert "is there already" in one_line_error("paper", "new", str(place))
    assert list(tmp_path.iterdir()) == [place] and (kind != "file" or place.read_text(encoding="utf-8") == "mine")
    assert kind != "folder" or list(place.iterdir()) == []


def test_a_folder_below_a_file_is_refused(tmp_path, one_line_error):
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    assert "cannot be made: " in one_line_error("paper", "new", str(tmp_path / "file" / "primes"))


def test_half_a_paper_is_not_left_behind(tmp_path, monkeypatch, one_line_error):
    write, seen = files.write, []

    def full(place, content):
        if len(seen) == 3:
            raise files.InvalidFile("the disk is full")
        seen.append(place)
        write(place, content)

    monkeypatch.setattr(files, "write", full)
    assert "the disk is full" in one_line_error("paper", "new", str(tmp_path / "primes"))
    assert len(seen) == 3 and list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("file, old, new, said", [
    ("_config.yml", "claims_paper: primes", "claims_paper: 7", "`claims_paper` under `sphinx: config:` is 7"),
    ("_config.yml", "claims_paper: primes", "claims_papers: primes", "`claims_paper` under `sphinx: config:` is None"),
    ("_config.yml", "claims_paper: primes", "claims_paper: json", "has no package json"),
    ("_config.yml", "claims_paper: primes", "claims_paper: prime_numbers", "has no package prime_numbers"),
    ("_config.yml", "sphinx:", "sphinx: [", "is not valid YAML"),
    ("primes/__init__.py", "PAPER.printed", "PAPER.printed\nPAPER = 7", "primes has no `PAPER`"),
    ("primes/__init__.py", "PAPER = Paper", "PAPER = Papr", "primes cannot be imported: NameError"),
    ("primes/checks.py", "def sums", "def def sums", "the checks of primes cannot be imported: SyntaxError"),
    ("primes/claims.yml", "expected: holds", "expected: hopes", "claims.yml: thm-odd-numbers: expected is 'hopes'"),
    ("primes/checks.py", '"thm-odd-numbers"', '"thm-even"', "checks 'thm-even', which claims.yml does not have")])
def test_what_is_wrong_with_a_paper_is_said_in_one_line(fresh, file, old, new, said):
    change(fresh / file, old, new)
    built = run(fresh.parent, "paper", "build", "primes")
    assert built.returncode == 2 and built.stdout == "" and said in built.stderr, built.stderr
    assert built.stderr.startswith("derl: ") and built.stderr.count("\n") == 1
    assert not (fresh / "_build").exists()


def test_a_folder_that_is_no_paper_is_refused(tmp_path, one_line_error):
    for place in (tmp_path, tmp_path / "nowhere"):
        assert "_config.yml" in one_line_error("paper", "build", str(place))


def test_the_extensions_are_found_and_the_commands_say_what_they_do():
    assert (papers.extensions() / "claims_domain.py").is_file()
    assert (papers.extensions().parent / "_static" / "book.css").is_file()
    for word in ("new", "build"):
        told = CliRunner().invoke(main, ["paper", word, "--help"])
        assert told.exit_code == 0 and f"derl paper {word} primes" in told.stdout
