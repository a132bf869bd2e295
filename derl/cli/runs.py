"""Commands that make instances and run algorithms."""

from __future__ import annotations

import json

import click

import derl
from derl.algorithms import by_name
from derl.boundary import files
from derl.cli.group import POSITIVE, SMALL, Real, Whole


@click.command()
@click.argument("algorithm", type=click.Choice(list(by_name.ALGORITHMS)))
@click.option("--instance", "spec", required=True, help="A family with parameters, or a .npz file.")
@click.option("--epsilon", type=Real(**POSITIVE), required=True)
@click.option("--delta", type=Real(low=SMALL, below=1), required=True)
@click.option("--batch-size", type=Whole(words=("theorem",)), required=True,
              help="N, a whole number; 1e10 is read as 10000000000. 'theorem': the N of Algorithm 2's theorem.")
@click.option("--max-deployments", type=Whole(high=10**9),
              help="K; by default H for Algorithm 2, else what a count of violations allows.")
@click.option("--version", help="Which version of the algorithm; by default 'repaired'.")
@click.option("--c-beta", type=Real(**POSITIVE), help="Scale of the bonus; by default 1.")
@click.option("--beta", type=Real(**POSITIVE), help="The bonus scale itself, in place of the formula.")
@click.option("--tail", type=Whole(low=0, words=("uniform",)), help="Action beyond the explored layers; by default 0.")
@click.option("--threshold", help="Reward-free exploration: which rule finishes a layer.")
@click.option("--share", type=Real(**POSITIVE), help="Flat exploration: share of epsilon that the bonus may take.")
@click.option("--i-max", type=Whole(high=10**9), help="Algorithm 2: policies per layer after which it gives up.")
@click.option("--nu-min", type=Real(),
              help="Algorithm 2: lower bound of the reachability; by default one is certified.")
@click.option("--alpha", type=Real(**POSITIVE), help="Algorithm 7: fraction of the trajectories that explore.")
@click.option("--optimistic", help="Algorithm 7: 'layerwise' (the default) or 'arbitrary'.")
@click.option("--mode", help="How counts are drawn: 'exact', 'gaussian' or 'expected'.")
@click.option("--seed", type=Whole(low=0, high=2**64 - 1), default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
def run(algorithm, spec, epsilon, delta, batch_size, max_deployments, mode, seed, as_json, **options):
    """Run an algorithm on an instance and report what it returned, with its exact suboptimality."""
    mdp = derl.instances.from_spec(spec)
    size = None if batch_size == "theorem" else batch_size
    found = by_name.run_by_name(algorithm, mdp, epsilon, delta, size, max_deployments, seed, mode, **options)
    outcome, deployer = found.outcome, found.deployer
    best = derl.planning.optimal(mdp).value
    value = derl.planning.evaluate(mdp, found.policy).value
    report = {"algorithm": algorithm, "instance": spec, "epsilon": epsilon, "delta": delta, **found.options,
              "batch_size": deployer.batch_size, "mode": deployer.mode, "seed": seed, "converged": outcome.converged,
              "deployments": outcome.deployments, "trajectories": outcome.trajectories, "value": value,
              "optimal_value": best, "suboptimality": best - value, "beta": outcome.beta, **found.findings}
    if as_json:
        click.echo(json.dumps(report, allow_nan=False))
    else:
        for key, entry in report.items():
            click.echo(f"{key:<17} {' '.join(map(str, entry)) if isinstance(entry, list) else entry}")


@click.command()
@click.argument("spec")
@click.option("--out", required=True, metavar="FILE", help="Write the instance to this file.")
def instance(spec, out):
    """Build an instance and write it as .npz."""
    files.target(out)
    mdp = derl.instances.from_spec(spec)
    mdp.save(out)
    click.echo(f"{out}: {mdp.n_states} states, {mdp.n_actions} actions, horizon {mdp.horizon}, dimension {mdp.dim}")
