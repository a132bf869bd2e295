"""Ctrl-C: soon over, one line, nothing half-written, and what was finished is kept."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from derl.cli import main

ROOT = Path(__file__).parents[2]


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
    _, complaint = process.communicate(timeout=2)
    assert time.monotonic() - pressed < 2 and process.returncode == 2
    assert complaint.splitlines()[-1] == "derl: stopped" and "Traceback" not in complaint
    assert os.listdir(tmp_path) == [journal.name]
    kept = [json.loads(line) for line in journal.read_text().splitlines()[1:]]
    ids = sorted({row["claim"] for row in kept})[:2]
    result = CliRunner().invoke(main, ["verify", *ids, "--out", str(out)])
    assert result.exit_code == 0 and "are taken over from a run that was stopped" in result.stderr
    assert os.listdir(tmp_path) == ["ledger.json"]


READY = "import sys; from derl.cli import main; print('ready', flush=True); main(sys.argv[1:])"
LARGE = "random-simplex:n_states=200,n_actions=20,dim=60,horizon=20,seed=0"


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
        _, complaint = process.communicate(timeout=2)
    finally:  # a run that does not stop would go on for hours
        process.kill()
    assert process.returncode == 2 and complaint.splitlines()[-1] == "derl: stopped" and "Traceback" not in complaint
    assert os.listdir(tmp_path) == []


PRESSED = """
import sys
class Pressed:
    def find_spec(self, name, path=None, target=None):
        if name == self.name:
            raise KeyboardInterrupt
sys.meta_path.insert(0, Pressed())
Pressed.name = sys.argv[1]
sys.argv[1:] = ["show", "C.3"]
from derl.cli import main
main()
"""


@pytest.mark.parametrize("module", ["click", "derl.cli.commands", "numpy", "derl.claims"])
def test_ctrl_c_while_modules_are_imported_is_one_line(module):
    done = subprocess.run([sys.executable, "-c", PRESSED, module], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "derl: stopped\n")
