"""The commit that is recorded is that of the checkout that holds the package, and of no other."""

import os
import shutil
import subprocess

import pytest

from derl.inputs import git

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
