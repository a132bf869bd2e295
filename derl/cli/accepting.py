"""The command that records that a statement was compared with its checks."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from derl.claims import PAPER
from derl.cli import papers
from derl.cli.printing import echo
from derl.ledger.accepting import accept, compared, due


@click.command("accept", epilog="""\b
Examples:
  derl accept C.3
  derl accept lem-trace-det --yes
  derl accept thm-odd-numbers --paper primes""")
@click.argument("names", nargs=-1, required=True, metavar="ID | NUMBER...")
@click.option("--yes", is_flag=True, help="Record without asking.")
@click.option("--paper", "folder", metavar="FOLDER", help="A paper of your own; see `derl paper`.")
def accept_(names, yes, folder):
    """Compare the words of a statement with its checks and with Coq, and record that you have done so.

    A statement whose words have changed is "stale" until somebody has read both. The command shows the statement, its
    difference to the last commit, what its checks say that they compute, and what Coq states. Then it asks.

    Exit status: 0 recorded, or nothing to record; 1 not recorded; 2 unusable input.
    """
    paper = papers.of_folder(Path(os.path.expanduser(folder)).resolve()) if folder else PAPER
    for statement in [paper.find(name) for name in names]:
        echo(compared(paper, statement))
        changed = due(paper, statement)
        if not changed:
            echo(f"\n{statement.id}: everything is as it was last compared")
            continue
        if not yes and not sys.stdin.isatty():
            raise click.UsageError("there is no terminal to answer at; read what is above, and add --yes")
        if not yes and not click.confirm(f"\n{statement.id}: record {', '.join(changed)} as compared?"):
            sys.exit(1)
        accept(paper, statement)
        echo(f"\n{statement.id}: recorded {', '.join(changed)}")
