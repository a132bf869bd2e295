"""Run the checks of a paper: `verify` makes a `Ledger`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import closing

from derl.inputs import choice, whole
from derl.inputs.processes import MOST_JOBS
from derl.judge import verdicts
from derl.judge.registry import TIERS
from derl.judge.rows import CheckRow
from derl.judge.words import words
from derl.ledger import provenance
from derl.ledger.ledger import Ledger
from derl.ledger.paper import Paper
from derl.ledger.power import power
from derl.ledger.rows import StatementRow
from derl.ledger.statements import Statement
from derl.ledger.workers import row_of, run_apart


def verify(paper: Paper, ids: Iterable[str] | None = None, tier: str = "quick", jobs: int = 1,
           progress: Callable[[str, int, int], None] | None = None, apart: bool = False) -> Ledger:
    """Run the checks of the named statements (all of them by default) and of what their repairs need.

    Parameters
    ----------
    ids : iterable of str or None
        Ids or printed numbers.
    tier : {"quick", "full"}
        The full tier contains the quick one.
    jobs : int in 1..256
        Worker processes. The result does not depend on it, apart from the seconds.
    progress : callable or None
        Called with (check, number done, number in all).
    apart : bool
        Run in a worker even where one is enough: then Ctrl-C is answered at once, whatever the check computes.

    Returns
    -------
    Ledger
        Its digest and commit are those from before the checks: code that is edited meanwhile has not been checked.

    Raises
    ------
    UnknownClaim, InvalidClaims, Invalid
    """
    choice(tier, "tier", TIERS)
    jobs = whole(jobs, "jobs", 1, MOST_JOBS)
    checks, known = paper.register().checks, paper.statements
    ids = [ids] if isinstance(ids, str) else ids
    asked = list(known) if ids is None else [paper.find(name).id for name in ids]
    wanted = list(dict.fromkeys(needed for key in asked for needed in (key, *filter(None, [known[key].repair]))))
    positions = [i for i, c in enumerate(checks) if c.claim in wanted and (tier == "full" or c.tier == "quick")]
    code = {"commit": provenance.commit(paper.package), "digest": provenance.digest(*paper.code)}
    rows = {}
    thorough = tier == "full"
    run = run_apart(paper, positions, jobs, thorough) if apart or jobs > 1 else (
        (position, row_of(paper, position, thorough)) for position in positions)
    with closing(run) as done:
        for position, row in done:
            rows[position] = row
            if progress:
                progress(checks[position].name, len(rows), len(positions))
    return assembled(paper, wanted, tier, rows, **code)


def assembled(paper: Paper, wanted: Iterable[str], tier: str, rows: Mapping[int, CheckRow], **code: str) -> Ledger:
    """The ledger of some statements from the rows of their checks, by position in the registry, wherever these ran."""
    checks, known = paper.register().checks, paper.statements
    of_claim = {key: tuple(rows[i] for i in sorted(rows) if checks[i].claim == key) for key in wanted}
    found = words(paper, of_claim)
    claims = {key: _entry(paper, known[key], found, of_claim[key]) for key in of_claim}
    return Ledger(tier=tier, claims=claims, environment=provenance.environment(paper.libraries), **code,
                  version=paper.version, seconds=round(sum(row.seconds for row in rows.values()), 2))


def _entry(paper: Paper, statement: Statement, words: dict[str, tuple[str, str]], rows: tuple[CheckRow, ...]
           ) -> StatementRow:
    word, gap = words[statement.id]
    below = paper.dependencies.below(statement.id)
    weak = None  # nobody can say, where something below was not run
    if word == "machine-checked":
        weak = []  # Coq has checked the proof from its axioms on
    elif all(key in words for key in below):
        weak = verdicts.weakest(below, {key: words[key][0] for key in below},
                                {key: paper.statements[key].kind for key in below})
    return StatementRow(
        number=statement.number, kind=statement.kind, chapter=statement.chapter, verdict=word,
        expected=statement.expected,
        as_expected=verdicts.as_expected(word, statement.expected, statement.word, statement.standing),
        scope_gap=gap, rests_on=below, weakest=None if weak is None else tuple(weak),
        grounded=None if weak is None else verdicts.grounded(word, weak), power=power(rows),
        seconds=round(sum(row.seconds for row in rows), 3), kernel=by_kernel(rows), checks=rows)


def by_kernel(rows: Iterable[CheckRow]) -> str:
    """How much of a statement Coq has checked, in words; "" where no check of method `kernel` passes.

    Parameters
    ----------
    rows : iterable of CheckRow
        The checks of one statement.
    """
    scopes = {row.formal.scope for row in rows if row.method == "kernel" and row.passes}
    for scope, said in (("whole", "machine-checked"), ("refutes", "refutation machine-checked"),
                        ("breaks", "failure of the proof machine-checked"), ("core", "core machine-checked")):
        if scope in scopes:
            return said
    return ""
