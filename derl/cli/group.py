"""What all commands share: errors as one line, and how numbers are read."""

from __future__ import annotations

import sys
import traceback

import click

from derl.cli import MISTAKE, STOPPED
from derl.cli.printing import echo, let_go, visible
from derl.inputs import Invalid, number, parts, real, whole

UNUSABLE = 2
LONGEST = 600  # characters of an error
SMALL, LARGE = 1e-100, 1e100  # beyond, products of two accuracies would leave the range of float64


def complain(message: str) -> None:
    """Print an error: one line, cut where it is long, whatever characters it repeats."""
    line = visible(" ".join(message.split()))
    echo(f"derl: {line if len(line) <= LONGEST else line[:LONGEST - 3] + '...'}", err=True)


class OneLineErrors(click.Group):
    """Turn every expected error into one line on stderr and exit status 2."""

    def main(self, *args, **kwargs):
        try:
            return super().main(*args, standalone_mode=False, **kwargs)
        except click.exceptions.Abort:
            complain("stopped")
            sys.exit(STOPPED)
        except click.ClickException as error:
            complain(error.format_message())
        except (Invalid, OSError) as error:
            complain(str(error))
        except MemoryError:
            complain("there is not enough memory for this")
        except ImportError as error:
            package = parts.blamed(error)
            if not package:
                _end_with_traceback()
            complain(f"this needs {parts.wanting(package, error)}")
        except Exception:
            _end_with_traceback()
        try:
            sys.stdout.flush()
        except OSError:  # a full disk: it has been said
            let_go(sys.stdout)
        sys.exit(UNUSABLE)


def _end_with_traceback() -> None:
    traceback.print_exc()
    complain("this is a mistake in derl; please report it with the lines above")
    sys.exit(MISTAKE)


class Real(click.ParamType):
    """A number in a range; 1e99999999 and words are refused."""

    name = "number"

    def __init__(self, **bounds):
        self.bounds = bounds

    def convert(self, value, param, ctx):
        """The number as float."""
        if not isinstance(value, str):
            return value
        name = param.opts[0]
        try:
            return real(float(real(number(value, name), name)), name, **self.bounds)
        except Invalid as error:
            raise click.ClickException(str(error)) from None


class Whole(click.ParamType):
    """A whole number, written as 10000000000 or 1e10; 2.5, 1e99999999 and words are refused."""

    name = "whole number"

    def __init__(self, low: int = 1, high: int | None = None, words: tuple[str, ...] = ()):
        self.low, self.high, self.words = low, high, words

    def convert(self, value, param, ctx):
        """The number as int, or one of the words."""
        if not isinstance(value, str) or value in self.words:
            return value
        try:
            read = number(value, param.opts[0], form="a whole number such as 12 or 1e10")
            return whole(read, param.opts[0], self.low, self.high)
        except Invalid as error:
            raise click.ClickException(f"{error}{''.join(f', or {word!r}' for word in self.words)}") from None


POSITIVE = {"low": SMALL, "high": LARGE}
