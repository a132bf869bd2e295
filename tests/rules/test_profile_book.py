"""The profile of a build: stages by lines of its output, parts by processes, pages by their kernels."""

import importlib
import subprocess
import sys
from types import SimpleNamespace

import pytest
import rules

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are watched on Linux")


@pytest.fixture
def profile(monkeypatch):
    monkeypatch.syspath_prepend(str(rules.ROOT / "speed"))
    return importlib.import_module("profile_book")


def process(pid, parent, first, last, cpu, part="kernels"):
    return {"pid": pid, "parent": parent, "first": first, "last": last, "cpu": cpu, "part": part}


def test_stages_follow_each_other_and_share_all_seconds(profile):
    lines = [(1.0, 0.5, "sh book/_setup/environment.sh\n"), (9.0, 5.0, "77 of 776 checks\n"),
             (20.0, 25.0, "154 of 776 checks\n"), (30.0, 40.0, "build succeeded")]
    found = profile.stages(lines)
    assert [row["name"] for row in found] == ["make begins", "packages", "checks", "the end"]
    assert [row["CPU seconds"] for row in found] == [0.5, 4.5, 35.0, 0.0]
    assert sum(row["seconds"] for row in found) == 30.0


def test_a_page_has_the_kernel_that_lasted_so_long_and_ended_then(profile):
    rows = [process(1, 0, 0.0, 30.0, 2.0, "Sphinx"), process(10, 1, 0.0, 30.0, 3.0),
            process(11, 10, 5.0, 15.0, 9.0), process(12, 10, 14.0, 15.1, 1.0), process(13, 11, 6.0, 15.1, 7.0)]
    lines = [(15.1, 0.0, "Executed notebook long.md in 10.0 s\n"),
             (15.2, 0.0, "Executed notebook short.md in 1.0 s\n"), (30.0, 0.0, "build succeeded")]
    found = profile.pages(SimpleNamespace(seen=dict(enumerate(rows))), lines)
    assert {row["name"]: row["CPU seconds"] for row in found} == {"long.md": 9.0, "short.md": 1.0}
    (sphinx, kernels) = profile.parts(SimpleNamespace(seen=dict(enumerate(rows))))
    assert (sphinx["name"], sphinx["CPU seconds"], kernels["CPU seconds"]) == ("Sphinx", 2.0, 20.0)


@pytest.mark.slow
def test_processes_that_work_are_told_from_those_that_sleep():
    code = ("import profile_book, subprocess, sys\nprocesses = profile_book.Processes()\n"
            "for work in ('while time.process_time() < 1: pass', 'time.sleep(1)'):\n"
            "    subprocess.run([sys.executable, '-c', 'import time; ' + 'exec(\"' + work + '\")', 'derl verify'])\n"
            "processes.close()\nprint([round(row['cpu']) for row in processes.seen.values()],"
            " {row['part'] for row in processes.seen.values()})")
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          cwd=rules.ROOT / "speed").stdout
    assert said == "[1, 0] {'checks'}\n"
