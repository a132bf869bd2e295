r"""False texts, weakened searches and empty steps, planted at random: which of them does `derl verify` notice?

    python attacks/planted.py --seed 7                  400 texts, 30 steps, 20 of each kind of check
    python attacks/planted.py --seed 7 --kind texts --count 5
    python attacks/planted.py --seed 7 --list           what would be planted
    python attacks/planted.py --table their.csv --rows 1-40      changes that somebody else has chosen

Each is one change of one place, drawn without a look at the checks: a one-sign change of a formula in a statement, or
in a step of a proof or an erratum (`derl.printed.edits`); another change of a statement, such as a factor that is left
out or a word that becomes its opposite (`larger.py`, `opposites.py`); a search over fewer cases,
or without its absolute value; a search that leaves a loop early, skips a branch or forgets all but the last case; a
relation that compares something with itself.

A change is noticed where `derl verify` of the statement, and of those whose checks quote it, finds a verdict that is
not the expected one. No digest and no recorded count is asked, and no change is planted in a changed text: only what
the checks find of that text counts. A change of a text that is not noticed is either free or unread, and the card of
the statement lists both; some of these leave the statement true.

A table has the columns id, old, new and why: `old` stands once in the statement, and becomes `new`.

Results go to `_build/attacks/planted.csv`; `python attacks/trust.py planted` keeps them for the book. False lines in
programs are drawn by `mutants_random.py`.
"""

from __future__ import annotations

import argparse
import ast
import csv
import datetime
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from larger import larger
from mutants_copy import LEFT_OUT
from opposites import opposites

from derl.claims import PAPER, verify
from derl.ledger import trial
from derl.ledger.provenance import digest
from derl.ledger.quotes import arguments, quotes
from derl.ledger.rows import VariantsRow
from derl.printed import Text, Unreadable
from derl.printed.edits import edits
from derl.theory import texts as printed_texts

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "_build" / "attacks" / "planted.csv"
COUNTS = {"texts": 400, "other": 100, "steps": 30, "weakened": 20, "shortened": 20, "tautologies": 20}
SECONDS = 600
PLANTED = VariantsRow(possible=1, outcomes={"": "rejected"}, read={})  # a changed text is not changed once more
RELATIONS = ("equal", "same_operator", "same_fraction", "at_least", "exceeds", "exactly", "at_most", "less_than")


@dataclass(frozen=True)
class Plant:
    """One change: a file or a field of a statement, the place in it, what is there, and what it becomes."""

    kind: str
    file: str
    line: int
    start: int
    old: str
    new: str
    about: str  # the statement, or the check
    field: str = ""
    source: str = ""  # the whole text after the change


# --------------------------------------------------------------------------------------------------- texts


def texts() -> Iterator[list[Plant]]:
    """All one-sign changes of the formulas of each statement."""
    for key, statement in PAPER.statements.items():
        if found := _in(key, "statement", statement.statement, "texts"):
            yield found


def said() -> Iterator[list[Plant]]:
    """All one-sign changes in the proof and the erratum of each statement."""
    for key, statement in PAPER.statements.items():
        fields = [(f"proof {number}", step.say) for number, step in enumerate(statement.proof)]
        fields += [(name, (statement.erratum or {}).get(name, "")) for name in ("printed", "corrected")]
        if found := [plant for name, text in fields for plant in _in(key, name, text, "steps")]:
            yield found


def other() -> Iterator[list[Plant]]:
    """Larger changes of the formulas of each statement, and of its words: of both equally many."""
    for ways in (larger, opposites):
        for key, statement in PAPER.statements.items():
            if found := _in(key, "statement", statement.statement, "other", ways):
                yield found


def _in(key: str, field: str, text: str, kind: str, ways: Callable = edits) -> list[Plant]:
    return [Plant(kind, "claims.yml", 0, edit.start, edit.old, edit.new, key, field, edit.source)
            for edit in ways(Text(text))]


