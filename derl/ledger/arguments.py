"""The changed arguments of a control as a reader sees them: `powers = 16`.

Numbers, texts and tuples are written as they are, a lambda by its source, any other function by its name, with what it
remembers from the function that made it.
"""

from __future__ import annotations

import ast
import inspect
import linecache
import textwrap
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from numbers import Rational

from derl.judge.registry import Control

LONG = 10**6  # from here on, a whole number is shown by its power of ten where it is round


def shown(value) -> str:
    """One value, in a line where its source has one.

    Examples
    --------
    >>> from fractions import Fraction
    >>> shown(Fraction(1, 2)), shown(2 * 10**12), shown((1, "lock")), shown(min)
    ('1/2', '2 * 10**12', "(1, 'lock')", 'min')
    """
    if isinstance(value, partial):
        given = [*map(shown, value.args), *(f"{name}={shown(part)}" for name, part in value.keywords.items())]
        return f"{shown(value.func)}({', '.join(given)})"
    if callable(value) and hasattr(value, "__qualname__"):
        return _function(value)
    if isinstance(value, tuple):
        return f"({', '.join(map(shown, value))}{',' * (len(value) == 1)})"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{shown(name)}: {shown(part)}' for name, part in value.items())}}}"
    if isinstance(value, int) and abs(value) >= LONG:
        return _whole(value)
    if isinstance(value, Rational) or hasattr(value, "free_symbols"):
        return str(value)
    if getattr(value, "shape", ()):
        return f"array of shape {value.shape}"
    words = repr(value)
    return words if " at 0x" not in words else f"an object of class {type(value).__name__}"


def _whole(value: int) -> str:
    """A large whole number: 2 * 10**12, or 1_983_000_000 where nothing shorter is the same number."""
    zeros = len(str(value)) - len(str(value).rstrip("0"))
    front = value // 10**zeros
    if abs(front) >= 1000:
        return f"{value:_}"
    return f"{'-' * (front < 0)}10**{zeros}" if abs(front) == 1 else f"{front} * 10**{zeros}"


def _function(value: Callable) -> str:
    """A lambda by its source; a function by its name, the module of a library before it."""
    if value.__name__ == "<lambda>":
        found = _lambda(value.__code__)
        words = found if found else "a function without source"
    else:
        words = value.__qualname__.replace(".<locals>", "")
        if inspect.isbuiltin(value) and value.__module__ not in (None, "builtins"):
            words = f"{value.__module__.lstrip('_')}.{words}"
    kept = inspect.getclosurevars(value).nonlocals if inspect.isfunction(value) and value.__closure__ else {}
    return words + (f" with {', '.join(f'{name} = {shown(part)}' for name, part in kept.items())}" if kept else "")


def _lambda(code) -> str:
    """The source of a lambda, found by its place in the file; "" where there is no file."""
    places = [place for place in code.co_positions() if place[2] is not None and place[0] == place[1]]
    nodes = [node for node in _lambdas(code.co_filename) if node.lineno == code.co_firstlineno]
    if len(nodes) > 1:  # several begin in this line: the one whose body holds what was compiled
        nodes = [node for node in nodes if any(
            (line, first) == (node.body.lineno, node.body.col_offset) for line, _, first, _ in places)]
    return ast.unparse(nodes[0]) if nodes else ""


@lru_cache
def _lambdas(file: str) -> tuple[ast.Lambda, ...]:
    text = "".join(linecache.getlines(file))
    return tuple(node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Lambda))


def source(function: Callable) -> str:
    """The source of a function without indentation, of a lambda that alone; "" for a function made at a prompt."""
    if function.__name__ == "<lambda>":
        return _lambda(function.__code__)
    try:
        return textwrap.dedent(inspect.getsource(function)).rstrip()
    except (OSError, TypeError):
        return ""


def changed(control: Control) -> str:
    """The changed arguments of a control for a reader: `powers = 16`, a line each, or the function that makes them.

    A function among them is shown by its name, and by its source below where it belongs to the package that plants it.
    """
    if callable(control.arguments):
        return source(control.arguments) or shown(control.arguments)
    lines = [f"{name} = {shown(value)}" for name, value in control.arguments.items()]
    ours = [value for value in control.arguments.values() if inspect.isfunction(value) and value.__name__ != "<lambda>"
            and value.__module__.partition(".")[0] == control.place.module.partition(".")[0]]
    return "\n\n".join(["\n".join(lines), *filter(None, map(source, ours))])
