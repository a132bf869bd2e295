"""Commands that run experiments on many instances and seeds."""

from __future__ import annotations

import sys
import time
from functools import wraps
from pathlib import Path

import click
from tqdm import tqdm

from derl.cli.group import Whole
from derl.cli.printing import echo
from derl.experiments import Spec, run_sweep
from derl.experiments.cluster import certificates
from derl.inputs import parts
from derl.inputs.processes import MOST_JOBS, cores

EVERY = 5  # seconds between two plain lines

jobs_option = click.option("--jobs", type=Whole(high=MOST_JOBS), help="Worker processes; by default one a core.")
TLS = ("--tls-ca-file", "--tls-cert", "--tls-key")  # as dask's own commands call them
_CLUSTER = (
    click.option("--scheduler", metavar="ADDRESS", help="A dask scheduler, such as tcp://10.0.0.1:8786; its workers do "
                 "the work. Use your own only: a scheduler and its workers can run any code on this machine."),
    click.option("--tls-ca-file", metavar="FILE", help="For a scheduler at tls://...: who signed its certificate."),
    click.option("--tls-cert", metavar="FILE", help="For a scheduler at tls://...: your certificate."),
    click.option("--tls-key", metavar="FILE", help="For a scheduler at tls://...: the key of your certificate."),
)


def cluster_options(command):
    """Give a command the options that say which cluster does the work, as one argument `cluster`."""
    @wraps(command)
    def called(*args, scheduler, tls_ca_file, tls_cert, tls_key, **options):
        files = (tls_ca_file, tls_cert, tls_key)
        if any(file is not None for file in files) and scheduler is None:
            raise click.ClickException(f"{', '.join(TLS)} are for a cluster; give its --scheduler, too")
        security = certificates(*files) if any(file is not None for file in files) else None
        return command(*args, cluster=(scheduler, security), **options)

    for option in reversed(_CLUSTER):
        called = option(called)
    return called


@click.command(epilog="""\b
Examples:
  derl sweep examples.yml --out results
  derl sweep examples.yml --out results --jobs 2
  derl sweep examples.yml --out results --scheduler tcp://10.0.0.1:8786""")
@click.argument("path", metavar="SPEC.yml")
@click.option("--out", required=True, metavar="DIR", help="Results; what is there already is not run again.")
@jobs_option
@cluster_options
def sweep(path, out, jobs, cluster):
    """Run a study on many instances and seeds. If a run was stopped, the next call continues it."""
    from derl.experiments.table import write_table  # pyarrow takes its time

    parts.demand("a table", "pyarrow")
    spec = Spec.read(path)
    finish(spec, out, jobs, cluster)
    table = write_table(spec, out, Path(out) / "table.parquet")
    echo(f"{table}: {len(spec.tasks)} tasks")


def finish(spec: Spec, out, jobs: int | None, cluster: tuple, name: str = "") -> None:
    """Run a sweep to its end and say how far it is and how long it will take."""
    scheduler, security = cluster
    if scheduler is not None:
        parts.demand("--scheduler", "distributed")
    if jobs and scheduler is not None:
        raise click.ClickException("--jobs is for this machine and --scheduler for a cluster; give one of them")
    with Progress(name) as progress:
        run_sweep(spec, out, jobs or cores(), scheduler, progress, security)


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
            echo(f"{label}{done} of {total} tasks, {tqdm.format_interval(passed)} passed, {left} left", err=True)
