"""How much the checks search: the turns of their loops, the entries of their arrays, the numbers that they compare.

    python attacks/cases.py            compare with what is recorded in tests/claims/cases.csv
    python attacks/cases.py --renew    record what was counted

A search that got narrower meets fewer cases than were recorded, whatever it says that it covers. The modules below
`derl.claims` are imported with a counter

- around what each `for` and each comprehension goes through (turns),
- around what `np.` and `rng.` calls make (entries),
- around every absolute value, maximum, minimum, sum, comparison and `+=`, and in every branch that is taken (compared):
  a search without its absolute value, without a branch, or that forgets all but the last case has fewer of them.

The checks of both tiers are run as they are, once, without their controls. What the library loops over is not counted.
It takes a minute. Exit status: 0 nothing has changed; 1 something has, a line each.
"""

from __future__ import annotations

import argparse
import ast
import csv
import json
import sys
from collections import Counter
from pathlib import Path

import instrumented

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "tests" / "claims" / "cases.csv"
MAKERS = {"np", "rng", "itertools"}
JUDGES = {"abs", "max", "min", "any", "all", "sum"}
COLUMNS = ("check", "turns", "entries", "compared")
WORDS = ("loops meet {} cases", "arrays hold {} numbers", "judgement takes in {} numbers")

met = Counter()


def turns(iterable):
    """What a loop goes through; every turn counts."""
    for one in iterable:
        met["turns"] += 1
        yield one


def entries(made):
    """An array as it is; its entries count."""
    met["entries"] += int(getattr(made, "size", 0) or 0)
    return made


def compared(judged):
    """What is compared, as it is; each of its numbers counts."""
    met["compared"] += int(getattr(judged, "size", 1)) if hasattr(judged, "dtype") else 1
    return judged


def taken(node: ast.expr | ast.stmt) -> ast.Call:
    """The call that counts one branch, at the place of `node`; it is true."""
    return instrumented.call("_compared", ast.copy_location(ast.Constant(True), node))


class Counted(ast.NodeTransformer):
    """Puts the three counters into a module."""

    def visit_For(self, node):
        self.generic_visit(node)
        node.iter = instrumented.call("_turns", node.iter)
        return node

    def visit_comprehension(self, node):
        self.generic_visit(node)
        node.iter = instrumented.call("_turns", node.iter)
        node.ifs = [ast.copy_location(ast.BoolOp(ast.And(), [part, taken(part)]), part) for part in node.ifs]
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        inside = node.func
        while isinstance(inside, ast.Attribute):
            inside = inside.value
        if isinstance(node.func, ast.Attribute) and isinstance(inside, ast.Name) and inside.id in MAKERS:
            return instrumented.call("_entries", node)
        if isinstance(node.func, ast.Name) and node.func.id in JUDGES:
            node.args = [part if isinstance(part, ast.Starred) else instrumented.call("_compared", part)
                         for part in node.args]
        elif isinstance(node.func, ast.Attribute) and node.func.attr in JUDGES:
            node.func.value = instrumented.call("_compared", node.func.value)
        return node

    def visit_While(self, node):
        self.generic_visit(node)
        node.body.insert(0, ast.copy_location(ast.Expr(taken(node)), node))
        return node

    def visit_If(self, node):
        self.generic_visit(node)
        node.body.insert(0, ast.copy_location(ast.Expr(taken(node)), node))
        return node

    def visit_IfExp(self, node):
        self.generic_visit(node)
        node.body = instrumented.call("_compared", node.body)
        return node

    def visit_Compare(self, node):
        self.generic_visit(node)
        node.left = instrumented.call("_compared", node.left)
        return node

    def visit_AugAssign(self, node):
        self.generic_visit(node)
        node.value = instrumented.call("_compared", node.value)
        return node


def counted(methods: set[str] | None = None, only: str = "") -> dict[str, tuple[int, int, int]]:
    """check -> (turns, entries, compared), of the checks of these methods whose name contains `only`."""
    instrumented.install(Counted, _turns=turns, _entries=entries, _compared=compared)
    from derl.claims import PAPER
    from derl.ledger.trial import attempt

    found = {}
    for check in PAPER.register().checks:
        if check.formal or check.source in found or only not in check.source or \
                methods and check.method not in methods:
            continue
        forget()
        met.clear()
        evidence, amiss = attempt(check, {})
        if evidence is None:
            sys.exit(f"{check.source} could not be run: {amiss}")
        found[check.source] = met["turns"], met["entries"], met["compared"]
    return found


def forget() -> None:
    """Empty the caches of the modules of checks, so that a count does not depend on the checks before."""
    for name, module in list(sys.modules.items()):
        if name.startswith(instrumented.PACKAGE):
            for kept in vars(module).values():
                getattr(kept, "cache_clear", lambda: None)()


def recorded() -> dict[str, tuple[int, int, int]]:
    """What was counted last."""
    with FILE.open(encoding="utf-8", newline="") as stream:
        return {row["check"]: tuple(int(row[name]) for name in COLUMNS[1:]) for row in csv.DictReader(stream)}


def problems(now: dict[str, tuple[int, int, int]], before: dict[str, tuple[int, int, int]],
             whole: bool = False) -> list[str]:
    """Checks that met another number of cases than is recorded, a line each.

    Parameters
    ----------
    whole : bool
        Whether all checks were counted, so that one that is only recorded is gone or could not run.
    """
    found = [f"{name}: its cases were never counted" for name in now if name not in before]
    found += [f"{name}: it is recorded, and was not met" for name in before if whole and name not in now]
    for name, old in before.items():
        new = now.get(name, old)
        for words, was, is_ in zip(WORDS, old, new, strict=True):
            if was != is_:
                found.append(f"{name}: its {words.format(f'{is_:,}')}; {was:,} are recorded")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--renew", action="store_true")
    parser.add_argument("--only", default="", help="checks whose name contains this text")
    parser.add_argument("--methods", default="", help="of these methods, joined by commas")
    parser.add_argument("--json", action="store_true", help="print what was counted")
    options = parser.parse_args()
    now = counted(set(filter(None, options.methods.split(","))) or None, options.only)
    if options.json:
        print(json.dumps(now))
        return 0
    if options.renew:
        from derl.inputs.files import table

        kept = {name: row for name, row in (recorded() if FILE.is_file() else {}).items()
                if options.only or options.methods} | now
        FILE.write_text(table(COLUMNS, ([name, *row] for name, row in sorted(kept.items()))), encoding="utf-8")
    found = problems(now, recorded(), not options.only and not options.methods)
    print(*found, sep="\n", end="\n" if found else "")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
