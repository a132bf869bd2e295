"""The command line.

Exit status: 0 as expected; 1 a verdict differs from the expected one ("not checked" does), or a check has raised an
error; 2 unusable input; 141 nobody reads what is printed.

A command is a function in one of the modules here; `commands` collects them. Errors become one line in `group`.
`main` is imported when it is first used, so that Ctrl-C while Python is still importing ends in one line, too.
"""

import sys

from derl.cli.stopping import stoppable

__all__ = ["main"]


def __getattr__(name):
    if name != "main":
        raise AttributeError(f"module 'derl.cli' has no attribute {name!r}")
    try:
        with stoppable():
            from derl.cli.commands import main
    except KeyboardInterrupt:
        sys.stderr.write("derl: stopped\n")
        sys.exit(2)
    return main
