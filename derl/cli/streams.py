"""The standard streams of a command: what is closed leads to nowhere, before anything else is opened.

A file that is opened while the standard error output is closed gets its number, and complaints would be written into
that file. So each of the three numbers that is free is taken first. Only small modules are imported here.
"""

import os
import sys

STREAMS = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


def open_what_is_closed() -> None:
    """Let every standard stream that is closed read from, or write to, the null device."""
    for number, (name, mode) in enumerate(STREAMS):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free, which is this one
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))


def to_nowhere(stream) -> None:
    """What can no longer be written goes nowhere, so that Python does not try once more when it ends."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, stream.fileno())
    finally:
        os.close(nowhere)
