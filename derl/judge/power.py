"""What was tried on each step of a check.

Each step of a symbolic check is one of four: a planted falsehood makes it false; or the falsehood next to it was asked
of the same prover and rejected; or it is bookkeeping and claims nothing; or nothing was tried on it. A statement with
a step of the last kind is not proved.

A step whose two sides are literally the same is bookkeeping, unless a change of the printed text makes it false: what
a control by hand multiplies into one side says nothing about the statement. A check of such steps alone is no proof,
and a check with a step that neither of them changes is refused (`derl.judge.tautologies`).
"""

from __future__ import annotations

from collections.abc import Sequence

from derl.judge.rows import CheckRow, StepRow

KINDS = ("flipped", "asked", "bookkeeping", "unasked")


def kinds(row: CheckRow) -> list[str]:
    """Of which of `KINDS` each step of one check is."""
    by_text = set(row.variants.breaks) if row.variants else set()
    by_hand = {name for planted in row.controls for name in planted.breaks}
    return [_kind(step, by_text, by_hand) for step in row.steps]


def _kind(step: StepRow, by_text: set[str], by_hand: set[str]) -> str:
    if step.near_miss and not step.near_miss.rejected:
        return "unasked"  # the prover says yes to something false: no control makes up for that
    if step.name in by_text or step.name in by_hand and not step.bookkeeping:
        return "flipped"
    return "asked" if step.near_miss else "bookkeeping" if step.bookkeeping else "unasked"


def unasked(rows: Sequence[CheckRow]) -> list[str]:
    """What nothing was tried on, or a false variant was accepted, in passing symbolic checks: "check: step"; also a
    check that covers the whole statement with steps that say nothing of it."""
    passing = [row for row in rows if row.method == "symbolic" and row.passes]
    empty = [row for row in passing if row.covers == "everything" and not (row.refutes or row.breaks_proof)
             and row.steps and {*kinds(row)} == {"bookkeeping"}]
    return [f"{row.name}: {step.name}" for row in passing
            for step, kind in zip(row.steps, kinds(row), strict=True) if kind == "unasked"] + [
        f"{row.name}: all steps hold whatever the statement says" for row in empty]
