"""What the code of a check says: its arithmetic, read from the source with the names that stand there.

A check that runs on numbers computes numbers, and a proof in steps puts `1 + t` for d before anything is compared. The
source still has the formula: `8 * H**2 * A**(2 * H) / epsilon**2 * log(2 * M / delta)`. Every arithmetic expression in
the functions that a check uses is read, once as it is written and once with the names replaced by what they were set
to, with a letter for every part that is no arithmetic; and every comparison, with its direction.
"""

from __future__ import annotations

import ast
import inspect
import math
import textwrap
from collections.abc import Callable, Iterator
from functools import lru_cache

PACKAGES = ("derl.claims.", "derl.theory.", "derl.mdp.", "derl.estimation.", "derl.algorithms.", "derl.deployment.")
DEEP = 3  # calls from the check down
NESTED = 6  # names that are replaced within each other
CALLS = {"log": lambda x, b=math.e: math.log(x, b), "log2": math.log2, "exp": math.exp, "sqrt": math.sqrt, "min": min,
         "max": max, "Min": min, "Max": max, "abs": abs, "Abs": abs, "ceil": math.ceil, "ceiling": math.ceil,
         "floor": math.floor, "Rational": lambda a, b=1: a / b, "R": lambda a, b=1: a / b,
         "Fraction": lambda a, b=1: a / b, "float": float, "int": int, "Integer": int, "S": float, "sympify": float,
         "comb": math.comb, "isqrt": math.isqrt, "factorial": math.factorial}
BINARY = {ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.Mult: lambda a, b: a * b,
          ast.Div: lambda a, b: a / b, ast.FloorDiv: lambda a, b: a // b, ast.Mod: lambda a, b: a % b}
SIGNS = {ast.LtE: "<=", ast.Lt: "<", ast.GtE: ">=", ast.Gt: ">", ast.Eq: "="}
RELATIONS = {"at_least": ">=", "exceeds": ">", "by_sign": ">", "by_sign_at_least": ">=", "at_most": "<=",
             "less_than": "<", "below": "<", "equal": "=", "same_fraction": "=", "same_operator": "=", "exactly": "="}


class Arithmetic:
    """An expression of the source: its letters, and its value where they have one.

    Raises
    ------
    ValueError
        Nothing in it is arithmetic.
    """

    def __init__(self, node: ast.expr, meant: dict[str, ast.expr], inside: bool):
        self.names: set[str] = set()
        self._meant = meant if inside else {}
        self._value = self._read(node, NESTED)

    def at(self, point: dict[str, float]) -> float:
        """Its value at a point, not a number where it has none."""
        try:
            found = float(self._value(point))
        except (ArithmeticError, ValueError, TypeError, KeyError):
            return math.nan
        return found

    def _letter(self, name: str) -> Callable:
        self.names.add(name)
        return lambda point: point[name]

    def _read(self, node: ast.expr, left: int) -> Callable:
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            number = node.value
            return lambda point: number
        if isinstance(node, ast.Name):
            if node.id in self._meant and left:
                return self._read(self._meant[node.id], left - 1)
            return self._letter(node.id)
        if isinstance(node, ast.Attribute):
            return self._letter(node.attr)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            one = self._read(node.operand, left)
            return lambda point: -one(point)
        if isinstance(node, ast.BinOp) and (type(node.op) in BINARY or isinstance(node.op, ast.Pow)):
            one, other = self._read(node.left, left), self._read(node.right, left)
            if isinstance(node.op, ast.Pow):
                return lambda point: _power(one(point), other(point))
            operation = BINARY[type(node.op)]
            return lambda point: operation(one(point), other(point))
        if isinstance(node, ast.Call) and not node.keywords and _name(node.func) in CALLS and \
                not any(isinstance(one, ast.Starred) for one in node.args):
            function, given = CALLS[_name(node.func)], [self._read(one, left) for one in node.args]
            return lambda point: function(*(one(point) for one in given))
        return self._letter(ast.unparse(node))


def _power(base, power):
    if abs(power) > 4096 or isinstance(base, int) and abs(base) > 1 and abs(power) > 400:
        raise OverflowError
    return base ** power


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def functions(check) -> Iterator[Callable]:
    """The function of a check, the defaults of its parameters, and the functions of this package that these call."""
    first = inspect.unwrap(check.function)
    left, done = [(first, 0)], set()
    left += [(parameter.default, 0) for parameter in inspect.signature(first).parameters.values()]
    while left:
        one, deep = left.pop(0)
        one = inspect.unwrap(one) if callable(one) else one
        if inspect.isclass(one):
            if one.__module__.startswith(PACKAGES) and one not in done:
                done.add(one)
                left += [(part, deep) for part in vars(one).values() if inspect.isfunction(part)]
            continue
        if not inspect.isfunction(one) or one in done or not one.__module__.startswith(PACKAGES):
            continue
        if one.__module__.startswith("derl.theory.exact"):
            continue
        done.add(one)
        yield one
        if deep < DEEP:
            left += [(one.__globals__.get(word), deep + 1) for word in sorted(_globals(one.__code__))]
            left += [(getattr(module, word, None), deep + 1) for module in one.__globals__.values()
                     if inspect.ismodule(module) and module.__name__.startswith(PACKAGES)
                     for word in sorted(_globals(one.__code__))]


def _globals(code) -> set[str]:
    return set(code.co_names).union(*(_globals(part) for part in code.co_consts if inspect.iscode(part)))


@lru_cache(None)
def tree(function: Callable) -> ast.AST | None:
    """The source of a function, read; None for what was not written in a file."""
    try:
        return ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError):
        return None


