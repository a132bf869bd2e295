r"""Ranges of the parameters of a statement, and those that no control of its checks goes beyond.

A check that covers the whole of a statement should fail where a hypothesis is dropped, or the book should say that it
was never tried. A hypothesis that compares letters with a number, `d\ge2` or `0<\epsilon\le1`, is read from the text. A
control goes beyond it if its label names such a letter with a number, `d = 1`, or if it changes an argument of that
name. Hypotheses in words are not seen.

Some hypotheses cannot be dropped because nothing is left to be false. For these the reason is computed from the text,
at the first value beyond the range and at some values of the other letters:

    no value    a formula of the text has values inside and none there: `\frac1\epsilon` at \epsilon=0
    no promise  a probability that the text promises is positive inside and not there: `1-\delta` at \delta=1
    no object   two bounds in the sentence of the range leave nothing: `2\epsilon<b\le\frac12` at \epsilon=\frac14
    no count    a number of dimensions, layers, trajectories or deployments is at least one, and an index at least zero

This looks at one value and not at all beyond the range, so it is weaker than a control; a card tells the two apart.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import NamedTuple

from derl.ledger.latex import BESIDE, GREEK, Formula, NoFormula, Value, formulas
from derl.ledger.registry import Check
from derl.ledger.relations import DOWN, SIGN, STRICT, chains, relations, so

COUNTS = {"d": 7, "D": 7, "H": 9, "T": 6, "N": 10**4, "K": 3, "L": 3, "h": 2, "k": 3, "m": 5, "j": 1, "t": 3,
          "i_max": 50}  # letters for whole numbers, and a usual value
USUAL = {"c_K": 3, "c": 3, "g": 4, "A": 4, "S": 10, "n": 11}
PARTS = (Fraction(1, 7), Fraction(1, 5), Fraction(2, 9))
ROWS = 3  # values of the other letters that are tried
NEAR = Fraction(1, 100)  # how far beyond its bound a real number is tried
PROMISE = re.compile(r"probability\s+(?:at\s+least\s+)?\$+([^$]+)\$")
SENTENCE = re.compile(r"(?<=[.:])\s")
LETTERS = re.compile(r"\\?[A-Za-z]+(?:_(?:\\?[A-Za-z]|\{\\?[A-Za-z]+\}))?")

LISTED = re.compile(rf"(?P<before>(?:^|(?<=[$,;\s]))(?:\d+\s*(?:{SIGN.pattern})\s*)?)"
                    rf"(?P<first>{LETTERS.pattern}),\s*"
                    rf"(?P<second>{LETTERS.pattern})(?P<after>\s*(?:{SIGN.pattern})\s*(?:\\frac)?\d+)")


class Range(NamedTuple):
    """One comparison of a letter, or of a product of letters, with a number.

    Attributes
    ----------
    said : str
        As the text says it.
    letters : frozenset of str
    letter : str
        The letters as the text writes them.
    low : bool
        Whether the number is the smallest one, and not the largest.
    strict : bool
        Whether the number itself is excluded.
    bound : Fraction or float
    """

    said: str
    letters: frozenset[str]
    letter: str
    low: bool
    strict: bool
    bound: Value

    @property
    def outside(self) -> Value:
        """The first value that is tried beyond the range."""
        return self.bound if self.strict else self.bound - self._step

    @property
    def border(self) -> Value:
        """A value just inside of the range."""
        return self.bound + self._step if self.strict else self.bound

    def holds(self, value: Value) -> bool:
        """Whether a value is in the range."""
        return (value > self.bound) == self.low and value != self.bound or not self.strict and value == self.bound

    @property
    def _step(self) -> Value:
        size = Fraction(1) if self.letters <= COUNTS.keys() else NEAR
        return size if self.low else -size


def ranges(text: str) -> list[Range]:
    r"""All comparisons of a letter, or a product of letters, with a number.

    Examples
    --------
    >>> [one.said for one in ranges(r"Let $dH\ge2$ and $0<x\le1$; then $K\le d+1$.")]
    ['dH\\ge2', '0<x', 'x\\le1']
    >>> [one.said for one in ranges(r"Let $d,H\ge2$ and $0<\epsilon,\delta<1$.")]
    ['d\\ge2', 'H\\ge2', '0<\\epsilon', '\\epsilon<1', '0<\\delta', '\\delta<1']
    """
    found = {}
    for left, sign, right in relations(LISTED.sub(_apart, text)):
        one, other = _read(left), _read(right)
        if sign != "=" and one and other and bool(one.names) != bool(other.names):
            letters = left if one.names else right
            if re.fullmatch(rf"(?:{LETTERS.pattern}\s*)+", letters):
                gap = " " if sign[-1:].isalpha() and right[:1].isalpha() else ""  # a sign and a letter are two words
                said = f"{left}{sign}{gap}{right}"
                lettered, number = (one, other) if one.names else (other, one)
                low = (sign in DOWN) != (lettered is one)
                found[said] = Range(said, frozenset(lettered.names), letters.strip(), low, sign in STRICT,
                                    number.at({}))
    return [*found.values()]


def _read(text: str) -> Formula | None:
    try:
        return Formula(text)
    except NoFormula:
        return None


def beyond(letters: Iterable[str], check: Check) -> bool:
    """Whether a control of a check names one of these letters with a number, or changes an argument of its name.

    A product of letters, `dH`, is named as a whole.
    """
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


def _apart(found: re.Match) -> str:
    """`d,H\\ge2` as `d\\ge2,H\\ge2`."""
    return "{before}{first}{after},{before}{second}{after}".format(**found.groupdict())


def nothing_beyond(text: str, one: Range) -> str:
    """Why a statement says nothing at the first value beyond a range, in words for a card; "" if no reason is known."""
    if len(one.letters) > 1:
        return ""
    name, = one.letters
    there = f"${one.letter}={_latex(one.outside)}$"
    without = [formula.text for formula in formulas(text) if _loses_its_value(formula, name, one)]
    if without:
        return f"${min(without, key=len)}$ has no value at {there}"
    for found in PROMISE.finditer(text):
        promised = _read(found[1].strip())
        if promised and promised.names == {name}:
            inside = [point for point in _usual(promised.names) if promised.at(point) > 0]
            if inside and all(promised.at(point | {name: one.outside}) <= 0 for point in inside):
                return f"nothing is promised with probability ${promised.text}$ at {there}"
    sentence = "".join(part for part in SENTENCE.split(LISTED.sub(_apart, text)) if one.said in part)
    for between in _between(sentence, name):
        border, outside = ([between.room(point | {name: value}) for point in
                            _usual(between.low.names | between.high.names)] for value in (one.border, one.outside))
        if any(border) and not any(outside):
            return f"there is no ${between.letter}$ with ${between.said}$ at {there}"
    if name in COUNTS and one.low and not one.strict and one.bound == (name != "j"):
        return f"${one.letter}$ is an index" if name == "j" else f"${one.letter}$ is a number of things or an index"
    return ""


class _Between(NamedTuple):
    """A letter between two bounds."""

    said: str
    letter: str
    low: Formula
    high: Formula
    sign: str

    def room(self, point: dict) -> bool:
        return so(float(self.low.at(point)), self.sign, float(self.high.at(point)))


def _between(text: str, name: str) -> Iterator[_Between]:
    """All letters between two bounds of which one contains the name."""
    for found in BESIDE.finditer(text):
        for sides, signs in chains((found[1] or found[2]).strip().rstrip(".,;")):
            for at in range(len(signs) - 1):
                one, letter, other = map(_read, sides[at:at + 3])
                pair = signs[at:at + 2]
                if not (one and other and letter and letter.bare and letter.names) or "=" in pair or \
                        (pair[0] in DOWN) != (pair[1] in DOWN) or \
                        name in letter.names or name not in one.names | other.names:
                    continue
                low, high = (one, other) if pair[0] in DOWN else (other, one)
                said = f"{sides[at]}{pair[0]} {sides[at + 1]}{pair[1]} {sides[at + 2]}"
                yield _Between(said, sides[at + 1], low, high, "<" if STRICT & {*pair} else r"\le")


def _usual(names: Iterable[str]) -> list[dict[str, Value]]:
    """A few values of letters that no text excludes: large whole numbers, small parts of one."""
    return [{name: Fraction(COUNTS.get(name) or USUAL[name]) + row if name in COUNTS or name in USUAL
             else PARTS[(len(name) + at + row) % len(PARTS)] for at, name in enumerate(sorted(names))}
            for row in range(ROWS)]


def _loses_its_value(formula: Formula, name: str, one: Range) -> bool:
    """Whether a formula has values inside of a range, and none at the first value beyond."""
    if name not in formula.names:
        return False

    def known(point: dict, value: Value) -> bool:
        return math.isfinite(formula.at(point | {name: value}))
    inside = [point for point in _usual(formula.names) if known(point, one.border) or
              one.holds(point[name]) and known(point, point[name])]
    return bool(inside) and not any(known(point, one.outside) for point in inside)


def _latex(number: Value) -> str:
    if isinstance(number, Fraction) and number.denominator > 1:
        return rf"{'-' if number < 0 else ''}\frac{{{abs(number.numerator)}}}{{{number.denominator}}}"
    return f"{number:.6g}" if isinstance(number, float) else str(number)


def left_out(text: str, checks: Iterable[Check]) -> list[Range]:
    """Ranges of a statement that no control goes beyond, of checks that cover everything; [] where none does."""
    whole = [check for check in checks if check.covers == "everything" and check.formal is None]
    return [one for one in ranges(text)
            if whole and not any(beyond({*one.letters, one.letter}, check) for check in whole)]


def untried(text: str, checks: Iterable[Check]) -> list[str]:
    """Ranges that no control goes beyond although something may be claimed there."""
    return [one.said for one in left_out(text, checks) if not nothing_beyond(text, one)]


def empty(text: str, checks: Iterable[Check]) -> list[tuple[str, str]]:
    """(what the text says, why nothing is claimed beyond) of the other ranges that no control goes beyond."""
    return [(one.said, why) for one in left_out(text, checks) if (why := nothing_beyond(text, one))]
