r"""What a printed text says: its formulas with their letters and ranges, and their values.

The command line, a lab and the pages of a book list and evaluate formulas with these functions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, ROUND_HALF_DOWN, ROUND_HALF_UP, Context, Decimal
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import mpmath
from mpmath.libmp import to_str

from derl.inputs import Invalid
from derl.printed import Node, Range, Text, Unreadable, read, value
from derl.printed.arithmetic import Undecided
from derl.printed.reading import latex, words

LONGEST = 60  # characters of a number that is typed
TYPED = re.compile(r"([-+\u2212]?)([0-9]{1,3}(?:,[0-9]{3})+|[0-9]*)(\.[0-9]+)?(?:e([-+]?[0-9]{1,3}))?"
                   r"(?:\^([0-9]{1,3})|/([0-9]+))?", re.IGNORECASE)
VALUES = re.compile(r"(\d+) (<=?) (whole|real)(?: (<=?) (\d+))?")  # of a letter, in a table
BITS = (80, 320, 1280)  # of the intervals in which a value is looked for, one after the other
DIGITS = 10
MORE = 25  # digits from which these are rounded


class Unsayable(Invalid):
    """There is no such formula, or it has no value there; the message says why in one line."""


@dataclass(frozen=True)
class Letter:
    """A letter that is a number: in LaTeX, its range, and a number to begin with as it is typed ("" for none)."""

    shown: str
    allowed: Range
    example: str = ""


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
        What is evaluated; None where it is no arithmetic of numbers.
    why : str
        Why it cannot be evaluated; "" where it can.
    numbers : dict
        Name of a letter -> what may be put in.
    """

    shown: str
    begins: str
    node: Node | None
    why: str
    numbers: dict[str, Letter]

    @property
    def letters(self) -> tuple[str, ...]:
        """The letters that need a value."""
        return tuple(self.numbers)


def table(rows: Iterable[Mapping[str, str]], claim: str) -> dict[str, Letter | None]:
    """The letters of a table that are numbers in a statement, by name; None for those that are none there.

    Parameters
    ----------
    rows : iterable of mapping
        letter (LaTeX), values (`1 <= whole`, `0 < real <= 1`), example, except (ids between spaces).

    Raises
    ------
    Unsayable
        A row does not read so, or its example is out of its range.
    """
    found = {}
    for row in rows:
        name, values = _named(row["letter"]), VALUES.fullmatch(row["values"])
        if name is None or values is None:
            raise Unsayable(f"a letter with the values {row['values']!r}: {row['letter']}")
        low, below, sort, above, high = values.groups()
        allowed = Range(Fraction(low), high and Fraction(high), below == "<=", above != "<", sort == "whole")
        if number(row["example"], name) not in allowed:
            raise Unsayable(f"{name} has the example {row['example']}, out of its range")
        found[name] = None if claim in row["except"].split() else Letter(row["letter"], allowed, row["example"])
    return found


def formulas(text: Text, numbers: Mapping[str, Letter | None] = MappingProxyType({})) -> list[Formula]:
    """The formulas of a text in its order, each once; a bound of a single letter by a number is a range and none.

    A letter is a number if the text bounds it by a number or if `numbers` has it; a formula with any other letter is
    not evaluated: it may be a function, a vector or a part of a name.

    Parameters
    ----------
    numbers : mapping
        From `table`; None says that a letter is no number in this text.
    """
    found = {}
    for chain in text.chains:
        for at in range(max(len(chain.signs), 1)):
            side = chain.sides[at + 1] if chain.signs else chain.sides[0]
            before = [token.text for token in (chain.sides[at] if chain.signs else ())]
            sign = [chain.signs[at].text] if chain.signs else []
            made = _formula(text, numbers, before, sign, [token.text for token in side])
            if made is not None:
                found.setdefault(made.shown, made)
    return list(found.values())


def _formula(text: Text, numbers, before: list[str], sign: list[str], side: list[str]) -> Formula | None:
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
    names = dict.fromkeys(name for name in (node.letters() if node else ()) if name != "e")
    letters = {name: _number(text, numbers, name) for name in names}
    if node and (why := _why_not(node, letters)):
        node = None
    return Formula(latex((*before, *sign, *side)), latex((*before, *sign)), node, why, letters if node else {})


