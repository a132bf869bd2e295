"""The set-up: everything pinned, one line where something is missing, a browser where there is none."""

import os
import platform
import shutil
import subprocess
import sys

import chromium
import pytest
import rules
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from rules import ROOT

SETUP = ROOT / "book" / "_setup"
SCRIPT = (SETUP / "environment.sh").read_text(encoding="utf-8")


def test_the_browser_of_the_tests_is_pinned_with_integrity():
    package, lock = [(SETUP / "browser" / name).read_text(encoding="utf-8")
                     for name in ("package.json", "package-lock.json")]
    assert rules.asset_problems(package, lock) == []
    assert rules.asset_problems(package.replace('": "1', '": "^1'), lock)


def test_the_editable_install_is_built_with_the_lock():
    lock = rules.pins((ROOT / "requirements.lock").read_text(encoding="utf-8"))
    requires = rules.tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    for tool in map(Requirement, requires):
        assert lock[canonicalize_name(tool.name)][0] in tool.specifier
    installs = [line for line in SCRIPT.splitlines() if line.startswith("installed ")]
    assert len(installs) == 2
    assert all("--require-hashes" in line or {"--no-deps", "--no-build-isolation"} <= set(line.split())
               for line in installs)


@pytest.fixture
def clone(tmp_path):
    """What the set-up reads, in a folder of its own."""
    for name in ("book/_setup", "requirements.lock", "pyproject.toml"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        (tmp_path / name).parent.mkdir(exist_ok=True)
        copy(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.mark.slow
def test_without_a_network_one_line_says_so_and_the_next_try_begins_with_what_is_there(clone):
    nowhere = {"UV_OFFLINE": "1", "UV_CACHE_DIR": str(clone / "uv"), "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(clone),
               "PIP_CACHE_DIR": str(clone / "pip"), "PIP_CONFIG_FILE": os.devnull, "PYTHON": sys.executable}
    for _ in range(2):
        done = subprocess.run(["sh", clone / "book/_setup/environment.sh"], env=os.environ | nowhere,
                              capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1), done.stderr
        assert "no network?" in done.stderr and ".venv/setup.log" in done.stderr
        assert (clone / ".venv/setup.log").stat().st_size and not (clone / ".venv/.ready").exists()


def test_the_browser_of_the_machine_comes_first(monkeypatch, tmp_path):
    monkeypatch.setattr(chromium, "OWN", tmp_path / "start")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert chromium.find() is None
    chromium.OWN.touch()
    assert chromium.find() == str(tmp_path / "start")
    (tmp_path / "google-chrome").touch(0o755)
    assert chromium.find() == str(tmp_path / "google-chrome")


def test_elsewhere_one_line_says_what_to_install(monkeypatch):
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    with pytest.raises(SystemExit, match="need Chromium or Google Chrome on the PATH") as stopped:
        chromium.bring()
    assert "\n" not in str(stopped.value)