@lru_cache(None)
def of_function(function: Callable) -> tuple[list[Arithmetic], list[tuple[Arithmetic, Arithmetic, str]], set]:
    """Expressions, relations and numbers in the source of a function."""
    root = tree(function)
    if root is None:
        return [], [], set()
    body = root.body[0]
    if isinstance(body, ast.FunctionDef):
        body.decorator_list = []
    counts, meant = {}, {}
    for node in ast.walk(root):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            targets, values = [node.targets[0]], [node.value]
            if isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple) and \
                    len(node.targets[0].elts) == len(node.value.elts):
                targets, values = node.targets[0].elts, node.value.elts
            for target, value in zip(targets, values, strict=True):
                if isinstance(target, ast.Name):
                    counts[target.id] = counts.get(target.id, 0) + 1
                    meant[target.id] = value
    meant = {name: value for name, value in meant.items() if counts[name] == 1 and
             isinstance(value, ast.BinOp | ast.UnaryOp | ast.Constant | ast.Call) and
             not (isinstance(value, ast.Call) and _name(value.func) not in CALLS) and
             name not in {part.id for part in ast.walk(value) if isinstance(part, ast.Name)}}
    found, relations, numbers = [], [], set()
    for node in ast.walk(root):
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            numbers.add(node.value)
        elif isinstance(node, ast.BinOp | ast.UnaryOp) or isinstance(node, ast.Call) and _name(node.func) in CALLS:
            found += _both(node, meant)
        pairs = []
        if isinstance(node, ast.Compare):
            pairs = [(a, b, SIGNS[type(op)]) for a, op, b in zip([node.left, *node.comparators], node.ops,
                                                                 node.comparators, strict=False) if type(op) in SIGNS]
        elif isinstance(node, ast.Call) and _name(node.func) in RELATIONS and len(node.args) >= 2:
            pairs = [(*node.args[:2], RELATIONS[_name(node.func)])]
        for one, other, sign in pairs:
            relations += [(a, b, sign) for a, b in zip(_both(one, meant), _both(other, meant), strict=True)]
            found += [*_both(one, meant), *_both(other, meant)]
    return found, relations, numbers


def _both(node: ast.expr, meant: dict) -> list[Arithmetic]:
    return [Arithmetic(node, meant, False), Arithmetic(node, meant, True)]
