"""A run stops on Ctrl-C, workers die with their parent, and a check that misbehaves costs itself alone."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import troubled_paper

from derl.ledger import verify

PAPER = troubled_paper.PAPER
HERE = Path(__file__).parents[1]
SCRIPT = """
import sys
from derl.ledger import verify
from troubled_paper import PAPER
PAPER.register()
print("ready", flush=True)
verify(PAPER, sys.argv[2:], jobs=int(sys.argv[1]), apart=True)
"""
SOON = 5.0  # seconds from Ctrl-C to the end, also on a machine with other work; the check takes hours


def children(pid):
    table = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,stat="], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in table.splitlines()]
    return {int(child) for child, parent, state in rows if int(parent) == pid and "Z" not in state}


def alive(pids):
    table = subprocess.run(["ps", "-A", "-o", "pid=,stat="], capture_output=True, text=True, check=True).stdout
    return {int(pid) for pid, state in map(str.split, table.splitlines()) if int(pid) in pids and "Z" not in state}


def until(what, seconds=60.0):
    end = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.02)
    return found


@pytest.fixture
def running():
    """Start a run of some statements; (process, its workers at work)."""
    started = []

    def start(jobs, *ids):
        process = subprocess.Popen([sys.executable, "-c", SCRIPT, str(jobs), *ids], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, start_new_session=True,
                                   env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, (HERE.parent, HERE)))})
        started.append(process)
        process.stdout.readline()
        found = until(lambda: children(process.pid))
        time.sleep(0.3)  # they are at their check now
        return process, found

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdout.close()


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("whom", ["the group", "the parent alone"])
def test_ctrl_c_stops_the_run_and_its_workers_in_the_middle_of_a_long_check(running, jobs, whom):
    process, found = running(jobs, "lem-holds", "lem-numpy")
    begun = time.monotonic()
    (os.killpg if whom == "the group" else os.kill)(process.pid, signal.SIGINT)
    process.wait(timeout=SOON)
    until(lambda: not alive(found), SOON)
    assert time.monotonic() - begun < SOON and process.returncode != 0


@pytest.mark.parametrize("with_what", [signal.SIGKILL, signal.SIGTERM])
def test_workers_die_with_their_parent_in_the_middle_of_a_long_check(running, with_what):
    process, found = running(2, "lem-numpy")
    os.kill(process.pid, with_what)
    process.wait(timeout=SOON)
    until(lambda: not alive(found), SOON)


@pytest.mark.parametrize("jobs, apart", [(1, True), (2, False), (2, True)])
def test_a_check_that_kills_its_process_costs_itself_alone(jobs, apart):
    ledger = verify(PAPER, ["lem-dies", "lem-sound"], jobs=jobs, apart=apart)
    (row,) = ledger.claims["lem-dies"]["checks"]
    assert row["outcome"] == "error" and "has died" in row["detail"]
    assert ledger.claims["lem-dies"]["verdict"] == "not checked" and not ledger.claims["lem-dies"]["as_expected"]
    assert "has died" in ledger.claims["lem-dies"]["scope_gap"]
    assert ledger.claims["lem-sound"]["verdict"] == "enumerated"


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_checks_and_controls_raise_is_recorded_and_the_run_goes_on(jobs):
    ledger = verify(PAPER, ["lem-quits", "lem-interrupts", "lem-plants", "lem-sound"], jobs=jobs, apart=True)
    (quits,), (interrupts,), (plants,) = (ledger.claims[key]["checks"] for key in
                                          ("lem-quits", "lem-interrupts", "lem-plants"))
    assert quits["outcome"] == "error" and quits["detail"].startswith("SystemExit: 0 (quits")
    assert interrupts["outcome"] == "error" and interrupts["detail"].startswith("KeyboardInterrupt")
    assert {ledger.claims[key]["verdict"] for key in ("lem-quits", "lem-interrupts", "lem-plants")} == {"not checked"}
    assert plants["controls"][0]["outcome"] == "NOT RUN" and "cannot be planted" in plants["controls"][0]["detail"]
    assert ledger.claims["lem-sound"]["verdict"] == "enumerated"


def test_ctrl_c_within_this_process_ends_the_run():
    with pytest.raises(KeyboardInterrupt):
        verify(PAPER, ["lem-interrupts"])


def test_rows_are_the_same_whoever_runs_them():
    def rows(**how):
        ledger = verify(PAPER, ["lem-sound", "lem-plants"], **how)
        return [replace(row, seconds=0) for claim in ledger.claims.values() for row in claim.checks]

    assert rows(apart=True) == rows(jobs=2)
