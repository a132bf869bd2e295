"""Libraries that look for files in the current folder while they are imported: here they are imported from another one.

numba reads `.numba_config.yaml` of the current folder, which can name a folder of compiled code, and that code would
then run. matplotlib reads `matplotlibrc`, which can name programs. A user who can write to a shared folder could so run
code of their own in every process that starts there. So the import happens in a thread whose current folder is that of
the installation; on Linux the other threads keep theirs, elsewhere the folder is changed for the time of the import.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import sys
import threading
from collections.abc import Callable
from contextlib import contextmanager, suppress

LOOKING = {"numba": ".numba_config.yaml", "matplotlib": "matplotlibrc"}  # library -> the file that it looks for
SETTINGS = "MATPLOTLIBRC"  # the variable that names a file of settings
CLONE_FS = 0x200  # of unshare(2): this thread has a current folder of its own
NOWHERE = os.devnull  # is no regular file, so nothing is read


def imported(name: str) -> None:
    """Import one of the libraries of `LOOKING`, if that has not happened yet.

    Raises
    ------
    ImportError, or whatever a broken library raises
    """
    if name in sys.modules:
        return
    apart(lambda: _import_elsewhere(name))
    if name == "numba":  # it looks for the file again before every compilation
        with suppress(ImportError, AttributeError):
            importlib.import_module("numba.core.config")._config_fname = NOWHERE


def apart(work: Callable):
    """The result of work() in another thread, which Ctrl-C does not reach; it ends the waiting, not the work."""
    found = {}

    def run():
        try:
            found["result"] = work()
        except BaseException as error:  # it belongs to the caller, who waits
            found["error"] = error

    thread = threading.Thread(target=run, daemon=True)
    try:
        thread.start()
    except RuntimeError:  # no further thread is allowed here
        run()
    else:
        thread.join()
    if "error" in found:
        raise found["error"]
    return found["result"]


def _import_elsewhere(name: str) -> None:
    before = os.environ.get(SETTINGS)
    if name == "matplotlib":
        os.environ[SETTINGS] = NOWHERE  # its defaults: the settings of a user may need programs that are not there
    try:
        _import_apart(name)
    finally:
        if name == "matplotlib":
            os.environ.pop(SETTINGS)
            os.environ |= {} if before is None else {SETTINGS: before}


def _import_apart(name: str) -> None:
    if threading.current_thread() is not threading.main_thread() and _own_folder():
        os.chdir(sys.prefix)  # of this thread, which ends here
        importlib.import_module(name)
        return
    with _moved(sys.prefix):
        importlib.import_module(name)


def _own_folder() -> bool:
    """Whether this thread now has a current folder of its own; some containers do not allow it."""
    if sys.platform != "linux":
        return False
    with suppress(AttributeError, OSError):
        return ctypes.CDLL(None).unshare(CLONE_FS) == 0
    return False


@contextmanager
def _moved(folder: str):
    """The whole process in another folder, for a while."""
    try:
        before = os.open(".", getattr(os, "O_PATH", os.O_RDONLY))
    except OSError:  # folders cannot be opened here
        before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
        if isinstance(before, int):
            os.close(before)
