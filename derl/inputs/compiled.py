"""numba, where it is installed: imported where no file of the current folder is read. All code also runs without it."""

from __future__ import annotations

import functools
import os
from contextlib import chdir

from derl.exact.base import installed

COMPILED = installed("numba")


@functools.cache
def works() -> bool:
    """Whether numba can be imported and compiles; asked last, since its import takes half a second.

    It does not compile where NUMBA_DISABLE_JIT is set. It looks for `.numba_config.yaml` in the current folder, which
    can name compiled code that is then run: it is imported in another folder, and looks nowhere later.
    """
    try:
        with chdir("/"):
            from numba.core import config
    except MemoryError:
        raise
    except Exception:  # a broken library fails in its own way
        return False
    config._config_fname = os.devnull
    return not config.DISABLE_JIT


def kernel(function):
    """Compile a function by numba, once `works()` is true; the result is kept on disk where that is possible.

    A division by zero gives inf or NaN, as in numpy.
    """
    from numba import njit

    try:
        return njit(cache=True, error_model="numpy")(function)
    except RuntimeError:  # no folder can be written
        return njit(error_model="numpy")(function)
