"""The commands that list, show and open statements, and the code of their checks."""

from __future__ import annotations

import inspect
import os
import re
import textwrap
from pathlib import Path

import click

import derl
from derl import claims
from derl.claims import CHAPTERS, PAPER, Ledger
from derl.cli import papers
from derl.cli.mathematics import readable
from derl.cli.printing import echo
from derl.inputs import Invalid, choice
from derl.judge.places import reading
from derl.judge.verdicts import SIGNS
from derl.ledger import Paper, provenance, saying, verify
from derl.ledger.arguments import changed
from derl.ledger.power import phrase
from derl.ledger.statements import KINDS
from derl.printed import Text

ROOT = Path(derl.__file__).resolve().parents[1]
WIDTH = 110
REFERENCE = re.compile(r"\{claim\}`([^`<]*<)?([a-z0-9-]+)>?`")


@click.command("list", epilog="""\b
Examples:
  derl list --verdict repaired --chapter layerwise
  derl list --kind theorem
  derl list --verdict proved --ledger ledger.json""")
@click.option("--verdict", metavar="WORD", help=f"Only these: {', '.join(SIGNS)}.")
@click.option("--chapter", metavar="NAME", help=f"Only this chapter: {', '.join(CHAPTERS)}.")
@click.option("--kind", metavar="KIND", help=f"Only this kind: {', '.join(KINDS)}.")
@click.option("--ledger", "path", metavar="FILE", help="Read the verdicts here; by default the book's ledger.")
def list_(verdict, chapter, kind, path):
    """List statements by verdict, chapter and kind: sign, verdict, number, id, title."""
    for value, name, allowed in ((verdict, "--verdict", tuple(SIGNS)), (chapter, "--chapter", CHAPTERS),
                                 (kind, "--kind", KINDS)):
        if value is not None:
            choice(value, name, allowed)
    ledger = Ledger.load(path) if path else _ledger_of_the_book()
    chosen = [(statement, ledger.claims[key].verdict) for key, statement in claims.load().items()
              if key in ledger.claims and chapter in (None, statement.chapter) and kind in (None, statement.kind)
              and verdict in (None, ledger.claims[key].verdict)]
    for statement, word in chosen:
        echo(f"{SIGNS[word]} {word:<15} {statement.name:<18} {statement.id:<44} {statement.title}")
    echo(f"{len(chosen)} of {len(ledger.claims)} statements", err=True)


def _ledger_of_the_book() -> Ledger:
    """What `make book` found, if it speaks of the code that runs here; else the checks are run."""
    try:
        found = Ledger.load(ROOT / "_build" / "ledger.json")
        if found.digest == provenance.digest(*PAPER.code):
            return found
    except Invalid:
        pass
    echo("no ledger of this code beside the package: running the quick checks (about a minute)", err=True)
    return claims.verify(jobs=2, apart=True)


@click.command(epilog="""\b
Examples:
  derl show C.3
  derl show lem-batched-potential
  derl show 4.1 --code
  derl show thm-odd-numbers --paper primes""")
