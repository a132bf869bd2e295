r"""What a printed text says: its formulas with their letters and ranges, and their values.

The command line, a lab and the pages of a book list and evaluate formulas with these functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derl.inputs import Invalid
from derl.printed import Node, Range, Text, Unreadable, read, value
from derl.printed.reading import latex, words

LONGEST = 60  # characters of a number that is typed


class Unsayable(Invalid):
    """There is no such formula, or it has no value there; the message says why in one line."""


@dataclass(frozen=True)
class Formula:
    r"""A formula of a text: the right side of a relation, or a formula without a sign.

    Attributes
    ----------
    shown : str
        The whole relation, in LaTeX.
    begins : str
        What is before the right side, with the sign: `N\ge`; "" where there is no sign.
    node : Node or None
        What is evaluated; None where it is no arithmetic.
    why : str
        Why it cannot be read; "" where it can.
    ranges : dict
        Letter -> its range; None where the text says nothing, or two things, about it.
    """

    shown: str
    begins: str
    node: Node | None
    why: str
    ranges: dict[str, Range | None]

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters that need a value."""
        return tuple(self.ranges)


def formulas(text: Text) -> list[Formula]:
    """The formulas of a text in its order, each once; a bound of a single letter by a number is a range and none."""
    found = {}
    for chain in text.chains:
        for at in range(max(len(chain.signs), 1)):
            side = chain.sides[at + 1] if chain.signs else chain.sides[0]
            before = [token.text for token in (chain.sides[at] if chain.signs else ())]
            sign = [chain.signs[at].text] if chain.signs else []
            made = _formula(text, before, sign, [token.text for token in side])
            if made is not None:
                found.setdefault(made.shown, made)
    return list(found.values())


def _formula(text: Text, before: list[str], sign: list[str], side: list[str]) -> Formula | None:
    if not side or sign and not before:
        return None
    node, why = None, ""
    try:
        node = read(tuple(side))
    except Unreadable as problem:
        why = str(problem)
    alone = node is not None and node.kind in ("letter", "number")
    if alone and (not sign or sign[0] not in ("=", ":=") and _named(latex(before)) or node.kind == "letter"):
        return None
    if node is None and not (sign or any(token in side for token in ("+", "-", "^", "/", r"\frac", r"\sqrt"))):
        return None
    letters = dict.fromkeys(name for name in (node.letters() if node else ()) if name != "e")
    return Formula(latex((*before, *sign, *side)), latex((*before, *sign)), node, why,
                   {name: _range(text, name) for name in letters})


def _range(text: Text, name: str) -> Range | None:
    from_name = next((t for chain in text.chains for side in (*chain.sides, *chain.listed)
                      if (t := latex(token.text for token in side)) and _named(t) == name), None)
    if from_name is None:
        return None
    try:
        return text.range(from_name)
    except Unreadable:
        return None


def _named(piece: str) -> str | None:
    try:
        node = read(words(piece))
    except Unreadable:
        return None
    return node.value if node.kind == "letter" else None


def chosen(text: Text, begins: str) -> Formula:
    """The formula that begins so.

    Raises
    ------
    Unsayable
        None does, or several do.
    """
    wanted = words(begins)
    exact = [formula for formula in formulas(text) if words(formula.begins) == wanted]
    found = exact or [formula for formula in formulas(text) if words(formula.shown)[:len(wanted)] == wanted]
    if not found:
        raise Unsayable(f"no formula of {text.name} begins with {begins}; there are "
                        + "; ".join(formula.shown for formula in formulas(text)) if formulas(text) else
                        f"{text.name} has no formula")
    if len(found) > 1:
        raise Unsayable(f"{len(found)} formulas of {text.name} begin with {begins}: "
                        + "; ".join(formula.shown for formula in found))
    return found[0]


def number(typed: str, letter: str) -> Fraction:
    """A number as it is typed: 3, 1/10, 0.1, 1e-3.

    Raises
    ------
    Unsayable
    """
    try:
        if len(typed) > LONGEST or "e" in typed.lower() and abs(int(typed.lower().partition("e")[2])) > 300:
            raise ValueError
        return Fraction(typed)
    except (ValueError, ZeroDivisionError):
        raise Unsayable(f"{letter} is {typed[:LONGEST]!r}; allowed are numbers such as 3, 1/10, 0.1 or 1e-3") from None


def letters(pairs: Iterable[str]) -> dict[str, Fraction]:
    """Letters with their values from "d=10", "epsilon=1/10".

    Raises
    ------
    Unsayable
    """
    found: dict[str, Fraction] = {}
    for pair in pairs:
        letter, sign, typed = pair.partition("=")
        letter = letter.strip().removeprefix("\\")
        if not sign or letter in found:
            raise Unsayable(f"{pair!r} is no letter=value, or gives a letter a second value")
        found[letter] = number(typed.strip(), letter)
    return found


def said(formula: Formula, letters: Mapping[str, Any]) -> Any:
    """The value of a formula; exact where it is rational.

    Raises
    ------
    Unsayable
        It is no arithmetic, a letter is missing, unknown or out of its range, or there is no value at this point.
    """
    if formula.node is None:
        raise Unsayable(f"{formula.shown} cannot be evaluated: {formula.why}")
    wanted = ", ".join(formula.letters) or "none"
    for name in letters:
        if name not in formula.ranges:
            raise Unsayable(f"{formula.shown} has no letter {name}; its letters are {wanted}")
    if missing := [name for name in formula.letters if name not in letters]:
        raise Unsayable(f"{formula.shown} needs values of {wanted}; {', '.join(missing)} has none")
    for name, one in letters.items():
        if (allowed := formula.ranges[name]) is not None and one not in allowed:
            raise Unsayable(f"{name} is {one}; the text allows {shown_range(name, allowed)}")
    try:
        return value(formula.node, dict(letters))
    except Unreadable as problem:
        raise Unsayable(f"{formula.shown}: {problem}") from None


def shown_range(name: str, allowed: Range | None) -> str:
    """`0 < epsilon <= 1`; the letter alone where nothing bounds it."""
    if allowed is None:
        return name
    low = "" if allowed.bottom is None else f"{allowed.bottom} {'<=' if allowed.low_belongs else '<'} "
    high = "" if allowed.top is None else f" {'<=' if allowed.high_belongs else '<'} {allowed.top}"
    return f"{low}{name}{high}"


def shown_value(found: Any) -> str:
    """A value for a reader: exact, and as a decimal number where it is a fraction or large."""
    if isinstance(found, Fraction):
        if found.denominator == 1 and abs(found) < 10**15:
            return str(found)
        try:
            near = f"{float(found):.6g}"
        except OverflowError:
            near = f"a number of {len(str(abs(int(found))))} digits"
        return f"{found} = about {near}" if len(str(found)) <= LONGEST else f"about {near}"
    return f"about {found:.10g}" if isinstance(found, float) else str(found)


def lines(text: Text) -> Iterator[str]:
    """The formulas of a text with their letters and ranges, a line each."""
    for formula in formulas(text):
        ranges = ", ".join(shown_range(name, allowed) for name, allowed in formula.ranges.items())
        yield f"{formula.shown}    " + (f"[not arithmetic: {formula.why}]" if formula.node is None else
                                        f"[{ranges}]" if ranges else "[a number]")
