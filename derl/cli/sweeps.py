"""Commands that run experiments on many instances and seeds."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click
from tqdm import tqdm

from derl.cli.group import POSITIVE, SMALL, Real, Whole
from derl.cli.options import Named
from derl.experiments import Spec, run_sweep
from derl.mdp import instances

jobs_option = click.option("--jobs", type=click.IntRange(1), help="Worker processes; by default one a core.")
scheduler_option = click.option(
    "--scheduler", metavar="ADDRESS", help="A dask scheduler, such as tcp://10.0.0.1:8786; its workers do the work. "
    "Use your own only: a scheduler and its workers can run any code on this machine.")


@click.command(epilog="""\b
Examples:
  derl sweep examples.yml --out results
  derl sweep examples.yml --out results --jobs 2
  derl sweep examples.yml --out results --scheduler tcp://10.0.0.1:8786
The page "An algorithm of your own" of the book (book/your-own-algorithm.md) describes SPEC.yml and the table;
its example is book/_static/own/examples.yml.""")
@click.argument("path", metavar="SPEC.yml")
@click.option("--out", required=True, metavar="DIR", help="Results; what is there already is not run again.")
@jobs_option
@scheduler_option
def sweep(path, out, jobs, scheduler):
    """Run a study on many instances and seeds. If a run was stopped, the next call continues it."""
    spec = Spec.read(path)
    table = finish(spec, out, jobs, scheduler, "table")
    click.echo(f"{table}: {len(spec.tasks)} tasks")


def finish(spec: Spec, out, jobs: int | None, scheduler: str | None, name: str) -> Path:
    """Run a sweep to its end, show how far it is, and write its table, whose place is returned."""
    from derl.experiments.table import write_table  # pyarrow takes its time
    from derl.inputs import parts

    parts.demand("a table", "pyarrow")
    if jobs and scheduler is not None:
        raise click.ClickException("--jobs is for this machine and --scheduler for a cluster; give one of them")
    with tqdm(total=len(spec.tasks), unit="task", desc=name, mininterval=0.1 if sys.stderr.isatty() else 5) as bar:
        run_sweep(spec, out, jobs or os.cpu_count() or 1, scheduler, lambda done, total: bar.update(done - bar.n))
    return write_table(spec, out, Path(out) / f"{name}.parquet")


@click.command(epilog="""\b
Examples:
  derl choose uniform_pessimism --instance case.npz --epsilon 0.1 --delta 0.1
  derl choose 1 --instance random_simplex:n_states=6,n_actions=3,dim=3,horizon=3,seed=0 --epsilon 0.2 --delta 0.2""")
@click.argument("algorithm", type=Named(), metavar="ALGORITHM")
@click.option("--instance", "spec", required=True, help="A family with parameters, a .npz file, or file.py:name.")
@click.option("--epsilon", type=Real(**POSITIVE), required=True, help="A run succeeds when it loses at most this.")
@click.option("--delta", type=Real(low=SMALL, below=1), required=True, help="The share of the runs that may fail.")
@click.option("--runs", type=Whole(low=1), default=20, show_default=True, help="Runs at each N, and fresh ones.")
@click.option("--most", type=Whole(low=1), default=4**10, show_default=True, help="Largest N.")
@click.option("--max-deployments", type=Whole(low=1), help="K; by default 4 H.")
@click.option("--seed", type=Whole(low=0, high=2**62), default=0, show_default=True)
def choose(algorithm, spec, epsilon, delta, runs, most, max_deployments, seed):
    """Search for the smallest N and the scale c_beta of the bonus that suffice on an instance.

    A heuristic without a guarantee: it reads the exact loss on this instance. The theorem's N holds for all instances.
    """
    from derl.experiments.choose import choose as search  # scipy.stats takes its time
    from derl.theory import constants

    mdp = instances.from_spec(spec)
    click.echo(f"{'c_beta':>10} {'N':>10} {'deployments':>12} {'succeeded':>10}  95 % interval")

    def told(row):
        scale = "-" if row.scale is None else f"{row.scale:.3g}"
        click.echo(f"{scale:>10} " + (f"no N <= {most}" if row.batch_size is None else
                   f"{row.batch_size:>10} {row.deployments:>12.3g} {row.successes:>6}/{row.runs:<3}  "
                   f"[{row.low:.2f}, {row.high:.2f}]"))

    found = [row for row in search(mdp, algorithm, epsilon, delta, runs, most, max_deployments, seed, report=told)
             if row.batch_size is not None]
    if found:
        best = min(found, key=lambda row: (row.batch_size * row.deployments, row.deployments))
        click.echo("fewest trajectories: " + ("" if best.scale is None else f"c_beta = {best.scale:.3g}, ")
                   + f"N = {best.batch_size}, deployments {best.deployments:.3g} on average")
    theorem = constants.batch_size_layerwise(mdp.dim, mdp.horizon, epsilon, delta, 6, version="sharp")
    click.echo("this is a heuristic for this instance and has no guarantee; for every instance of d = "
               f"{mdp.dim} and H = {mdp.horizon}, the N of Algorithm 1's theorem is {float(theorem):.1e}")
