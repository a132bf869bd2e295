"""Linear algebra of many small matrices on one thread: more threads cost ten times what they bring."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TypeVar

from threadpoolctl import threadpool_limits

Function = TypeVar("Function", bound=Callable)


def one_thread(function: Function) -> Function:
    """Run a function with single-threaded BLAS.

    scipy brings a BLAS of its own, loaded when it is first used. A limit set before that would not hold for it.
    """
    @functools.wraps(function)
    def limited(*args, **kwargs):
        import scipy.linalg  # noqa: F401

        with threadpool_limits(1):
            return function(*args, **kwargs)

    return limited
