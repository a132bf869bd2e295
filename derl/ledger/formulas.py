"""Formulas of a statement, evaluated against the functions that are checked.

An entry of claims.yml may declare `formula`, a list of references, each with its arguments in the order in which the
function takes them:

    sharp_bound.size(c_K, epsilon)          the default of the parameter `size` of a check of this statement
    sharp_bound#4.left(H, beta, epsilon)    a side of step 4 of a check; #4.2 is the second relation of that step
    theory.potential.batch(d, H, epsilon)   a function of the outermost package of the paper
    trap.constant                           a number: one of the numerals of the text; named twice, two of them

For each, some formula of the statement has to have these symbols, and the value of the function at every one of
`points` at which both have a value. `derl.ledger.latex` reads the text; the function is what is checked. So a constant,
an exponent or a sign that is changed in one of the two is noticed. The symbols of a step are taken in the order of
their names.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from derl.ledger.latex import GREEK, REFERENCE, Formula, NoFormula, formulas
from derl.ledger.registry import Check
from derl.ledger.trial import attempt

NUMERAL = re.compile(r"(?:\\[td]?frac\s*(?:\{\d+\}|\d)\s*(?:\{\d+\}|\d)|\d+(?:\.\d+)?)"
                     r"(?:\s*\\cdot\s*10\^(?:\{-?\d+\}|\d))?")
ROWS, FEWEST = 12, 3  # points that are tried, and at how many both sides have to have a value
CLOSE, TINY = 1e-9, 1e-300
WHOLE = (2, 3, 4, 5, 6, 7, 9, 11)
PARTS = tuple(Fraction(*pair) for pair in ((1, 2), (1, 3), (1, 5), (2, 7), (3, 10), (1, 11), (4, 9), (1, 50)))
UNFIT = (ArithmeticError, ValueError, TypeError, AttributeError, LookupError)  # of a function outside its domain


class Tie:
    """One declared formula.

    Raises
    ------
    ValueError
        The text is no reference.
    """

    def __init__(self, text: str):
        match = REFERENCE.fullmatch(text)
        if match is None:
            raise ValueError(f"formula {text!r} is neither check.parameter(symbols) nor module.function(symbols)")
        self.text, self.place = text, match["place"]
        self.given = None if match["given"] is None else tuple(filter(None, map(str.strip, match["given"].split(","))))
        for name in self.given or ():
            _literal(name)

    @property
    def names(self) -> frozenset[str]:
        """The symbols among the arguments."""
        return frozenset(name for name in self.given or () if _literal(name) is None)

    def value(self, function: Callable, point: Mapping[str, Any]) -> float:
        """What the function gives at a point; not a number where it has no value there."""
        given = [point[name] if _literal(name) is None else _literal(name) for name in self.given]
        for number in (lambda x: x, _plain):  # exact first, floats for what takes nothing else
            try:
                return float(function(*map(number, given)))
            except UNFIT:
                continue
        return math.nan


def _literal(name: str):
    if name in ("True", "False"):
        return name == "True"
    try:
        return Fraction(name)
    except ZeroDivisionError:
        raise ValueError(f"a formula has the argument {name}") from None
    except ValueError:
        return None


def _plain(number):
    return number if isinstance(number, bool) else int(number) if number == int(number) else float(number)


def points(names: Iterable[str]) -> Iterator[dict[str, Fraction]]:
    """Points at which formulas of these symbols are compared: letters are whole, Greek ones also between 0 and 1."""
    names = sorted(names)
    for row in range(ROWS):
        point = {}
        for name in names:
            pick = int(hashlib.sha256(f"{name} {row}".encode()).hexdigest(), 16)
            small = name.partition("_")[0].rstrip("'").removeprefix("tilde ") in GREEK
            below = small if row < ROWS // 2 else not small and row >= ROWS - 2
            values = PARTS if below else WHOLE
            point[name] = Fraction(values[pick % len(values)])
        yield point


def target(place: str, checks: Iterable[Check], package: str) -> Any:
    """What a reference names.

    Raises
    ------
    LookupError
        There is nothing of this name.
    """
    first, _, rest = place.partition(".")
    name, _, step = first.partition("#")
    for check in checks:
        if check.name == name and check.formal is None:
            return _side(check, int(step), rest) if step else _default(check, rest)
    module, _, name = f"{package.partition('.')[0]}.{place}".rpartition(".")
    try:
        return getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError):
        raise LookupError(f"no check of this statement and no module has {place}") from None


def _default(check: Check, name: str) -> Any:
    parameter = inspect.signature(check.function).parameters.get(name)
    if parameter is None or parameter.default is inspect.Parameter.empty:
        raise LookupError(f"{check.name} has no parameter {name} with a default")
    return parameter.default


def _side(check: Check, step: int, rest: str) -> Callable:
    """A side of a step, as a function of its symbols in the order of their names."""
    part, _, side = rest.rpartition(".")
    evidence, amiss = attempt(check, {})
    relation = evidence.askable.get(step - 1) if evidence else None
    parts = getattr(relation, "parts", (relation,))
    at = int(part or 1) - 1
    expression = getattr(parts[at], side, None) if at < len(parts) else None
    if not hasattr(expression, "free_symbols"):
        raise LookupError(f"step {step} of {check.name} has no {rest} that is an expression{amiss and f': {amiss}'}")
    symbols = sorted(expression.free_symbols, key=str)
    return lambda *values: expression.subs(dict(zip(symbols, values, strict=True)))


def compared(formula: Formula, tie: Tie, function: Callable) -> str | None:
    """None where formula and function agree at every point where both have a value; else where they differ."""
    met = 0
    for point in points(formula.names):
        mine = formula.at(point)
        yours = tie.value(function, point) if math.isfinite(mine) else math.nan
        if not math.isfinite(yours):
            continue
        if not math.isclose(float(mine), yours, rel_tol=CLOSE, abs_tol=TINY):
            where = ", ".join(f"{name} = {value}" for name, value in sorted(point.items()))
            return f"at {where} it is {float(mine):.6g}, {tie.text} is {yours:.6g}"
        met += 1
    return None if met >= FEWEST else f"{tie.text} has a value at {met} of {ROWS} points only"


def numerals(text: str) -> Counter[Fraction]:
    """Numbers that occur in a text, and how often."""
    found = Counter()
    for numeral in NUMERAL.finditer(text):
        try:
            found[Fraction(Formula(numeral[0]).at({}))] += 1
        except (NoFormula, ValueError):
            continue
    return found


def problem(tie: Tie, text: str, checks: Iterable[Check], package: str, often: int = 1) -> str | None:
    """Why no formula of a text is what a tie names; None where one is.

    Parameters
    ----------
    often : int
        How many numerals of the text have to be the number, of a tie that is one.
    """
    try:
        function = target(tie.place, checks, package)
    except LookupError as error:
        return f"formula {tie.text}: {error.args[0]}"
    if tie.given is None:
        if callable(function):
            return f"formula {tie.text} is a function; name its arguments"
        try:
            number = Fraction(str(function))
        except ValueError:
            return f"formula {tie.text} is {function!r}, which is no number"
        many = numerals(text)[number]
        return None if many >= often else \
            f"formula {tie.text} is {number}; {f'{many} of {often} numerals' if many else 'no numeral'} of the text is"
    if not callable(function):
        return f"formula {tie.text} is no function"
    differences = []
    for formula in formulas(text):
        if formula.names == tie.names:
            difference = compared(formula, tie, function)
            if difference is None:
                return None
            differences.append(f"${formula.text}$: {difference}")
    symbols = ", ".join(sorted(tie.names))
    return (f"formula {tie.text} is not in the text: "
            + ("; ".join(differences[:2]) or f"none of its formulas has the symbols {symbols}"))


def problems(statements: Mapping[str, Any], checks: Iterable[Check], package: str) -> list[str]:
    """Declared formulas that the text of their statement does not have, one line each.

    Parameters
    ----------
    statements : mapping
        id -> `Statement`.
    """
    of_claim: dict[str, list[Check]] = {}
    for check in checks:
        of_claim.setdefault(check.claim, []).append(check)
    found = []
    for key, statement in statements.items():
        for text, often in Counter(statement.formula).items():
            wrong = problem(Tie(text), statement.statement, of_claim.get(key, ()), package, often)
            if wrong:
                found.append(f"{key}: {wrong}")
    return found
