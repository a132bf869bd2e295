"""Digests of code and what git says of it."""

import hashlib
import os
import shutil
import subprocess
from importlib import metadata

import pytest

from derl.exact.base import digest
from derl.inputs import git
from derl.inputs.digests import below, contents, versions


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "part" / "__pycache__").mkdir(parents=True)
    (tmp_path / "a.py").write_text("1", encoding="utf-8")
    (tmp_path / "part" / "b.yml").write_text("1", encoding="utf-8")
    (tmp_path / "part" / "__pycache__" / "b.pyc").write_text("1", encoding="utf-8")
    return tmp_path


def test_bytes_have_their_own_digest_and_values_that_of_their_json():
    assert digest(b"") == hashlib.sha256(b"").hexdigest() != digest("")
    assert digest({"b": 1, "a": (1, 2)}) == digest({"a": [1, 2], "b": 1}) == hashlib.sha256(
        b'{"a": [1, 2], "b": 1}').hexdigest()
    assert len({digest(value) for value in ({"a": 1}, {"a": "1"}, {"a": [1]}, ["a", 1], None, b"null ")}) == 6


def test_files_are_told_by_name_and_by_content(folder):
    def now():
        return digest(contents(folder, below(folder)))

    first = now()
    assert contents(folder, below(folder)) == {"a.py": digest(b"1"), "part/b.yml": digest(b"1")}
    (folder / "part" / "__pycache__" / "b.pyc").write_text("2", encoding="utf-8")
    assert now() == first
    (folder / "a.py").write_text("2", encoding="utf-8")
    second = now()
    (folder / "a.py").rename(folder / "c.py")
    third = now()
    (folder / "empty").mkdir()
    assert len({first, second, third}) == 3 and now() == third


def test_a_pattern_chooses_files(folder):
    assert [path.name for path in below(folder, "*.py")] == ["a.py"] and below(folder / "absent") == []


def test_packages_are_told_by_their_versions():
    assert versions(("numpy", "no-such-package")) == {"numpy": metadata.version("numpy"), "no-such-package": "absent"}


pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="git is not installed")


def checkout(folder):
    """A repository with one commit, and the number of that commit."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "file").write_text(folder.name, encoding="utf-8")
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    for words in (["init", "-q"], ["add", "."], ["-c", "user.name=x", "-c", "user.email=x@y", "commit", "-qm", "x"]):
        subprocess.run(["git", "-C", folder, *words], check=True, env=clean)
    return git.git(folder, "rev-parse", "--short=12", "HEAD").strip()


@pytest.fixture
def package(tmp_path):
    place = tmp_path / "outer" / "unpacked" / "derl"
    place.mkdir(parents=True)
    (place / "__init__.py").write_text("", encoding="utf-8")
    return place


def test_a_checkout_above_that_does_not_hold_the_package(package, monkeypatch):
    assert git.commit(package) == git.UNKNOWN
    outer = package.parents[1]
    (outer / ".gitignore").write_text("unpacked\n", encoding="utf-8")
    checkout(outer)
    assert git.commit(package) == git.UNKNOWN


def test_the_checkout_that_holds_it_whatever_a_hook_of_another_names(package, tmp_path, monkeypatch):
    own, other = checkout(package.parents[1]), checkout(tmp_path / "other")
    assert own != other
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other" / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(tmp_path / "other"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "other" / ".git" / "index"))
    assert git.commit(package) == own
    (package / "new.py").write_text("", encoding="utf-8")
    assert git.commit(package) == f"{own}+"


def test_no_git_of_the_current_folder_is_run(package, tmp_path, monkeypatch):
    fake = tmp_path / "git"
    fake.write_text("#!/bin/sh\ntouch ran\n", encoding="utf-8")
    fake.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.pathsep}{os.environ['PATH']}")
    git.commit(package)
    assert not (tmp_path / "ran").exists()