def _why_not(node: Node, letters: Mapping[str, Letter | None]) -> str:
    """Why numbers for its letters do not give a formula its value; "" where they do."""
    if other := [name for name, letter in letters.items() if letter is None]:
        return f"{', '.join(other)} {'are' if len(other) > 1 else 'is'} nowhere said to be a number"
    lone = node.kind in ("apply", "powered") and node.parts[0].kind in ("letter", "number")  # x(N) is no product
    if node.kind == "order" or lone or node.kind == "apply" and len(node.parts) != 1:
        return f"{node.value} is no number here"
    counted = re.compile(rf"[_^].*(?<![A-Za-z]){re.escape(str(node.value))}(?![A-Za-z])")  # n_h in a sum over h
    if node.kind == "series" and (other := [name for name in node.parts[2].letters() if counted.search(name)]):
        return f"{other[0]} has a value for each {node.value}"
    if node.kind == "quotient" and node.value:
        return f"what is divided by, {node.value}(...), needs a bracket"
    return next(filter(None, (_why_not(part, {}) for part in node.parts)), "")


def _number(text: Text, numbers: Mapping[str, Letter | None], name: str) -> Letter | None:
    """What the text and the table say of a letter; None where nothing says that it is a number."""
    known, said = numbers.get(name), _range(text, name)
    if name in numbers and known is None or known is None and said is None:
        return None
    known = known or Letter(next(shown for shown in _sides(text) if _named(shown) == name), Range())
    allowed = said.within(known.allowed) if said else known.allowed
    return Letter(known.shown, allowed, known.example if _fits(known.example, allowed) else _inside(allowed))


def _fits(typed: str, allowed: Range) -> bool:
    return bool(typed) and Fraction(typed) in allowed


def _inside(allowed: Range) -> str:
    """A number of a range, as it is typed."""
    low, high = (Fraction(end) if end is not None else None for end in (allowed.bottom, allowed.top))
    low = high - 2 if low is None else low
    high = low + 2 if high is None else high
    return next((str(one) for one in (low, (low + high) / 2, high) if one in allowed), "")


def _range(text: Text, name: str) -> Range | None:
    from_name = next((shown for shown in _sides(text) if _named(shown) == name), None)
    if from_name is None:
        return None
    try:
        found = text.range(from_name)
    except Unreadable:
        return None
    ends = (found.bottom, found.top)
    return found if all(end is None or isinstance(end, Fraction) for end in ends) else None


def _sides(text: Text) -> Iterator[str]:
    """All that stands beside a sign or in a list before it, in LaTeX."""
    yield from filter(None, (latex(token.text for token in side) for chain in text.chains
                             for side in (*chain.sides, *chain.listed)))


@lru_cache(maxsize=4096)
def _named(piece: str) -> str | None:
    try:
        node = read(words(piece))
    except Unreadable:
        return None
    return node.value if node.kind == "letter" else None


def chosen(text: Text, begins: str, numbers: Mapping[str, Letter | None] = MappingProxyType({})) -> Formula:
    """The formula that begins so; `numbers` as of `formulas`.

    Raises
    ------
    Unsayable
        None does, or several do.
    """
    wanted, all_ = words(begins), formulas(text, numbers)
    if not all_:
        raise Unsayable(f"{text.name} has no formula")
    found = [formula for formula in all_ if words(formula.shown) == wanted] or \
        [formula for formula in all_ if words(formula.begins) == wanted] or \
        [formula for formula in all_ if words(formula.shown)[:len(wanted)] == wanted]
    if len(found) != 1:
        raise Unsayable((f"{len(found)} formulas of" if found else "no formula of")
                        + f" {text.name} begin{'' if found else 's'} with {begins}: "
                        + "; ".join(formula.shown for formula in found or all_))
    return found[0]


def number(typed: str, letter: str) -> Fraction:
    """A number as it is typed, read as the panels of the pages do: 3, 1/10, 0.1, .5, 1e-3, 10^6, 10,000.

    Raises
    ------
    Unsayable
    """
    found = TYPED.fullmatch("".join(typed.split()))
    sign, whole, part, tens, exponent, below = found.groups("") if found else [""] * 6
    shift = int(tens or 0) - len(part[1:])
    if len(typed) > LONGEST or not whole + part or below and not int(below) or abs(shift) > 300 or exponent and \
            (part or tens or int(exponent) * len(whole) > 1000):
        raise Unsayable(f"{letter} is {typed[:LONGEST]!r}; allowed are numbers such as 3, 1/10, 0.1, 1e-3 or 10^6")
    value = int(whole.replace(",", "") + part[1:]) ** int(exponent or 1) * Fraction(10) ** shift / int(below or 1)
    return -value if sign in ("-", "\u2212") else value


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


