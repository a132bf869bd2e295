"""The errata: what is printed, what is true, what follows from the difference, and the test that tells them apart.

An entry of claims.yml may carry an `erratum` with the keys `printed`, `corrected` and `class`. Where it stands in the
paper is the line of the statement; what it affects is read off the dependency graph; its test is the pair of checks in
the ledger, one that refutes the printed statement and one that passes on the corrected one.
"""

from __future__ import annotations

from dataclasses import dataclass

from derl.claims.statements import InvalidClaims, Statement

CLASSES = ("false as stated", "step wrong, statement true", "table or figure wrong", "typo", "harmless")
KEYS = {"printed", "corrected", "class"}


@dataclass(frozen=True)
class Erratum:
    """One erratum.

    Attributes
    ----------
    id : str
        The statement that is in error.
    printed, corrected : str
        MyST, in the words of this book.
    kind : str
        One of `CLASSES`.
    affects : tuple of str
        Statements of the paper that rest on it, directly or not.
    fails_on_printed : tuple of str
        Checks that refute the printed statement, by name.
    passes_on_corrected : tuple of str
        Checks of the corrected statement, by name; empty where there is none.
    repair : str or None
    """

    id: str
    printed: str
    corrected: str
    kind: str
    affects: tuple[str, ...]
    fails_on_printed: tuple[str, ...]
    passes_on_corrected: tuple[str, ...]
    repair: str | None


def errata(statements: dict[str, Statement], rows: dict[str, dict]) -> list[Erratum]:
    """All errata, in the order of the paper.

    Parameters
    ----------
    statements : dict
        As `derl.claims.load` returns them.
    rows : dict
        The `claims` of a ledger.

    Raises
    ------
    InvalidClaims
        If an entry lacks a key or has an unknown class.
    """
    found = [_erratum(statement, statements, rows) for statement in statements.values() if statement.erratum]
    return sorted(found, key=lambda erratum: statements[erratum.id].line)


def affected_by(key: str, statements: dict[str, Statement]) -> tuple[str, ...]:
    """Statements of the paper whose statement or proof uses this one, directly or not."""
    reached, todo = set(), [key]
    while todo:
        current = todo.pop()
        for other in statements.values():
            if current in (*other.uses_statement, *other.uses_proof) and other.id not in reached:
                reached.add(other.id)
                todo.append(other.id)
    return tuple(other for other, statement in statements.items() if other in reached and statement.kind != "result")


def _erratum(statement: Statement, statements: dict[str, Statement], rows: dict[str, dict]) -> Erratum:
    entry = statement.erratum
    if not isinstance(entry, dict) or entry.keys() != KEYS:
        raise InvalidClaims(f"claims.yml: {statement.id}: an erratum has exactly the keys {', '.join(sorted(KEYS))}")
    if entry["class"] not in CLASSES:
        raise InvalidClaims(f"claims.yml: {statement.id}: the class of the erratum is {entry['class']!r}; allowed are "
                            f"{', '.join(map(repr, CLASSES))}")
    passing = [check for check in rows.get(statement.id, {}).get("checks", ()) if check["outcome"] == "pass"]
    repaired = rows.get(statement.repair, {}).get("checks", ()) if statement.repair else ()
    return Erratum(
        id=statement.id, printed=entry["printed"], corrected=entry["corrected"], kind=entry["class"],
        affects=affected_by(statement.id, statements),
        fails_on_printed=tuple(check["name"] for check in passing if check["refutes"]),
        passes_on_corrected=tuple(check["name"] for check in [*repaired, *(c for c in passing if not c["refutes"])]
                                  if check["outcome"] == "pass"),
        repair=statement.repair)
