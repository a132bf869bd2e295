r"""Changes of a formula that are larger than one sign: parts that are left out, and parts that change places.

A factor, an exponent, an index, a root or a rounding is left out; a fraction is turned over; a letter becomes another
one of its text; a relation gains or loses equality, and an interval its ends. `derl.printed.edits` has the changes of
one sign, `opposites.py` those of words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from derl.printed.edits import ROUNDED, Edit, is_letter
from derl.printed.reading import ACCENTS, CLOSING, FRACTIONS, FUNCTIONS, Token, is_number
from derl.printed.text import Chain, Text

STRICT = {"<": r"\le", r"\le": "<", ">": r"\ge", r"\ge": ">"}
ENDS = {"(": "[", "[": "(", ")": "]", "]": ")"}
OTHERS = 2  # letters that come in the place of one
NAMES = frozenset(("*", r"\top", r"\circ", r"\dagger", r"\complement", "'", r"\min", r"\max"))  # no exponent, no index


def larger(text: Text) -> Iterator[Edit]:
    """All such changes, formula by formula."""
    letters = dict.fromkeys(t.text for chain in text.chains for side in chain.sides for t in side if is_letter(t))
    for chain in text.chains:
        for side in chain.sides:
            yield from _left_out(text, side)
            yield from _exchanged(text, chain, side, list(letters))
        yield from _ends(text, chain)


def replaced(text: Text, start: int, end: int, new: str) -> Edit:
    """The text with the signs from `start` to `end` replaced."""
    if new and new[0].isalpha() and (before := text.source[:start].rpartition("\\")[2]).isalpha() and before:
        new = f" {new}"
    if new[-1:].isalpha() and "\\" in new and text.source[end:end + 1].isalpha():
        new += " "
    return Edit(start, end, text.source[start:end], new, text.source[:start] + new + text.source[end:])


def _left_out(text: Text, side: Sequence[Token]) -> Iterator[Edit]:
    factors = {begin: end for begin in range(len(side)) if (end := _factor(side, begin)) is not None}
    ends = {end: begin for begin, end in factors.items()}
    for begin, end in factors.items():
        if (begin in ends or end in factors) and side[begin].text not in ("(", "[") and not _applied(side, end):
            yield replaced(text, side[begin].start, side[end - 1].end, "")
    for at, token in enumerate(side):
        if token.text in ("^", "_") and at + 1 < len(side) and (end := _argument(side, at + 1)) is not None:
            if not NAMES & {t.text for t in side[at + 1:end]}:
                yield replaced(text, token.start, side[end - 1].end, "")
        elif token.text in ROUNDED or token.text == r"\sqrt":
            end = _argument(side, at + 1) if token.text == r"\sqrt" else _closed(side, at)
            if end is not None:
                inside = side[at + 1:end - (token.text != r"\sqrt")]
                yield replaced(text, token.start, side[end - 1].end, "(" + _source(text, inside).strip("{}") + ")"
                               if inside else "")
        elif token.text.removeprefix("\\") in FRACTIONS and (middle := _argument(side, at + 1)) is not None:
            if (end := _argument(side, middle)) is not None:
                above, below = _source(text, side[at + 1:middle]), _source(text, side[middle:end])
                if above != below:
                    yield replaced(text, side[at + 1].start, side[end - 1].end, f"{below}{above}".replace("{}", ""))


def _exchanged(text: Text, chain: Chain, side: Sequence[Token], letters: list[str]) -> Iterator[Edit]:
    """Another letter of the text, of the same alphabet; the next one of the same relation is a change of one sign."""
    here = list(dict.fromkeys(t.text for part in chain.sides for t in part if is_letter(t)))
    for at, token in enumerate(side):
        if is_letter(token) and not (at and side[at - 1].text.removeprefix("\\") in ACCENTS):
            after = here[(here.index(token.text) + 1) % len(here)]
            turn = letters.index(token.text)
            others = [other for other in letters[turn:] + letters[:turn] if other not in (token.text, after)
                      and _alphabet(other) == _alphabet(token.text)]
            yield from (replaced(text, token.start, token.end, other) for other in others[:OTHERS])


def _alphabet(letter: str) -> tuple[bool, bool]:
    return letter[0] == "\\", letter[-1].islower()


def _ends(text: Text, chain: Chain) -> Iterator[Edit]:
    for at, sign in enumerate(chain.signs):
        if sign.text in STRICT:
            yield replaced(text, sign.start, sign.end, STRICT[sign.text])
        side = chain.sides[at + 1]
        if sign.text == r"\in" and len(side) > 3 and side[0].text in "([" and side[-1].text in ")]":
            for token in (side[0], side[-1]):
                yield replaced(text, token.start, token.end, ENDS[token.text])


def _source(text: Text, part: Sequence[Token]) -> str:
    return text.source[part[0].start:part[-1].end]


def _factor(side: Sequence[Token], begin: int) -> int | None:
    """Where a factor ends that begins there, its exponents and indices included; None where none begins."""
    token = side[begin]
    if begin and (side[begin - 1].text in ("^", "_", "/", *FRACTIONS) or
                  side[begin - 1].text.removeprefix("\\") in ACCENTS | FRACTIONS | {"sqrt"}):
        return None
    word = token.text.removeprefix("\\")
    if is_number(token.text) or is_letter(token):
        end: int | None = begin + 1
    elif word in ACCENTS | {"sqrt"}:
        end = _argument(side, begin + 1)
    elif word in FRACTIONS:
        middle = _argument(side, begin + 1)
        end = None if middle is None else _argument(side, middle)
    elif token.text in ROUNDED or token.text in ("(", "["):
        end = _closed(side, begin)
    elif word in FUNCTIONS:
        end = _scripts(side, begin + 1)
        end = None if end is None or end >= len(side) else _factor(side, end) or _closed(side, end)
    else:
        return None
    return None if end is None else _scripts(side, end)


def _scripts(side: Sequence[Token], at: int) -> int | None:
    while at < len(side) and side[at].text in ("^", "_", "'"):
        if side[at].text == "'":
            at += 1
        elif (after := _argument(side, at + 1)) is not None:
            at = after
        else:
            return None
    return at


def _argument(side: Sequence[Token], at: int) -> int | None:
    """Where an argument ends: a group in braces, or one token."""
    if at >= len(side):
        return None
    if side[at].text == "{":
        return _closed(side, at)
    alone = is_number(side[at].text) or is_letter(side[at]) or side[at].text in NAMES
    return at + 1 if alone else None


def _closed(side: Sequence[Token], at: int) -> int | None:
    """The place after the bracket that closes the one at this place; None where none does."""
    closing, depth = {**CLOSING, "{": "}"}.get(side[at].text), 0
    for end in range(at, len(side) if closing else at):
        depth += (side[end].text == side[at].text) - (side[end].text == closing)
        if not depth:
            return end + 1
    return None


def _applied(side: Sequence[Token], end: int) -> bool:
    """Whether a letter or something with an index may be a function of the bracket that follows."""
    return end < len(side) and side[end].text in ("(", "[") and not is_number(side[end - 1].text)
