"""`python -m derl`."""

from derl.cli import __main__  # noqa: F401  importing it runs it
