"""The typed MDP as a table: the same text, cell by cell, with states, actions or features added or removed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import partial

from derl.show.foundations.draft import MOST_ACTIONS, MOST_DIM, MOST_STATES, read
from derl.show.labs.texts import Sheet

VALID = """1 0 0 | 0.8 0.2 0 | 0
0.5 0.5 0 | 0.4 0.6 0 | 0.1
0 1 0 | 0 1 0 | 0.2
0 0.5 0.5 | 0 0.5 0.5 | 0.6
0 0 1 | 0 0 1 | 1
0.5 0 0.5 | 0.4 0.1 0.5 | 0.5"""
WORDS = ("Each row is a state and an action: its features, where it leads, its reward; 1/3 is a number, too. What "
         "breaks an assumption is outlined.")
EDITS = ("+ state", "− state", "+ action", "− action", "+ feature", "− feature")


def groups(text: str) -> list[list[list[str]]]:
    """Lines of three groups of words.

    Raises
    ------
    InvalidChoice
    """
    read(text)
    return [[group.split() for group in line.split("|")] for line in text.splitlines() if line.strip()]


def sheet(text: str) -> Sheet:
    """The contents of the cells, with the names of rows and columns.

    Raises
    ------
    InvalidChoice
    """
    lines = groups(text)
    dim, n_states = len(lines[0][0]), len(lines[0][1])
    n_actions = len(lines) // n_states
    columns = (*(f"φ{i + 1}" for i in range(dim)), *(f"to s{s}" for s in range(n_states)), "reward")
    return Sheet(columns, tuple(f"s{i // n_actions}, a{i % n_actions}" for i in range(len(lines))),
                 tuple(tuple(word for group in line for word in group) for line in lines), (dim, n_states, 1))


def text_of(cells, sizes) -> str:
    """The text of a table whose columns fall into groups of these sizes; an empty cell is 0."""
    lines = []
    for row in cells:
        words, parts = iter([word.strip().replace(" ", "") or "0" for word in row]), []
        for size in sizes:
            parts.append(" ".join(next(words) for _ in range(size)))
        lines.append(" | ".join(parts))
    return "\n".join(lines)


def _written(lines: list[list[list[str]]]) -> str:
    return "\n".join(" | ".join(" ".join(group) for group in line) for line in lines)


def edited(edit: str, text: str) -> str:
    """The text with a state, an action or a feature added or removed; the same text where that is not allowed.

    A new action is a copy of the state's last one, a new state one of the last state to which nothing leads yet, a new
    feature is 0 everywhere. Transitions to a removed state lead to the last remaining one.
    """
    lines = groups(text)
    dim, n_states = len(lines[0][0]), len(lines[0][1])
    n_actions, more = len(lines) // n_states, edit.startswith("+")
    what = edit.split()[1]
    size, most = {"state": (n_states, MOST_STATES), "action": (n_actions, MOST_ACTIONS),
                  "feature": (dim, MOST_DIM)}[what]
    if not 1 <= size + (1 if more else -1) <= most:
        return text
    if what == "feature":
        return _written([[phi + ["0"] if more else phi[:-1], to, pay] for phi, to, pay in lines])
    blocks = [lines[s * n_actions:(s + 1) * n_actions] for s in range(n_states)]
    if what == "action":
        return _written([line for block in blocks for line in (block + block[-1:] if more else block[:-1])])
    if more:
        return _written([[phi, to + ["0"], pay] for block in (*blocks, blocks[-1]) for phi, to, pay in block])
    return _written([[phi, to[:-2] + [_sum(*to[-2:])], pay] for block in blocks[:-1] for phi, to, pay in block])


def _sum(one: str, other: str) -> str:
    return one if other == "0" else other if one == "0" else str(Fraction(one) + Fraction(other))


EDITORS: dict[str, Callable[[str], str]] = {edit: partial(edited, edit) for edit in EDITS}
