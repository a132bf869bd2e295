"""The command that compares two reproductions."""

from __future__ import annotations

import sys

import click

from derl.cli.printing import echo
from derl.ledger import reproduced


@click.command(epilog="""\b
Example:
  derl compare mine.json yours.json""")
@click.argument("mine", metavar="CERTIFICATE.json")
@click.argument("yours", metavar="CERTIFICATE.json")
def compare(mine, yours):
    """Say in what two certificates of `make reproduce` agree; exit status 1 where they do not confirm each other."""
    lines, good = reproduced.compared(reproduced.load(mine), reproduced.load(yours))
    echo("\n".join(lines))
    echo("the two reproductions confirm each other" if good else
               "the two reproductions do NOT confirm each other")
    sys.exit(0 if good else 1)
