r"""Ranges of the parameters of a statement, and those that no control of its checks goes beyond.

A check that covers the whole of a statement should fail where a hypothesis is dropped, or the book should say that it
was never tried. A hypothesis that compares letters with a number, `d\ge2` or `0<\epsilon\le1`, is read from the text. A
control goes beyond it if its label names such a letter with a number, `d = 1`, or if it changes an argument of that
name. Hypotheses in words are not seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from derl.ledger.latex import GREEK, Formula, NoFormula
from derl.ledger.registry import Check
from derl.ledger.relations import relations

LETTERS = re.compile(r"\\?[A-Za-z]+(?:_(?:\\?[A-Za-z]|\{\\?[A-Za-z]+\}))?")


def ranges(text: str) -> list[tuple[str, frozenset[str]]]:
    r"""(what the text says, its letters) of all comparisons of a letter, or a product of letters, with a number.

    Examples
    --------
    >>> [said for said, _ in ranges(r"Let $dH\ge2$ and $0<x\le1$; then $K\le d+1$.")]
    ['dH\\ge2', '0<x', 'x\\le1']
    """
    found = {}
    for left, sign, right in relations(text):
        one, other = _read(left), _read(right)
        if sign != "=" and one and other and bool(one.names) != bool(other.names):
            letters = left if one.names else right
            if re.fullmatch(rf"(?:{LETTERS.pattern}\s*)+", letters):
                gap = " " if sign[-1:].isalpha() and right[:1].isalpha() else ""  # a sign and a letter are two words
                found[f"{left}{sign}{gap}{right}"] = frozenset((one if one.names else other).names)
    return [*found.items()]


def _read(text: str) -> Formula | None:
    try:
        return Formula(text)
    except NoFormula:
        return None


def beyond(letters: Iterable[str], check: Check) -> bool:
    """Whether a control of a check names one of these letters with a number, or changes an argument of its name."""
    for name in letters:
        plain = name.replace("{", "").replace("}", "")
        names = {plain, plain.replace("epsilon", "eps")} if plain.partition("_")[0] in GREEK else {plain}
        said = re.compile(rf"(?<![A-Za-z_])(?:{'|'.join(map(re.escape, names))})(?:\s*=\s*[A-Za-z]+)*\s*(?:[<>]=?|=)\s*"
                          r"-?\d")
        for control in check.controls:
            arguments = {} if callable(control.arguments) else control.arguments
            if said.search(control.plants) or names & arguments.keys():
                return True
    return False


def untried(text: str, checks: Iterable[Check]) -> list[str]:
    """Ranges of a statement that no control goes beyond, of checks that cover everything; [] where none does."""
    whole = [check for check in checks if check.covers == "everything" and check.formal is None]
    if not whole:
        return []
    return [said for said, letters in ranges(text) if not any(beyond(letters, check) for check in whole)]
