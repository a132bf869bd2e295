"""The rows of a ledger: what a run says of a statement, of a check, of a control and of a step.

A ledger is written as JSON. `read` is the one place where an object of JSON becomes a row: it compares every field with
the type that the row declares, and names the first one that is malformed. `plain` is the one place where a row becomes
an object of JSON again. The fields have the names and the order that they have in the file.

A row is also a mapping, for pages and programs that read a ledger in the words of its file: `row["verdict"]` is
`row.verdict`.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from functools import cache
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from derl.inputs import Invalid, display, shown

Number = int | float | str | None  # an exact number is a text, so that nothing is rounded
KINDS = ("flipped", "asked", "bookkeeping", "unasked")  # of a step of a symbolic check; see derl.ledger.power
MOST_FACTS = 9  # of a row that it shows
WORDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", NoneType: "null"}
R = TypeVar("R", bound="Row")
row = dataclass(frozen=True, kw_only=True, repr=False)


class Malformed(Invalid):
    """A value that is no row of this kind; the message names the place, the field and what is allowed."""


class Row(display.Shown, Mapping):
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
        return (name for name in _names(type(self)) if name not in without)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __getitem__(self, name: str) -> Any:
        if name not in _names(type(self)) or name in self.absent:
            raise KeyError(name)
        value = getattr(self, name)
        return list(value) if isinstance(value, tuple) else value

    def _facts(self):
        told = {name: value for name, value in self.items() if not isinstance(value, list | Mapping)}
        return dict(list(told.items())[:MOST_FACTS])


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
        As of `derl.ledger.registry.Control`.
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
    """

    CALLED = "the variants of"
    possible: int
    outcomes: dict[str, str]
    read: dict[str, str]

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
        As of `derl.ledger.registry.Check`; `source` is module and name, `summary` the first paragraph of its text.
    formal : FormalRow or None
        For a check of method kernel.
    file, line : str, int
        Where it stands.
    seconds : float, >= 0
        Of its first run.
    outcome : {"pass", "fail", "error", "missing"}
        "error" and "missing" have found nothing; `detail` says why.
    scope, direction, measured, claimed, margin, tolerance
        As of `derl.ledger.evidence.Evidence`; None, or empty, where nothing was found.
    steps : tuple of StepRow
    controls : tuple of ControlRow
    control : ControlsRow or None
        All of them in one; None where nothing was found.
    variants : VariantsRow or None
        Of a check that reads its statement.
    """

    CALLED = "a check of"
    ALLOWED = {"outcome": ("pass", "fail", "error", "missing")}
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


@row
class PowerRow(Row):
    """What the checks of a statement can tell from the truth; see `derl.ledger.power.power`."""

    CALLED = "the power of"
    flipped: int
    asked: int
    bookkeeping: int
    unasked: int
    smallest: float | None
    room: float | None
    closest: str | None
    control: float | None

    def of_kind(self, kind: str) -> int:
        """The number of steps of one of `KINDS`."""
        return getattr(self, kind)

    @property
    def steps(self) -> int:
        """The number of steps of all kinds."""
        return sum(map(self.of_kind, KINDS))


@row
class StatementRow(Row):
    """What a run says of one statement.

    Attributes
    ----------
    number, kind, chapter, expected : str
        As of `derl.ledger.statements.Statement`.
    verdict : str
        One of `derl.ledger.verdicts.SIGNS`.
    as_expected : bool
    scope_gap : str
        What the verdict leaves open; "none" if nothing.
    rests_on : tuple of str
        Everything below it, directly or not.
    weakest : tuple of str or None
        What is below and neither proved, certified nor enumerated; None where something below was not run.
    grounded : bool or None
        Whether there is nothing of that kind.
    power : PowerRow or None
    seconds : float, >= 0
    kernel : str
        How Coq has checked it; empty where it has not.
    checks : tuple of CheckRow
    """

    number: str = ""
    kind: str = ""
    chapter: str = ""
    verdict: str
    expected: str
    as_expected: bool
    scope_gap: str
    rests_on: tuple[str, ...]
    weakest: tuple[str, ...] | None = None
    grounded: bool | None = None
    power: PowerRow | None = None
    seconds: float
    kernel: str = ""
    checks: tuple[CheckRow, ...]

    @property
    def controls(self) -> tuple[ControlRow, ...]:
        """The controls of all its checks."""
        return tuple(control for check in self.checks for control in check.controls)


@row
class LedgerRow(Row):
    """A whole ledger as its file has it; see `derl.ledger.ledger.Ledger`."""

    CALLED = "the ledger"
    schema: int
    version: str
    commit: str
    tier: str
    seed: int
    seconds: float = 0.0
    environment: dict[str, str]
    digest: str = ""
    seal: str = ""
    claims: dict[str, StatementRow]


@row
class EntryRow(Row):
    """One line of a journal: the row of a check, and the statement that it is about."""

    CALLED = "an entry"
    claim: str
    row: CheckRow


def read(kind: type[R], value: object, place: str = "") -> R:
    """A row from the object of JSON that it was written as.

    Parameters
    ----------
    kind : type
        A subclass of `Row`. Fields that it does not have are passed over: they are those of a later version.
    value : object
        As `json.loads` gives it.
    place : str
        Where it stands, for errors: the id of a statement.

    Raises
    ------
    Malformed
        It is no object, a field is missing or has another type, a number of seconds, a tolerance or a room is not
        finite, a word is none of those that are allowed, or a check passes with a number that is not finite; the first
        one is named.

    Examples
    --------
    >>> read(ControlsRow, {"planted": "1 + 1 = 3", "outcome": "rejected"}).outcome
    'rejected'
    """
    name = f"{kind.CALLED} {place}".strip()
    if not isinstance(value, dict):
        raise Malformed(f"{name} is {shown(value)}, not an object with {', '.join(_names(kind))}")
    found = {}
    for key, needed, reader in _plan(kind):
        if key in value:
            found[key] = reader(value[key], key, name)
        elif needed:
            raise Malformed(f"{name} has no {key!r}")
    for key, allowed in kind.ALLOWED.items():
        if key in found and found[key] not in allowed:
            raise Malformed(f"{key!r} of {name} is {shown(found[key])}; allowed are {', '.join(allowed)}")
    if found.get("outcome") == "pass":
        for key in ("measured", "claimed", "margin"):
            if isinstance(found.get(key), float) and not math.isfinite(found[key]):
                raise Malformed(f"{key!r} of {name} is {shown(found[key])}, and the check passes; it must be finite")
    if found.get("measured") is not None and (missing := [key for key in kind.NEEDED if key not in value]):
        raise Malformed(f"{name} has no {missing[0]!r}, and a number is measured")
    return kind(**found)


def plain(value: Any) -> Any:
    """A row, or whatever holds rows, as values that `json.dumps` takes: the inverse of `read`."""
    if isinstance(value, Row):
        return {name: plain(getattr(value, name)) for name in value}
    if isinstance(value, Mapping):
        return {name: plain(part) for name, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, tuple | list) else value


@cache
def _names(kind: type[Row]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


@cache
def _plan(kind: type[Row]) -> tuple[tuple[str, bool, Callable], ...]:
    """(name, whether it is needed, reader) of every field of a kind of row."""
    hints = get_type_hints(kind)
    return tuple((field.name, field.default is MISSING, _reader(hints[field.name])) for field in fields(kind))


def _reader(hint: Any) -> Callable[[object, str, str], Any]:
    """A function (value, field, place) -> the value as a row keeps it."""
    if isinstance(hint, type) and issubclass(hint, Row):
        return lambda value, key, name: read(hint, value, name)
    if get_origin(hint) is tuple:
        return _list_reader(get_args(hint)[0])
    if get_origin(hint) is dict:
        return _object_reader(get_args(hint)[1])
    options = get_args(hint) or (hint,)
    rows = [option for option in options if option is not NoneType and option not in WORDS]
    if rows:  # one kind of row, or a list; or null
        inner = _reader(rows[0])
        return lambda value, key, name: None if value is None else inner(value, key, name)
    floats = float in options and int not in options  # JSON does not tell 0 from 0.0

    def reader(value, key, name):
        good = isinstance(value, options) or floats and isinstance(value, int) and abs(value) < sys.float_info.max
        good = good and not (floats and isinstance(value, float) and not math.isfinite(value))
        if not good or isinstance(value, bool) and bool not in options:
            words = " or ".join(WORDS[option] for option in options)
            raise Malformed(f"{key!r} of {name} is {shown(value)}; it must be {words}")
        return value
    return reader


def _list_reader(inner: Any) -> Callable:
    one = _reader(inner)

    def reader(value, key, name):
        if not isinstance(value, list):
            raise Malformed(f"{key!r} of {name} is {shown(value)}; it must be a list")
        return tuple(one(part, f"{key}[{at}]", name) for at, part in enumerate(value))
    return reader


def _object_reader(inner: Any) -> Callable:
    one = _reader(inner)

    def reader(value, key, name):
        if not isinstance(value, dict):
            raise Malformed(f"{key!r} of {name} is {shown(value)}; it must be an object")
        rows = isinstance(inner, type) and issubclass(inner, Row)
        return {part: one(held, part, shown(part) if rows else f"{key!r} of {name}") for part, held in value.items()}
    return reader
