r"""Numbers of a printed text that cannot be meant, such as probabilities above 1 and factors 0.

A formula after the words "with probability" is not negative everywhere, and one after "with probability at least" is
not above 1 everywhere. A size is at least 1 and may be as large as one likes, so no number is above it. What counts up
to a size is not above it. A zero is no part of a sum, a product or a fraction, and a one is neither a factor nor an
exponent: where a text prints such a number, another number is meant.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from derl.printed.points import bare, points
from derl.printed.reading import BEGINS, GREEK, Unreadable, latex, read
from derl.printed.text import Chain, Text
from derl.printed.values import value

PROBABILITY = re.compile(r"\bprobability\s+(?:is\s+)?(?:of\s+)?(at\s+least|above)?(?:at\s+most|below|less\s+than)?\s*$")
FRACTION = (r"\frac", r"\tfrac", r"\dfrac")
BEFORE = ("{", "(", "[", r"\{", ",", ";", "=", "")
AFTER = ("}", ")", "]", r"\}", ",", ";", "=", "")
BELOW = {r"\le": False, "<": False, r"\ge": True, ">": True}  # sign -> the right side is the smaller one


def no_probability(text: Text) -> str:
    """The first formula that the text calls a probability and that is none; "" where there is no such formula."""
    for chain in text.chains:
        side = chain.sides[0]
        said = side and PROBABILITY.search(text.source[:side[0].start].removesuffix("$"))
        if not said:
            continue
        try:
            tree = read(tuple(token.text for token in side))
            names = [*dict.fromkeys(tree.letters())]
            found = [value(tree, point) for point in points(names) if all(point[name] < 1 for name in names
                                                                          if _is_greek(name))]
            found = [float(number) for number in found]
        except (Unreadable, ValueError, TypeError, OverflowError, KeyError):
            continue
        if found and (max(found) < 0 or said[1] and min(found) > 1):
            return f"{latex(tuple(token.text for token in side))} is no probability"
    return ""


def _is_greek(name: str) -> bool:
    return bare(name) in GREEK


def no_size(chain: Chain, sorts: Mapping[str, str]) -> str:
    """What a relation says against a size: that a number is above it, or that what counts up to it is."""
    for at, sign in enumerate(chain.signs):
        sides = [tuple(token.text for token in chain.sides[number]) for number in (at, at + 1)]
        if sign.text == "=" and _sort(sides[0], sorts) in ("size", "large") and sides[1] == ("0",):
            return f"the size {latex(sides[0])} is at least 1"
        if sign.text not in BELOW:
            continue
        small, large = reversed(sides) if BELOW[sign.text] else sides
        if _sort(large, sorts) in ("size", "large") and small == ("0",):
            return f"the size {latex(large)} is at least 1"
        if _sort(small, sorts) in ("size", "large") and len(large) == 1 and large[0].isdigit():
            return f"no number is above the size {latex(small)}"
        if _sort(small, sorts) == "size" and _sort(large, sorts) == "whole" and len(large) == 1:
            return f"{latex(large)} counts up to {latex(small)} and is not above it"
    return ""


def _sort(side: tuple[str, ...], sorts: Mapping[str, str]) -> str:
    return sorts.get("".join(side).lstrip("\\"), "")


def no_number(side: tuple[str, ...]) -> str:
    """A zero or a one that is printed where it changes nothing, or everything; "" where there is none."""
    for at, token in enumerate(side):
        if token not in ("0", "1"):
            continue
        before, after = side[at - 1] if at else "", side[at + 1] if at + 1 < len(side) else ""
        alone = before in BEFORE and after in AFTER
        if alone and before != "{" or before == "_" or before == "{" and side[at - 2:at - 1] == ("_",):
            continue
        if token == "0" and _joined(side, at, before, after):
            return f"a zero in {latex(side)}"
        if token == "1" and (before == r"\cdot" or _multiplies(side, at, before, after)):
            return f"a factor, a divisor or an exponent 1 in {latex(side)}"
    return ""


def _joined(side: tuple[str, ...], at: int, before: str, after: str) -> bool:
    """Whether a zero is a part of a sum, a product or a fraction."""
    if before in FRACTION or before == "/" or after == "/" or before in ("+", "-") or after in ("+", "-"):
        return before != "^"
    return before not in ("^", "{", r"\in", r"\to") and after not in ("}", "^") and _factor(after) or \
        before == "{" and side[at - 2:at - 1] and side[at - 2] in FRACTION


def _multiplies(side: tuple[str, ...], at: int, before: str, after: str) -> bool:
    """Whether a one is a factor before another, what a fraction divides by, or an exponent."""
    if before in FRACTION or before == "/":
        return before == "/"
    if before == "^":  # of a Latin letter it may be an index
        return not (len(side[at - 2]) == 1 and side[at - 2].isalpha())
    if before in ("_", "{"):
        return False
    return _factor(after)


def _factor(token: str) -> bool:
    """Whether a token begins a factor."""
    return bool(token) and (len(token) == 1 and token.isalpha() or token[0] == "\\" and token[1:] in BEGINS)
