"""Mutants drawn at random: what the table of chosen ones cannot tell, because whoever chose them knew the tests.

    python attacks/mutants_random.py --count 60 --seed 1 --out drawn.csv
    python attacks/mutants_random.py --count 8 --seed 2 --groups tools,theory
    python attacks/mutants.py --table drawn.csv --out found.csv

Draws, in every group, so many changes of one place of the code, each place and each kind of change with the same
chance: `<` for `<=`, `+` for `-`, `*` for `/`, `and` for `or`, a negation dropped, maximum for minimum, a number one
larger or twice as large. The rows of the groups take turns, so that a run that is stopped has seen all of them.

Left out is what cannot be false: text and annotations, messages of what is raised, seeds, tolerances of zero, how far a
grid or a loop over cases goes in a check, and `compiled` switches. What is drawn may still change nothing that is
claimed; a survivor of that kind is listed with its reason.
"""

from __future__ import annotations

import argparse
import ast
import itertools
import random
from collections.abc import Iterator
from pathlib import Path

from mutants_table import ROOT, Mutant, write

GROUPS = {"environment": ("mdp", "deployment", "estimation"), "algorithms": ("algorithms",), "theory": ("theory",),
          "ledger": ("ledger",), "claims": ("claims",),
          "tools": ("inputs", "certificates", "experiments", "cli", "show")}
COMPARED = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
            ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In}
COMPUTED = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
            ast.Pow: ast.Mult, ast.Mod: ast.FloorDiv, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd}
CALLED = {"max": "min", "min": "max", "maximum": "minimum", "minimum": "maximum", "argmax": "argmin",
          "argmin": "argmax", "any": "all", "all": "any", "ceil": "floor", "floor": "ceil", "sum": "prod"}
CASES = {"range", "linspace", "logspace", "geomspace", "arange", "default_rng", "SeedSequence", "random", "spawn",
         "grid", "product"}  # how many cases are tried, and which
SILENT = {"seed", "seeds", "trials", "samples", "cases", "count", "tolerance", "covers", "scope", "title", "compiled"}


def places(tree: ast.Module, of_checks: bool) -> Iterator[tuple[ast.AST, ast.AST, str]]:
    """(node, what it becomes, the change in words) for every change that could be made."""
    stack: list[ast.AST] = [tree]
    while stack:
        node = stack.pop()
        yield from _changes(node)
        stack += [child for child in ast.iter_child_nodes(node) if not _is_left_out(node, child, of_checks)]


def _is_left_out(node: ast.AST, child: ast.AST, of_checks: bool) -> bool:
    if isinstance(child, ast.Raise | ast.JoinedStr | ast.Import | ast.ImportFrom | ast.arg | ast.Assert):
        return True
    if isinstance(node, ast.FunctionDef | ast.ClassDef) and child in node.decorator_list:
        return True
    if isinstance(node, ast.FunctionDef | ast.AnnAssign) and child in (getattr(node, "returns", None),
                                                                     getattr(node, "annotation", None)):
        return True
    if isinstance(child, ast.FunctionDef) and child.name in ("__repr__", "_repr_html_", "__str__", "summary"):
        return True
    if isinstance(child, ast.keyword) and child.arg in SILENT:
        return True
    if of_checks and isinstance(node, ast.Call) and child in node.args and _name(node.func) in CASES:
        return True
    return of_checks and isinstance(child, ast.comprehension) or isinstance(node, ast.For) and child is node.iter


def _changes(node: ast.AST) -> Iterator[tuple[ast.AST, ast.AST, str]]:
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in COMPARED:
        yield node, ast.Compare(node.left, [COMPARED[type(node.ops[0])]()], node.comparators), "another comparison"
    elif isinstance(node, ast.BinOp) and type(node.op) in COMPUTED and not any(map(_is_text, (node.left, node.right))):
        yield node, ast.BinOp(node.left, COMPUTED[type(node.op)](), node.right), "another operation"
    elif isinstance(node, ast.BoolOp):
        other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        yield node, ast.BoolOp(other, node.values), "the other connective"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.Invert | ast.USub):
        yield node, node.operand, "a negation dropped"
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        yield node, ast.Constant(node.value + 1 if type(node.value) is int else 2 * node.value or 1.0), "another number"
    elif isinstance(node, ast.Constant) and type(node.value) is bool:
        yield node, ast.Constant(not node.value), "the other truth value"
    elif isinstance(node, ast.Call) and _name(node.func) in CALLED:
        func, name = node.func, CALLED[_name(node.func)]
        other = ast.Name(name) if isinstance(func, ast.Name) else ast.Attribute(func.value, name)
        if isinstance(func, ast.Attribute) or func.id != "sum":
            yield func, other, "another function"


def _name(func: ast.AST) -> str:
    return func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or isinstance(node, ast.Constant) and isinstance(node.value, str)


def replaced(text: str, node: ast.AST, new: ast.AST) -> tuple[str, str] | None:
    """(old, new) as whole lines of the text, as many as make `old` stand there once; None where it cannot be told."""
    lines = text.splitlines(keepends=True)
    source = ast.get_source_segment(text, node)
    if source is None or "\n" in source:
        return None
    row = node.lineno - 1
    line = lines[row].encode()
    became = ast.unparse(ast.fix_missing_locations(new))
    became = f"({became})" if isinstance(new, ast.BinOp | ast.BoolOp | ast.Compare | ast.UnaryOp) else became
    planted = (line[:node.col_offset] + became.encode() + line[node.end_col_offset:]).decode()
    for first in range(row, max(row - 12, -1), -1):
        before = "".join(lines[first:row])
        if text.count(before + lines[row]) == 1:
            return before + lines[row], before + planted
    return None


def draw(root: Path, group: str, count: int, seed: int) -> list[Mutant]:
    """So many mutants of a group; at most one of a place."""
    found = []
    for folder in GROUPS[group]:
        for path in sorted((root / "derl" / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            for node, new, words in places(ast.parse(text), group == "claims"):
                found.append((path, text, node, new, words))
    rng, drawn = random.Random(f"{group} {seed}"), []
    while found and len(drawn) < count:
        path, text, node, new, words = found.pop(rng.randrange(len(found)))
        texts = replaced(text, node, new)
        changed = texts and text.replace(*texts)
        try:
            if not texts or ast.dump(ast.parse(changed)) == ast.dump(ast.parse(text)):
                continue
        except SyntaxError:
            continue
        was, became = (" ".join(ast.unparse(part).split())[:40] for part in (node, ast.fix_missing_locations(new)))
        drawn.append(Mutant(group, f"random {seed}", str(path.relative_to(root)), *texts,
                            f"{words}: {was} -> {became}", "", ""))
    return drawn


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=60, help="of each group")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--groups", default=",".join(GROUPS), help="joined by commas; all of them if left out")
    parser.add_argument("--out", type=Path, default=ROOT / "_build" / "attacks" / "drawn.csv")
    options = parser.parse_args()
    chosen = options.groups.split(",")
    if unknown := [name for name in chosen if name not in GROUPS]:
        parser.error(f"--groups: {', '.join(unknown)} is no group; the groups are {', '.join(GROUPS)}")
    groups = [draw(ROOT, group, options.count, options.seed) for group in chosen]
    rows = [mutant.__dict__ for turn in itertools.zip_longest(*groups) for mutant in turn if mutant]
    write(options.out, rows)
    print(f"{len(rows)} mutants in {options.out}")


if __name__ == "__main__":
    main()
