"""Compiled kernels and Ctrl-C: what numba has begun to import or to compile is ended in peace."""

import subprocess
import sys

import pytest
from broken_machines import MACHINES, NO_CACHE, Machine

from derl.inputs.compiled import COMPILED, call, works

INTERRUPTED = """
import signal, sys
import numpy as np
from derl.mdp import batch

def rung(number, frame):
    raise TimeoutError

signal.signal(signal.SIGALRM, rung)
arrays = np.ones((2, 3, 4, 2, 1)), np.ones((2, 3, 1, 4)) / 4, np.ones((2, 3, 1))
heard = 0
while True:
    signal.setitimer(signal.ITIMER_REAL, float(sys.argv[1]))
    try:
        found = batch.optimal(*arrays)
        signal.setitimer(signal.ITIMER_REAL, 0)
        break
    except TimeoutError:
        heard += 1
print(heard > 0, found.values[:, 0, 0].tolist())
"""


@pytest.mark.skipif(not COMPILED, reason="numba is not installed")
def test_a_kernel_can_be_used_after_its_first_call_was_interrupted_in_the_middle():
    done = subprocess.run([sys.executable, "-c", INTERRUPTED, "0.07"], capture_output=True, text=True, timeout=300)
    assert done.stdout == "True [3.0, 3.0]\n", done.stderr


def test_an_error_of_a_kernel_belongs_to_its_caller():
    def nothing():
        raise ImportError("there is none")

    with pytest.raises(ImportError, match="there is none"):
        call(nothing)


GREEDY = """
import sys
import numpy as np
from derl.inputs.compiled import works
from derl.mdp.planning import LARGE, greedy
q = np.arange(3.0 * LARGE).reshape(-1, 3)
print(works(), int(greedy(q).sum()) == 2 * LARGE)
"""
compiled_only = pytest.mark.skipif(not COMPILED, reason="numba is not installed")


def chosen(machine, folder):
    folder.mkdir()
    done = machine.run(folder=folder, command=(sys.executable, "-c", GREEDY))
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return done.stdout.split()


@compiled_only
@pytest.mark.parametrize("machine", [
    Machine(NO_CACHE), *(pytest.param(machine, marks=pytest.mark.slow) for machine in (
        Machine(NO_CACHE | {"NUMBA_CACHE_LOCATOR_CLASSES": ""}, limits={"RLIMIT_FSIZE": 0}),
        MACHINES["no further process or thread"]))])
def test_a_kernel_runs_where_its_cache_cannot_be_written(tmp_path, machine):
    assert chosen(machine, tmp_path / "machine") == ["True", "True"]


@compiled_only
@pytest.mark.parametrize("spoil", [
    lambda content: content[:len(content) // 2],
    *(pytest.param(spoil, marks=pytest.mark.slow) for spoil in (lambda _: b"", lambda _: b"no"))])
def test_half_of_a_cache_costs_a_compilation_only(tmp_path, spoil):
    cache = tmp_path / "cache"
    kept = Machine({"NUMBA_CACHE_DIR": str(cache)})
    assert chosen(kept, tmp_path / "before") == ["True", "True"]
    files = [path for path in cache.rglob("*") if path.is_file()]
    assert files
    for path in files:
        path.write_bytes(spoil(path.read_bytes()))
    assert chosen(kept, tmp_path / "after") == ["True", "True"]


@pytest.mark.parametrize("name", [
    "numba does not suit this numpy", "no extra is installed",
    pytest.param("the compiler's library cannot be loaded", marks=pytest.mark.slow)])
def test_the_readable_code_runs_where_numba_is_broken(tmp_path, name):
    assert chosen(MACHINES[name], tmp_path / "machine") == ["False", "True"]
    assert works() is COMPILED
