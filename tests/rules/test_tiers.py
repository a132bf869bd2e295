"""Which tests `make test` runs, and which only `make test-all`: a list that is compared with the markers."""

import re
import subprocess
import sys
from fnmatch import fnmatch
from itertools import groupby
from pathlib import Path

import pytest
import yaml
from rules import ROOT
from tiers import COLLECTED

LIST = Path(__file__).with_name("slow.txt")
# what `make test` promises -> a test that keeps the promise, as a pattern of its id
PROMISED = {
    "the quick ledger": "tests/claims/test_ledger.py::*",
    "the command line": "tests/cli/test_cli.py::*",
    "every page in Chromium without errors": "tests/book/test_browser.py::test_pages_open_without*over_http*",
    "every page on a phone": "tests/book/test_browser.py::test_no_page_scrolls_sideways*over_http*",
    "axe on one page of each kind": "tests/book/test_access.py::test_axe_finds_nothing_serious*over_http*",
    "one game to its end": "tests/book/test_moves.py::test_a_game_can_be_played*",
    "one lab end to end": "tests/labs/test_in_jupyterlab.py::test_a_lab_runs_by_itself*[[]layerwise[]]",
    "recordings of proofs, without Coq": "tests/proofs/test_recordings.py::test_the_recordings_are_of_the_sources",
}


def listed(tests: list[tuple[str, bool]]) -> list[str]:
    """The slow tests, one line each: a test without its parameters, unless only some of them make it slow."""
    lines = []
    for name, group in groupby(sorted(tests), key=lambda entry: re.split(r"\[", entry[0], maxsplit=1)[0]):
        entries = list(group)
        slow = [node for node, is_slow in entries if is_slow]
        lines += [name] if len(slow) == len(entries) else slow
    return lines


def wanted(collected: set[str]) -> list[str]:
    """The lines of the list that speak of the files that were collected."""
    lines = [line for line in LIST.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return [line for line in lines if line.split("::")[0] in collected]


def test_the_list_of_slow_tests_is_that_of_the_markers(request):
    tests = request.config.stash[COLLECTED]
    found = listed(tests)
    assert found == wanted({node.split("::")[0] for node, _ in tests}), \
        f"{LIST.relative_to(ROOT)} should have these lines:\n" + "\n".join(found)


def test_the_list_names_files_that_exist():
    lines = [line for line in LIST.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    assert lines == sorted(set(lines))
    assert [line for line in lines if not (ROOT / line.split("::")[0]).is_file()] == []


def test_a_test_that_changes_its_tier_is_seen():
    tests = [("a.py::test_x[1]", True), ("a.py::test_x[2]", True),
             ("a.py::test_y[1]", True), ("a.py::test_y[2]", False), ("a.py::test_z", False)]
    assert listed(tests) == ["a.py::test_x", "a.py::test_y[1]"]
    assert listed([*tests[:-1], ("a.py::test_z", True)])[-1] == "a.py::test_z"


@pytest.mark.parametrize("promise", PROMISED)
def test_the_quick_tier_keeps_its_promises(promise, request):
    tests, pattern = request.config.stash[COLLECTED], PROMISED[promise]
    file = pattern.split("::")[0]
    assert (ROOT / file).is_file()
    if any(node.startswith(file) for node, _ in tests):  # otherwise only some files were collected
        assert any(fnmatch(node, pattern) and not slow for node, slow in tests), pattern


def test_make_runs_all_tiers_and_ci_the_first_two():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipes = dict(re.findall(r"^(test(?:-\w+)?):[^\n]*\n((?:\t[^\n]*\n)+)", makefile, re.M))
    assert '-m "not slow"' in recipes["test"] and '-m "slow and not release"' in recipes["test-slow"]
    assert "-m release" in recipes["test-release"]
    assert re.findall(r"\$\(MAKE\).* (test\S*)$", recipes["test-all"], re.M) == [
        "test", "test-slow", "test-release"]
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert re.findall(r"^(?:exec )?make (\S+)", script, re.M) == ["test", "test-slow"]


def test_workflows_run_a_tier_that_exists():
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        body = yaml.safe_load(path.read_text(encoding="utf-8"))
        commands = [step.get("run", "") for job in body["jobs"].values() for step in job.get("steps", [])]
        assert all(target in ("test", "test-all", "test-slow", "test-release") for command in commands
                   for target in re.findall(r"make (test\S*)", command)), path.name


def test_no_test_begins_after_its_minutes():
    command = [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", "--minutes", "0", "-k", "names_files",
               __file__]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0 and "the minutes of --minutes were over: 1 tests" in done.stdout, done.stdout
    assert "1 skipped" in done.stdout