@click.argument("name", required=False)
@click.option("--ledger", "path", metavar="FILE", help="Read the verdict from this ledger.")
@click.option("--code", is_flag=True, help="Print the source of the checks, and what each control changes.")
@click.option("--latex", is_flag=True, help="Leave the mathematics as it is written.")
@click.option("--paper", "folder", metavar="FOLDER", help="A paper of your own; see `derl paper`.")
def show(name, path, code, latex, folder):
    """Show one statement: number, verdict, evidence, scope gap, what it rests on. Without a name, list them all."""
    paper = papers.of_folder(Path(os.path.expanduser(folder)).resolve()) if folder else PAPER
    if name is None:
        for statement in paper.statements.values():
            echo(f"{statement.name:<18} {statement.id:<44} {statement.title}")
        return
    statement = paper.find(name)
    if code:
        _print_code(paper, statement.id)
        return
    ledger = verify(paper, [statement.id], apart=True) if path is None else Ledger.load(path)
    if statement.id not in ledger.claims:
        raise click.ClickException(f"{path} has no verdict for {statement.id}; run `derl verify {statement.id}`")
    row = ledger.claims[statement.id]
    text = (lambda source: source) if latex else _plain
    echo(f"{statement.name}: {statement.title}  [{statement.id}]")
    echo(f"verdict: {row.verdict} (expected: {row.expected})    scope gap: {text(row.scope_gap)}")
    echo("\n" + text(statement.statement).strip() + "\n")
    for number, step in enumerate(statement.proof, 1):
        echo(textwrap.fill(" ".join(text(step.say).split()), WIDTH, initial_indent=f"{number:>3}. ",
                                 subsequent_indent="     "))
    for check in row.checks:
        echo(f"- {check.title} [{check.method}, {check.arithmetic}]: {check.outcome}")
        echo(f"    {check.file}:{check.line}, {check.name}")
        if check.measured is not None:
            echo(f"    measured {check.measured}, claimed {check.claimed} ({check.direction}), "
                       f"margin {check.margin}; scope: {text(check.scope)}")
        for planted in check.controls:
            at = f" ({text(planted.witness)})" if planted.witness else ""
            echo(f"    control: {text(planted.planted)}: {planted.outcome}{at}")
    read = reading(statement.statement, row.checks)
    echo(f"text: {read}")
    for one in read.free:
        echo(f"    free: {' '.join(one.split())}")
    reasons = {one: reason for reason, some in statement.unread.items() for one in some}
    for one in read.says:
        echo(f"    not evaluated: {one}" + (f" ({reasons[one]})" if one in reasons else ""))
    if phrase(row.power):
        echo(f"power: {text(phrase(row.power))}")
    echo("rests on: " + (", ".join(row.rests_on) or "nothing else"))
    echo("used by: " + (", ".join(paper.dependencies.used_by[statement.id]) or "nothing else"))


def _plain(source: str) -> str:
    """MyST as plain characters: formulas readable, references by name."""
    def name(found: re.Match) -> str:
        return claims.load()[found[2]].name if found[2] in claims.load() else found[2]
    return readable(REFERENCE.sub(name, source))


def _print_code(paper: Paper, key: str) -> None:
    """The checks of a statement and their controls, each after the line that says where it is."""
    checks = paper.register().of(key)
    if not checks:
        raise click.ClickException(f"{key} has no check: there is no code to show")
    for check in checks:
        lines, first = inspect.getsourcelines(check.function)
        module = inspect.getmodule(check.function).__name__.replace(".", "/")
        echo(f"# {module}.py:{first}\n{''.join(lines).rstrip()}\n")
        for control in check.controls:
            place = f", {control.place.file}:{control.place.line}" if control.place.line else ""
            echo(f"# control{place}: {control.plants}\n{changed(control)}\n")


@click.command("open", epilog="""\b
Examples:
  derl open C.3
  derl open thm-layerwise --print""")
@click.argument("name")
@click.option("--print", "only_print", is_flag=True, help="Print the address instead of opening it.")
def open_(name, only_print):
    """Open the page of a statement, at the statement, in the browser."""
    statement = claims.find(name)
    page = ROOT / "_build" / "html" / "book" / f"{statement.page}.html"
    if not page.is_file():
        raise click.ClickException("the book is not built here; run `make book` in the repository")
    address = f"{page.as_uri()}#{statement.id}"
    echo(address)
    if not only_print and click.launch(address):
        raise click.ClickException("no browser could be started; the address is above")


@click.command(epilog="""\b
Examples:
  derl say thm-layerwise
  derl say thm-layerwise 'N\\ge' c=1 c_K=2 d=10 H=20 epsilon=1/10 delta=1/10
  derl say res-search-upper '1-(1' d=10 a=16 N=1000000""")
@click.argument("name", metavar="ID | NUMBER")
@click.argument("formula", required=False)
@click.argument("values", nargs=-1, metavar="[LETTER=VALUE]...")
def say(name, formula, values):
    """List the formulas of a statement with their letters and ranges, or evaluate the one that begins so.

    A value is exact where it is rational and short; of others, only digits that are certain are printed. Numbers are
    written 3, 1/10, 0.1, 1e-3, 10^6 or 10,000.
    """
    statement = claims.find(name)
    text, numbers = Text(statement.statement, statement.id), PAPER.letters(statement.id)
    if formula is None:
        for line in saying.lines(text, numbers):
            echo(line)
        return
    found = saying.chosen(text, formula, numbers)
    echo(f"{found.shown}    {saying.shown_value(saying.said(found, saying.letters(values)))}")
