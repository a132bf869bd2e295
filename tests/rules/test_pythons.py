"""A wheel of the checkout runs `derl verify` outside of it."""

import json
import os
import subprocess
import sys
import zipfile

import pytest
import pythons


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    try:
        built = pythons.wheel(sys.executable, folder)
    except SystemExit as missing:
        if "uv is needed" not in str(missing):
            raise
        pytest.skip(str(missing))
    with zipfile.ZipFile(built) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(unpacked, folder, *words):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    return subprocess.run([sys.executable, *words], cwd=folder, env=environment | {"PYTHONPATH": str(unpacked)},
                          capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.release
def test_the_wheel_verifies_outside_the_repository(unpacked, tmp_path):
    where = run(unpacked, tmp_path, "-c", "import derl; print(derl.__file__)").stdout
    assert where.startswith(str(unpacked))
    ids = ("rem-feature-norm", "lem-trace-det", "C.3")
    done = run(unpacked, tmp_path, "-m", "derl.cli", "verify", *ids, "--out", "ledger.json")
    assert done.returncode == 0 and "0 not as expected" in done.stdout, done.stderr
    ledger = json.loads((tmp_path / "ledger.json").read_text(encoding="utf-8"))
    assert all(row["checks"] for row in ledger["claims"].values()) and ledger["commit"] == "unknown"


def test_the_wheel_has_all_files_that_the_package_reads(unpacked):
    here = {path.relative_to(pythons.ROOT) for path in (pythons.ROOT / "derl").rglob("*")
            if path.is_file() and "__pycache__" not in path.parts and path.name[0] != "."}
    there = {path.relative_to(unpacked) for path in (unpacked / "derl").rglob("*") if path.is_file()}
    assert here - there == set()


def test_the_wheel_has_the_extensions_of_the_book(unpacked):
    def tree(root):
        return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*")
                if path.is_file() and "__pycache__" not in path.parts}

    assert tree(unpacked / "derl" / "book" / "_ext") == tree(pythons.ROOT / "book" / "_ext")
    assert tree(unpacked / "derl" / "book" / "_static").keys() == {"book.css"}


@pytest.mark.slow
@pytest.mark.release
def test_a_paper_of_ones_own_is_built_from_the_wheel(unpacked, tmp_path):
    assert run(unpacked, tmp_path, "-m", "derl", "paper", "new", "primes").returncode == 0
    done = run(unpacked, tmp_path, "-m", "derl", "paper", "build", "primes")
    assert done.returncode == 0 and "ok  enumerated" in done.stdout, done.stderr
    assert (tmp_path / "primes" / "_build" / "html" / "_static" / "book.css").is_file()


def test_what_is_said_is_what_was_run():
    whole = pythons.said("3.12", list(pythons.TESTS), [])
    assert "all verdicts are" in whole and whole.endswith(", the tests pass")
    assert "all verdicts" not in pythons.said("3.12", list(pythons.TESTS), ["C.3"])
    assert "the verdicts of C.3 lem-trace-det are" in pythons.said("3.12", [], ["C.3", "lem-trace-det"])
    assert pythons.said("3.12", [], []).endswith("; no test was asked for")
    assert pythons.said("3.12", ["tests/mdp"], []).endswith(", tests/mdp pass")


def test_the_tests_look_at_the_ledger_that_this_python_has_written(monkeypatch, tmp_path):
    seen = []

    def outside(python, folder, names):
        folder.mkdir()
        (folder / "ledger.json").write_text(f"by {python}", encoding="utf-8")

    def call(*words, cwd=None, **options):
        if "pytest" in words:
            seen.append(((cwd / "_build" / "ledger.json").read_text(encoding="utf-8"), sorted(
                path.name for path in cwd.iterdir() if path.name in ("derl", "tests"))))

    monkeypatch.setattr(pythons, "uv", lambda: "uv")
    monkeypatch.setattr(pythons, "wheel", lambda *place: "derl.whl")
    monkeypatch.setattr(pythons, "outside", outside)
    monkeypatch.setattr(pythons, "call", call)
    pythons.tried("3.12", ["tests/mdp"], [], tmp_path)
    assert seen == [(f"by {tmp_path / '3.12' / 'bin' / 'python'}", ["tests"])]
