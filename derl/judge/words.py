"""From the rows of all checks to the verdict of every statement, after those that it rests on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from derl.judge import power, proofs, verdicts
from derl.judge.places import reading
from derl.judge.rows import CheckRow


def words(paper: Any, of_claim: Mapping[str, tuple[CheckRow, ...]]) -> dict[str, tuple[str, str]]:
    """Verdict and scope gap of every statement that was run.

    Parameters
    ----------
    paper : derl.ledger.Paper
        Its statements, and their order: each after those that its proof uses and the one that repairs it.
    of_claim : mapping
        id -> rows of its checks.
    """
    given: dict[str, tuple[str, str]] = {}
    for key in paper.order:
        if key not in of_claim:
            continue
        statement, rows = paper.statements[key], of_claim[key]
        word, gap = verdicts.verdict(rows, statement.expected == "cited",
                                     given[statement.repair][0] if statement.repair else None, statement.standing,
                                     statement.reviewed == statement.words)
        lacks = proofs.problems(statement.proof, rows) if statement.proof else ["there is none"]
        found = verdicts.earned(word, gap, statement.kind, lacks, power.unasked(rows))
        if word == "proved" != found[0] and (why := verdicts.reasons(rows)):
            found = "not checked", why  # what the proof lacks may be what could not be run
        if found[0] in verdicts.READ:
            unread = reading(statement.statement, rows).without_reason(statement.unread)
            found = found if not unread else (
                "tested", f"no check evaluates the formula ${unread[0]}$, and the entry does not say why")
        used = {other: given[other][0] for other in statement.uses_proof
                if other in given and paper.statements[other].kind not in verdicts.MEANT}
        given[key] = verdicts.carried(*found, used)
    return given
