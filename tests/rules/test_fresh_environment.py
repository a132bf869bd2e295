"""What conda leaves to pip, and the Containerfile, tried for real: minutes, and a network."""

import os
import re
import shutil
import subprocess
import sys

import pytest
import stranger
from rules import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.release]
README = (ROOT / "README.md").read_text(encoding="utf-8")
CHROOT = os.geteuid() == 0 and shutil.which("debootstrap") and shutil.which("unshare")


def shown() -> str:
    (block,) = stranger.blocks(stranger.section(README), "text")
    return stranger.plain(block)


def test_the_pip_part_of_the_environment_gives_a_derl_that_works(tmp_path):
    (project,) = re.findall(r"^ {6}- -e (.+)$", (ROOT / "environment.yml").read_text(encoding="utf-8"), re.M)
    copy = tmp_path / "copy"
    shutil.copytree(ROOT / "derl", copy / "derl", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    programs = tmp_path / "venv" / "bin"
    subprocess.run([programs / "pip", "install", "--quiet", "-e", project], cwd=copy, check=True)
    done = subprocess.run([programs / "derl", "verify", "C.3"], cwd=tmp_path, capture_output=True, text=True,
                          check=False)
    assert (done.returncode, stranger.plain(done.stdout)) == (0, shown()), done.stderr
    for name in ("jupyter-book", "jupyter-lab", "pytest"):
        assert (programs / name).is_file()


@pytest.mark.skipif(not CHROOT, reason="debootstrap and root are needed for an empty root directory")
def test_pip_in_an_empty_root_directory_ends_with_the_lines_of_readme(tmp_path):
    done = subprocess.run([sys.executable, ROOT / "book" / "_setup" / "stranger.py", tmp_path / "root", "pip"],
                          capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "the last lines are those of README" in done.stdout, done.stderr
