"""What a text says of a letter or of two values: a range, and a relation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from derl.printed.reading import Unreadable

TRUE = {r"\le": lambda a, b: a <= b, r"\ge": lambda a, b: a >= b, "<": lambda a, b: a < b, ">": lambda a, b: a > b,
        "=": lambda a, b: a == b, ":=": lambda a, b: a == b, r"\ne": lambda a, b: a != b}


@dataclass(frozen=True)
class Range:
    """The values that a text allows a letter: an interval, each end of which may belong to it or not.

    Attributes
    ----------
    bottom, top : number or None
        The ends; None where nothing bounds it.
    whole : bool
        Whether only whole numbers are allowed.
    """

    bottom: Any = None
    top: Any = None
    low_belongs: bool = True
    high_belongs: bool = True
    whole: bool = False

    def within(self, other: Range) -> Range:
        """With the ends of another range where this one has none, and whole where one of them is."""
        low = self if self.bottom is not None else other
        high = self if self.top is not None else other
        return Range(low.bottom, high.top, low.low_belongs, high.high_belongs, self.whole or other.whole)

    @property
    def low(self) -> Any:
        """The lower end.

        Raises
        ------
        Unreadable
            There is none.
        """
        return self._end(self.bottom, "below")

    @property
    def high(self) -> Any:
        """The upper end.

        Raises
        ------
        Unreadable
            There is none.
        """
        return self._end(self.top, "above")

    @staticmethod
    def _end(end: Any, where: str) -> Any:
        if end is None:
            raise Unreadable(f"the text does not bound the letter from {where}")
        return end

    def __contains__(self, number) -> bool:
        above = self.bottom is None or number > self.bottom or self.low_belongs and number == self.bottom
        below = self.top is None or number < self.top or self.high_belongs and number == self.top
        return bool(above and below and not (self.whole and number != int(number)))


@dataclass(frozen=True)
class Relation:
    """Two values and the sign between them, as it is printed."""

    left: Any
    sign: str
    right: Any

    @property
    def holds(self) -> bool:
        """Whether it is true of these numbers.

        Raises
        ------
        Unreadable
            The sign does not compare numbers.
        """
        if self.sign not in TRUE:
            raise Unreadable(f"{self.sign} does not compare numbers")
        return bool(TRUE[self.sign](self.left, self.right))

    @property
    def ordered(self) -> tuple[Any, Any]:
        """Both values; the one that is said to be smaller comes first.

        Raises
        ------
        Unreadable
            The sign says of neither that it is smaller.
        """
        if self.sign in (r"\le", "<"):
            return self.left, self.right
        if self.sign in (r"\ge", ">"):
            return self.right, self.left
        raise Unreadable(f"{self.sign} does not say which side is smaller")
