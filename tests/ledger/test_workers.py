"""Runs stop when they are told to, workers die with their parent, and a check that misbehaves costs itself alone."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import troubled_paper

from derl.inputs import processes
from derl.ledger import Evidence, verify, workers
from derl.ledger.trial import Stopped

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
        found = until(lambda: len(children(process.pid)) == min(jobs, len(ids)) and children(process.pid))
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
    process, found = running(2, "lem-holds", "lem-numpy")
    os.kill(process.pid, with_what)
    process.wait(timeout=SOON)
    until(lambda: not alive(found), SOON)


@pytest.mark.parametrize("jobs, apart", [(1, True), (2, False), (2, True)])
def test_a_check_that_kills_its_process_costs_itself_alone(jobs, apart):
    ledger = verify(PAPER, ["lem-dies", "lem-sound"], jobs=jobs, apart=apart)
    (row,) = ledger.claims["lem-dies"]["checks"]
    assert row["outcome"] == "error" and "has died (status 3)" in row["detail"]
    assert ledger.claims["lem-dies"]["verdict"] == "not checked" and not ledger.claims["lem-dies"]["as_expected"]
    assert "has died" in ledger.claims["lem-dies"]["scope_gap"]
    assert ledger.claims["lem-sound"]["verdict"] == "enumerated"


@pytest.mark.parametrize("jobs, apart", [(1, False), (1, True), (2, False)])
def test_what_checks_and_controls_raise_is_recorded_and_the_run_goes_on(jobs, apart):
    ledger = verify(PAPER, ["lem-quits", "lem-interrupts", "lem-plants", "lem-sound"], jobs=jobs, apart=apart)
    (quits,), (interrupts,), (plants,) = (ledger.claims[key]["checks"] for key in
                                          ("lem-quits", "lem-interrupts", "lem-plants"))
    assert quits["outcome"] == "error" and quits["detail"].startswith("SystemExit: 0 (quits")
    assert interrupts["outcome"] == "error" and interrupts["detail"].startswith("KeyboardInterrupt")
    assert {ledger.claims[key]["verdict"] for key in ("lem-quits", "lem-interrupts", "lem-plants")} == {"not checked"}
    assert plants["controls"][0]["outcome"] == "NOT RUN" and "cannot be planted" in plants["controls"][0]["detail"]
    assert ledger.claims["lem-sound"]["verdict"] == "enumerated"


def turned_into_another_error():
    try:
        signal.raise_signal(signal.SIGINT)
    except BaseException:
        raise ValueError("own") from None


def swallowed():
    with suppress(BaseException):
        signal.raise_signal(signal.SIGINT)
    return Evidence(1, 1, "identity", "one equals one")


@pytest.mark.parametrize("way", [lambda: signal.raise_signal(signal.SIGINT), turned_into_another_error, swallowed])
def test_ctrl_c_within_this_process_is_no_error_of_the_check_and_no_finding_of_it(monkeypatch, way):
    (check,) = [check for check in PAPER.register().checks if check.name == "sound"]

    def pressed(claimed=1):
        return way()

    monkeypatch.setitem(check.__dict__, "function", pressed)
    with pytest.raises(Stopped):
        verify(PAPER, ["lem-sound"])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_waits_until_workers_are_started_and_they_do_not_hear_it():
    reached, heard = [], []
    with pytest.raises(KeyboardInterrupt):
        with processes.deaf():
            signal.raise_signal(signal.SIGINT)
            reached.append("the end of the block")
            child = processes.CONTEXT.Process(target=signal.raise_signal, args=(signal.SIGINT,))
            child.start()
            child.join()
            heard.append(child.exitcode)
    assert (reached, heard) == (["the end of the block"], [0])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_rows_are_the_same_whoever_runs_them():
    def rows(**how):
        ledger = verify(PAPER, ["lem-sound", "lem-plants"], **how)
        return [replace(row, seconds=0) for claim in ledger.claims.values() for row in claim.checks]

    assert rows() == rows(apart=True) == rows(jobs=2)


@pytest.mark.parametrize("jobs", [1, 2])
def test_no_more_workers_than_asked_for_are_started(monkeypatch, jobs):
    started = []

    class Counted(workers._Worker):
        def __init__(self, package, thorough):
            super().__init__(package, thorough)
            started.append(self)

    monkeypatch.setattr(workers, "_Worker", Counted)
    PAPER.register()
    fine = [n for n, check in enumerate(PAPER.registry.checks) if check.claim == "lem-sound"][:1] * 3
    assert len(list(workers.run_in_workers(PAPER, fine, jobs))) == 3 and len(started) == jobs


def test_a_worker_stays_with_a_module_and_helps_others_when_there_is_nothing_else():
    modules = ["a", "a", "b", "a", "b", "a"]
    checks = [SimpleNamespace(function=SimpleNamespace(__module__=name)) for name in modules]
    waiting = workers._Waiting(SimpleNamespace(registry=SimpleNamespace(checks=checks)), list(range(len(checks))))
    first, second = waiting.take(None, []), waiting.take(None, [0])
    assert (first, second) == (0, 2)
    assert waiting.take(first, [second]) == 1 and waiting.take(second, [1]) == 4
    assert waiting.take(4, [1]) == 3, "nothing else is left than the module of the other"
    assert waiting and waiting.take(1, [3]) == 5 and not waiting


def test_the_next_check_is_chosen_by_what_the_others_run(monkeypatch):
    """Three workers that answer in turn, each with a module of its own: none begins the module of another too early."""
    modules = ["a"] * 3 + ["b"] * 2 + ["c"] * 4 + ["d"] * 2
    checks = [SimpleNamespace(function=SimpleNamespace(__module__=name)) for name in modules]
    paper = SimpleNamespace(package="", registry=SimpleNamespace(checks=checks))
    running, asked = {}, []

    class Answers:
        def __init__(self, package, thorough):
            self.pipe = len(running)

        def give(self, position):
            self.position = running[self.pipe] = position

        def take(self):
            return "row"

        def kill(self):
            running.pop(self.pipe, None)

    class Waiting(workers._Waiting):
        def take(self, before, elsewhere):
            others = sorted(position for position in running.values() if position != before)
            asked.append(sorted(elsewhere) == others)
            return super().take(before, elsewhere)

    monkeypatch.setattr(workers, "_Worker", Answers)
    monkeypatch.setattr(workers, "_Waiting", Waiting)
    monkeypatch.setattr(workers, "wait", lambda pipes: pipes[:1] if len(asked) % 2 else pipes[-1:])
    found = [position for position, row in workers.run_in_workers(paper, list(range(len(checks))), 3)]
    assert sorted(found) == list(range(len(checks))) and len(asked) == len(checks) and all(asked)


@pytest.mark.parametrize("started", [0, 1])
def test_where_no_further_process_can_be_started_the_others_do_the_work(monkeypatch, started):
    left = [started]

    class Scarce(workers._Worker):
        def __init__(self, package, thorough):
            if not left[0]:
                raise BlockingIOError(11, "Resource temporarily unavailable")
            left[0] -= 1
            super().__init__(package, thorough)

    monkeypatch.setattr(workers, "_Worker", Scarce)
    ledger = verify(PAPER, ["lem-sound", "lem-plants"], jobs=2, apart=True)
    assert ledger.claims["lem-sound"]["verdict"] == "enumerated" and left == [0]
    assert [len(row["checks"]) for row in ledger.claims.values()] == [2, 1]


def test_rows_are_left_to_the_caller_where_nobody_can_run_them(monkeypatch):
    def none(package, thorough):
        raise OSError(12, "Cannot allocate memory")

    monkeypatch.setattr(workers, "_Worker", none)
    PAPER.register()
    with pytest.raises(workers.NoProcess, match="Cannot allocate memory"):
        next(workers.run_in_workers(PAPER, [0], 1))
