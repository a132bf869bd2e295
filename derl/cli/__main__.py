"""`python -m derl.cli`."""

from derl.cli import main

main(prog_name="derl")
