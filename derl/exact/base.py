"""What all floors share: one class of refusals, exact fractions, digests, and whose error an exception is."""

from __future__ import annotations

import hashlib
import json
from contextvars import ContextVar
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import Any

TOOLS = ("numba", "llvmlite", "cvxpy", "clarabel")  # their own errors speak of a compiler or a solver
ONLY_SIDES: ContextVar[bool] = ContextVar("ONLY_SIDES", default=False)  # steps are wanted, and not whether they hold
MACHINE = (ImportError, OSError, MemoryError, RecursionError, SystemError)


class Invalid(ValueError):
    """An argument or an input is not allowed; the message is one line. Every refusal of derl has this class."""


class Unavailable(Invalid):
    """A package or a solver is missing on this machine, or fails on it; this says nothing about the result.

    This is not a refusal of an instance, a policy or a parameter, so it is not counted as one.
    """


def as_fraction(value) -> Fraction:
    """The Fraction of a number, or of text such as "3/20"; floats are taken at their exact binary value.

    Whole numbers of numpy become those of Python: a Fraction keeps what it is given, and int64 overflows silently.

    Raises
    ------
    TypeError, ValueError, OverflowError, ZeroDivisionError
        As `fractions.Fraction` does.

    Examples
    --------
    >>> import numpy as np
    >>> from derl.exact.base import as_fraction
    >>> as_fraction(np.int64(2**40)) ** 2 == 2**80
    True
    """
    found = Fraction(value)
    if type(found.numerator) is int is type(found.denominator):
        return found
    return Fraction(int(found.numerator), int(found.denominator))


def digest(what: Any) -> str:
    """SHA-256 in hexadecimal.

    Parameters
    ----------
    what : bytes, or whatever JSON can hold
        The order of the keys of a mapping does not count.

    Examples
    --------
    >>> digest({"a": 1, "b": [2]}) == digest({"b": (2,), "a": 1})
    True
    """
    content = what if isinstance(what, bytes) else json.dumps(what, sort_keys=True).encode()
    return hashlib.sha256(content).hexdigest()


def of_file(path: Path) -> str:
    """Digest of the content of a file; it does not depend on how the machine ends a line."""
    return digest(path.read_bytes().replace(b"\r\n", b"\n"))


def installed(name: str) -> bool:
    """Whether a package can be found; it may still fail at being imported."""
    try:
        return find_spec(name) is not None
    except (ImportError, ValueError):  # something stands in its place that is no module
        return False


def of_machine(error: BaseException) -> bool:
    """Whether an exception is about this machine: memory, files, processes, a missing or broken package or tool."""
    homes = {kind.__module__.partition(".")[0] for kind in type(error).__mro__}
    return isinstance(error, (*MACHINE, Unavailable)) or not homes.isdisjoint(TOOLS)
