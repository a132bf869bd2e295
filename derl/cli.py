"""The command line. Exit status: 0 as expected; 1 a verdict differs from the expected one; 2 unusable input."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click
from tqdm import tqdm

import derl
from derl import claims
from derl.algorithms import by_name
from derl.algorithms.arbitrary import UndefinedStep
from derl.claims.ledger import Ledger
from derl.claims.ledger import verify as run_checks

UNUSABLE = 2


class _Commands(click.Group):
    """Turn every expected error into one line on stderr and exit status 2."""

    def main(self, *args, **kwargs):
        try:
            return super().main(*args, standalone_mode=False, **kwargs)
        except click.exceptions.Abort:
            click.echo("derl: stopped", err=True)
            sys.exit(UNUSABLE)
        except click.ClickException as error:
            click.echo(f"derl: {' '.join(error.format_message().split())}", err=True)
            sys.exit(UNUSABLE)
        except (ValueError, OSError) as error:
            click.echo(f"derl: {' '.join(str(error).split())}", err=True)
            sys.exit(UNUSABLE)
        except (derl.ProtocolViolation, UndefinedStep) as error:
            click.echo(f"derl: {' '.join(str(error).split())}", err=True)
            sys.exit(UNUSABLE)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(derl.__version__, prog_name="derl")
def main():
    """The executable paper on deployment-efficient reinforcement learning."""


@main.command()
@click.argument("names", nargs=-1, metavar="[ID | NUMBER]...")
@click.option("--tier", type=click.Choice(["quick", "full"]), default="quick", show_default=True)
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Worker processes.")
@click.option("--out", type=click.Path(dir_okay=False), help="Write the ledger to this file.")
@click.option("--compare", type=click.Path(dir_okay=False), help="Report verdicts that differ from this ledger.")
def verify(names, tier, jobs, out, compare):
    """Run the checks of some statements, or of all, and compare each verdict with the expected one."""
    old = Ledger.load(compare) if compare else None
    ledger = _with_progress(names or None, tier, jobs)
    if out:
        ledger.save(out)
    for key, row in ledger.claims.items():
        mark = "ok " if row["as_expected"] else "NOT"
        number = claims.load()[key].name
        click.echo(f"{mark} {row['verdict']:<12} {number:<16} {key:<44} {row['seconds']:7.2f} s")
    for key, (word, expected) in ledger.surprises.items():
        click.echo(f"derl: {key} is {word}, expected {expected}: {_why(ledger.claims[key])}", err=True)
    if old:
        for key, before, after in ledger.changes(old):
            click.echo(f"changed: {key}: {before} -> {after}")
    checks = [check for row in ledger.claims.values() for check in row["checks"]]
    controls = [control for check in checks for control in check["controls"]]
    rejected = sum(control["outcome"] == "rejected" for control in controls)
    click.echo(f"{len(ledger.claims)} statements, {len(checks)} checks, {rejected} of {len(controls)} controls "
               f"rejected, {len(ledger.surprises)} not as expected, {ledger.seconds:.1f} s of checks, tier {tier}")
    sys.exit(1 if ledger.surprises else 0)


def _with_progress(names, tier, jobs) -> Ledger:
    """A bar on a terminal; elsewhere one plain line for every tenth of the checks."""
    if sys.stderr.isatty():
        with tqdm(unit="check", file=sys.stderr, leave=False) as bar:
            def report(name, done, total):
                bar.total = total
                bar.set_postfix_str(name[:40], refresh=False)
                bar.update(done - bar.n)
            return run_checks(names, tier, jobs, report)

    def plain(name, done, total):
        if done == total or done % max(1, total // 10) == 0:
            click.echo(f"{done} of {total} checks", err=True)
    return run_checks(names, tier, jobs, plain)


def _why(row: dict) -> str:
    bad = [c for c in row["checks"] if c["outcome"] != "pass" or c["control"]["outcome"] != "rejected"]
    if not bad:
        return row["scope_gap"]
    first = bad[0]
    reason = first.get("detail") or f"measured {first.get('measured')}, claimed {first.get('claimed')}"
    return f"{first['name']}: {first['outcome']}" + (f", control {first['control']['outcome']}" if "control" in first
                                                     else "") + f" ({reason})"


@main.command()
@click.argument("name", required=False)
@click.option("--ledger", "path", type=click.Path(dir_okay=False), help="Read the verdict from this ledger.")
def show(name, path):
    """Show one statement: number, verdict, evidence, scope gap, what it rests on. Without a name, list them all."""
    if name is None:
        for statement in claims.load().values():
            click.echo(f"{statement.name:<18} {statement.id:<44} {statement.title}")
        return
    statement = claims.find(name)
    ledger = Ledger.load(path) if path else run_checks([statement.id])
    if statement.id not in ledger.claims:
        raise click.ClickException(f"{path} has no verdict for {statement.id}; run `derl verify {statement.id}`")
    row = ledger.claims[statement.id]
    click.echo(f"{statement.name}: {statement.title}  [{statement.id}]")
    click.echo(f"verdict: {row['verdict']} (expected: {row['expected']})    scope gap: {row['scope_gap']}")
    click.echo("\n" + statement.statement + "\n")
    for check in row["checks"]:
        click.echo(f"- {check['title']} [{check['method']}, {check['arithmetic']}]: {check['outcome']}")
        if "measured" in check:
            click.echo(f"    measured {check['measured']}, claimed {check['claimed']} ({check['direction']}), "
                       f"margin {check['margin']}; scope: {check['scope']}")
        for planted in check["controls"]:
            click.echo(f"    control: {planted['planted']}: {planted['outcome']}")
    click.echo("rests on: " + (", ".join(row["rests_on"]) or "nothing else"))


@main.command()
@click.argument("algorithm", type=click.Choice(list(by_name.ALGORITHMS)))
@click.option("--instance", "spec", required=True, help="A family with parameters, or a .npz file.")
@click.option("--epsilon", type=float, required=True)
@click.option("--delta", type=float, required=True)
@click.option("--batch-size", type=str, required=True,
              help="N, a whole number; 1e10 is read as 10000000000. 'theorem': the N of Algorithm 2's theorem.")
@click.option("--max-deployments", type=click.IntRange(min=1), help="K; by default H for Algorithm 2, else 6 d H + 1.")
@click.option("--version", help="Which version of the algorithm; by default 'repaired'.")
@click.option("--c-beta", type=float, help="Scale of the bonus; by default 1.")
@click.option("--nu-min", type=float, help="Algorithm 2: lower bound of the reachability; by default one is certified.")
@click.option("--alpha", type=float, help="Algorithm 7: fraction of the trajectories that explore.")
@click.option("--optimistic", help="Algorithm 7: 'layerwise' (the default) or 'arbitrary'.")
@click.option("--mode", help="How counts are drawn: 'exact', 'gaussian' or 'expected'.")
@click.option("--seed", type=int, default=0, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Print the outcome as JSON.")
def run(algorithm, spec, epsilon, delta, batch_size, max_deployments, mode, seed, as_json, **options):
    """Run an algorithm on an instance and report what it returned, with its exact suboptimality."""
    mdp = _instance(spec)
    size = None if batch_size == "theorem" else _whole(batch_size, "--batch-size")
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


@main.command()
@click.argument("spec")
@click.option("--out", type=click.Path(dir_okay=False), required=True)
def instance(spec, out):
    """Build an instance and write it as .npz."""
    mdp = _instance(spec)
    mdp.save(out)
    click.echo(f"{out}: {mdp.n_states} states, {mdp.n_actions} actions, horizon {mdp.horizon}, dimension {mdp.dim}")


@main.command()
@click.argument("name", required=False)
def lab(name):
    """Open the labs in JupyterLab, or one of them."""
    import subprocess

    folder = Path(derl.__file__).resolve().parents[1] / "notebooks"
    labs = sorted(path.stem for path in folder.glob("*.ipynb"))
    if not labs:
        raise click.ClickException(f"no labs beside the package ({folder.name}/); clone the repository to have them")
    if name is not None and name not in labs:
        raise click.ClickException(f"no lab {name!r}; there are: {', '.join(labs)}")
    target = folder / f"{name}.ipynb" if name else folder
    sys.exit(subprocess.call([sys.executable, "-m", "jupyterlab", str(target)]))


def _instance(spec: str):
    return derl.LinearMDP.load(spec) if spec.endswith(".npz") else derl.instances.from_spec(spec)


def _whole(text: str, name: str) -> int:
    """A whole number written as 10000000000 or 1e10; 2.5 and words are refused."""
    from fractions import Fraction

    try:
        value = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise click.ClickException(f"{name} is {text!r}; it must be a whole number >= 1") from None
    if value.denominator != 1 or value < 1:
        raise click.ClickException(f"{name} is {text}; it must be a whole number >= 1")
    return int(value)


if __name__ == "__main__":
    main()
