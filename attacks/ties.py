r"""How much of the text of a statement is held by what its checks compute, and by what other texts say.

    python attacks/ties.py            compare with what is recorded in tests/claims/ties.csv
    python attacks/ties.py --renew    record what holds now
    python attacks/ties.py --only lem-trace-det,eq-safety
    python attacks/ties.py --total    the sums, and the parts that nothing holds

Every formula, relation and number in the words of a statement, of the steps of its proof and of its erratum is read
(`loose_latex.py`) and looked up. In what its checks compute (`computed.py`, `written.py`; for a step those are the
checks that the step names, and those of the statements that it uses):

    relations  relations that hold on a grid, with the definitions or the hypotheses of their text
    decided    relations that a step of a check decides, and those whose one side is the bound of a comparison in a
               check, in the same direction
    sides      formulas that a check computes, whatever the names of their letters; `named`: with the same names
    numbers    numbers and coefficients that a check computes, and the numbers of the statements that are used
    powers     exponents of a product, as a check computes or compares them
    bounds     bounds of a letter, `N\ge X`, where a check computes with X and something more that is not negative
    ranges     ranges of a letter that a false variant leaves by one step, or beyond which the text says nothing;
               intervals of numbers that have the smaller one first
    references "Algorithm 4" and "(14)" that are in the paper and belong to a statement nearby

And in what other texts say:

    said       formulas and relations that stand in a statement that is used, that uses it, or is its repair
    twice      five neighbouring signs of a formula that stand so in another entry, or twice in this one

The counts do not depend on the English words around the formulas. A constant, an exponent, a sign or a direction that
is changed in the text alone makes one of them smaller: what the text says then is computed nowhere, or no longer agrees
with another text. An equal way of writing a formula does not. No count says that a text is true. Exit status: 0 no
count is smaller than recorded; 1 one is, a line each.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import itertools
import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import computed
import loose_latex
import sympy
import written

from derl.inputs.files import table
from derl.ledger import conditions
from derl.ledger.formulas import points
from derl.ledger.latex import BESIDE, GREEK, SILENT, TOKEN, Formula, NoFormula
from derl.ledger.relations import DOWN, so

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "tests" / "claims" / "ties.csv"
COUNTS = ("relations", "decided", "sides", "named", "numbers", "powers", "bounds", "ranges", "references", "said",
          "twice")
COMPUTED = COUNTS[:9]  # the others compare texts with texts
OPPOSITE = {"<": ">", ">": "<", r"\lt": ">", r"\gt": "<", r"\le": r"\ge", r"\ge": r"\le", r"\leq": r"\ge",
            r"\geq": r"\le"}
WHERE = ("statement", "proof", "erratum")
COLUMNS = ("claim", *WHERE)
LETTERS = 12  # of a formula whose letters may have other names in the code
ROWS, FEWEST, WINDOW, MANY = 3, 3, 5, 400
BASES, OTHERS = (1.37, 2.21), (0.83, 3.19)  # all letters at one value, and some of them at another
INTERVAL = re.compile(r"(?:\\in\s*|\bin\s+\$)[\[(]([^,\[\]()$]+),([^,\[\]()$]+)[\])]")
REFERENCE = re.compile(r"\b(Algorithm|Lemma|Theorem|Equation|Assumption|Definition|Claim|Corollary|Property|Remark|"
                       r"Condition|Table)s?\s+\(?((?:[A-Z]\.)?\d+(?:\.\d+)?)\)?|(?<![\w)^_}$])\((\d+)\)")
SPACE = re.compile(r"\s+|\\(?:left|right|[Bb]igg?[lr]?)(?![a-z])|\\[,;:! ]")


# ---------------------------------------------------------------------------------------- values of expressions


def value(expression, at: dict[str, float]) -> float:
    """An expression of sympy at a point, in floats; not a number where it has none."""
    try:
        found = _value(expression, at)
        return found if isinstance(found, float) and math.isfinite(found) else math.nan
    except (ValueError, OverflowError, ZeroDivisionError, KeyError, TypeError):
        return math.nan


def _value(e, at):
    if e.is_Symbol:
        return at[e.name]
    if e.is_Rational:
        return e.p / e.q
    if e.is_number:
        return float(e)
    inside = [_value(one, at) for one in e.args]
    if e.is_Add:
        return math.fsum(inside)
    if e.is_Mul:
        return math.prod(inside)
    if e.is_Pow:
        return float(inside[0] ** inside[1])
    return FUNCTIONS[type(e).__name__](*inside)


FUNCTIONS = {"log": lambda x, b=math.e: math.log(x, b), "exp": math.exp, "Min": min, "Max": max, "Abs": abs,
             "sin": math.sin, "cos": math.cos, "floor": lambda x: float(math.floor(x)),
             "ceiling": lambda x: float(math.ceil(x)), "factorial": lambda x: math.gamma(x + 1)}


def key(numbers: Iterable[float], fewest: int = 2) -> tuple | None:
    """Numbers that can be looked up; None where too few of them have a value."""
    found = tuple(f"{number:.9g}" if math.isfinite(number) else "" for number in numbers)
    return found if sum(map(bool, found)) >= fewest else None


def by_name(names: Iterable[str]) -> list[dict[str, float]]:
    """Points that depend on nothing but the names."""
    return [{name: 0.3 + int(hashlib.sha256(f"{name} {row}".encode()).hexdigest(), 16) % 9973 / 2500
             for name in names} for row in range(ROWS)]


def around(names: Iterable[str]) -> list[list[dict[str, float]]]:
    """Groups of points: all letters alike, then each one and each pair of them changed."""
    names, found = sorted(names), []
    for base, other in zip(BASES, OTHERS, strict=True):
        alike = dict.fromkeys(names, base)
        found += [[alike], [alike | {name: other} for name in names],
                  [alike | {one: other, two: base + other} for one, two in itertools.permutations(names, 2)]]
    return found


def unnamed(groups: Iterable[list[float]]) -> tuple | None:
    """A key that does not depend on the names of the letters: the sorted values of each group."""
    found = [key(sorted(group, key=lambda x: (math.isnan(x), x)), 0) for group in groups]
    return tuple(found) if sum(any(group) for group in found) >= 3 else None


# ---------------------------------------------------------------------------------------- what is computed


class Held:
    """What some checks compute, ready to be looked up."""

    def __init__(self, pools: Iterable[computed.Pool], checks: Iterable = ()):
        self.named, self.any, self.decided, self.numbers, self.wide = set(), set(), set(), set(), set()
        self.powers = set()
        self.upper, self.lower = set(), set()  # larger and smaller sides of what is compared
        self.floors, self.ceilings = set(), set()  # X where a check has X + s, or X/(1 + s)
        self.references, self.checks = set(), [*checks]
        for check in self.checks:
            for function in written.functions(check):
                expressions, relations, constants = written.of_function(function)
                self.numbers |= {f"{float(number):.9g}" for number in constants if abs(number) < 1e300}
                self.wide |= {float(number) for number in constants if abs(number) < 1e300}
                for expression in expressions:
                    named, others = of_source(expression)
                    self.named |= named
                    self.any |= others
                    if not expression.names and math.isfinite(amount := expression.at({})):
                        self.numbers.add(f"{amount:.9g}")
                        self.wide.add(amount)
                for left, right, sign in relations:
                    self.decided |= of_comparison(left, right, sign)
                    self._bounds(*(of_source(one)[1] | _amount(one.at({}) if not one.names else math.nan)
                                   for one in (left, right)), sign)
        for pool in pools:
            self.numbers |= {f"{float(number):.9g}" for number in pool.numbers if abs(number) < 1e300}
            self.wide |= {float(number) for number in pool.numbers if abs(number) < 1e300}
            self.powers |= pool.powers
            for expression in pool.expressions:
                self.powers |= powers_of(expression)
                named, others = of_expression(expression)
                self.named |= named
                self.any |= others
                floors, ceilings = with_slack(expression)
                self.floors |= floors
                self.ceilings |= ceilings
            for left, right, sign in pool.relations:
                self.decided |= of_relation(left, right, sign)
                self._bounds(*map(_keys_of_side, (left, right)), sign)
        both = self.upper & self.lower
        self.upper, self.lower = self.upper - both, self.lower - both

    def _bounds(self, left, right, sign: str) -> None:
        if sign[0] == ">":
            left, right = right, left
        if sign != "=":
            self.lower |= left
            self.upper |= right

    def number(self, text: str) -> bool:
        """Whether a number is computed; a decimal number may be a rounded one."""
        if f"{float(text):.9g}" in self.numbers:
            return True
        places = len(text.partition(".")[2])
        return places > 0 and any(f"{abs(number):.{places}f}" == text for number in self.wide)


def looked_up(names: Iterable[str], at: Callable[[dict], float]) -> tuple[frozenset, frozenset]:
    """The keys of an expression with its names, and without."""
    names = sorted(names)
    if not names or len(names) > LETTERS:
        return frozenset(), frozenset()
    named, other = key(map(at, by_name(names))), unnamed([*map(at, group)] for group in around(names))
    return (frozenset({(tuple(names), named)} if named else ()),
            frozenset({(len(names), other)} if other else ()))


@lru_cache(2**16)
def of_expression(e) -> tuple[frozenset, frozenset]:
    return looked_up({symbol.name for symbol in e.free_symbols}, lambda point: value(e, point))


@lru_cache(2**16)
def with_slack(e) -> tuple[frozenset, frozenset]:
    """The keys of X in `X + s`, and in `X/(1 + s)`, with a symbol s that is not negative."""
    floors, ceilings = set(), set()
    if e.is_Add:
        for slack in e.args:
            if slack.is_Symbol and slack.is_nonnegative:
                floors |= of_expression(e - slack)[1]
    elif e.is_Mul:
        for factor in e.args:
            slack = 1 / factor - 1 if factor.is_Pow and factor.exp == -1 else None
            if slack is not None and slack.is_Symbol and slack.is_nonnegative:
                ceilings |= of_expression(e / factor)[1]
    return frozenset(floors), frozenset(ceilings)


@lru_cache(2**16)
def powers_of(e) -> frozenset:
    """The sorted exponents of the letters of a product."""
    found = []
    for base, power in e.as_powers_dict().items():
        if base.is_number:
            continue
        if not base.is_Symbol and base.func not in (sympy.log,) or not power.is_number:
            return frozenset()
        found.append(round(float(power), 6))
    return frozenset({tuple(sorted(found))})


@lru_cache(2**16)
def of_source(e: written.Arithmetic) -> tuple[frozenset, frozenset]:
    return looked_up(e.names, e.at)


@lru_cache(2**16)
def of_comparison(left: written.Arithmetic, right: written.Arithmetic, sign: str) -> frozenset:
    return differences(left.names | right.names, left.at, right.at, sign)


def _amount(number: float) -> frozenset:
    return frozenset({(0, (f"{number:.9g}",))} if math.isfinite(number) else ())


def _keys_of_side(side) -> frozenset:
    """The keys of one side of a relation of a check."""
    if isinstance(side, tuple | list):
        return frozenset()
    try:
        side = sympy.sympify(side)
        if isinstance(side, sympy.Expr) and side.free_symbols:
            return of_expression(side)[1]
        return _amount(float(side))
    except (sympy.SympifyError, TypeError, ValueError, AttributeError, OverflowError):
        return frozenset()


def differences(names: Iterable[str], left: Callable, right: Callable, sign: str) -> frozenset:
    """Keys of a relation: difference and quotient of its sides, free of a positive factor, the larger side first."""
    names, found = sorted(names), set()
    if not names or len(names) > LETTERS:
        return frozenset()
    if sign[0] == "<":
        left, right = right, left
    values = [[(left(point), right(point)) for point in group] for group in around(names)]
    for flip in (False, True) if sign == "=" else (False,):
        pairs = [[(b, a) if flip else (a, b) for a, b in group] for group in values]
        gaps = [[a - b for a, b in group] for group in pairs]
        scale = next((abs(gap) for group in gaps[:1] for gap in group if math.isfinite(gap) and abs(gap) > 1e-12), 0)
        if scale and (one := unnamed([gap / scale for gap in group] for group in gaps)):
            found.add(("gap", len(names), one))
        if one := unnamed([a / b if b else math.nan for a, b in group] for group in pairs):
            found.add(("quotient", len(names), one))
    return frozenset(found)


def of_relation(left, right, sign: str) -> frozenset:
    """Keys of what a step of a check decides."""
    if isinstance(left, tuple | list) or isinstance(right, tuple | list):
        return frozenset()
    try:
        left, right = sympy.sympify(left), sympy.sympify(right)
    except (sympy.SympifyError, AttributeError, TypeError, ValueError):
        return frozenset()
    if not isinstance(left, sympy.Expr) or not isinstance(right, sympy.Expr):
        return frozenset()
    return differences({symbol.name for symbol in left.free_symbols | right.free_symbols},
                       lambda point: value(left, point), lambda point: value(right, point), sign)


# ---------------------------------------------------------------------------------------- what is printed


@lru_cache(2**15)
def read(text: str, letters: bool = False) -> loose_latex.Loose | None:
    return loose_latex.formula(text, letters)


@lru_cache(2**15)
def strict(text: str) -> Formula | None:
    try:
        return Formula(text)
    except NoFormula:
        return None


def bare(text: str) -> str:
    """A formula without spaces and sizes of brackets."""
    return SPACE.sub("", text).replace(r"\dfrac", r"\frac").replace(r"\tfrac", r"\frac")


def weighty(text: str) -> bool:
    """Whether a formula is more than a letter or a number."""
    formula = read(text)
    return formula is not None and bool(formula.names) and not formula.bare and len(bare(text)) > 2


def formulas(text: str) -> Iterator[str]:
    """All sides in a text, and what is inside of those parts that are no arithmetic."""
    for sides, _ in loose_latex.sides(text):
        for side in sides:
            stack = [side]
            while stack:
                one = stack.pop()
                found = read(one)
                if found is not None:
                    yield one
                    stack += found.inside


def at(formula, point: dict) -> float:
    """A printed formula at a point, not a number where it has no value."""
    try:
        return float(formula.at(point))
    except (KeyError, OverflowError, TypeError, ValueError):
        return math.nan


@lru_cache(2**15)
def keys_of(text: str, letters: bool = False) -> tuple[frozenset, frozenset]:
    """Under which keys a formula is looked up: with its names, and with any."""
    formula = read(text, letters)
    return looked_up(formula.names, lambda point: at(formula, point))


@lru_cache(2**15)
def relation_keys(left: str, sign: str, right: str) -> frozenset:
    """Under which keys a relation is looked up."""
    one, other = read(left), read(right)
    if one is None or other is None:
        return frozenset()
    word = "=" if sign == "=" else "<" if sign in DOWN else ">"
    return differences(one.names | other.names, lambda point: at(one, point), lambda point: at(other, point), word)


# ---------------------------------------------------------------------------------------- the grid


def domains(names: list[str]) -> Iterator[list[dict]]:
    """Grids, widest first: what texts mean without saying it again."""
    yield list(points(names))
    rows = range(12)

    def pick(name, row, choices):
        return Fraction(choices[int(hashlib.sha256(f"{name}{row}".encode()).hexdigest(), 16) % len(choices)])
    small = [Fraction(*pair) for pair in ((1, 2), (1, 3), (1, 5), (2, 7), (3, 10), (1, 11), (4, 9), (1, 50))]
    whole = (2, 3, 4, 5, 6, 7, 9, 11)
    greek = {name: name.partition("_")[0].rstrip("'").removeprefix("tilde ") in GREEK for name in names}
    yield [{name: pick(name, row, small if greek[name] else whole) for name in names} for row in rows]
    yield [{name: pick(name, row, small) for name in names} for row in rows]
    yield [{name: pick(name, row, whole) for name in names} for row in rows]


def definitions(text: str) -> dict[str, Formula]:
    """What letters stand for in a text: the first formula that a letter alone is equal to."""
    found = {}
    for sides, signs in loose_latex.sides(text):
        for left, sign, right in zip(sides, signs, sides[1:], strict=False):
            name, formula = strict(left), strict(right)
            if sign == "=" and name and name.bare and len(name.names) == 1 and formula and \
                    not name.names & formula.names and not (formula.bare and formula.names):
                found.setdefault(*name.names, formula)
    return found


def hypotheses(text: str) -> list[tuple[str, str, str]]:
    """Inequalities of a text that can be evaluated: what its other inequalities may rest on."""
    return [(left, sign, right) for left, sign, right in loose_latex.relations(text)
            if left and sign != "=" and strict(left) and strict(right)]


@lru_cache(2**12)
def many(names: tuple[str, ...]) -> list[dict]:
    """Points of all sizes."""
    values = [Fraction(*pair) for pair in ((1, 1), (1, 2), (1, 3), (1, 7), (1, 20), (1, 300), (9, 10))] + \
        [*map(Fraction, (1, 2, 3, 4, 5, 8, 12, 30, 100, 10**4, 10**7))]
    return [{name: values[int(hashlib.sha256(f"{name}, {row}".encode()).hexdigest(), 16) % len(values)]
             for name in names} for row in range(MANY)]


@lru_cache(2**15)
def given(left: str, sign: str, right: str, supposed: tuple) -> bool:
    """Whether a relation holds at all points of a large grid at which the other inequalities of its text hold."""
    one, other = strict(left), strict(right)
    if one is None or other is None or one.bare and other.bare:
        return False
    names = one.names | other.names
    rest = [(strict(a), mark, strict(b)) for a, mark, b in supposed
            if (a, mark, b) != (left, sign, right) and strict(a).names | strict(b).names <= names]
    met = 0
    for point in many(tuple(sorted(names))):
        below, above = one.at(point), other.at(point)
        if not (math.isfinite(below) and math.isfinite(above)):
            continue
        if not all(so(float(a.at(point)), mark, float(b.at(point))) for a, mark, b in rest):
            continue
        if not so(float(below), sign, float(above)):
            return False
        met += 1
    return met >= FEWEST and bool(rest)


def on_grid(left: str, sign: str, right: str, defined: dict) -> int:
    """The first of `domains` on which a relation holds wherever both sides have a value, from 1; 0 for none."""
    one, other = strict(left), strict(right)
    if one is None or other is None or one.bare and other.bare:
        return 0
    single = next(iter((one if one.bare else other).names), "") if one.bare or other.bare else ""
    used = {name: formula for name, formula in defined.items() if not (name == single and sign == "=")}
    free = set(one.names | other.names)
    for _ in range(4):
        free = {inner for name in free for inner in (used[name].names if name in used else {name})}
    if any(name in used for name in free):
        used = {}
        free = set(one.names | other.names)
    for level, grid in enumerate(domains(sorted(free)), 1):
        met = 0
        for point in grid:
            whole = _completed(point, used, one.names | other.names)
            if whole is None:
                continue
            below, above = one.at(whole), other.at(whole)
            if math.isfinite(below) and math.isfinite(above):
                if not so(float(below), sign, float(above)):
                    break
                met += 1
        else:
            if met >= FEWEST or met and not free:
                return level
    return 0


def _completed(point: dict, used: dict, names: Iterable[str]) -> dict | None:
    whole = dict(point)
    for _ in range(5):
        for name, formula in used.items():
            if name not in whole and formula.names <= whole.keys():
                whole[name] = formula.at(whole)
    return whole if set(names) <= whole.keys() else None


# ---------------------------------------------------------------------------------------- counting


def numbers(text: str) -> Iterator[str]:
    """Numbers in the formulas of a text and in its words; what is between backticks names something."""
    for found in loose_latex.BARE.finditer(re.sub(r"`[^`]*`", " ", text)):
        yield found[0]
    yield from (found[1] for found in re.finditer(r"(?:\\[td]?frac\s*|\\sqrt\s*|\^|_)(\d)", text))


def said_in(texts: Iterable[str]) -> set[str]:
    """The formulas and relations of other texts, as they are written."""
    found = set()
    for text in texts:
        found |= {bare(one) for one in formulas(text) if weighty(one)}
        for left, sign, right in loose_latex.relations(text):
            found |= {bare(left) + sign + bare(right), sign + bare(right)}
    return found


def windows(text: str) -> Iterator[tuple[str, ...]]:
    """Every five neighbouring signs of the formulas of a text."""
    for found in BESIDE.finditer(text):
        tokens = [token[1] for token in TOKEN.finditer(SILENT.sub(" ", found[1] or found[2])) if token[1].strip()]
        tokens = ["$", *tokens, "$"]
        yield from zip(*(tokens[at:] for at in range(WINDOW)), strict=False)


def bound(left: str, sign: str, right: str, held: Held) -> bool:
    """Whether a side is computed as the larger, or the smaller, side of a relation, as it is here."""
    if sign == "=":
        return False
    low, high = (left, right) if sign in DOWN else (right, left)
    return bool(side_keys(low) & held.lower or side_keys(high) & held.upper)


def bound_of_a_letter(left: str, sign: str, right: str, held: Held) -> bool:
    """Whether a letter is bounded as in the code of a check: `N \\ge X` where it computes with X and something more."""
    one, other = strict(left) if left else None, strict(right)
    if sign == "=" or one is None or other is None or bool(one.bare and one.names) == bool(other.bare and other.names):
        return False
    formula, above = (right, sign in DOWN) if one.bare and one.names else (left, sign not in DOWN)
    return bool(side_keys(formula) & (held.ceilings if above else held.floors))


def bounded(text: str, held: Held) -> int:
    """How many ranges of letters a control leaves by one step, or are all that a text speaks of.

    And how many intervals between two numbers have the smaller one first.
    """
    ends = [[read(one) for one in found] for found in INTERVAL.findall(text)]
    return sum(any(conditions.next_to(one, check) for check in held.checks) or
               bool(conditions.nothing_beyond(text, one)) for one in conditions.ranges(text)) + \
        sum(all(one and not one.names for one in pair) and at(pair[0], {}) < at(pair[1], {}) for pair in ends)


@lru_cache(2**15)
def monomial(text: str) -> tuple[float, tuple] | None:
    """Coefficient and sorted exponents of a product of powers; None for everything else."""
    formula = read(text, True)
    if formula is None or not formula.names or formula.bare:
        return None
    names = sorted(formula.names)
    one, powers = at(formula, dict.fromkeys(names, 1.0)), []
    for name in names:
        values = [at(formula, dict.fromkeys(names, 1.0) | {name: number}) for number in (2.0, 4.0)]
        if not (one and all(math.isfinite(number) and number * one > 0 for number in (one, *values))):
            return None
        first, second = (math.log(number / one, 2) for number in values)
        if not math.isclose(2 * first, second, rel_tol=1e-9, abs_tol=1e-9):
            return None
        powers.append(round(first, 6))
    point = by_name(names)[0]
    product = one * math.prod(point[name] ** power for name, power in zip(names, powers, strict=True))
    if not math.isclose(at(formula, point), product, rel_tol=1e-6):
        return None
    return one, tuple(sorted(powers))


@lru_cache(2**15)
def side_keys(text: str) -> frozenset:
    formula = read(text)
    if formula is None:
        return frozenset()
    if not formula.names:
        return _amount(at(formula, {}))
    return keys_of(text)[1] if weighty(text) else frozenset()


def values_of(text: str, held: Held) -> bool:
    """Whether values of a formula at small whole numbers are among the numbers that a search computes."""
    formula = strict(text)
    if formula is None or not 0 < len(formula.names) <= 3:
        return False
    found = set()
    for whole in itertools.product((1, 2, 3, 4, 5), repeat=len(formula.names)):
        number = at(formula, dict(zip(sorted(formula.names), map(Fraction, whole), strict=True)))
        if math.isfinite(number) and (number != round(number) or abs(number) > 30):
            found.add(f"{number:.9g}")
    return len(found) > 3 and len(found & held.numbers) >= max(4, len(found) // 5)


def count(text: str, held: Held, said: set[str], others: set, around: str = "") -> list[int]:
    """The counts of one text."""
    found = dict.fromkeys(COUNTS, 0)
    defined, supposed = definitions(f"{around}\n{text}"), tuple(hypotheses(f"{around}\n{text}"))
    for left, sign, right in loose_latex.relations(text):
        level = on_grid(left, sign, right, defined) if left else 0
        if level and sign != "=" and on_grid(left, OPPOSITE[sign], right, defined):
            level = 0  # which of the two is true depends on where it is asked
        decided = left and relation_keys(left, sign, right) & held.decided
        found["bounds"] += bound_of_a_letter(left, sign, right, held)
        found["relations"] += bool(level) * (5 - level) + given(left, sign, right, supposed)
        found["decided"] += bool(decided) + bound(left, sign, right, held)
        found["said"] += (bare(left) + sign + bare(right) in said) + (weighty(right) and sign + bare(right) in said)
    for one in formulas(text):
        if weighty(one):
            named, unnamed_ = keys_of(one)
            found["named"] += bool(named & held.named)
            found["sides"] += bool((unnamed_ | keys_of(one, True)[1]) & held.any) or values_of(one, held)
            found["said"] += bare(one) in said
            if power := monomial(one):
                found["numbers"] += f"{power[0]:.9g}" in held.numbers
                found["powers"] += power[1] in held.powers
        elif (formula := read(one)) is not None and not formula.names:
            amount = at(formula, {})
            found["numbers"] += math.isfinite(amount) and f"{amount:.9g}" in held.numbers
    found["numbers"] += sum(held.number(one) for one in numbers(text))
    found["ranges"] = bounded(text, held)
    found["references"] = sum((kind.lower() or "equation", number or equation) in held.references
                              for kind, number, equation in REFERENCE.findall(text))
    found["twice"] = sum(one in others for one in windows(text))
    return list(found.values())


def entry(statement) -> str:
    """All words of an entry."""
    return "\n".join([statement.statement, *(step.say for step in statement.proof),
                      *(str(text) for name, text in (statement.erratum or {}).items() if name != "class")])


class Papers:
    """The statements of a paper with what their checks compute."""

    def __init__(self, statements: dict, pools: dict, checks: dict):
        self.statements, self.pools, self.checks = statements, pools, checks
        self._held = {}
        self.printed = Counter()  # in how many entries a window stands
        for statement in statements.values():
            self.printed.update(set(windows(entry(statement))))

    def held(self, names: Iterable[tuple[str, str]], near: Iterable[str]) -> Held:
        """What checks compute, and the numbers and lines of the statements that a text may name."""
        names = tuple(sorted(set(names))), tuple(sorted(set(near)))
        if names not in self._held:
            references = {word for key in names[1] for word in
                          re.findall(r"\d+", f"{self.statements[key].number} {self.statements[key].line}")}
            names, whole = names[0], names
            self._held[whole] = Held([self.pools[name] for name in names if name in self.pools],
                                     [self.checks[name] for name in names if name in self.checks])
            self._held[whole].numbers |= references
            self._held[whole].references |= self.named_by(whole[1])
            names = whole
        return self._held[names]

    def named_by(self, near: Iterable[str]) -> set[tuple[str, str]]:
        """Kind and number of these statements, of what they use, and of what they repair."""
        keys = {*near}
        keys |= {used for key in near for used in self.statements[key].uses}
        keys |= {key for key, one in self.statements.items() if one.repair in keys}
        return {(one.kind, one.number.strip("()")) for one in map(self.statements.get, keys) if one.number}

    def of(self, statement) -> dict[str, list[int]]:
        """The counts of one statement: where -> counts."""
        checks = [name for name in self.checks if name[0] == statement.id]
        repaired = [name for name in self.checks if name[0] == statement.repair]
        near = [statement.id, *statement.uses, *([statement.repair] if statement.repair else []),
                *(key for key, one in self.statements.items() if statement.id in (*one.uses, one.repair))]
        others = [entry(self.statements[other]) for other in dict.fromkeys(near) if other != statement.id]
        mine = Counter(windows(entry(self.statements[statement.id])))
        twice = {one for one in set(windows(entry(statement))) if self.printed[one] > (one in mine)}
        said = said_in(others)
        found = {"statement": [count(statement.statement, self.held(checks + repaired, near), said, twice)]}
        own, of_steps, of_errata = said | said_in([statement.statement]), [], []
        for step in statement.proof:
            names = [(statement.id, name) for name, _ in step.check]
            names += [name for name in self.checks if name[0] in step.use]
            of_steps.append(count(step.say, self.held(names or checks, near), own, twice, statement.statement))
        for name, text in (statement.erratum or {}).items():
            if name != "class":
                of_errata.append(count(str(text), self.held(checks + repaired, near), own, twice, statement.statement))
        found |= {"proof": of_steps, "erratum": of_errata}
        return {where: [sum(column) for column in zip([0] * len(COUNTS), *rows, strict=True)]
                for where, rows in found.items()}


def recorded() -> dict[str, dict[str, list[int]]]:
    """What was recorded last: statement -> where -> counts."""
    with FILE.open(encoding="utf-8", newline="") as stream:
        return {row["claim"]: {where: [*map(int, row[where].split())] for where in WHERE}
                for row in csv.DictReader(stream)}


def present(only: Iterable[str] = ()) -> dict[str, dict[str, list[int]]]:
    """The counts of these statements, or of all, as they are now."""
    computed.watch()
    from derl.claims import PAPER

    checks = {(check.claim, check.name): check for check in PAPER.register().checks if check.formal is None}
    wanted = [*only] or [*PAPER.statements]
    needed = set(wanted)
    for name in wanted:
        statement = PAPER.statements[name]
        needed |= {statement.repair, *statement.uses}
    pools = {name: computed.pool(check) for name, check in checks.items()
             if check.tier == "quick" and name[0] in needed}
    papers = Papers(PAPER.statements, pools, checks)
    return {name: papers.of(PAPER.statements[name]) for name in wanted}


def problems(now: dict, before: dict) -> list[str]:
    """What is held less than was recorded, a line each; the computed counts first."""
    found = []
    for name, counts in now.items():
        if name not in before:
            found.append(f"{name}: what holds its text was never recorded")
            continue
        for where, numbers_ in counts.items():
            for kind, is_, was in zip(COUNTS, numbers_, before[name][where], strict=True):
                if is_ < was:
                    source = "its checks compute" if kind in COMPUTED else "other texts say"
                    found.append(f"{name}, {where}: {source} {is_} of its {kind}; {was} are recorded")
    return sorted(found, key=lambda line: "other texts say" in line)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--renew", action="store_true")
    parser.add_argument("--only", default="", help="statements, joined by commas")
    parser.add_argument("--total", action="store_true")
    options = parser.parse_args()
    only = [*filter(None, options.only.split(","))]
    now = present(only)
    if options.total:
        for where in WHERE:
            sums = map(sum, zip(*(counts[where] for counts in now.values()), strict=True))
            silent = sum(not any(counts[where][:len(COMPUTED)]) for counts in now.values())
            print(where, *(f"{kind} {number}" for kind, number in zip(COUNTS, sums, strict=True)),
                  f"nothing computed in {silent} of {len(now)}")
        return 0
    if options.renew:
        kept = (recorded() if only and FILE.is_file() else {}) | now
        rows = ([name, *(" ".join(map(str, counts[where])) for where in WHERE)]
                for name, counts in sorted(kept.items()))
        FILE.write_text(table(COLUMNS, rows), encoding="utf-8")
    found = problems(now, recorded())
    print(*found, sep="\n", end="\n" if found else "")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
