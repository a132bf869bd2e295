"""Many falsehoods for one check, as a table: what is planted, and with which arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from derl.claims import control


def plant_all(of: Callable, table: Iterable[tuple[str, dict]]) -> None:
    """Register a control for each row."""
    for says, arguments in table:
        control(of=of, plants=says)(_returning(arguments))


def _returning(arguments: dict) -> Callable[[], dict]:
    def planted():
        return dict(arguments)

    return planted
