"""The command line.

Exit status: 0 as expected; 1 a verdict differs from the expected one ("not checked" does), or a check has raised an
error; 2 unusable input; 70 a mistake in derl, with its traceback; 141 nobody reads what is printed. Python itself ends
with 1 after an exception that nobody handles, so no exception leaves this package.

A command is a function in one of the modules here; `commands` collects them. Errors become one line in `group`.
`main` is imported when it is first used, so that Ctrl-C while Python is still importing ends in one line, too.
"""

import sys

from derl.cli.stopping import MISTAKE, stoppable
from derl.cli.streams import open_what_is_closed

__all__ = ["main"]


def __getattr__(name):
    if name != "main":
        raise AttributeError(f"module 'derl.cli' has no attribute {name!r}")
    open_what_is_closed()
    try:
        with stoppable():
            from derl.inputs.ambient import settle
            settle()  # before libraries are imported, which read their variables then
            from derl.cli.commands import main
    except KeyboardInterrupt:
        sys.stderr.write("derl: stopped\n")
        sys.exit(2)
    except Exception:  # a broken installation, or no memory
        sys.excepthook(*sys.exc_info())
        sys.exit(MISTAKE)
    return main
