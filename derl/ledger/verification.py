"""Run the checks of a paper: `verify` makes a `Ledger`."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress

from derl.inputs import choice, whole
from derl.inputs.processes import MOST_JOBS
from derl.ledger import kernel, power, proofs, provenance, verdicts
from derl.ledger.journal import Journal
from derl.ledger.ledger import Ledger
from derl.ledger.paper import Paper
from derl.ledger.registry import TIERS
from derl.ledger.rows import CheckRow, StatementRow
from derl.ledger.statements import Statement
from derl.ledger.trial import Stopped
from derl.ledger.workers import NoProcess, row_of, run_in_workers


def verify(paper: Paper, ids: Iterable[str] | None = None, tier: str = "quick", jobs: int = 1,
           progress: Callable[[str, int, int], None] | None = None, apart: bool = False,
           journal: Journal | None = None) -> Ledger:
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
    journal : Journal or None
        Takes every row, and gives those that a killed run has left.

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
    with closing(_rows(paper, positions, jobs, apart, journal, tier == "full")) as found:
        for position, row in found:
            rows[position] = row
            if progress:
                progress(checks[position].name, len(rows), len(positions))
    of_claim = {key: tuple(rows[i] for i in positions if checks[i].claim == key) for key in wanted}
    words = _words(paper, of_claim)
    claims = {key: _entry(paper, known[key], words, of_claim[key]) for key in wanted}
    return Ledger(tier=tier, claims=claims, environment=provenance.environment(paper.libraries), **code,
                  version=paper.version,
                  seconds=round(sum(row.seconds for row in rows.values()), 2))


def _rows(paper: Paper, positions: list[int], jobs: int, apart: bool, journal: Journal | None,
          thorough: bool) -> Iterator[tuple[int, CheckRow]]:
    """Yield (position, row) for every check: those of the journal, then those that are run."""
    checks, left = paper.registry.checks, []
    for position in positions:
        row = journal.known(checks[position]) if journal else None
        if row is None:
            left.append(position)
        else:
            yield position, row
    for position, row in _run(paper, left, jobs, apart, thorough):
        if journal:
            journal.keep(checks[position], row)
        yield position, row


def _run(paper: Paper, positions: list[int], jobs: int, apart: bool, thorough: bool) -> Iterator[tuple[int, CheckRow]]:
    left = dict.fromkeys(positions)
    if apart or jobs > 1 and len(positions) > 1:
        with suppress(NoProcess):  # then this process runs what is left
            for position, row in run_in_workers(paper, positions, jobs, thorough):
                del left[position]
                yield position, row
    for position in left:
        with _stoppable():
            row = row_of(paper, position, thorough)
        yield position, row


@contextmanager
def _stoppable():
    """Ctrl-C raises `Stopped` here; a check that raises KeyboardInterrupt by itself has made an error.

    Also at the end, where what was raised in the middle has been swallowed: the row of such a check is not to be kept.
    """
    before, heard = signal.getsignal(signal.SIGINT), []
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield  # no signal arrives here, or Ctrl-C is switched off
        return

    def stop(number, frame):
        try:
            before(number, frame)
        except KeyboardInterrupt:
            heard.append(number)
            raise Stopped from None

    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
        if heard:
            raise Stopped from None


def _words(paper: Paper, of_claim: dict[str, tuple[CheckRow, ...]]) -> dict[str, tuple[str, str]]:
    """Verdict and scope gap of every statement, after those that its proof uses and the one that repairs it."""
    words: dict[str, tuple[str, str]] = {}
    for key in paper.order:
        if key in of_claim:
            statement = paper.statements[key]
            word, gap = verdicts.verdict(of_claim[key], statement.expected == "cited",
                                         words[statement.repair][0] if statement.repair else None, statement.fault)
            used = {other: words[other][0] for other in statement.uses_proof
                    if other in words and paper.statements[other].kind not in verdicts.MEANT}
            lacks = proofs.problems(statement.proof, of_claim[key]) if statement.proof else ["there is none"]
            found = verdicts.earned(word, gap, statement.kind, lacks, power.unasked(of_claim[key]))
            if word == "proved" != found[0] and (why := verdicts.reasons(of_claim[key])):
                found = "not checked", why  # what the proof lacks may be what could not be run
            if amiss := paper.meaningless(key):
                found = "failed", f"a formula of the statement means nothing: {amiss}"
            words[key] = verdicts.carried(*found, used)
    return words


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
        as_expected=verdicts.as_expected(word, statement.expected, statement.word, statement.fault),
        scope_gap=gap, rests_on=below, weakest=None if weak is None else tuple(weak),
        grounded=None if weak is None else verdicts.grounded(word, weak), power=power.power(rows),
        seconds=round(sum(row.seconds for row in rows), 3), kernel=kernel.word(rows), checks=rows)
