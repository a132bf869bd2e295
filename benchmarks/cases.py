"""How many cases the checks meet: every loop in their modules counts its turns, every numpy array its entries.

    python benchmarks/cases.py            compare with what is recorded in tests/claims/cases.csv
    python benchmarks/cases.py --renew    record what was counted

A search that got narrower meets fewer cases than were recorded, whatever it says that it covers. The modules below
`derl.claims` are imported with a counter around what each `for` and each comprehension goes through, and around what
`np.` and `rng.` calls make; the checks themselves are run as they are, once, without their controls. What the library
loops over is not counted. It takes half a minute. Exit status: 0 nothing has changed; 1 something has, a line each.
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
COLUMNS = ("check", "turns", "entries")

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


class Counted(ast.NodeTransformer):
    """Puts the two counters into a module."""

    def visit_For(self, node):
        self.generic_visit(node)
        node.iter = instrumented.call("_turns", node.iter)
        return node

    def visit_comprehension(self, node):
        self.generic_visit(node)
        node.iter = instrumented.call("_turns", node.iter)
        return node

    def visit_Call(self, node):
        self.generic_visit(node)
        inside = node.func
        while isinstance(inside, ast.Attribute):
            inside = inside.value
        made = isinstance(node.func, ast.Attribute) and isinstance(inside, ast.Name) and inside.id in MAKERS
        return instrumented.call("_entries", node) if made else node


def counted(methods: set[str] | None = None, only: str = "") -> dict[str, tuple[int, int]]:
    """check -> (turns, entries), of the quick checks of these methods whose name contains `only`."""
    instrumented.install(Counted, _turns=turns, _entries=entries)
    from derl.claims import PAPER
    from derl.ledger.trial import attempt

    found = {}
    for check in PAPER.register().checks:
        if check.formal or check.tier != "quick" or check.source in found or only not in check.source or \
                methods and check.method not in methods:
            continue
        met.clear()
        evidence, amiss = attempt(check, {})
        if evidence is None:
            sys.exit(f"{check.source} could not be run: {amiss}")
        found[check.source] = met["turns"], met["entries"]
    return found


def recorded() -> dict[str, tuple[int, int]]:
    """What was counted last."""
    with FILE.open(encoding="utf-8", newline="") as stream:
        return {row["check"]: (int(row["turns"]), int(row["entries"])) for row in csv.DictReader(stream)}


def problems(now: dict[str, tuple[int, int]], before: dict[str, tuple[int, int]], whole: bool = False) -> list[str]:
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
        for what, was, is_ in zip(("cases", "numbers"), old, new, strict=True):
            if was != is_:
                found.append(f"{name}: its loops meet {is_:,} {what}; {was:,} are recorded")
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
        from derl.boundary.files import table

        kept = {name: row for name, row in (recorded() if FILE.is_file() else {}).items() if options.only} | now
        FILE.write_text(table(COLUMNS, ([name, *row] for name, row in sorted(kept.items()))), encoding="utf-8")
    found = problems(now, recorded(), not options.only and not options.methods)
    print(*found, sep="\n", end="\n" if found else "")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
