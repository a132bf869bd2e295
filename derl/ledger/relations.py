r"""Relations of a text that can be evaluated: `\rho-1\le\rho\log\rho` holds wherever both sides have a value.

The sides of every `=`, `\le`, `<`, `\ge`, `>` in a text are read by `derl.ledger.latex`, and evaluated at the points of
`derl.ledger.formulas`. A relation that holds at every point where both sides have a value is no proof, and a relation
that fails somewhere is no error: most have hypotheses. But a change that makes one of the first kind fail has made it
false.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import lru_cache

from derl.ledger.formulas import FEWEST, points
from derl.ledger.latex import BESIDE, Formula, NoFormula, split

SIGN = re.compile(r"\\(?:leq?|geq?|lt|gt)(?![A-Za-z])|[=<>]")
STOP = re.compile(r"\\(?:iff|to|in|mapsto|Rightarrow|qquad|quad|subseteq|ne|neq|approx|sim|colon|mid)(?![A-Za-z])|"
                  r"\\text\{[^}]*\}|:=|[,;:&]|\\\\")
MARK = re.compile(f"{STOP.pattern}|{SIGN.pattern}")
DOWN, UP = ("<", r"\lt", r"\le", r"\leq"), (">", r"\gt", r"\ge", r"\geq")
STRICT = {"<", ">", r"\lt", r"\gt"}
CLOSE = 1e-9


def relations(text: str) -> Iterator[tuple[str, str, str]]:
    """(left, sign, right) of all relations in the formulas of a text, those of chains one by one."""
    for found in BESIDE.finditer(text):
        for sides, signs in chains((found[1] or found[2]).strip().rstrip(".,;")):
            yield from zip(sides, signs, sides[1:], strict=False)


def chains(body: str) -> Iterator[tuple[list[str], list[str]]]:
    """Sides and signs of what is between two commas or words, outside of every bracket."""
    sides, signs = [], []
    for piece, mark in split(body, MARK):
        sides.append(piece.strip())
        if SIGN.fullmatch(mark):
            signs.append(mark)
        else:
            yield sides, signs
            sides, signs = [], []


@lru_cache(2**14)
def holds(left: str, sign: str, right: str) -> bool:
    """Whether a relation that says something holds at every point where both sides have a value, and at enough."""
    try:
        one, other = Formula(left), Formula(right)
    except NoFormula:
        return False
    if one.bare and other.bare:
        return False  # two symbols, or a symbol and a number: a hypothesis
    met = 0
    for point in points(one.names | other.names):
        below, above = one.at(point), other.at(point)
        if math.isfinite(below) and math.isfinite(above):
            if not so(float(below), sign, float(above)):
                return False
            met += 1
    return met >= FEWEST


def so(one: float, sign: str, other: float) -> bool:
    """Whether a relation holds between two numbers, up to rounding."""
    same = math.isclose(one, other, rel_tol=CLOSE, abs_tol=1e-12)
    if sign == "=":
        return same
    return not (sign in STRICT and same) and (same or (one < other if sign in DOWN else one > other))


def true_in(text: str) -> list[str]:
    """The relations of a text that hold wherever they can be evaluated."""
    return [f"{left}{sign}{right}" for left, sign, right in relations(text) if holds(left, sign, right)]
