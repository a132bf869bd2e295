"""What the checks of a statement read of its text, and what they reject of its changes: all checks in one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from derl.ledger.rows import CheckRow
from derl.printed import Text
from derl.printed.edits import places

WORDS = ("rejected", "refused", "weaker", "free", "not run")  # of two checks the earlier word counts
AROUND = 12  # characters shown before and after a place
SOME = 8  # free changes that are listed


@dataclass(frozen=True)
class Reading:
    """What all checks of a statement say of its text.

    Attributes
    ----------
    outcomes : dict
        (start, end, new) of each planted change of the statement -> a word of `WORDS`.
    places, read : int
        Where one sign can be changed, in all formulas; at how many of them a check reads.
    free : tuple of str
        The free changes, each with what is around it.
    unread : tuple of str
        The formulas with a place that no check reads, in LaTeX.
    """

    outcomes: dict[tuple[int, int, str], str]
    places: int
    read: int
    free: tuple[str, ...]
    unread: tuple[str, ...]

    def count(self, word: str) -> int:
        """How many planted changes had this outcome."""
        return sum(found == word for found in self.outcomes.values())

    def __str__(self):
        """One line, such as "24 changes planted: 20 rejected, 4 refused; checks read 30 of 34 places"."""
        words = ", ".join(f"{self.count(word)} {word}" for word in WORDS if self.count(word))
        planted = f"{len(self.outcomes)} changes planted: {words}; " if self.outcomes else ""
        return f"{planted}checks read {self.read} of {self.places} places"


def reading(source: str, checks: Iterable[CheckRow]) -> Reading:
    """What the checks read of the text of their statement.

    Parameters
    ----------
    source : str
        The text.
    checks : iterable of CheckRow
    """
    outcomes: dict[tuple[int, int, str], str] = {}
    spans = []
    for variants in (check.variants for check in checks if check.variants is not None):
        spans += [tuple(map(int, span.split("-"))) for span in variants.read.get("statement", "").split()]
        for key, word in variants.outcomes.items():
            field, span, new = key.split(":", 2)
            if field == "statement":
                place = (*map(int, span.split("-")), new)
                outcomes[place] = min(word, outcomes.get(place, word), key=WORDS.index)
    text = Text(source)
    there = places(text)
    missed = {token.start for token in there if not any(start <= token.start and token.end <= end
                                                        for start, end in spans)}
    unread = []
    for chain in text.chains:
        tokens = sorted((*(t for side in chain.sides for t in side), *chain.signs), key=lambda token: token.start)
        if any(token.start in missed for token in tokens) and len(tokens) > 1:
            unread.append(" ".join(source[tokens[0].start:tokens[-1].end].split()))
    free = tuple(_shown(source, *place) for place, word in outcomes.items() if word == "free")
    return Reading(outcomes, len(there), len(there) - len(missed), free, tuple(dict.fromkeys(unread)))


def _shown(source: str, start: int, end: int, new: str) -> str:
    before, after = source[max(0, start - AROUND):start], source[end:end + AROUND]
    return " ".join(f"...{before}[{source[start:end]} -> {new}]{after}...".split())
