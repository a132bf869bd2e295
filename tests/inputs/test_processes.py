"""A worker leaves Ctrl-C to its parent, and ends when its parent is killed."""

import os
import signal
import subprocess
import sys

PARENT = """
import os, signal, time
from concurrent.futures import ProcessPoolExecutor
from derl.inputs.processes import CONTEXT, begin
def work():
    os.kill(os.getpid(), signal.SIGINT)
    print("after Ctrl-C", flush=True)
    time.sleep(60)
with ProcessPoolExecutor(1, CONTEXT, begin) as pool:
    pool.submit(work).result()
"""


def test_a_worker_leaves_ctrl_c_to_its_parent_and_ends_with_it():
    parent = subprocess.Popen([sys.executable, "-c", PARENT], stdout=subprocess.PIPE, text=True)
    assert parent.stdout.readline() == "after Ctrl-C\n"
    os.kill(parent.pid, signal.SIGKILL)
    assert parent.stdout.read() == ""  # ends when the last process that could write has ended
    parent.wait()
    parent.stdout.close()
