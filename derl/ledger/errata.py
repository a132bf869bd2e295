"""The errata: what is printed, what is true, what follows from the difference, and the test that tells them apart.

An entry of claims.yml may carry an `erratum` with the keys `printed`, `corrected` and `class`, and with `severity`
where that does not follow from the class, the kind and the verdict. Where it stands in the paper is the section and
line of the statement; what it affects is read off the dependency graph. Its test is a pair in the ledger. What fails on
the printed form is a check that refutes it, or a check that rejects it as a planted variant. What passes on the
corrected form is a check of the corrected statement, or a refuting check that finds no counterexample any more once the
corrected form is planted.
"""

from __future__ import annotations

from dataclasses import dataclass

from derl.ledger.paper import Paper
from derl.ledger.statements import InvalidClaims, Statement

CLASSES = ("false as stated", "step wrong, statement true", "table or figure wrong", "typo", "harmless")
KEYS = {"printed", "corrected", "class"}
# the gravest first; a class alone says less: a false constant and a false theorem are both "false as stated"
SEVERITIES = ("headline false", "false as stated", "proof fails", "constant", "slip")
SEVERITY_OF_CLASS = {"false as stated": "false as stated", "step wrong, statement true": "proof fails",
                     "table or figure wrong": "slip", "typo": "slip", "harmless": "slip"}
HEADLINES = ("theorem", "lemma", "corollary", "algorithm", "definition", "assumption")


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
    severity : str
        One of `SEVERITIES`.
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
    kind: str
    severity: str
    affects: tuple[str, ...]
    fails_on_printed: tuple[str, ...]
    passes_on_corrected: tuple[str, ...]
    repair: str | None


def errata(paper: Paper, rows: dict[str, dict]) -> list[Erratum]:
    """All errata, in the order of the paper.

    Parameters
    ----------
    rows : dict
        The `claims` of a ledger.

    Raises
    ------
    InvalidClaims
        If an entry lacks a key or has an unknown class.
    """
    known = paper.statements
    found = [_erratum(statement, paper, rows) for statement in known.values() if statement.erratum]
    return sorted(found, key=lambda erratum: known[erratum.id].line)


def _erratum(statement: Statement, paper: Paper, rows: dict[str, dict]) -> Erratum:
    entry = statement.erratum
    if not isinstance(entry, dict) or entry.keys() - {"severity"} != KEYS:
        raise InvalidClaims(f"claims.yml: {statement.id}: an erratum has the keys {', '.join(sorted(KEYS))}, and "
                            f"`severity` where that does not follow")
    if entry["class"] not in CLASSES:
        raise InvalidClaims(f"claims.yml: {statement.id}: the class of the erratum is {entry['class']!r}; allowed are "
                            f"{', '.join(map(repr, CLASSES))}")
    if entry.get("severity", SEVERITIES[0]) not in SEVERITIES:
        raise InvalidClaims(f"claims.yml: {statement.id}: the severity of the erratum is {entry['severity']!r}; "
                            f"allowed are {', '.join(map(repr, SEVERITIES))}")
    passing = [check for check in rows.get(statement.id, {}).get("checks", ()) if check["outcome"] == "pass"]
    repaired = rows.get(statement.repair, {}).get("checks", ()) if statement.repair else ()
    sound = [check for check in (*repaired, *passing) if check["outcome"] == "pass"]
    return Erratum(
        id=statement.id, printed=entry["printed"], corrected=entry["corrected"], kind=entry["class"],
        severity=entry.get("severity") or severity(statement, rows.get(statement.id, {}).get("verdict", "")),
        affects=tuple(key for key in paper.dependencies.above(statement.id) if paper.statements[key].kind != "result"),
        fails_on_printed=tuple(check["name"] for check in sound if _breaks(check) or _rejects(check, "printed")),
        passes_on_corrected=tuple(check["name"] for check in sound
                                  if not _breaks(check) or _rejects(check, "corrected")),
        repair=statement.repair)


def severity(statement: Statement, verdict: str) -> str:
    """How grave an erratum is, from its class, the kind of the statement and the verdict of the run."""
    word = SEVERITY_OF_CLASS[statement.erratum["class"]]
    if word == "false as stated" and statement.kind in HEADLINES and verdict in ("refuted", "repaired"):
        return "headline false"
    return word


def _breaks(check: dict) -> bool:
    """Whether the check passes on what is printed being wrong: the statement, or its deduction."""
    return check["refutes"] or check.get("breaks_proof", False)


def _rejects(check: dict, variant: str) -> bool:
    return any(row["variant"] == variant and row["outcome"] == "rejected" for row in check.get("controls", ()))
