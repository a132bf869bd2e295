"""Ctrl-C: soon over, one line, nothing half-written, and what was finished is kept."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from click.testing import CliRunner

from derl.cli import main

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_a_stopped_run_of_the_command_is_taken_up_again(tmp_path):
    """Ctrl-C in the middle of the real command: soon over, one line, rows kept; the next run uses them."""
    out, journal = tmp_path / "ledger.json", tmp_path / ".ledger.json.journal"
    words = [sys.executable, "-m", "derl.cli", "verify", "--tier", "full", "--jobs", "2", "--out", str(out)]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, start_new_session=True, cwd=ROOT)
    end = time.monotonic() + 90
    while not (journal.exists() and journal.read_bytes().count(b"\n") > 3) and time.monotonic() < end:
        time.sleep(0.05)
    pressed = time.monotonic()
    os.killpg(process.pid, signal.SIGINT)
    _, complaint = process.communicate(timeout=5)
    assert time.monotonic() - pressed < 5 and process.returncode == 2
    assert complaint.splitlines()[-1] == "derl: stopped" and "Traceback" not in complaint
    assert os.listdir(tmp_path) == [journal.name]
    kept = [json.loads(line) for line in journal.read_text().splitlines()[1:]]
    ids = sorted({row["claim"] for row in kept})[:2]
    result = CliRunner().invoke(main, ["verify", *ids, "--out", str(out)])
    assert result.exit_code == 0 and "are taken over from a run that was stopped" in result.stderr
    assert os.listdir(tmp_path) == ["ledger.json"]


READY = "import sys; from derl.cli import main; print('ready', flush=True); main(sys.argv[1:])"
LARGE = "random-simplex:n_states=200,n_actions=20,dim=60,horizon=20,seed=0"


@pytest.mark.slow
@pytest.mark.parametrize("words", [("run", "layerwise_exploration", "--instance", LARGE, "--epsilon", "0.001",
                                    "--delta", "0.1", "--batch-size", "1e6"), ("instance", LARGE, "--out", "x.npz"),
                                   ("verify", "4.1", "--tier", "full"), ("show", "4.1")])
def test_ctrl_c_stops_every_command(tmp_path, words):
    process = subprocess.Popen([sys.executable, "-c", READY, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True, start_new_session=True, cwd=tmp_path,
                               env=os.environ | {"PYTHONPATH": str(ROOT)})
    try:
        process.stdout.readline()
        time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        _, complaint = process.communicate(timeout=5)
    finally:  # a run that does not stop would go on for hours
        process.kill()
    assert process.returncode == 2 and complaint.splitlines()[-1] == "derl: stopped" and "Traceback" not in complaint
    assert os.listdir(tmp_path) == []


SWEEP = f"""
study: run
fixed: {{algorithm: layerwise_exploration, epsilon: 0.001, delta: 0.1, batch_size: 1000000, c_beta: 1.0,
        instance: "{LARGE.replace("seed=0", "seed={seed}")}"}}
seeds: {{count: 40, block: 1}}
"""


@pytest.mark.slow
@pytest.mark.parametrize("press", [os.kill, os.killpg])
def test_ctrl_c_ends_a_sweep_in_the_middle_of_its_tasks_with_all_of_its_workers(tmp_path, press):
    (tmp_path / "sweep.yml").write_text(SWEEP, encoding="utf-8")
    process = subprocess.Popen([sys.executable, "-m", "derl", "sweep", "sweep.yml", "--out", "results", "--jobs", "2"],
                               stderr=subprocess.PIPE, text=True, start_new_session=True, cwd=tmp_path,
                               env=os.environ | {"PYTHONPATH": str(ROOT)})
    try:
        assert process.stderr.readline().startswith("0 of 40 tasks")
        end = time.monotonic() + 60
        while len(_group(process.pid)) < 3 and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(1)  # in the middle of the first two
        press(process.pid, signal.SIGINT)
        _, complaint = process.communicate(timeout=5)
        assert (process.returncode, complaint.strip()) == (2, "derl: stopped") and _group(process.pid) == []
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


def _group(leader: int) -> list[str]:
    """The processes of a group that are alive."""
    table = subprocess.run(["ps", "-A", "-o", "pgid=,pid=,stat="], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in table.splitlines()]
    return [pid for group, pid, state in rows if int(group) == leader and not state.startswith("Z")]


PRESS = """
import signal, sys, time, weakref
class Thing: pass
def arrives():
    signal.raise_signal(signal.SIGINT)
def bare_except():
    try:
        arrives()
    except:
        pass
def another_error():
    try:
        arrives()
    except BaseException:
        raise RuntimeError("cannot be initialised") from None
def weak_reference():
    thing = Thing()
    reference = weakref.ref(thing, lambda gone: arrives())
    del thing
def finalizer():
    Thing.__del__ = lambda self: arrives()
    Thing()
"""
WAYS = ["arrives", "bare_except", "another_error", "weak_reference", "finalizer"]
WHILE_IMPORTED = PRESS + """
class Pressed:
    def find_spec(self, name, path=None, target=None):
        if name == self.name:
            self.name = None
            self.way()
pressed = Pressed()
pressed.name, pressed.way = sys.argv[1], globals()[sys.argv[2]]
sys.meta_path.insert(0, pressed)
sys.argv[1:] = ["verify", "C.3", "--out", "ledger.json"]
from derl.cli import main
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("module", ["click", "derl.cli.commands", "numpy", "derl.claims"])
def test_ctrl_c_while_modules_are_imported_is_one_line(tmp_path, module, way):
    done = _python(WHILE_IMPORTED, tmp_path, module, way)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "derl: stopped\n")
    assert os.listdir(tmp_path) == []


WHILE_AT_WORK = PRESS + """
from derl.cli.stopping import stoppable
try:
    with stoppable():
        try:
            globals()[sys.argv[1]]()
            time.sleep(600)
        finally:
            time.sleep(1)
            print("cleaned up")
except KeyboardInterrupt:
    time.sleep(1)
    print("stopped", signal.getsignal(signal.SIGINT) is signal.default_int_handler, sys.unraisablehook.__name__)
"""


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_ctrl_c_that_is_swallowed_comes_again_but_not_while_its_ruins_are_cleared(tmp_path, way):
    done = _python(WHILE_AT_WORK, tmp_path, way)
    assert (done.returncode, done.stdout, done.stderr) == (0, "cleaned up\nstopped True unraisablehook\n", "")



def _python(code: str, folder: Path, *words: str):
    return subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, cwd=folder, timeout=60,
                          env=os.environ | {"PYTHONPATH": str(ROOT)})
