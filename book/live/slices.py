"""What a cell needs of the cells above it: the statements that define its names, and those that change them."""

from __future__ import annotations

import ast
from collections.abc import Iterable


def names(statement: ast.stmt) -> tuple[set[str], set[str], set[str]]:
    """What a statement binds, what it changes in place, and what it reads."""
    bound, changed, read = set(), set(), set()
    for node in ast.walk(statement):
        if isinstance(node, ast.Name):
            (read if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).split(".")[0])
        if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            read.add(node.target.id)
        if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            changed |= base(node)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
            changed |= base(node.value.func)
    return bound, changed, read


def base(node: ast.expr) -> set[str]:
    """The name at the root of `a.b[c].d`, where there is one and something follows it."""
    depth = 0
    while isinstance(node, ast.Attribute | ast.Subscript):
        node, depth = node.value, depth + 1
    return {node.id} if depth and isinstance(node, ast.Name) else set()


def needed(cell: str, above: Iterable[str]) -> list[str]:
    """For each cell above, its statements that the cell needs; "" where it needs none."""
    wanted = set().union(*(read | changed for _, changed, read in map(names, ast.parse(cell).body)))
    found = []
    for source in reversed([*above]):
        kept = []
        for statement in reversed(ast.parse(source).body):
            bound, changed, read = names(statement)
            if wanted & (bound | changed):
                first = min(node.lineno for node in [*getattr(statement, "decorator_list", ()), statement])
                kept.append("\n".join(source.splitlines()[first - 1:statement.end_lineno]))
                wanted |= read | changed
        found.append("\n".join(reversed(kept)))
    return [*reversed(found)]