def table(path: Path, rows: str) -> list[Plant]:
    """The changes of a table; of the rows "1-40" only these.

    Raises
    ------
    SystemExit
        A row names no piece that the text of its statement holds once; the message lists all of them.
    """
    first, _, last = rows.partition("-")
    with path.open(encoding="utf-8", newline="") as stream:
        found = list(csv.DictReader(stream))[int(first) - 1:int(last) if last else None]
    plants, amiss = [], []
    for number, row in enumerate(found, int(first)):
        statement = PAPER.find(row["id"])
        spaced = r"\s+".join(map(re.escape, row["old"].split()))  # a line may end between two words
        places = list(re.finditer(spaced, statement.statement)) if spaced else []
        if len(places) != 1:
            amiss.append(f"{path.name}: row {number}: {statement.id} holds {row['old']!r} {len(places)} times")
            continue
        start, end = places[0].span()
        plants.append(Plant("table", "claims.yml", number, start, row["old"], row["new"], statement.id, "statement",
                            statement.statement[:start] + row["new"] + statement.statement[end:]))
    if amiss:
        raise SystemExit("\n".join(amiss))
    return plants


def edited(plant: Plant):
    """The statement with the change in it."""
    statement = PAPER.statements[plant.about]
    if plant.field == "statement":
        return replace(statement, statement=plant.source)
    if plant.field.startswith("proof "):
        number = int(plant.field.removeprefix("proof "))
        steps = list(statement.proof)
        steps[number] = replace(steps[number], say=plant.source)
        return replace(statement, proof=tuple(steps))
    return replace(statement, erratum={**statement.erratum, plant.field: plant.source})


def readers(key: str) -> list[str]:
    """The statement, and those whose checks quote it."""
    return list(dict.fromkeys([key, *(check.claim for check in PAPER.registry.checks
                                      if any(quote.claim == key for quote in quotes(check.function).values()))]))


def unreadable(key: str) -> list[str]:
    """Checks that fail at once, because the text does not hold what they quote; nothing is run."""
    found = []
    for subject in (check for claim in readers(key) for check in PAPER.registry.of(claim, "quick")):
        try:
            arguments(quotes(subject.function), {})
        except Unreadable as problem:
            found.append(f"{subject.name} fails: {problem}")
    return found


