"""Commands that run experiments on many instances and seeds."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import click
from tqdm import tqdm

from derl.boundary import parts
from derl.cli.group import Whole
from derl.experiments import Spec, run_sweep
from derl.experiments.sweep import MOST_JOBS

EVERY = 5  # seconds between two plain lines

jobs_option = click.option("--jobs", type=Whole(high=MOST_JOBS), help="Worker processes; by default one a core.")
scheduler_option = click.option("--scheduler", metavar="ADDRESS",
                                help="A dask scheduler, such as tcp://10.0.0.1:8786; its workers do the work.")


@click.command(epilog="""\b
Examples:
  derl sweep examples.yml --out results
  derl sweep examples.yml --out results --jobs 2
  derl sweep examples.yml --out results --scheduler tcp://10.0.0.1:8786""")
@click.argument("path", metavar="SPEC.yml")
@click.option("--out", required=True, metavar="DIR", help="Results; what is there already is not run again.")
@jobs_option
@scheduler_option
def sweep(path, out, jobs, scheduler):
    """Run a study on many instances and seeds; stopped at any moment, the next call goes on."""
    from derl.experiments.table import write_table  # pyarrow takes its time

    parts.demand("a table", "pyarrow")
    spec = Spec.read(path)
    finish(spec, out, jobs, scheduler)
    table = write_table(spec, out, Path(out) / "table.parquet")
    click.echo(f"{table}: {len(spec.tasks)} tasks")


def finish(spec: Spec, out, jobs: int | None, scheduler: str | None, name: str = "") -> None:
    """Run a sweep to its end and say how far it is and how long it will take."""
    if scheduler:
        parts.demand("--scheduler", "distributed")
    if jobs and scheduler:
        raise click.ClickException("--jobs is for this machine and --scheduler for a cluster; give one of them")
    with Progress(name) as progress:
        run_sweep(spec, out, jobs or os.cpu_count() or 1, scheduler, progress)


class Progress:
    """A bar on a terminal; elsewhere a plain line now and then, with the time left."""

    def __init__(self, name: str = ""):
        self.name, self.terminal, self.bar, self.said = name, sys.stderr.isatty(), None, 0.0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.bar is not None:
            self.bar.close()

    def __call__(self, done: int, total: int) -> None:
        if self.bar is None:
            self.bar = tqdm(total=total, initial=done, unit="task", desc=self.name or None, file=sys.stderr,
                            disable=not self.terminal, leave=False)
            self.start, self.first = time.monotonic(), done
        self.bar.update(done - self.bar.n)
        now = time.monotonic()
        if not self.terminal and (done == total or now - self.said >= EVERY):
            self.said, passed, made = now, now - self.start, done - self.first
            left = tqdm.format_interval(passed / made * (total - done)) if made else "?"
            label = f"{self.name}: " if self.name else ""
            click.echo(f"{label}{done} of {total} tasks, {tqdm.format_interval(passed)} passed, {left} left", err=True)
