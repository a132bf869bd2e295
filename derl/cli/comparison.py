"""The command that executes Table 1."""

from __future__ import annotations

import click

from derl.cli.group import Whole
from derl.cli.sweeps import finish, jobs_option, scheduler_option


@click.command(epilog="""\b
Examples:
  derl table1 --seeds 4 --out table1          # a minute or two
  derl table1 --out table1 --jobs 2           # all of it
  derl table1 --out table1 --scheduler tcp://10.0.0.1:8786""")
@click.option("--seeds", type=Whole(high=10**6), default=20, show_default=True, help="Seeds of every cell.")
@click.option("--out", default="table1", show_default=True, metavar="DIR",
              help="Results; what is there already is not run again.")
@jobs_option
@scheduler_option
def table1(seeds, out, jobs, scheduler):
    """Execute Table 1: all methods on the same instances. If a run was stopped, the next call continues it."""
    from derl.experiments.table1 import stages

    for name, spec in stages(seeds, out):
        done = finish(spec, out, jobs, scheduler, name)
        click.echo(f"{done}: {len(spec.cells)} cells, {spec.count} seeds each")
