"""The command that compares two ledgers."""

from __future__ import annotations

import sys

import click

from derl.cli.printing import echo
from derl.ledger import Ledger


@click.command(epilog="""\b
Example:
  derl compare before.json after.json""")
@click.argument("old", metavar="OLD.json")
@click.argument("new", metavar="NEW.json")
def compare(old, new):
    """Say which verdicts of the ledger OLD differ in the ledger NEW; exit status 1 where one does."""
    before, after = Ledger.load(old), Ledger.load(new)
    changes = after.changes(before) + [(key, row.verdict, "absent") for key, row in before.claims.items()
                                       if key not in after.claims]
    for key, was, word in changes:
        echo(f"{key}: {was} -> {word}")
    echo(f"{len(changes)} of {len(after.claims)} verdicts differ")
    sys.exit(int(bool(changes)))