def said(formula: Formula, letters: Mapping[str, Fraction]) -> Any:
    """The value of a formula: a fraction where it is rational and short, else an interval of mpmath that holds it.

    Raises
    ------
    Unsayable
        It is no arithmetic, a letter is missing, unknown or out of its range, or there is no value at this point.
    """
    if formula.node is None:
        raise Unsayable(f"{formula.shown} cannot be evaluated: {formula.why}")
    wanted = ", ".join(formula.letters) or "none"
    for name in letters:
        if name not in formula.numbers:
            raise Unsayable(f"{formula.shown} has no letter {name}; its letters are {wanted}")
    if missing := [name for name in formula.letters if name not in letters]:
        raise Unsayable(f"{formula.shown} needs values of {wanted}; {', '.join(missing)} has none")
    for name, one in letters.items():
        if one not in (allowed := formula.numbers[name].allowed):
            raise Unsayable(f"{name} is {one}; allowed is {shown_range(name, allowed)}")
    iv, before = mpmath.iv, mpmath.iv.prec
    try:
        for iv.prec in BITS:
            try:
                found = value(formula.node, dict(letters), package="iv")
            except Unreadable as problem:
                if iv.prec == BITS[-1] or not isinstance(problem.__cause__, Undecided):
                    raise Unsayable(f"{formula.shown}: {problem}") from None
                continue
            if isinstance(found, Fraction) or digits(found)[0] == DIGITS:
                break
    finally:
        iv.prec = before
    if not isinstance(found, Fraction) and not found.delta < mpmath.inf:
        raise Unsayable(f"{formula.shown}: the formula has no value there")
    return found


def digits(interval) -> tuple[int, str]:
    """How many digits of a number are certain, at most `DIGITS`, and the number rounded to these.

    Parameters
    ----------
    interval : ivmpf of mpmath
        It holds the number.
    """
    ends = [Decimal(to_str(end, MORE)) for end in interval._mpi_]
    for count in range(DIGITS * all(end.is_finite() for end in ends), 0, -1):
        low, high = (Context(count, rounding, MIN_EMIN, MAX_EMAX).normalize(end)
                     for end, rounding in zip(ends, (ROUND_HALF_DOWN, ROUND_HALF_UP), strict=True))
        if low == high:
            return count, format(low, "f" if -6 <= low.adjusted() < count else "e")
    return 0, ""


def shown_range(name: str, allowed: Range) -> str:
    """`0 < epsilon <= 1`; the letter alone where nothing bounds it."""
    low = "" if allowed.bottom is None else f"{allowed.bottom} {'<=' if allowed.low_belongs else '<'} "
    high = "" if allowed.top is None else f" {'<=' if allowed.high_belongs else '<'} {allowed.top}"
    return f"{low}{name}{high}" + ", whole" * allowed.whole


def shown_value(found: Any) -> str:
    """A value for a reader: exact, and as a decimal number where it is a fraction or large; only digits that hold."""
    if not isinstance(found, Fraction):
        count, shown = digits(found)
        low, high = (to_str(end, 5) for end in found._mpi_)
        return f"about {shown}" if count else f"no digit is certain: between {low} and {high}"
    if found.denominator == 1 and abs(found) < 10**15:
        return str(found)
    near = digits(mpmath.iv.mpf(found.numerator) / found.denominator)[1]
    short = found.numerator.bit_length() + found.denominator.bit_length() < 4 * LONGEST and len(str(found)) <= LONGEST
    return f"{found} = about {near}" if short else f"about {near}"


def lines(text: Text, numbers: Mapping[str, Letter | None] = MappingProxyType({})) -> Iterator[str]:
    """The formulas of a text with their letters and ranges, a line each; `numbers` as of `formulas`."""
    for formula in formulas(text, numbers):
        ranges = ", ".join(shown_range(name, letter.allowed) for name, letter in formula.numbers.items())
        yield f"{formula.shown}    " + (f"[not computed: {formula.why}]" if formula.node is None else
                                        f"[{ranges}]" if ranges else "[a number]")
