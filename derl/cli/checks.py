"""The command that runs the checks."""

from __future__ import annotations

import sys

import click
from tqdm import tqdm

from derl import claims
from derl.claims import PAPER, Ledger
from derl.cli.group import Whole, complain
from derl.cli.printing import echo
from derl.inputs import Invalid, files
from derl.inputs.processes import MOST_JOBS
from derl.judge import verdicts
from derl.judge.rows import CheckRow
from derl.judge.verdicts import reasons, unrun
from derl.ledger import Paper
from derl.ledger.edited import Edited, edited
from derl.ledger.provenance import digest
from derl.ledger.rows import StatementRow

tqdm.monitor_interval = 0  # no thread beside us when workers are forked


@click.command(epilog="""\b
Examples:
  derl verify C.3
  derl verify 4.1 C.5 lem-batched-potential
  derl verify --tier full --jobs 2 --out ledger.json
  derl verify --out new.json --compare ledger.json
  derl verify lem-trace-det --edit '\\rho\\log' '\\log'""")
@click.argument("names", nargs=-1, metavar="[ID | NUMBER]...")
@click.option("--tier", type=click.Choice(["quick", "full"]), default="quick", show_default=True)
@click.option("--jobs", type=Whole(high=MOST_JOBS), default=1, show_default=True, help="Worker processes.")
@click.option("--out", metavar="FILE", help="Write the ledger to this file.")
@click.option("--unless-current", is_flag=True, help="Do nothing where --out holds what this very code found.")
@click.option("--compare", metavar="FILE", help="Report verdicts that differ from this ledger.")
@click.option("--edit", nargs=2, metavar="OLD NEW", help="Run the checks of one statement on its text with OLD "
              "replaced by NEW, in memory.")
def verify(names, tier, jobs, out, unless_current, compare, edit):
    """Run the checks of some statements, or of all, and compare each verdict with the expected one.

    A check that cannot be run to its end finds nothing: its statement is "not checked", and the reason is printed. A
    statement whose words have changed is "stale", until `derl accept` has recorded that somebody has read them.

    With --edit nothing is written: each check that reads the text says whether the edited statement is refuted, still
    holds, or cannot be read. Where a step of a proof fails, or an exact value differs, a weaker statement may be true.

    Exit status: 0 all as expected; 1 a verdict differs, "not checked" and "stale" among them, a check has raised an
    error, or a check fails on the edited statement; 2 unusable input, or no check reads the edited place.
    """
    if edit:
        if len(names) != 1 or out or compare:
            raise click.UsageError("--edit goes with one statement, and with neither --out nor --compare")
        told(edited(PAPER, claims.find(names[0]).id, *edit, tier))
    old = Ledger.load(compare) if compare is not None else None
    names = [claims.find(name).id for name in names] or None
    if out is not None:
        files.target(out)
        if unless_current and not names and (found := _current(out, tier)):
            echo(f"{out} is what this code found")
            _complain_of(found, PAPER)
            sys.exit(status(found))
    ledger = _with_progress(names, tier, jobs)
    if out is not None:
        ledger.save(out)
    printed(ledger, PAPER, old)
    sys.exit(status(ledger))


def told(found: Edited) -> None:
    """Print what the checks say of an edited text, and end with the exit status of `derl verify --edit`."""
    for answer in found.answers:
        echo(str(answer))
    if not found.checked:
        raise click.UsageError(found.verdict)
    echo(found.verdict)
    sys.exit(int(found.refuted))


def printed(ledger: Ledger, paper: Paper, old: Ledger | None = None) -> None:
    """Say what a run has found: a line for each statement, what is not as expected, changes since `old`, and a sum."""
    for key, row in ledger.claims.items():
        mark = "ok " if row.as_expected else "NOT"
        number = paper.statements[key].name
        echo(f"{mark} {row.verdict:<15} {number:<16} {key:<44} {row.seconds:7.2f} s")
    _complain_of(ledger, paper)
    if old:
        for key, before, after in ledger.changes(old):
            echo(f"changed: {key}: {before} -> {after}")
    checks = [check for row in ledger.claims.values() for check in row.checks]
    controls = [control for row in ledger.claims.values() for control in row.controls]
    rejected = sum(control.outcome == "rejected" for control in controls)
    echo(f"{len(ledger.claims)} statements, {len(checks)} checks, {rejected} of {len(controls)} controls rejected, "
         f"{len(ledger.surprises)} not as expected, {ledger.seconds:.1f} s of checks, tier {ledger.tier}")
    changes = ledger.changes_of_texts
    if planted := sum(changes.values()):
        echo(f"{planted} changes of printed formulas: " + ", ".join(f"{n} {said}" for said, n in changes.items() if n))


