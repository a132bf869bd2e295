"""What the checks compute: every expression and number that the code of a check meets while it runs.

The modules below `derl.claims` are imported with a recorder around every operation, call and written number (as
`cases.py` does with a counter). So `4 * d**R(3, 2) * u` is seen before u is replaced by something else, and a bound of
a helper is seen where the helper computes it. Arrays, and what the library computes by itself, are not seen. A check
that computes more than `MOST` different numbers keeps its first ones: the rest of a search says nothing about a text.
"""

from __future__ import annotations

import ast
import inspect
import sys
from dataclasses import dataclass, field
from fractions import Fraction
from numbers import Rational

import instrumented
import sympy

MOST = 4000  # different numbers of one check, and as many expressions

seen: Pool | None = None


@dataclass
class Pool:
    """What one check computes.

    Attributes
    ----------
    expressions : dict
        Expressions of sympy, in the order in which they were met; the values are None.
    numbers : set of Fraction or float
    relations : list of (left, right, relation)
        What its steps compare: expressions or numbers, and one of >=, >, =, <=, <.
    powers : set of tuple
        Numbers of short tuples and dictionaries, sorted and without zeros: exponents, where a check compares them.
    """

    expressions: dict = field(default_factory=dict)
    numbers: set = field(default_factory=set)
    relations: list = field(default_factory=list)
    powers: set = field(default_factory=set)

    def add(self, value) -> None:
        """Keep an expression or a number, and what is in a short tuple of them; everything else is passed over."""
        if isinstance(value, bool):
            return
        if isinstance(value, Rational | float) and not isinstance(value, sympy.Basic):
            if len(self.numbers) < MOST and value == value:
                self.numbers.add(Fraction(value.numerator, value.denominator) if isinstance(value, Rational) else value)
        elif isinstance(value, dict | tuple) and 1 < len(value) <= 8 and \
                all(isinstance(one, Rational) for one in (value.values() if isinstance(value, dict) else value)):
            numbers = value.values() if isinstance(value, dict) else value
            self.powers.add(tuple(sorted(round(float(one), 6) for one in numbers if one)))
            for one in numbers:
                self.add(one)
        elif isinstance(value, tuple) and len(value) <= 8:
            for one in value:
                self.add(one)
        elif isinstance(value, sympy.Expr) and value.is_commutative:
            if value.is_Rational:
                self.add(Fraction(int(value.p), int(value.q)))
            elif value.free_symbols and len(self.expressions) < MOST:
                self.expressions[value] = None
            elif value.is_number and value.is_real and value.is_finite:
                self.add(float(value))


def _seen(value):
    """A value as it is; the pool of the check that runs keeps it."""
    if seen is not None:
        seen.add(value)
    return value


class Recorded(ast.NodeTransformer):
    """Puts the recorder into a module."""

    def visit_BinOp(self, node):
        self.generic_visit(node)
        return instrumented.call("_seen", node)

    def visit_Call(self, node):
        self.generic_visit(node)
        return instrumented.call("_seen", node)

    def visit_UnaryOp(self, node):
        self.generic_visit(node)
        return node if isinstance(node.op, ast.Not) else instrumented.call("_seen", node)

    def visit_Constant(self, node):
        return instrumented.call("_seen", node) if type(node.value) in (int, float) else node

    def visit_JoinedStr(self, node):
        return node

    def visit_Match(self, node):
        return node

    def visit_FunctionDef(self, node):
        node.body = [self.visit(one) for one in node.body]
        node.args.defaults = [self.visit(one) for one in node.args.defaults]
        return node


def watch() -> None:
    """Record from now on; call it before `derl.claims` is imported."""
    if any(name.startswith(instrumented.PACKAGE) for name in sys.modules):
        raise RuntimeError("the checks were imported before they could be watched")
    instrumented.install(Recorded, _seen=_seen)


def pool(check) -> Pool:
    """What a check computes with its defaults."""
    global seen
    from derl.ledger.trial import attempt

    for name, module in [*sys.modules.items()]:  # what a helper remembers it would not compute again
        if name.startswith(instrumented.PACKAGE):
            for remembered in vars(module).values():
                if hasattr(remembered, "cache_clear"):
                    remembered.cache_clear()
    seen = found = Pool()
    try:
        for parameter in inspect.signature(check.function).parameters.values():
            found.add(parameter.default)
        evidence, _ = attempt(check, {})
        if evidence is None:
            return found
        for at in sorted(evidence.askable):
            answer = evidence.askable[at]
            for part in getattr(answer, "parts", (answer,)):
                if hasattr(part, "left"):
                    found.add(part.left)
                    found.add(part.right)
                    found.relations.append((part.left, part.right, part.relation))
        if not evidence.steps:
            found.add(evidence.measured)
            found.add(evidence.claimed)
            sign = {"upper": "<=", "lower": ">="}.get(evidence.direction, "=")
            found.relations.append((evidence.measured, evidence.claimed, sign))
    finally:
        seen = None
    return found
