"""What rests on what: one graph, one walk.

An edge goes from a statement to each statement that it uses, in its wording or in its proof. The graph has to be free
of circles, because a proof that rests on itself proves nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from graphlib import CycleError, TopologicalSorter

from derl.exact.base import Invalid


class CircularProof(Invalid):
    """Statements that rest on each other; the message names them in the order of the circle."""


class Dependencies:
    """The graph of a set of statements.

    Parameters
    ----------
    uses : mapping
        id -> ids of the statements that it uses directly. Ids that are no keys are left out.

    Raises
    ------
    CircularProof
    """

    def __init__(self, uses: Mapping[str, Collection[str]]):
        self.uses = {key: tuple(other for other in dict.fromkeys(others) if other in uses)
                     for key, others in uses.items()}
        try:
            self.order = tuple(TopologicalSorter(self.uses).static_order())
        except CycleError as error:
            raise CircularProof(f"statements rest on each other: {' -> '.join(reversed(error.args[1]))}") from None

    @cached_property
    def used_by(self) -> dict[str, tuple[str, ...]]:
        """id -> ids of the statements that use it directly."""
        found = {key: [] for key in self.uses}
        for key, others in self.uses.items():
            for other in others:
                found[other].append(key)
        return {key: tuple(others) for key, others in found.items()}

    @cached_property
    def depth(self) -> dict[str, int]:
        """id -> length of the longest chain of uses below it; 0 for what uses nothing."""
        found: dict[str, int] = {}
        for key in self.order:  # what is used comes first
            found[key] = 1 + max((found[other] for other in self.uses[key]), default=-1)
        return found

    def below(self, key: str) -> tuple[str, ...]:
        """Everything that a statement rests on, directly or not, in the order in which the statements were given."""
        return self._ordered(_reached(key, self.uses))

    def above(self, key: str) -> tuple[str, ...]:
        """Everything that rests on a statement, directly or not, in the order in which the statements were given."""
        return self._ordered(_reached(key, self.used_by))

    def _ordered(self, found: Collection[str]) -> tuple[str, ...]:
        return tuple(key for key in self.uses if key in found)


def _reached(start: str, edges: Mapping[str, Collection[str]]) -> set[str]:
    found: set[str] = set()
    todo = [start]
    while todo:
        new = set(edges[todo.pop()]) - found
        found |= new
        todo += new
    return found
