"""What is printed into a pipe whose reader has had enough: no complaint, and no status that means something else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
RUN = ("run", "1", "--instance", "optimism_trap", "--epsilon", "0.2", "--delta", "0.1", "--batch-size", "1e12",
       "--trace")
COMMANDS = [("--help",), ("verify", "C.3"), ("show",), ("show", "C.3", "--code"), ("list", "--help"), RUN,
            ("completion", "bash"), ("instance", "optimism_trap", "--out", "x.npz"), ("frobnicate",)]


def started(words, folder, **streams):
    return subprocess.Popen([sys.executable, "-m", "derl", *words], cwd=folder, stdin=subprocess.DEVNULL, text=True,
                            env=os.environ | {"PYTHONPATH": str(ROOT)}, **streams)


@pytest.mark.parametrize("words", COMMANDS)
def test_a_reader_who_is_gone_is_no_error(tmp_path, words):
    read, write = os.pipe()
    os.close(read)
    process = started(words, tmp_path, stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    _, complaint = process.communicate(timeout=120)
    assert process.returncode == (2 if words == ("frobnicate",) else 141), complaint
    assert "Traceback" not in complaint and "Broken" not in complaint and "Exception ignored" not in complaint


@pytest.mark.parametrize("words", [("verify", "C.3"), ("frobnicate",)])
def test_nobody_reads_complaints_either(tmp_path, words):
    read, write = os.pipe()
    os.close(read)
    process = started(words, tmp_path, stdout=write, stderr=write)
    os.close(write)
    assert process.wait(timeout=120) == 141


def test_a_reader_of_one_line_has_it(tmp_path):
    process = started(("show",), tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout.readline().startswith("Assumption 1")
    process.stdout.close()
    assert process.wait(timeout=120) in (0, 141) and process.stderr.read() == ""
    process.stderr.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no such device here")
def test_a_full_disk_behind_the_output_is_one_line(tmp_path):
    with open("/dev/full", "w", encoding="utf-8") as full:
        process = started(("show",), tmp_path, stdout=full, stderr=subprocess.PIPE)
        _, complaint = process.communicate(timeout=120)
    assert (process.returncode, complaint) == (2, "derl: [Errno 28] No space left on device\n")


def test_a_closed_output_is_no_error(tmp_path):
    done = subprocess.run(["sh", "-c", '"$0" -m derl show >&-', sys.executable], capture_output=True, text=True,
                          cwd=tmp_path, check=False, env=os.environ | {"PYTHONPATH": str(ROOT)})
    assert (done.returncode, done.stderr) == (0, "")
