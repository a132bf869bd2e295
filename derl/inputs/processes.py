"""Worker processes: how they are started, and how each ends with the process that started it.

A process that is killed cannot stop its workers. So each worker ends by itself when its parent ends: on Linux the
operating system sends a signal, elsewhere a thread watches the parent.
"""

from __future__ import annotations

import ctypes
import gc
import multiprocessing
import os
import signal
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

MOST_JOBS = 256  # worker processes that anybody may ask for
HEARTBEAT = 0.5  # seconds between two looks at whether the parent still lives
DEATH_OF_PARENT = 1  # PR_SET_PDEATHSIG
SHARE = Path("/sys/fs/cgroup/cpu.max")  # of a container under Linux: microseconds it may use, and of how many
LINUX = sys.platform == "linux"
CONTEXT = multiprocessing.get_context("fork" if LINUX else None)  # a fork need not import everything again


def cores() -> int:
    """How many worker processes are worth starting here: one for each processor that this process may use.

    A process can be confined to some of the processors of the machine (`taskset`), and a container to a share of their
    time. The number is at most `MOST_JOBS`.
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quota, period = SHARE.read_text(encoding="ascii").split()
        allowed = min(allowed, max(1, int(quota) // int(period)))
    except (OSError, ValueError):  # no such file, or "max": no limit
        pass
    return max(1, min(allowed, MOST_JOBS))


def may_have_children() -> bool:
    """Whether this process may start workers; those of a `multiprocessing.Pool` may not, and do the work themselves."""
    return not multiprocessing.current_process().daemon


@contextmanager
def deaf():
    """Delay Ctrl-C until the end of this block, so that no process started in it is lost or interrupted."""
    before, heard = signal.getsignal(signal.SIGINT), []
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield  # no signal arrives here, or Ctrl-C is switched off
        return
    signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if heard:
            signal.raise_signal(signal.SIGINT)


def begin(parent: int) -> None:
    """Prepare this process to work for its parent; the first thing that a worker does.

    It ignores Ctrl-C, which a terminal sends to all processes and which the parent handles; SIGTERM ends it; and it
    ends when its parent ends. The garbage collector leaves alone what was inherited: to look through it takes time, and
    an object that is collected may wait for a lock that a thread of the parent held at the fork and nothing releases.

    Parameters
    ----------
    parent : int
        Process id of the parent, as the parent itself knows it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    gc.freeze()
    die_with(parent)


def die_with(parent: int) -> None:
    """End this process when its parent ends.

    Parameters
    ----------
    parent : int
        Process id of the parent, as the parent itself knows it.

    Raises
    ------
    RuntimeError
        No further thread is allowed, and only a thread could watch the parent.
    """
    if LINUX:  # also in the middle of a long computation that holds the interpreter
        ctypes.CDLL(None).prctl(DEATH_OF_PARENT, signal.SIGKILL)

    def watch():
        while os.getppid() == parent:
            time.sleep(HEARTBEAT)
        os._exit(1)
    try:
        threading.Thread(target=watch, daemon=True).start()
    except RuntimeError:  # no further thread is allowed here
        if not LINUX:
            raise
