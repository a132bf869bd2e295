r"""One-sign changes of a printed text: the false variants that a program can find by itself.

A number becomes one more, one less, twice or half of itself; plus and minus, the two directions of a comparison,
rounding up and down, minimum and maximum, and two letters are exchanged. An exponent is a number or a letter like any
other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from derl.printed.reading import GREEK, Token, is_number, number
from derl.printed.text import REVERSED as TURNED
from derl.printed.text import Text

EXCHANGED = {"+": "-", "-": "+", r"\min": r"\max", r"\max": r"\min"}
ROUNDED = {r"\lceil": (r"\rceil", r"\lfloor", r"\rfloor"), r"\lfloor": (r"\rfloor", r"\lceil", r"\rceil")}
DOUBLED_FROM = 10  # numbers below it are changed by one only


@dataclass(frozen=True)
class Edit:
    """A change of one sign: its place in the text, what is there, what comes there, and the text after it."""

    start: int
    end: int
    old: str
    new: str
    source: str

    @property
    def key(self) -> str:
        """The edit as one word, for records."""
        return f"{self.start}-{self.end}:{self.new}"


def places(text: Text) -> list[Token]:
    """The tokens of all formulas at which a sign can be changed: numbers, letters, signs, relations, roundings.

    A letter that is alone in its formula is no place: it can be exchanged for nothing.
    """
    found = []
    for chain in text.chains:
        tokens = sorted((*(t for side in chain.sides for t in side), *chain.signs), key=lambda t: t.start)
        several = len({t.text for side in chain.sides for t in side if is_letter(t)}) > 1
        found += [token for token in tokens if (several if is_letter(token) else _changes(token))]
    return found


def _changes(token: Token) -> bool:
    return token.text in TURNED or token.text in EXCHANGED or token.text in ROUNDED or is_number(token.text)


def is_letter(token: Token) -> bool:
    """Whether a token is one letter of a formula."""
    text = token.text
    return text.isalpha() and text.isascii() and len(text) == 1 or text[0] == "\\" and text[1:] in GREEK


def edits(text: Text, inside: Sequence[tuple[int, int]] | None = None) -> Iterator[Edit]:
    """All one-sign changes, first one for each place, then the others.

    Parameters
    ----------
    inside : sequence of (start, end), optional
        Only at places within one of these.
    """
    by_place = [list(_at(text, token)) for token in places(text)
                if inside is None or any(start <= token.start and token.end <= end for start, end in inside)]
    for turn in range(max(map(len, by_place), default=0)):
        yield from (changes[turn] for changes in by_place if turn < len(changes))


def _at(text: Text, token: Token) -> Iterator[Edit]:
    def edit(new: str, source: str | None = None) -> Edit:
        return Edit(token.start, token.end, text.source[token.start:token.end], new,
                    source or text.source[:token.start] + new + text.source[token.end:])

    if is_number(token.text):
        yield from map(edit, _numbers(token.text))
    elif token.text in TURNED:
        yield edit(TURNED[token.text])
    elif token.text in EXCHANGED:
        yield edit(EXCHANGED[token.text])
    elif token.text in ROUNDED:
        closing, *new = ROUNDED[token.text]
        if (other := _closing(text, token, closing)) is not None:
            yield edit(new[0], text.source[:token.start] + new[0] + text.source[token.end:other] + new[1]
                       + text.source[other + len(closing):])
    else:
        yield from (edit(other) for other in _others(text, token))


def _numbers(text: str) -> Iterator[str]:
    """One more and one less, of the last digit that is printed; twice and half, of a number from `DOUBLED_FROM` on."""
    digits = len(text.partition(".")[2])
    units = int(number(text) * 10**digits)
    found = [units + 1, *([units - 1] if units else [])]
    if number(text) >= DOUBLED_FROM:
        found += [2 * units, units // 2]
    for unit in found:
        new = f"{unit // 10**digits}.{unit % 10**digits:0{digits}d}" if digits else str(unit)
        yield f"{{{new}}}" if len(text) == 1 < len(new) else new  # as the exponent 9 becomes {10}


def _closing(text: Text, token: Token, closing: str) -> int | None:
    depth = 0
    for chain in text.chains:
        for side in chain.sides:
            if token in side:
                for other in side[side.index(token):]:
                    depth += (other.text == token.text) - (other.text == closing)
                    if not depth:
                        return other.start
    return None


def _others(text: Text, token: Token) -> list[str]:
    """Another letter of the same relation, the next one in its order; none where there is no other."""
    for chain in text.chains:
        found = [t for side in chain.sides for t in side]
        if token in found:
            letters = list(dict.fromkeys(t.text for t in found if is_letter(t)))
            if len(letters) < 2:
                return []
            other = letters[(letters.index(token.text) + 1) % len(letters)]
            after = text.source[token.end:token.end + 1]
            return [other + (" " if other.startswith("\\") and after.isalpha() else "")]
    return []