def asked_of_text(plant: Plant) -> list[str]:
    """What `derl verify` says with the change of a text in it; in a process of its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            PAPER.statements[plant.about] = edited(plant)
            if plant.field == "statement":
                printed_texts.said.cache_clear()
                original = printed_texts.said
                changed = Text(PAPER.statements[plant.about].statement, plant.about)
                printed_texts.said = lambda claim: changed if claim == plant.about else original(claim)
            trial.variants = lambda *_: PLANTED
            found = unreadable(plant.about) or [
                f"{key} is {word}" for key, (word, _) in verify(readers(plant.about)).surprises.items()]
        except BaseException as error:  # noqa: BLE001  a text that the book refuses is noticed, too
            found = [f"{type(error).__name__}: {error}"[:200]]
        with os.fdopen(writing, "w") as stream:
            json.dump(found, stream)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as stream:
        told = stream.read()
    os.waitpid(child, 0)
    return json.loads(told) if told else ["the process has died"]


# -------------------------------------------------------------------------------------------------- checks


def modules() -> Iterator[tuple[Path, str, ast.Module]]:
    for path in sorted((ROOT / "derl" / "claims").glob("*/*.py")):
        text = path.read_text(encoding="utf-8")
        yield path, text, ast.parse(text)


def change(kind: str, path: Path, text: str, node: ast.AST, new: str, about: str) -> Plant:
    """A change of a piece of code."""
    lines = text.splitlines(keepends=True)
    start = sum(map(len, lines[:node.lineno - 1])) + len(lines[node.lineno - 1].encode()[:node.col_offset].decode())
    return Plant(kind, str(path.relative_to(ROOT)), node.lineno, start, ast.get_source_segment(text, node), new, about)


def decorated(function: ast.FunctionDef) -> dict:
    for call in function.decorator_list:
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "check":
            return {word.arg: getattr(word.value, "value", None) for word in call.keywords}
    return {}


def searches() -> Iterator[tuple[Path, str, ast.FunctionDef]]:
    for path, text, tree in modules():
        for function in tree.body:
            if isinstance(function, ast.FunctionDef) and decorated(function).get("method") in (
                    "exhaustive", "stress", "interval", "certificate", "statistical"):
                yield path, text, function


def weakened() -> Iterator[list[Plant]]:
    """Searches over fewer cases, and sizes without their absolute value."""
    for path, text, function in searches():
        found = []
        for node in ast.walk(ast.Module(function.body, [])):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "range":
                last = node.args[min(1, len(node.args) - 1)]
                if isinstance(last, ast.Constant) and last.value > 3:
                    found.append(change("weakened", path, text, last, str(last.value // 2 + 1), function.name))
            elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "abs":
                found.append(change("weakened", path, text, node, f"({ast.unparse(node.args[0])})", function.name))
            elif isinstance(node, ast.For | ast.comprehension) and isinstance(node.iter, ast.Tuple) and \
                    len(node.iter.elts) > 1:
                fewer = ast.unparse(ast.Tuple(node.iter.elts[:-1], ast.Load()))
                found.append(change("weakened", path, text, node.iter, fewer, function.name))
            elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("product"):
                for each in node.args:
                    if isinstance(each, ast.Tuple) and len(each.elts) > 1:
                        fewer = ast.unparse(ast.Tuple(each.elts[:-1], ast.Load()))
                        found.append(change("weakened", path, text, each, fewer, function.name))
        if found:
            yield found


def shortened() -> Iterator[list[Plant]]:
    """Searches that leave a loop after its first turn, skip a branch, or keep the last case instead of the worst."""
    for path, text, function in searches():
        found = []
        for node in ast.walk(ast.Module(function.body, [])):
            if isinstance(node, ast.For | ast.While):
                last = node.body[-1]
                early = f"{ast.get_source_segment(text, last)}\n{' ' * last.col_offset}break"
                if node.lineno != last.lineno:
                    found.append(change("shortened", path, text, last, early, function.name))
            elif isinstance(node, ast.If | ast.IfExp):
                found.append(change("shortened", path, text, node.test, "False", function.name))
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and \
                    getattr(node.value.func, "id", "") in ("max", "min") and len(node.value.args) == 2 and \
                    ast.dump(ast.Name(getattr(node.targets[0], "id", ""), ast.Load())) == ast.dump(node.value.args[0]):
                found.append(change("shortened", path, text, node.value, ast.unparse(node.value.args[1]),
                                    function.name))
        if found:
            yield found


def tautologies() -> Iterator[list[Plant]]:
    """Steps that compare something with itself, or with itself and a symbol that is not negative."""
    more = '__import__("sympy").Symbol("w", nonnegative=True)'
    for path, text, tree in modules():
        for function in tree.body:
            if not isinstance(function, ast.FunctionDef) or decorated(function).get("method") != "symbolic":
                continue
            found = []
            for node in ast.walk(function):
                if isinstance(node, ast.Tuple) and len(node.elts) == 2 and isinstance(node.elts[1], ast.Call) and \
                        getattr(node.elts[1].func, "id", "") in RELATIONS and len(node.elts[1].args) >= 2:
                    call = node.elts[1]
                    left, right, *rest = map(ast.unparse, call.args)
                    tail = "".join(f", {word}" for word in rest)
                    name = call.func.id
                    if name in ("at_least", "exceeds"):
                        new = f"{name}({right} + {more}{' + 1' * (name == 'exceeds')}, {right}{tail}, {more})"
                    elif name in ("at_most", "less_than"):
                        new = f"{name}({right}{' - 1' * (name == 'less_than')}, {right})"
                    else:
                        new = f"{name}({left}, {left})"
                    found.append(change("tautologies", path, text, call, new, function.name))
            if found:
                yield found


DRAWN = {"texts": texts, "other": other, "steps": said, "weakened": weakened, "shortened": shortened,
         "tautologies": tautologies}


def draw(kind: str, count: int, seed: int) -> list[Plant]:
    """So many of a kind: statements or checks in turn in a random order, and a random place in each."""
    rng, groups = random.Random(f"{kind} {seed}"), list(DRAWN[kind]())
    rng.shuffle(groups)
    return [rng.choice(groups[number % len(groups)]) for number in range(count)]


# --------------------------------------------------------------------------------------------------- asking


ASKED = """
import json, sys
try:
    from derl import claims
    from derl.claims import PAPER
    ids = sorted({check.claim for check in PAPER.register().checks if check.name == sys.argv[1]})
    found = [f"{key} is {word}" for key, (word, _) in claims.verify(ids).surprises.items() if key in ids]
