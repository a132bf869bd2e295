"""The command that executes Table 1."""

from __future__ import annotations

from pathlib import Path

import click

from derl.cli.group import Whole
from derl.cli.printing import echo
from derl.cli.sweeps import cluster_options, finish, jobs_option
from derl.inputs import parts


@click.command(epilog="""\b
Examples:
  derl table1 --seeds 4 --out table1          # a minute or two
  derl table1 --out table1 --jobs 2           # all of it
  derl table1 --out table1 --scheduler tcp://10.0.0.1:8786""")
@click.option("--seeds", type=Whole(high=10**6), default=20, show_default=True, help="Seeds of every cell.")
@click.option("--out", default="table1", show_default=True, metavar="DIR",
              help="Results; what is there already is not run again.")
@jobs_option
@cluster_options
def table1(seeds, out, jobs, cluster):
    """Execute Table 1: all methods on the same instances. If a run was stopped, the next call continues it."""
    from derl.experiments.table import write_table
    from derl.experiments.table1 import stages

    parts.demand("a table", "pyarrow")
    for name, spec in stages(seeds, out):
        finish(spec, out, jobs, cluster, name)
        done = write_table(spec, out, Path(out) / f"{name}.parquet")
        echo(f"{done}: {len(spec.cells)} cells, {spec.count} seeds each")
