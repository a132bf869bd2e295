"""Whether kernels compiled by numba are at hand, and how they are called; everything also runs without them.

A compiled kernel is a private module beside the readable code that it repeats, with its cache on disk. It is imported
where it is called: numba takes half a second to import.
"""

import functools
import threading
from collections.abc import Callable
from importlib.util import find_spec

COMPILED = find_spec("numba") is not None


def call(load: Callable, *arguments):
    """Call the compiled function that `load()` imports.

    Import and compilation run in a thread of their own, where no Ctrl-C arrives: cut off half-way, they would leave a
    numba behind that cannot be used any more in this process.
    """
    function = _loaded(load)
    return function(*arguments) if function.overloads else _apart(functools.partial(function, *arguments))


@functools.cache
def _loaded(load: Callable) -> Callable:
    return _apart(load)


def _apart(work: Callable):
    """The result of work() in another thread; Ctrl-C ends the waiting for it, not the work."""
    found = {}

    def run():
        try:
            found["result"] = work()
        except BaseException as error:  # it belongs to whoever waits
            found["error"] = error

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join()
    if "error" in found:
        raise found["error"]
    return found["result"]