except Exception as error:
    found = [f"{type(error).__name__}: {error}"[:200]]
print(json.dumps(found))
"""


def asked(root: Path, plant: Plant) -> list[str]:
    """What `derl verify` says of the copy with this change of a check in it: nothing, or the verdicts that differ."""
    file = root / plant.file
    before = file.read_text(encoding="utf-8")
    if before[plant.start:plant.start + len(plant.old)] != plant.old:
        raise SystemExit(f"{plant.file}:{plant.line}: the text is not {plant.old!r}")
    file.write_text(before[:plant.start] + plant.new + before[plant.start + len(plant.old):], encoding="utf-8")
    try:
        told = subprocess.run([sys.executable, "-c", ASKED, plant.about], cwd=root, capture_output=True, text=True,
                              check=False, timeout=SECONDS, env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(root),
                                                                 "OPENBLAS_NUM_THREADS": "1",
                                                                 "PYTHONDONTWRITEBYTECODE": "1"}).stdout
        return json.loads(told.strip().splitlines()[-1])
    except (subprocess.TimeoutExpired, IndexError, ValueError):
        return ["it does not come to an end"]
    finally:
        file.write_text(before, encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=COUNTS)
    parser.add_argument("--count", type=int, help="of each kind")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--table", type=Path, help="changes that somebody else has chosen")
    parser.add_argument("--rows", default="1-", help="of the table, such as 1-40")
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    PAPER.register()
    kinds = [options.kind] if options.kind else list(COUNTS)
    plants = table(options.table, options.rows) if options.table else [
        plant for kind in kinds for plant in draw(kind, options.count or COUNTS[kind], options.seed)]
    if options.list:
        print(*(f"{p.kind:12}{p.file}:{p.line} {p.about} {p.field}: {p.old[:60]!r} -> {p.new[:60]!r}" for p in plants),
              sep="\n")
        return 0
    rows, origin = [], {"day": datetime.date.today().isoformat(), "code": digest("derl")[:12]}
    with tempfile.TemporaryDirectory(prefix="planted-") as folder:
        root = Path(folder) / "copy"
        shutil.copytree(ROOT, root, ignore=LEFT_OUT, symlinks=True)
        for plant in plants:
            told = asked_of_text(plant) if plant.field else asked(root, plant)
            row = asdict(plant) | origin | {"seed": options.seed, "noticed": int(bool(told)), "said": (told or [""])[0]}
            rows.append({key: field for key, field in row.items() if key != "source"})
            print(f"{plant.kind:12}{plant.about[:44]:46}{plant.old[:18]!r:22}-> {plant.new[:18]!r:22}"
                  f"{'noticed' if told else 'NOT noticed'}", flush=True)
            options.out.parent.mkdir(parents=True, exist_ok=True)
            with options.out.open("w", encoding="utf-8", newline="") as stream:
                writer = csv.DictWriter(stream, rows[0], lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
    for kind in dict.fromkeys(row["kind"] for row in rows):
        found = [row["noticed"] for row in rows if row["kind"] == kind]
        print(f"{kind:12} {len(found):3} planted, {sum(found):3} noticed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
