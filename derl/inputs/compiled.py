"""Functions compiled by numba: whether they are available, and how they are called. All code also runs without them.

A compiled function is in a private module beside the readable code that it repeats, with its cache on disk. It is
imported where it is called, because numba takes half a second to import. If no cache can be written, functions are
compiled again in each process; if numba is installed but broken, the readable code runs.
"""

import functools
from collections.abc import Callable
from contextlib import suppress

from derl.inputs.libraries import apart, imported
from derl.inputs.owners import distrusted, owner_of
from derl.inputs.parts import installed

COMPILED = installed("numba")


def kernel(**options) -> Callable:
    """Decorator that compiles a function by numba and keeps the result on disk if a cache can be written and trusted.

    What is read from the cache is run. So it is used only in a folder that nobody but this user, the owner of this
    package and the system can write to.

    Parameters
    ----------
    options
        Of `numba.njit`, without `cache`.
    """
    imported("numba")
    from numba import njit

    def decorate(function):
        try:
            made = njit(cache=True, **options)(function)
        except RuntimeError:  # neither beside the source nor in a cache of the user can a file be made
            return njit(**options)(function)
        cache = getattr(made, "_cache", None)
        if cache is None:  # nothing is compiled where NUMBA_DISABLE_JIT is set
            return made
        if distrusted(cache.cache_path, (owner_of(__file__),)):
            return njit(**options)(function)
        made._cache = _Kept(cache)
        return made

    return decorate


class _Kept:
    """The cache of one compiled function. A file that cannot be read or written costs a compilation, not the call."""

    def __init__(self, cache):
        self._cache = cache

    def __getattr__(self, name):
        return getattr(self._cache, name)

    def load_overload(self, *what):
        """What is on disk; None where there is nothing, and where what is there cannot be read."""
        try:
            return self._cache.load_overload(*what)
        except MemoryError:
            raise
        except Exception:  # the half of a file fails in many ways
            return None

    def save_overload(self, *what):
        """Write it, where that is possible: the disk may be full, the folder may be gone."""
        with suppress(Exception):  # also the half of an index, which is read first
            self._cache.save_overload(*what)


@functools.cache
def works() -> bool:
    """Whether numba is installed, can be imported and compiles; asked last, since its import takes half a second.

    It does not compile where NUMBA_DISABLE_JIT is set; then the readable code runs.
    """
    return COMPILED and apart(_compiles)


def _compiles() -> bool:
    try:
        imported("numba")
        from numba import config
    except MemoryError:
        raise
    except Exception:  # a broken library fails in its own way; the readable code needs none
        return False
    return not config.DISABLE_JIT


def call(load: Callable, *arguments):
    """Call the compiled function that `load()` imports.

    Import and compilation run in a separate thread, which Ctrl-C does not reach. If they were interrupted, numba could
    no longer be used in this process.
    """
    function = _loaded(load)
    ready = getattr(function, "overloads", True)  # a plain function, where nothing is compiled, is always ready
    return function(*arguments) if ready else apart(functools.partial(function, *arguments))


@functools.cache
def _loaded(load: Callable) -> Callable:
    return apart(load)