def _current(out: str, tier: str) -> Ledger | None:
    """The ledger in a file, where it is whole, of this very code, and of this tier or a higher one."""
    try:
        found = Ledger.load(out)
    except Invalid:
        return None
    same = found.digest == digest(*PAPER.code) and found.claims.keys() == PAPER.statements.keys()
    return found if same and found.tier in (tier, "full") else None


def status(ledger: Ledger) -> int:
    """1 where a verdict differs, or where the code of a check has raised something, whatever word others give."""
    raised = any(check.outcome == "error" for row in ledger.claims.values() for check in row.checks)
    return int(bool(ledger.surprises) or raised)


def _complain_of(ledger: Ledger, paper: Paper) -> None:
    for key, (word, expected) in ledger.surprises.items():
        if word == "stale":
            complain(_stale(key, ledger.claims[key], "" if paper is PAPER else " --paper FOLDER"))
            continue
        complain(f"{key} is {word}, expected {expected}: {_why(ledger.claims[key])}")
    silent = {f"{key}: {reasons(row.checks)}" for key, row in ledger.claims.items()
              if row.as_expected and unrun(row.checks)}
    for line in sorted(silent):  # their statements keep the word that other checks give them
        complain(line)


def _with_progress(names, tier, jobs) -> Ledger:
    """A bar on a terminal; elsewhere one plain line for every tenth of the checks."""
    if sys.stderr.isatty():
        with tqdm(unit="check", file=sys.stderr, leave=False) as bar:
            def report(name, done, total):
                bar.total = total
                bar.set_postfix_str(name[:40], refresh=False)
                bar.update(done - bar.n)
            return claims.verify(names, tier, jobs, report, apart=True)

    def plain(name, done, total):
        if done == total or done % max(1, total // 10) == 0:
            echo(f"{done} of {total} checks", err=True)
    return claims.verify(names, tier, jobs, plain, apart=True)


def _stale(key: str, row: StatementRow, option: str) -> str:
    """What to read and to type where a statement is stale."""
    if row.scope_gap.startswith(verdicts.RESTS):
        return f"{key} is stale: {row.scope_gap}"
    return (f"{key} is stale: {row.scope_gap}; `derl accept {key}{option}` shows both, and "
            "records that you have read them")


def _why(row: StatementRow) -> str:
    bad = [check for check in row.checks if not (check.passes and check.rejects)]
    if not bad or row.verdict == "not checked":
        return row.scope_gap
    first = bad[0]
    if first.passes:
        accepted = [control for control in first.controls if control.outcome != "rejected"]
        return f"{first.name}: " + "; ".join(
            f"control {control.outcome}: {control.planted}" + f" ({control.detail})" * bool(control.detail)
            for control in accepted) if accepted else f"{first.name}: NOT REJECTED: {_unrejected(first)}"
    reason = first.detail or f"measured {first.measured}, claimed {first.claimed}"
    return f"{first.name}: {first.outcome}" + (f", control {first.control.outcome}" if first.control else ""
                                            ) + f" ({reason})"


def _unrejected(check: CheckRow) -> str:
    """Why nothing shows that a check would notice a false statement."""
    tried = check.variants.outcomes.values() if check.variants else ()
    if tried and all(word == "refused" for word in tried):
        return ("the statement may be true, but the check spells out every number and letter that could be changed, so "
                "a changed text is not found; write ... for a part, such as text.sides(r\"\\log...\\le\")")
    return "it has no false variant (`false=` of `claim`), and no change of a formula that it reads was rejected"
