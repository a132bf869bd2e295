"""Commands that make instances and run algorithms."""

from __future__ import annotations

import json
import re
import threading
import time
from pathlib import Path

import click
import yaml

import derl
from derl.algorithms import by_name
from derl.algorithms.outcome import trace_rows
from derl.cli import options
from derl.cli.group import POSITIVE, SMALL, Real, Whole
from derl.cli.printing import echo
from derl.inputs import choice, files, parts, shown

EVERY = 5  # seconds between two lines about a long run
ENDINGS = (".svg", ".png", ".pdf")


def _pairs(ctx, param, values):
    for value in values:
        if not re.fullmatch(r"[A-Za-z]\w*=.+", value):
            raise click.BadParameter(f"{shown(value)} is not of the form name=value")
    return {name: yaml.safe_load(value) for name, _, value in (pair.partition("=") for pair in values)}


def _listed(ctx, param, value):
    if value:
        echo(options.listed())
        ctx.exit()


@click.command(cls=options.OfOneAlgorithm, epilog="""\b
Examples:
  derl run 1 --instance optimism_trap --epsilon 0.2 --delta 0.1 --batch-size 1e12 --version as-printed --trace
  derl run 2 --instance lock:d=3,horizon=3,digits=1-2-0,bias=1/5 --epsilon 0.1 --delta 0.1 --batch-size theorem
  derl run 1 --instance optimism_trap --epsilon 0.2 --delta 0.1 --batch-size 1e12 --plot run.svg""")
@click.argument("algorithm", type=options.Named(), metavar="ALGORITHM")
@click.option("--list", is_flag=True, is_eager=True, expose_value=False, callback=_listed,
              help="List the algorithms: number, name, what each does.")
@click.option("--instance", "spec", required=True, help="A family with parameters, a .npz file, or file.py:name.")
@click.option("--epsilon", type=Real(**POSITIVE), required=True)
@click.option("--delta", type=Real(low=SMALL, below=1), required=True)
@click.option("--batch-size", type=Whole(words=("theorem",)), required=True,
              help="N, a whole number; 1e10 is read as 10000000000. 'theorem': the N of Algorithm 2's theorem.")
@click.option("--max-deployments", type=Whole(high=2**63 - 1),
              help="K; by default H for Algorithm 2, else what the method needs at the latest.")
@options.of_algorithms
@click.option("--set", "own", metavar="NAME=VALUE", multiple=True, callback=_pairs,
              help="An option of an algorithm of your own; may be repeated.")
@click.option("--mode", help="How counts are drawn: 'exact', 'gaussian' or 'expected'.")
@click.option("--seed", type=Whole(low=0, high=2**64 - 1), default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
@click.option("--trace", is_flag=True, help="Report every deployment: layer, statistic, threshold, value.")
@click.option("--plot", metavar="FILE", help="Draw the deployments into this .svg, .png or .pdf.")
def run(algorithm, spec, epsilon, delta, batch_size, max_deployments, mode, seed, as_json, trace, plot, own, **given):
    """Run an algorithm on an instance and report what it returned, with its exact suboptimality.

    ALGORITHM is a name or the paper's number; `derl run --list` lists them, and `derl run ALGORITHM --help` lists the
    options of one of them. It may also be a function of your own, such as mine.py:search.
    """
    if plot is not None:
        choice(Path(plot).suffix, "--plot: the ending of the file", ENDINGS)
        files.target(plot)
        parts.demand("--plot", "matplotlib")
    mdp = derl.instances.from_spec(spec)
    size = None if batch_size == "theorem" else batch_size
    with _Told() as told:
        found = by_name.run_by_name(algorithm, mdp, epsilon, delta, size, max_deployments, seed, mode, told,
                                    **(given | own))
    outcome, deployer = found.outcome, found.deployer
    best = derl.planning.optimal(mdp).value
    value = derl.planning.evaluate(mdp, found.policy).value
    report = {"algorithm": algorithm, "instance": spec, "epsilon": epsilon, "delta": delta, **found.options,
              "batch_size": deployer.batch_size, "mode": deployer.mode, "seed": seed, "converged": outcome.converged,
              "deployments": outcome.deployments, "trajectories": outcome.trajectories, "value": value,
              "optimal_value": best, "suboptimality": best - value, "beta": outcome.beta, **found.findings}
    if mdp.info.get("reward_scale", 1.0) != 1.0:  # a reward of the environment is scale * r + shift
        report |= {"raw_value": mdp.info["reward_scale"] * value + mdp.info["reward_shift"] * mdp.horizon,
                   "raw_suboptimality": mdp.info["reward_scale"] * (best - value)}
    rows = trace_rows(mdp, outcome) if trace or plot is not None else []
    for remark in found.remarks:
        echo(f"note: {remark}", err=True)
    if as_json:
        echo(json.dumps(report | ({"trace": rows} if trace else {}), allow_nan=False))
    else:
        for key, entry in report.items():
            echo(f"{key:<17} {' '.join(map(str, entry)) if isinstance(entry, list) else entry}")
        for row in rows if trace else ():
            echo("  ".join(f"{key} {value:.6g}" if isinstance(value, float) else f"{key} {value}"
                                 for key, value in row.items()))
    if plot is not None:
        # matplotlib takes longer to import than all else together
        from derl.show.layerwise import deployments as figures
        files.write(plot, figures.of_run(rows, best, Path(plot).suffix))
        echo(f"{plot}: {len(rows)} deployments", err=True)


class _Told:
    """Says every few seconds how long a run has taken, and how many deployments it has made."""

    def __init__(self):
        self.deployments, self.began, self.over = 0, time.monotonic(), threading.Event()

    def __call__(self, deployments: int) -> None:
        self.deployments = deployments

    def __enter__(self) -> _Told:
        self.thread = threading.Thread(target=self.tell, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *error) -> None:
        self.over.set()

    def tell(self) -> None:
        """Print the lines, until the run is over."""
        while not self.over.wait(EVERY):
            echo(f"{self.deployments} deployments so far, {time.monotonic() - self.began:.0f} s", err=True)


@click.command(epilog="""\b
Examples:
  derl instance lock:d=3,horizon=3,digits=1-2-0,bias=1/5 --out lock.npz
  derl instance random_simplex:n_states=20,n_actions=4,dim=5,horizon=5,seed=0 --out random.npz""")
@click.argument("spec")
@click.option("--out", required=True, metavar="FILE", help="Write the instance to this file.")
def instance(spec, out):
    """Build an instance and write it as .npz."""
    files.target(out)
    if not out.endswith(".npz"):
        raise click.UsageError(f"--out {shown(out)} does not end in .npz, as the files that --instance reads")
    mdp = derl.instances.from_spec(spec)
    mdp.save(out)
    echo(f"{out}: {mdp.n_states} states, {mdp.n_actions} actions, horizon {mdp.horizon}, dimension {mdp.dim}")
