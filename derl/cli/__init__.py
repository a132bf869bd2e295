"""The command line.

Exit status: 0 as expected; 1 a verdict differs from the expected one ("not checked" does), or a check has raised an
error; 2 unusable input; 70 a mistake in derl, with its traceback; 130 Ctrl-C; 141 nobody reads what is printed.

A command is a function in one of the modules here; `commands` collects them. Errors become one line in `group`.
`main` is imported when it is first used, after the environment is settled: libraries read it while they are imported.
"""

import os
import sys

__all__ = ["main"]
MISTAKE, STOPPED = 70, 130


def __getattr__(name):
    if name != "main":
        raise AttributeError(f"module 'derl.cli' has no attribute {name!r}")
    for stream in ("stdin", "stdout", "stderr"):
        if getattr(sys, stream) is None:  # closed: it leads to nowhere, so that no file gets its number
            setattr(sys, stream, open(os.devnull, "r+", encoding="utf-8"))
    try:
        from derl.inputs.ambient import settle
        settle()
        from derl.cli.commands import main
    except KeyboardInterrupt:
        sys.stderr.write("derl: stopped\n")
        sys.exit(STOPPED)
    except Exception:  # a broken installation; Python's own status, 1, is that of a verdict
        sys.excepthook(*sys.exc_info())
        sys.exit(MISTAKE)
    return main
