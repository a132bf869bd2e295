"""The command that shows one statement, and the code behind it."""

from __future__ import annotations

import inspect

import click

from derl import claims
from derl.claims import PAPER, Ledger
from derl.ledger.power import phrase


@click.command()
@click.argument("name", required=False)
@click.option("--ledger", "path", metavar="FILE", help="Read the verdict from this ledger.")
@click.option("--code", is_flag=True, help="Print the source of the checks and of their controls.")
def show(name, path, code):
    """Show one statement: number, verdict, evidence, scope gap, what it rests on. Without a name, list them all."""
    if name is None:
        for statement in claims.load().values():
            click.echo(f"{statement.name:<18} {statement.id:<44} {statement.title}")
        return
    statement = claims.find(name)
    if code:
        _print_code(statement.id)
        return
    ledger = claims.verify([statement.id], apart=True) if path is None else Ledger.load(path)
    if statement.id not in ledger.claims:
        raise click.ClickException(f"{path} has no verdict for {statement.id}; run `derl verify {statement.id}`")
    row = ledger.claims[statement.id]
    click.echo(f"{statement.name}: {statement.title}  [{statement.id}]")
    click.echo(f"verdict: {row['verdict']} (expected: {row['expected']})    scope gap: {row['scope_gap']}")
    click.echo("\n" + statement.statement + "\n")
    for number, step in enumerate(statement.proof, 1):
        click.echo(f"  {number}. {' '.join(step.say.split())}")
    for check in row["checks"]:
        click.echo(f"- {check['title']} [{check['method']}, {check['arithmetic']}]: {check['outcome']}")
        click.echo(f"    {check['file']}:{check['line']}, {check['name']}")
        if "measured" in check:
            click.echo(f"    measured {check['measured']}, claimed {check['claimed']} ({check['direction']}), "
                       f"margin {check['margin']}; scope: {check['scope']}")
        for planted in check["controls"]:
            at = f" ({planted['witness']})" if planted.get("witness") else ""
            click.echo(f"    control: {planted['planted']}: {planted['outcome']}{at}")
    if phrase(row.get("power")):
        click.echo(f"power: {phrase(row['power'])}")
    click.echo("rests on: " + (", ".join(row["rests_on"]) or "nothing else"))


def _print_code(key: str) -> None:
    """The checks of a statement and their controls, each behind its place."""
    checks = PAPER.register().of(key)
    if not checks:
        raise click.ClickException(f"{key} has no check: there is no code to show")
    for check in checks:
        for function in (check.function, *(control.plant for control in check.controls)):
            lines, first = inspect.getsourcelines(function)
            module = inspect.getmodule(function).__name__.replace(".", "/")
            click.echo(f"# {module}.py:{first}\n{''.join(lines).rstrip()}\n")
