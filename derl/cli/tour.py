"""The command that shows in a minute what this project does: a theorem, its control, a run."""

from __future__ import annotations

import click

from derl import claims
from derl.algorithms import by_name
from derl.claims import PAPER
from derl.cli.mathematics import readable
from derl.cli.printing import echo
from derl.mdp import instances, planning

THEOREM, ERROR = "res-sharp-potential", "lem-overestimation"
EPSILON, DELTA, SIZE = 0.2, 0.1, 10**12


@click.command()
def demo():
    """One minute: a theorem and its checks, the false variants that they reject, an error of the paper, two runs."""
    ledger = claims.verify([THEOREM, ERROR], apart=True)
    for key in (THEOREM, ERROR):
        statement, row = claims.load()[key], ledger.claims[key]
        _heading(f"{statement.name}: {statement.title} [{key}]")
        echo(readable(statement.statement).strip())
        echo(f"\nverdict: {row.verdict}, from this run:")
        for check in row.checks:
            echo(f"  {check.title} [{check.method}]: {check.outcome}")
            for planted in check.controls:
                echo(f"    planted: {planted.planted}: {planted.outcome}")
    echo(f"\nCorrected: {PAPER.statements[ERROR].repair}.")
    _heading("Algorithm 1 on the trap, as printed and as repaired")
    mdp = instances.from_spec("optimism_trap")
    best = planning.optimal(mdp).value
    echo(f"{mdp.n_states} states, {mdp.n_actions} actions, horizon {mdp.horizon}, dimension {mdp.dim}, "
               f"optimal value {best:.4f}; N = {SIZE:.0e}, epsilon = {EPSILON}, delta = {DELTA}")
    for version in ("as-printed", "repaired"):
        found = by_name.run_by_name("1", mdp, EPSILON, DELTA, SIZE, version=version)
        lost = best - planning.evaluate(mdp, found.policy).value
        said = "within epsilon" if lost <= EPSILON else "NOT within epsilon"
        echo(f"  {version:<10}  {found.outcome.deployments:>3} deployments, suboptimality {lost:.4f}: {said}")
    _heading("Go on")
    echo(f"  derl show {THEOREM} --code\n  derl list --verdict refuted\n  derl run 1 --help\n  make book")


def _heading(text: str) -> None:
    echo(f"\n{text}", bold=True)
    echo("-" * len(text))
