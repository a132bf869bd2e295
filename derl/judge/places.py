"""What the checks of a statement read of its text, and what they reject of its changes: all checks in one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from derl.judge.rows import CheckRow
from derl.printed import Text
from derl.printed.edits import is_letter, places
from derl.printed.reading import Token, is_number
from derl.printed.text import Chain

WORDS = ("rejected", "refused", "weaker", "free", "not run")  # of two checks the earlier word counts
AROUND = 12  # characters shown before and after a place


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
    says : tuple of str
        Those of `unread` that say something: neither a name such as `V_h` nor a set that a letter is in.
    formulas : int
        How many formulas say something.
    """

    outcomes: dict[tuple[int, int, str], str]
    places: int
    read: int
    free: tuple[str, ...]
    unread: tuple[str, ...]
    says: tuple[str, ...] = ()
    formulas: int = 0

    def count(self, word: str) -> int:
        """How many planted changes had this outcome."""
        return sum(found == word for found in self.outcomes.values())

    def without_reason(self, unread: Mapping[str, Sequence[str]]) -> list[str]:
        """The formulas that say something, that no check reads, and that `unread` of the entry does not name."""
        return [shown for shown in self.says if not any(shown in named for named in unread.values())]

    def __str__(self):
        """One line: what became of planted changes, and how many places and formulas the checks read."""
        words = ", ".join(f"{self.count(word)} {word}" for word in WORDS if self.count(word))
        planted = f"{len(self.outcomes)} changes planted: {words}; " if self.outcomes else ""
        return (f"{planted}checks read {self.read} of {self.places} places and evaluate "
                f"{self.formulas - len(self.says)} of {self.formulas} formulas")


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
    unread, says, formulas = [], [], set()
    for chain in text.chains:
        tokens = sorted((*(t for side in chain.sides for t in side), *chain.signs), key=lambda token: token.start)
        if len(tokens) < 2:
            continue
        shown, says_nothing = " ".join(source[tokens[0].start:tokens[-1].end].split()), _names(chain)
        formulas |= set() if says_nothing else {shown}
        if any(token.start in missed for token in tokens):
            unread.append(shown)
            says += [shown] * (not says_nothing)
    free = tuple(_shown(source, *place) for place, word in outcomes.items() if word == "free")
    return Reading(outcomes, len(there), len(there) - len(missed), free, tuple(dict.fromkeys(unread)),
                   tuple(dict.fromkeys(says)), len(formulas))


def _names(chain: Chain) -> bool:
    """Whether a formula says nothing that could be false: a name such as `V_h(s)`, or a set that a letter is in."""
    if not chain.signs:
        return _is_name(chain.sides[0])
    return len(chain.signs) == 1 and chain.signs[0].text == r"\in" and _is_name(chain.sides[0]) and \
        not any(is_number(token.text) for token in chain.sides[1])


def _is_name(side: tuple[Token, ...]) -> bool:
    """Whether a side is one letter, with accents, indices and arguments; a power is none."""
    depth, above, letters = 0, False, 0
    for before, token in zip(("", *(token.text for token in side)), side, strict=False):
        depth += token.text in ("{", "(") and (depth > 0 or token.text == "(" or before in ("_", "^"))
        above = before == "^" or above and depth > 0
        if token.text in ("/", r"\frac", r"\sum", r"\int", r"\|") or not depth and before not in ("_", "^") and \
                token.text in ("+", "-") or above and is_number(token.text):
            return False
        letters += not depth and before not in ("_", "^") and is_letter(token)
        depth -= token.text in ("}", ")") and depth > 0
    return letters == 1


def _shown(source: str, start: int, end: int, new: str) -> str:
    before, after = source[max(0, start - AROUND):start], source[end:end + AROUND]
    return " ".join(f"...{before}[{source[start:end]} -> {new}]{after}...".split())
