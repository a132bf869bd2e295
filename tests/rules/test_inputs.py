"""`make book` builds again when a file that a page may read changes, whatever its name; no name is run by a shell."""

import shutil
import subprocess
import sys
from pathlib import Path

import inputs
import pytest
import rules

NAMES = ("notebooks/Untitled Folder/Untitled.ipynb", "notebooks/Anna's.ipynb", "notebooks/$(touch${IFS}X).ipynb",
         "notebooks/x;touch${IFS}X;.ipynb", "notebooks/a\nb \"c\" `touch X`.ipynb", "notebooks/-rf.ipynb")


@pytest.fixture
def tree(tmp_path):
    """A small repository with the script and the rule of the Makefile."""
    for name in ("book/_setup/inputs.py", "book/_ext/repository.py", "Makefile"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(rules.ROOT / name, tmp_path / name)
    for name in ("attacks/trust.json", "proofs/recorded/a.json", "README.md", "derl/a.py", *NAMES):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    python = tmp_path / ".venv" / "bin" / "python"  # a link would not find what is installed beside the Python itself
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    return tmp_path


def made(tree, *words):
    return subprocess.run(["make", "-o", ".venv/.ready", *words, "_build/.pages"], cwd=tree, capture_output=True,
                          text=True)


def test_strange_names_are_read_and_never_run(tree):
    done = made(tree)
    assert done.returncode == 0 and not done.stderr, done.stderr
    assert not list(tree.rglob("X")) and len((tree / "_build/.pages").read_text().splitlines()) == 8 + len(NAMES)
    before = (tree / "_build/.pages").stat().st_ino
    made(tree)
    assert (tree / "_build/.pages").stat().st_ino == before  # nothing has changed, so nothing is built again


@pytest.mark.parametrize("name", ["attacks/trust.json", "proofs/recorded/a.json", "README.md", NAMES[1]])
def test_a_change_of_anything_that_is_read_is_seen(tree, name):
    before = inputs.listed(tree)
    (tree / name).write_text("another")
    assert inputs.listed(tree) != before
    (tree / name).unlink()
    assert len(inputs.listed(tree).splitlines()) == len(before.splitlines()) - 1


@pytest.mark.parametrize("name", ["_build/html/x", "tests/x.py", "book/node_modules/x", "proofs/a.vo", ".venv/x",
                                  "derl/__pycache__/x.pyc", "derl.egg-info/x"])
def test_what_is_built_or_installed_is_no_input(tree, name):
    before = inputs.listed(tree)
    (tree / name).parent.mkdir(parents=True, exist_ok=True)
    (tree / name).write_text("new")
    assert inputs.listed(tree) == before


def test_the_files_of_this_book_are_found():
    found = {path.relative_to(rules.ROOT).as_posix() for path in inputs.inputs(rules.ROOT)}
    tracked = {path.relative_to(rules.ROOT).as_posix() for path in rules.tracked()}
    assert {"attacks/trust.json", "speed/results.json", "_config.yml", "README.md"} <= found
    left_out = {name for name in tracked - found if Path(name).parts[0] not in {".ci", "tests", ".github",
                                                                                ".devcontainer", *inputs.APART}}
    assert not left_out, left_out
    pages = "".join(path.read_text(encoding="utf-8") for path in sorted((rules.ROOT / "book").rglob("*.md"))
                    if "node_modules" not in path.parts)
    assert not [name for name in inputs.APART if f"({name})" in pages or f'"{name}"' in pages]  # no page reads them


@pytest.mark.parametrize("jobs", ["0", "two", "2; touch X", "$(shell touch X)", "2'; touch X; '", "", "-1", "2 2"])
def test_jobs_is_a_number(tree, jobs):
    done = made(tree, f"JOBS={jobs}")
    assert done.returncode == 2 and "JOBS is the number of worker processes" in done.stderr
    assert not (tree / "X").exists()
