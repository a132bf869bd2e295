"""Compiled kernels and Ctrl-C: what numba has begun to import or to compile is ended in peace."""

import subprocess
import sys

import pytest

from derl.boundary.compiled import COMPILED, call

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
