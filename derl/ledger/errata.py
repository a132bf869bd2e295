"""The errata: what is printed, what is true, what follows from the difference, and the test that tells them apart.

An entry of claims.yml may carry an `erratum` with the fields of `derl.ledger.erratum.FIELDS`. Its place in the paper is
the section and line of the statement; what it affects is read off the dependency graph. Its test is a pair in the
ledger. What fails on the printed form is a check that refutes it, or a check that rejects it as a planted variant. What
passes on the corrected form is a check of the corrected statement, or a refuting check that finds no counterexample any
more once the corrected form is planted.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from derl.judge.rows import CheckRow
from derl.ledger.erratum import CLASSES, Cause, class_of
from derl.ledger.paper import Paper
from derl.ledger.rows import StatementRow
from derl.ledger.statements import Statement

__all__ = ["CLASSES", "Erratum", "Group", "by_cause", "errata"]


@dataclass(frozen=True)
class Erratum:
    """One erratum.

    Attributes
    ----------
    id : str
        The statement that is in error.
    printed, corrected, reading, nearby, margin, becomes : str
        MyST, in the words of claims.yml; see `derl.ledger.erratum.FIELDS`.
    as_printed, under_reading, changes : str
        Words of `derl.ledger.erratum.AS_PRINTED`, `UNDER_READING` and `CHANGES`.
    kind : str
        One of `CLASSES`.
    cause : str
        The id that it shares with errata of one cause.
    affects : tuple of str
        Statements of the paper that rest on it, directly or not.
    fails_on_printed : tuple of str
        Checks that refute the printed statement or reject it when it is planted, by name.
    passes_on_corrected : tuple of str
        Checks that pass on the corrected statement, by name.
    repair : str or None
    """

    id: str
    printed: str
    corrected: str
    reading: str
    nearby: str
    margin: str
    becomes: str
    as_printed: str
    under_reading: str
    changes: str
    kind: str
    cause: str
    affects: tuple[str, ...]
    fails_on_printed: tuple[str, ...]
    passes_on_corrected: tuple[str, ...]
    repair: str | None


@dataclass(frozen=True)
class Group:
    """The errata of one cause, the gravest class first, and by line within a class."""

    id: str
    cause: Cause
    errata: tuple[Erratum, ...]


def errata(paper: Paper, rows: Mapping[str, StatementRow]) -> list[Erratum]:
    """All errata, in the order of the paper.

    Parameters
    ----------
    rows : mapping
        The `claims` of a ledger.
    """
    known = paper.statements
    found = [_erratum(statement, paper, rows) for statement in known.values() if statement.erratum]
    return sorted(found, key=lambda erratum: known[erratum.id].line)


def by_cause(found: list[Erratum], causes: dict[str, Cause]) -> list[Group]:
    """The errata, cause by cause: in the order of `causes`; a cause that is not there comes last, under its own id."""
    names = [*causes, *dict.fromkeys(erratum.cause for erratum in found if erratum.cause not in causes)]
    groups = []
    for name in names:
        members = [erratum for erratum in found if erratum.cause == name]
        members.sort(key=lambda erratum: CLASSES.index(erratum.kind))
        if members:
            groups.append(Group(name, causes.get(name, Cause(name.replace("-", " ").capitalize(), "")),
                                tuple(members)))
    return groups


def _erratum(statement: Statement, paper: Paper, rows: Mapping[str, StatementRow]) -> Erratum:
    entry = dict(statement.erratum)
    sound = [check for key in (statement.repair, statement.id) if key in rows for check in rows[key].checks
             if check.passes]
    return Erratum(
        id=statement.id, kind=class_of(entry), **entry,
        affects=tuple(key for key in paper.dependencies.above(statement.id) if not paper.statements[key].own),
        fails_on_printed=tuple(check.name for check in sound if _breaks(check) or _rejects(check, "printed")),
        passes_on_corrected=tuple(check.name for check in sound
                                  if not _breaks(check) or _rejects(check, "corrected")),
        repair=statement.repair)


def _breaks(check: CheckRow) -> bool:
    """Whether the check passes on what is printed being wrong: the statement, or its deduction."""
    return check.refutes or check.breaks_proof


def _rejects(check: CheckRow, variant: str) -> bool:
    return any(control.variant == variant and control.outcome == "rejected" for control in check.controls)
