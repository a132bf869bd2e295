"""How small a falsehood the checks of a statement still reject, in numbers and in words."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from derl.judge.power import KINDS, kinds
from derl.judge.rows import CheckRow, ControlRow
from derl.ledger.rows import PowerRow

PLANTED = 1.001  # the right side of a near miss: what the step has room for, times this


def power(rows: Sequence[CheckRow]) -> PowerRow:
    """What the checks of one statement can tell from the truth.

    Returns
    -------
    PowerRow
        Number of steps of symbolic checks of each kind; `smallest`, the smallest change of a right side, in parts of
        it, that was rejected; `room`, the factor by which the closest inequality could be sharpened at the point where
        it is closest, and `closest`, its name; `control`, the smallest relative miss of a rejected control of a check
        that measures one number. None where there is nothing of the kind.
    """
    counts = dict.fromkeys(KINDS, 0)
    changes, rooms, misses = [], [], []
    for row in rows:
        if not row.passes:
            continue
        if row.method == "symbolic":
            for kind in kinds(row):
                counts[kind] += 1
        for step in row.steps:
            miss = step.near_miss
            if miss and miss.rejected and miss.factor is not None:
                changes.append(abs(miss.factor - 1))
                if miss.room.startswith("factor"):
                    rooms.append((miss.factor / PLANTED, f"{row.name}: {step.name}"))
        if not row.steps:
            misses += [miss for planted in row.controls if (miss := _miss(planted)) is not None]
    room, closest = min(rooms, default=(None, None))
    return PowerRow(**counts, smallest=_rounded(min(changes, default=None)), room=_rounded(room), closest=closest,
                    control=_rounded(min(misses, default=None)))


def _miss(planted: ControlRow) -> float | None:
    """By which part of the claimed number the measured one of a rejected control is off."""
    if planted.outcome != "rejected":
        return None
    measured, claimed = Fraction(planted.measured), Fraction(planted.claimed)
    return float(min(abs(measured - claimed) / abs(claimed), 10**300)) if claimed else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else float(f"{value:.6g}")


def phrase(entry: PowerRow | None) -> str:
    """The power of a statement in words, for a card; "" where nothing was measured."""
    if not entry:
        return ""
    said = []
    if entry.smallest is not None:
        said.append(f"rejects a change of {_part(entry.smallest)}")
    if entry.room is not None:
        said.append("its closest inequality has no room" if entry.room <= 1
                    else f"its closest inequality has room for a factor {entry.room:.4g}")
    if entry.control is not None:
        said.append(f"its closest planted number is off by {_part(entry.control)}")
    if entry.steps:
        names = (("flipped", "made false by controls"), ("asked", "asked for the falsehood next to them"),
                 ("bookkeeping", "bookkeeping"), ("unasked", "with nothing tried"))
        said.append(f"{entry.steps} step{'s' * (entry.steps > 1)}: " + ", ".join(
            f"{entry.of_kind(kind)} {name}" for kind, name in names if entry.of_kind(kind)))
    return "; ".join(said)


def _part(share: float) -> str:
    return f"1 part in {1 / share:.0f}" if 0 < share < 0.1 else f"{100 * share:.3g} %"
