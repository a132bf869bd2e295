"""The one way in which commands print: whatever a file or a name holds, the terminal is not told what to do."""

from __future__ import annotations

import os
import sys
import unicodedata

import click

NO_READER = 141  # 128 and SIGPIPE, as a shell reports it
KEPT = "\n\t"
UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # control, format (also the direction of writing), half characters, separators


def visible(text: str) -> str:
    """A text whose control characters are written out, such as \\x1b; line breaks and tabs stay."""
    return "".join(repr(letter)[1:-1] if letter not in KEPT and unicodedata.category(letter) in UNSEEN else letter
                   for letter in text)


def echo(text: str, err: bool = False, bold: bool = False) -> None:
    """Print a line with its control characters written out; end the command quietly where nobody reads it.

    Parameters
    ----------
    err : bool
        To the error output.
    bold : bool
        In bold type, where the terminal has it.
    """
    line = visible(text)
    try:
        click.echo(click.style(line, bold=True) if bold else line, err=err)
    except BrokenPipeError:  # `derl list | head -1`: what was read was enough
        let_go(sys.stderr if err else sys.stdout)
        sys.exit(NO_READER)


def let_go(stream) -> None:
    """What can no longer be written goes nowhere, so that Python does not try once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
