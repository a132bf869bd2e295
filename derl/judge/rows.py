"""The rows of a ledger: what a run says of a statement, of a check, of a control and of a step.

The fields have the names and the order that they have in the file of a ledger (`derl.ledger.rows` reads and writes it).
A row is also a mapping, for pages and programs that read a ledger in the words of its file: `row["verdict"]` is
`row.verdict`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from typing import Any

Number = int | float | str | None  # an exact number is a text, so that nothing is rounded
MOST_FACTS = 9  # of a row that it shows
row = dataclass(frozen=True, kw_only=True, repr=False)


class Row(Mapping):
    """What all rows have in common; see the module."""

    CALLED = ""  # in errors, before the place in which it stands
    FOUND: tuple[str, ...] = ()  # fields that stand in the file only together with `measured`
    NEEDED: tuple[str, ...] = ()  # those of them that have to
    ALLOWED: Mapping[str, tuple[str, ...]] = {}  # field -> the words that it may hold

    @property
    def absent(self) -> Collection[str]:
        """Fields that this row does not have in the file."""
        return () if getattr(self, "measured", 0) is not None else ("measured", *self.FOUND)

    def __iter__(self) -> Iterator[str]:
        without = self.absent
        return (name for name in names(type(self)) if name not in without)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __getitem__(self, name: str) -> Any:
        if name not in names(type(self)) or name in self.absent:
            raise KeyError(name)
        value = getattr(self, name)
        return list(value) if isinstance(value, tuple) else value

    def __repr__(self) -> str:
        told = [f"{name}={value!r}" for name, value in self.items() if not isinstance(value, list | Mapping)]
        return f"{type(self).__name__}({', '.join(told[:MOST_FACTS])})"


@row
class MissRow(Row):
    """The falsehood next to a step.

    Attributes
    ----------
    planted : str
        What was asked of the prover.
    at : str
        A point at which it is false.
    room : str
        By how much the true step could be sharpened there.
    rejected : bool
        Whether the prover says no.
    factor : float or None
        By what the right side was multiplied.
    """

    CALLED = "the near miss of"
    planted: str
    at: str
    room: str
    rejected: bool
    factor: float | None


@row
class StepRow(Row):
    """One step of a check that has several: its name, the part of the check, whether it holds, and what was tried."""

    CALLED = "a step of"
    name: str
    part: str = ""
    holds: bool = True
    bookkeeping: bool = False
    near_miss: MissRow | None = None

    @property
    def absent(self):
        return [name for name in ("part", "bookkeeping", "near_miss") if not getattr(self, name)]


@row
class ControlRow(Row):
    """What became of one planted falsehood.

    Attributes
    ----------
    planted, variant : str
        As of `derl.judge.registry.Control`.
    outcome : {"rejected", "NOT REJECTED", "NOT RUN"}
    measured, claimed : number, or None where nothing was measured
    detail : str
        As of the evidence, or why nothing was measured.
    breaks : tuple of str
        The steps that hold in truth and fail here.
    witness : str or None
        Where the falsehood is false.
    """

    CALLED = "a control of"
    ALLOWED = {"outcome": ("rejected", "NOT REJECTED", "NOT RUN")}
    FOUND = ("claimed", "breaks", "witness")
    NEEDED = ("claimed",)
    planted: str
    variant: str = ""
    outcome: str
    measured: Number = None
    claimed: Number = None
    detail: str = ""
    breaks: tuple[str, ...] = ()
    witness: str | None = ""


@row
class ControlsRow(Row):
    """All controls of a check in one: "rejected" where each of them is, and there is one."""

    CALLED = "the control of"
    ALLOWED = {"outcome": ("rejected", "NOT REJECTED")}
    planted: str
    outcome: str


@row
class VariantsRow(Row):
    """What a check rejects of the one-sign changes of the text that it reads.

    Attributes
    ----------
    possible : int
        How many changes there are at the places that it reads.
    outcomes : dict
        "field:start-end:new" of each planted change -> "rejected", "refused", "weaker", "free" or "not run".
    read : dict
        Field -> the places that it reads, "start-end" with spaces between.
    breaks : tuple of str
        The steps that hold in truth and fail with one of the planted changes.
    """

    CALLED = "the variants of"
    possible: int
    outcomes: dict[str, str]
    read: dict[str, str]
    breaks: tuple[str, ...] = ()

    def __hash__(self) -> int:
        return hash((self.possible, *self.outcomes.items(), *self.read.items()))

    def count(self, word: str) -> int:
        """How many planted changes had this outcome."""
        return sum(found == word for found in self.outcomes.values())


@row
class FormalRow(Row):
    """The theorem that Coq has checked, for a check of this method."""

    CALLED = "the theorem of"
    theorem: str
    file: str
    line: int
    digest: str
    scope: str
    omits: str
    axioms: tuple[str, ...]
    control: str


@row
class CheckRow(Row):
    """What one check found.

    Attributes
    ----------
    name, title, source, summary, method, arithmetic, covers, gap, tier, refutes, breaks_proof
        As of `derl.judge.registry.Check`; `source` is module and name, `summary` the first paragraph of its text.
    formal : FormalRow or None
        For a check of method kernel.
    file, line : str, int
        Where it stands.
    seconds : float, >= 0
        Of its first run.
    outcome : {"pass", "fail", "stale", "error", "missing"}
        "error" and "missing" have found nothing, and "stale" compares what nobody has compared yet; `detail` says why.
    scope, direction, measured, claimed, margin, tolerance
        As of `derl.judge.evidence.Evidence`; None, or empty, where nothing was found.
    steps : tuple of StepRow
    controls : tuple of ControlRow
    control : ControlsRow or None
        All of them in one; None where nothing was found.
    variants : VariantsRow or None
        Of a check that reads its statement.
    """

    CALLED = "a check of"
    ALLOWED = {"outcome": ("pass", "fail", "stale", "error", "missing")}
    FOUND = ("scope", "direction", "claimed", "margin", "tolerance", "steps", "control")
    NEEDED = ("scope", "direction", "claimed", "margin", "control")
    name: str
    title: str
    source: str = ""
    summary: str = ""
    method: str
    arithmetic: str
    covers: str
    gap: str
    tier: str
    refutes: bool
    breaks_proof: bool = False
    formal: FormalRow | None = None
    file: str
    line: int
    seconds: float
    outcome: str
    scope: str = ""
    direction: str = ""
    measured: Number = None
    claimed: Number = None
    margin: Number = None
    tolerance: float = 0
    detail: str = ""
    steps: tuple[StepRow, ...] = ()
    controls: tuple[ControlRow, ...]
    control: ControlsRow | None = None
    variants: VariantsRow | None = None

    @property
    def absent(self):
        return [*super().absent, *(name for name in ("formal", "variants") if getattr(self, name) is None)]

    @property
    def passes(self) -> bool:
        return self.outcome == "pass"

    @property
    def rejects(self) -> bool:
        """Whether all its controls are rejected, and at least one control or planted change is."""
        return self.control is not None and self.control.outcome == "rejected"


@cache
def names(kind: type[Row]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))
