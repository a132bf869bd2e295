"""Worker processes: how many may be asked for, and how each ends with the process that started it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading

MOST_JOBS = 256  # worker processes that anybody may ask for
CONTEXT = multiprocessing.get_context("fork" if sys.platform == "linux" else None)  # a fork imports nothing again


def begin() -> None:
    """Prepare this process to work for its parent: Ctrl-C is left to the parent, and a killed parent ends it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def watch():
        multiprocessing.parent_process().join()
        os._exit(1)
    threading.Thread(target=watch, daemon=True).start()
