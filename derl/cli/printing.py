"""The one way in which commands print: whatever a file or a name holds, the terminal is not told what to do."""

from __future__ import annotations

import sys
import unicodedata

import click

from derl.cli.streams import to_nowhere

KEPT = "\n\t"
UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # control, format (also the direction of writing), half characters, separators


def visible(text: str) -> str:
    """A text whose control characters are written out, such as \\x1b; line breaks and tabs stay."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(_written_out(letter) if letter not in KEPT and unicodedata.category(letter) in UNSEEN else letter
                   for letter in text)


def echo(text: str, err: bool = False, bold: bool = False) -> None:
    """Print a line with its control characters written out.

    What the error output cannot take is lost; what the output cannot take is an error.

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
    except BrokenPipeError:
        raise
    except OSError:
        if not err:
            raise
        to_nowhere(sys.stderr)  # a full disk, say: nothing more can be said, and the work goes on


def _written_out(letter: str) -> str:
    return repr(letter)[1:-1]
