"""Controls that are a text: typed as it is, or cell by cell in a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Text:
    """A text that can be edited, with examples to start from.

    Attributes
    ----------
    name, words : str
    starts : dict
        What it is called -> text.
    first : str
        Which of them is shown at first.
    """

    name: str
    words: str
    starts: dict
    first: str

    @property
    def start(self) -> str:
        """The text at first."""
        return self.starts[self.first]

    @property
    def values(self) -> tuple[str, ...]:
        """The texts to begin from."""
        return tuple(self.starts.values())

    @property
    def ends(self) -> tuple[str, ...]:
        """All of them."""
        return self.values


@dataclass(frozen=True)
class Sheet:
    """A text as a table.

    Attributes
    ----------
    columns, rows : tuple of str
        Their names.
    cells : tuple of tuple of str
        Row by row.
    sizes : tuple of int
        How many columns each group has; they sum to all.
    """

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    sizes: tuple[int, ...]


@dataclass(frozen=True)
class Table(Text):
    """A text that can be edited as a table.

    Attributes
    ----------
    sheet : callable
        Text -> Sheet; raises Invalid where it is none.
    write : callable
        Cells and sizes -> text.
    edits : dict
        What a button says -> what it makes of the text.
    below : bool
        Whether it is below the picture, hidden where it changes nothing.
    """

    sheet: Callable[[str], Sheet]
    write: Callable[..., str]
    edits: dict[str, Callable[[str], str]]
    below: bool = False
