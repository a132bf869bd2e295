"""Steps that say nothing: those that no parameter, no symbol and no computation can make false.

    python attacks/silent.py             list them by kind
    python attacks/silent.py --untouched add the steps that no control of their check changes
    python attacks/silent.py --few       add the steps of proofs for all that are shown for a fixed few
    python attacks/silent.py --unplanted add the parameters of checks for everything that no control changes

The judge itself marks as bookkeeping a relation whose two sides are the same expression, or whose left side is the
right one and symbols that were supposed not to be negative (`Decided.trivial`). This script reads the source for what
the judge cannot see, because both sides are plain values by then:

    same       the two sides of a relation are the same words: exactly(total, total)
    constants  both sides are written numbers, log 2 < 3/4: a number of the proof, which no hypothesis can change

Exit status: 1 where a relation has the same words on both sides outside `bookkeeping(...)`.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CLAIMS = ROOT / "derl" / "claims"
LEDGER = ROOT / "_build" / "ledger.json"
TWO = {"equal", "same_operator", "same_fraction", "at_least", "exceeds", "exactly", "at_most", "less_than", "below",
       "by_sign", "by_sign_at_least"}
ONE = {"nonnegative", "positive", "nonnegative_from"}
WRITTEN = {"Fraction", "Rational", "Integer", "sympy", "S", "sqrt", "log", "int", "float", "tuple", "oo", "pi", "len",
           "min", "max", "sum", "abs", "set"}
COMPARED = (ast.Eq, ast.LtE, ast.GtE, ast.Is)


def relations(tree: ast.AST) -> Iterator[tuple[ast.AST, list[ast.expr]]]:
    """(node, its sides) for every relation and comparison in a piece of code, those that are marked left out."""
    stack = [tree]
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Call):
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            if name == "bookkeeping":
                continue
            if name in TWO and len(node.args) >= 2:
                yield node, node.args[:2]
        stack += ast.iter_child_nodes(node)


def silent(text: str) -> Iterator[tuple[int, str, str]]:
    """(line, kind, code) of the relations in a module that say nothing."""
    for node, (left, right) in relations(ast.parse(text)):
        if ast.dump(left) == ast.dump(right):
            yield node.lineno, "same", ast.unparse(node)
        elif _written(left) and _written(right):
            yield node.lineno, "constants", ast.unparse(node)


def _written(node: ast.AST) -> bool:
    """Whether nothing but written numbers is in it."""
    return not any(isinstance(part, ast.Name) and part.id not in WRITTEN or isinstance(part, ast.Attribute) and
                   part.attr not in WRITTEN for part in ast.walk(node))


def few(text: str) -> Iterator[tuple[int, str, str, int]]:
    """(line, check, code, how many) of steps of symbolic checks that cover everything and go through a fixed few."""
    for function in ast.parse(text).body:
        if not isinstance(function, ast.FunctionDef) or not _for_all(function):
            continue
        for node in ast.walk(function):
            for part in getattr(node, "generators", ()):
                if (size := _size(part.iter)) is not None:
                    yield node.lineno, function.name, ast.unparse(node)[:100], size


def _for_all(function: ast.FunctionDef) -> bool:
    for decorator in function.decorator_list:
        words = {word.arg: getattr(word.value, "value", None) for word in getattr(decorator, "keywords", ())}
        if words.get("method") == "symbolic" and words.get("covers") == "everything":
            return True
    return False


def _size(node: ast.AST) -> int | None:
    """How many cases a written range or tuple has."""
    if isinstance(node, ast.Tuple | ast.List):
        return len(node.elts)
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "range" and \
            all(isinstance(word, ast.Constant) for word in node.args):
        return len(range(*(word.value for word in node.args)))
    return None


def unplanted(checks: Iterable) -> Iterator[tuple[str, str]]:
    """(check, parameter) of what a check for everything says could be false, and no control makes false."""
    done = set()
    for check in checks:
        if check.formal or check.covers != "everything" or check.source in done:
            continue
        done.add(check.source)
        changed = {name for control in check.controls for name in control.plant()}
        yield from ((check.source, name) for name in inspect.signature(check.function).parameters
                    if name not in changed)


def untouched() -> Iterator[tuple[str, str, int, str]]:
    """As `untouched_of`, for all checks of the paper."""
    from derl.claims import PAPER

    return untouched_of(PAPER.register().checks)


def untouched_of(checks: Iterable) -> Iterator[tuple[str, str, int, str]]:
    """(claim, check, number, step) of the steps that are the same relation under every control of their check."""
    from derl.ledger.trial import attempt

    done = set()
    for check in checks:
        if check.method != "symbolic" or check.formal or check.source in done or check.tier != "quick":
            continue
        done.add(check.source)
        truth, _ = attempt(check, {})
        others = [attempt(check, control.plant())[0] for control in check.controls]
        for at, (name, _) in enumerate(truth.steps if truth else ()):
            told = _told(truth, at)
            if all(other is None or len(other.steps) != len(truth.steps) or _told(other, at) == told
                   for other in others):
                yield check.claim, check.name, at + 1, name


def _told(evidence, at: int) -> str:
    """A relation as text."""
    answer = evidence.askable.get(at)
    parts = getattr(answer, "parts", (answer,))
    return " ".join(f"{getattr(part, 'left', '')} {getattr(part, 'relation', '')} {getattr(part, 'right', '')}"
                    for part in parts) + str(evidence.steps[at])


def of_the_judge(claims: dict) -> list[tuple[str, str, int, str]]:
    """(claim, check, number, step) of the steps that the ledger calls bookkeeping and no control makes false."""
    found = []
    for key, row in claims.items():
        for check in row.checks:
            broken = {name for control in check.controls for name in control.breaks}
            found += [(key, check.name, at, step.name) for at, step in enumerate(check.steps, 1)
                      if step.bookkeeping and step.name not in broken]
    return found


def main() -> int:
    from derl.ledger import Ledger

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--untouched", action="store_true")
    parser.add_argument("--few", action="store_true")
    parser.add_argument("--unplanted", action="store_true", help="add parameters that no control changes")
    options = parser.parse_args()
    found = [(path.relative_to(ROOT).as_posix(), *row) for path in sorted(CLAIMS.rglob("*.py"))
             for row in silent(path.read_text(encoding="utf-8"))]
    print(*(f"{file}:{line}: {kind}: {code}" for file, line, kind, code in found), sep="\n", end="\n" if found else "")
    if LEDGER.is_file():
        marked = of_the_judge(Ledger.load(LEDGER).claims)
        print(f"{len(marked)} steps are bookkeeping by the judge")
    if options.few:
        rows = [(path.relative_to(ROOT).as_posix(), *row) for path in sorted(CLAIMS.rglob("*.py"))
                for row in few(path.read_text(encoding="utf-8"))]
        print(*(f"{file}:{line}: {name}: {size} cases: {code}" for file, line, name, code, size in rows), sep="\n")
        print(f"{len(rows)} steps of proofs for all go through a written few")
    if options.unplanted:
        from derl.claims import PAPER

        rows = list(unplanted(PAPER.register().checks))
        print(*(f"{name}: {parameter}" for name, parameter in rows), sep="\n")
        print(f"{len(rows)} parameters of checks for everything are changed by no control")
    if options.untouched:
        rows = list(untouched())
        print(*(f"{claim} {name}#{at}: {step}" for claim, name, at, step in rows), sep="\n")
        print(f"{len(rows)} steps are the same under every control of their check")
    return int(any(kind == "same" for _, _, kind, _ in found))


if __name__ == "__main__":
    sys.exit(main())
