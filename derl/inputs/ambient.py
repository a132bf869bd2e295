"""Ambient state that changes how libraries work: variables that a command leaves out, and settings of a process."""

from __future__ import annotations

import decimal
import fnmatch
import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

# an array type of sympy, scipy or numpy; notes of a compiler; windows and styles of figures; another checkout's git
LEFT_OUT = ("SYMPY_*", "MPMATH_*", "SCIPY_ARRAY_API", "NPY_PROMOTION_STATE", "NUMBA_DEBUG*", "NUMBA_DUMP_*", "TQDM_*",
            "MPLBACKEND", "MATPLOTLIBRC", "PLOTLY_*", "GIT_*", "PYTHONWARNINGS", "SOURCE_DATE_EPOCH")


def settle() -> None:
    """Prepare a process that is derl's own, and those that it starts."""
    for name in [name for name in os.environ if any(fnmatch.fnmatchcase(name, pattern) for pattern in LEFT_OUT)]:
        del os.environ[name]
    os.environ["MPLBACKEND"] = "agg"
    if sys.warnoptions:
        warnings.resetwarnings()
        for category in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
            warnings.simplefilter("ignore", category)


@contextmanager
def as_delivered() -> Iterator[None]:
    """The libraries that are loaded as they are delivered: precision, errors, evaluation of expressions."""
    settings = {"sympy": lambda sympy: sympy.evaluate(True), "mpmath": lambda mpmath: mpmath.workprec(53),
                "flint": lambda flint: flint.ctx.workprec(53),
                "numpy": lambda numpy: numpy.errstate(divide="warn", over="warn", invalid="warn", under="ignore")}
    with ExitStack() as stack:
        stack.enter_context(decimal.localcontext(decimal.DefaultContext))
        for name, setting in settings.items():
            if sys.modules.get(name):
                stack.enter_context(setting(sys.modules[name]))
        yield
