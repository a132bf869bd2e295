"""What all commands share: errors as one line, and how numbers are read."""

from __future__ import annotations

import sys
import traceback
from contextlib import contextmanager, suppress

import click

from derl.cli.printing import echo, visible
from derl.cli.stopping import MISTAKE, stoppable
from derl.cli.streams import to_nowhere
from derl.inputs import Invalid, number, parts, real, whole

UNUSABLE = 2
NO_READER = 141  # 128 and SIGPIPE, as a shell reports it
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
            return self._one_line(*args, **kwargs)
        except (_NoReader, BrokenPipeError):  # `derl list | head -1`: what it has read was enough
            _let_go()
            sys.exit(NO_READER)
        except Exception:
            with suppress(OSError):
                traceback.print_exc()
                complain("this is a mistake in derl; please report it with the lines above")
            _let_go()
            sys.exit(MISTAKE)

    def make_context(self, *args, **kwargs):
        """As click's, whose own answer to a pipe without a reader is status 1."""
        with _reading():
            return super().make_context(*args, **kwargs)

    def invoke(self, context):
        """As click's, see `make_context`."""
        with _reading():
            return super().invoke(context)

    def _one_line(self, *args, **kwargs):
        try:
            with stoppable():
                try:
                    return super().main(*args, standalone_mode=False, **kwargs)
                finally:
                    _flush()
        except BrokenPipeError:
            raise
        except (click.exceptions.Abort, KeyboardInterrupt):
            complain("stopped")
        except click.ClickException as error:
            complain(error.format_message())
        except (Invalid, OSError) as error:
            complain(str(error))
        except ImportError as error:
            if (error.name or "").partition(".")[0] == "derl":
                raise
            package = parts.blamed(error)
            complain(f"this needs {parts.wanting(package, error)}" if package else str(error))
        except MemoryError:
            complain("there is not enough memory for this")
        sys.exit(UNUSABLE)


class _NoReader(BaseException):
    """The reader of the output has gone. It is no OSError: click would make status 1 of that."""


@contextmanager
def _reading():
    try:
        yield
    except BrokenPipeError:
        raise _NoReader from None


def _flush() -> None:
    """Write what is printed now, not while Python ends: a full disk and a pipe without a reader are errors still."""
    if sys.stdout is None:
        return
    try:
        sys.stdout.flush()
    except OSError:
        _let_go()
        raise


def _let_go() -> None:
    """What can no longer be written goes nowhere, so that Python does not try once more when it ends."""
    for stream in filter(None, (sys.stdout, sys.stderr)):
        try:
            stream.flush()
        except OSError:
            to_nowhere(stream)


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
