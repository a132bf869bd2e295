"""Linear algebra of many small matrices on one thread, because more threads cost ten times what they save."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from threadpoolctl import ThreadpoolController

Function = TypeVar("Function", bound=Callable)


@functools.cache
def _controller() -> ThreadpoolController:
    """The BLAS libraries of this process, looked for once: that takes a millisecond.

    scipy, where it is installed, brings one of its own, loaded when it is first used. A limit set before that would not
    hold for it.
    """
    with suppress(ModuleNotFoundError):
        import scipy.linalg  # noqa: F401

    return ThreadpoolController()


def one_thread(function: Function) -> Function:
    """Run a function with single-threaded BLAS."""
    @functools.wraps(function)
    def limited(*args, **kwargs):
        with _controller().limit(limits=1):
            return function(*args, **kwargs)

    return limited
