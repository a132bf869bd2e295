"""The rows of a ledger as JSON.

`read` is the one place where an object of JSON becomes a row: it compares every field with the type that the row
declares, and names the first one that is malformed. `plain` is the one place where a row becomes an object of JSON.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from functools import cache
from types import NoneType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from derl.inputs import Invalid, shown
from derl.judge.power import KINDS
from derl.judge.rows import CheckRow, ControlRow, Row, names, row

WORDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false", NoneType: "null"}
R = TypeVar("R", bound="Row")


class Malformed(Invalid):
    """A value that is no row of this kind; the message names the place, the field and what is allowed."""


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
        One of `derl.judge.verdicts.SIGNS`.
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
        raise Malformed(f"{name} is {shown(value)}, not an object with {', '.join(names(kind))}")
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
