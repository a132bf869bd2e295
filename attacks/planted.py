r"""False texts, weakened checks, swapped controls and empty steps, planted at random: which of them are noticed?

    python attacks/planted.py --seed 7                  30 texts, 30 steps and errata, 20 of each kind of check
    python attacks/planted.py --seed 7 --kind texts --count 5
    python attacks/planted.py --seed 7 --list           what would be planted

Each is one change of one place, drawn without a look at the tests: another number, exponent, sign, direction or
quantifier in a statement, in a step of a proof or in an erratum; a search over fewer cases, or without its absolute
value; a search that leaves a loop early, skips a branch or forgets all but the last case; two controls of one check
with each other's arguments; a relation that compares something with itself. It is planted in a copy of the repository,
and these are asked, each by itself:

    formula   the formulas that the statement declares, evaluated against the functions that are checked
    relations the relations of its text that held at every point, evaluated again
    verdict   `derl verify` of the statements: another word, a check or control that fails
    silent    relations with the same words on both sides
    cases     how many cases searches meet and how many numbers they compare, against what is recorded (`cases.py`)
    rooms     the room of steps and the miss of controls, against the recorded ones
    ties      formulas, relations and numbers of its text that its checks compute, against the recorded ones (`ties.py`)
    others    formulas of its text that stand in another text as well, against the recorded ones (`ties.py`)
    labels    the numbers and names in the label of a control, against what it plants (`labels.py`)
    numbers   the tests of the numbers in the prose of pages, of which one digit or one relation is changed
    held      formulas and numbers of pages that a statement, a value or a cell held (`tests/book/held.py`)
    pair      the text beside a formal statement, against the recorded digest of the pair
    record    text, arguments and code, against the recorded comparison (`derl paper compare`)
    recorded  formulas and numbers of pages that nothing holds, against `tests/book/recorded.csv`

The last three notice every change, false or not: they say that somebody has to compare again. `others` compares one
text with another, so it knows of disagreement and not of truth. So the table has three figures: noticed by what the
change means (by none of these four), noticed without a record, and noticed at all. Results go to
`_build/benchmarks/planted.csv`; `python attacks/trust.py planted` keeps them for the book. False lines in programs
are drawn by `mutants_random.py`.
"""

from __future__ import annotations

import argparse
import ast
import csv
import datetime
import json
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from derl.ledger.provenance import digest

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "_build" / "attacks" / "planted.csv"
COUNTS = {"texts": 30, "steps": 30, "weakened": 20, "shortened": 20, "swapped": 20, "tautologies": 20, "pages": 30}
WAYS = ("formula", "relations", "verdict", "silent", "cases", "rooms", "ties", "labels", "numbers", "held", "others",
        "pair", "record", "recorded")
TEXTS, RECORDS = {"others"}, {"pair", "record", "recorded"}  # ways that compare texts, and that notice every change
LEFT_OUT = shutil.ignore_patterns(".git", "_build", ".venv", "node_modules", "vendor", "__pycache__", ".hypothesis")
SECONDS = 600
PROSE = ("test_typed_numbers", "test_travelling")
RELATIONS = ("equal", "same_operator", "same_fraction", "at_least", "exceeds", "exactly", "at_most", "less_than")
OPPOSITE = {"every": "some", "all": "some", "at least": "at most", "at most": "at least", "largest": "smallest",
            "smallest": "largest", "increases": "decreases", "decreases": "increases", "exactly when": "only when",
            "if and only if": "if", "above": "below", "below": "above", "never": "often", "each": "one", "no": "every"}


@dataclass(frozen=True)
class Plant:
    """One change: a file, a piece of it that stands there once at this place, and what it becomes."""

    kind: str
    file: str
    line: int
    start: int  # of the piece in the file
    old: str
    new: str
    about: str  # the statement, or the check


# --------------------------------------------------------------------------------------------------- texts


def regions(text: str) -> Iterator[tuple[str, str, int, int]]:
    """(statement, "texts" or "steps", first, last character) of what an entry of claims.yml says in words."""
    key, kind, at, begin = "", "", 0, 0
    for line in text.splitlines(keepends=True) + ["end:\n"]:
        name = re.match(r"( *)(?:- )?([a-z_]+|[a-z][a-z0-9-]*):", line)
        if name and len(name[1]) <= 6 and not line.startswith(" " * 8):
            if kind:
                yield key, kind, begin, at
            kind = ""
            if not name[1] and not line.startswith("-"):
                key = name[2]
            elif name[2] == "statement" and len(name[1]) == 2:
                kind, begin = "texts", at + len(line)
            elif name[2] in ("say", "printed", "corrected", "reading", "margin", "becomes"):
                kind, begin = "steps", at + len(line)
        at += len(line)


def spoilt(piece: str) -> Iterator[tuple[int, str, str]]:
    """(place, old, new) for every change of one place of a text; references stay, and signs change in formulas only."""
    quoted = [found.span() for found in re.finditer(r"`[^`]*`", piece)]
    formulas = [found.span() for found in re.finditer(r"\$\$.*?\$\$|\$.*?\$", piece, re.DOTALL)]
    for place, old, new in _spoilt(piece):
        if not any(first <= place < last for first, last in quoted) and (
                old not in ("-", "+") or any(first <= place < last for first, last in formulas)):
            yield place, old, new


def _spoilt(piece: str) -> Iterator[tuple[int, str, str]]:
    for found in re.finditer(r"(?<![\w.`-])\d+(?![\w`]|-)", piece):
        number = int(found[0])
        yield found.start(), found[0], str(10 * number if number > 9 else number + 1)
    for found in re.finditer(r"\^(\d)", piece):
        yield found.start(), found[0], f"^{(int(found[1]) + 1) % 10}"
    for old, new in ((r"\\le(?![a-zA-Z])", r"\ge"), (r"\\ge(?![a-zA-Z])", r"\le"), (r"\\min(?![a-z])", r"\max"),
                     (r"\\max(?![a-z])", r"\min"), (r"(?<=[\w}])-(?=[\d\\])", "+"),
                     (r"(?<=[\w})])\+(?=[\d\\A-Z])", "-"), (r"\\sqrt(?=[ {\\])", ""), (r"\\sum(?=_)", r"\prod")):
        for found in re.finditer(old, piece):
            yield found.start(), found[0], new
    for old, new in OPPOSITE.items():
        for found in re.finditer(rf"\b{old}\b", piece):
            yield found.start(), old, new


def texts(kind: str) -> Iterator[list[Plant]]:
    """All changes of each statement of a kind."""
    for path in sorted((ROOT / "derl" / "claims").glob("*/claims.yml")):
        text, of = path.read_text(encoding="utf-8"), defaultdict(list)
        for key, found, first, last in regions(text):
            if found == kind:
                of[key] += [Plant(kind, str(path.relative_to(ROOT)), text.count("\n", 0, first + place) + 1,
                                  first + place, old, new, key) for place, old, new in spoilt(text[first:last])]
        yield from filter(None, of.values())


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


def swapped() -> Iterator[list[Plant]]:
    """Two controls of one check, each with the arguments of the other."""
    for path, text, tree in modules():
        of = defaultdict(list)
        for node in tree.body:
            call = getattr(node, "value", None)
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "control" and len(call.args) == 3:
                of[ast.unparse(call.args[0])].append(call)
        for name, calls in of.items():
            found = []
            for one, other in zip(calls, calls[1:], strict=False):
                first = change("swapped", path, text, one, "", name)
                second = change("swapped", path, text, other, "", name)
                whole = text[first.start:second.start + len(second.old)]
                pieces = [ast.get_source_segment(text, call.args[2]) for call in (one, other)]
                if whole.count(pieces[0]) == whole.count(pieces[1]) == 1:
                    new = whole.replace(pieces[0], "\0").replace(pieces[1], pieces[0]).replace("\0", pieces[1])
                    found.append(Plant("swapped", first.file, first.line, first.start, whole, new, name))
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


# --------------------------------------------------------------------------------------------------- pages


def pages() -> Iterator[list[Plant]]:
    """One digit of one number, or one relation, in the prose of a page; code, roles and addresses are left alone."""
    for path in sorted((ROOT / "book").rglob("*.md")):
        if "node_modules" in path.parts:
            continue
        text = path.read_text(encoding="utf-8")
        found = [Plant("pages", str(path.relative_to(ROOT)), text.count("\n", 0, start) + 1, start, old, new, path.stem)
                 for start, old, new in in_prose(text)]
        if found:
            yield found


def in_prose(text: str) -> Iterator[tuple[int, str, str]]:
    """(place, old, new) for every digit and relation of a page that can be changed."""
    code = r"^```.*?^```|`[^`\n]*`|\]\([^)]*\)|^---\n.*?^---|^:[a-z-]+:.*?$"
    left_out = [found.span() for found in re.finditer(code, text, re.DOTALL | re.MULTILINE)]
    formulas = [found.span() for found in re.finditer(r"\$\$.*?\$\$|\$[^$]*\$", text, re.DOTALL)]

    def within(place: int, spans: list[tuple[int, int]]) -> bool:
        return any(first <= place < last for first, last in spans)

    for number in re.finditer(r"(?<![\w.#-])(?:[A-F]\.)?\d+(?:[.,]\d+)*(?![\w-])|(?<=frac)\d+|(?<=[}^_])\d", text):
        if not within(number.start(), left_out):
            digit = str((int(number[0][-1]) + 1) % 10)
            yield number.start(), number[0], number[0][:-1] + digit
    for sign in re.finditer(r"\\(?:le|ge)(?![a-zA-Z])|[<>]", text):
        if within(sign.start(), formulas) and not within(sign.start(), left_out):
            yield sign.start(), sign[0], {"\\le": "\\ge", "\\ge": "\\le", "<": ">", ">": "<"}[sign[0]]


DRAWN = {"texts": lambda: texts("texts"), "steps": lambda: texts("steps"), "weakened": weakened, "shortened": shortened,
         "swapped": swapped, "tautologies": tautologies, "pages": pages}


def draw(kind: str, count: int, seed: int) -> list[Plant]:
    """So many of a kind: statements, checks or pages with the same chance, and one place in each."""
    rng, groups = random.Random(f"{kind} {seed}"), list(DRAWN[kind]())
    rng.shuffle(groups)
    return [rng.choice(group) for group in groups[:count]]


# --------------------------------------------------------------------------------------------------- asking


ASKED = """
import json, sys
sys.path.insert(0, "attacks")
kind, about, file = sys.argv[1:]
abouts, found = about.split(), {}
def told(name, ask):
    try:
        found[name] = [str(line)[:200] for line in ask()][:2]
    except Exception as error:
        found[name] = [f"{type(error).__name__}: {error}"[:200]]
import pathlib, silent
text = pathlib.Path(file).read_text(encoding="utf-8")
told("silent", lambda: [row for row in silent.silent(text) if row[1] == "same"] if file.endswith(".py") else [])
try:
    from derl import claims
    from derl.claims import PAPER
    from derl.ledger import compared, formulas
    checks = PAPER.register().checks
    of_texts = kind in ("texts", "steps")
    ids = abouts if of_texts else sorted({c.claim for c in checks if c.name in abouts})
    rows = compared.recorded(PAPER)
    now = {key: (compared.text_of(PAPER.statements[key]),
                 compared.checks_of([check for check in checks if check.claim == key])) for key in ids}
    told("record", lambda: compared.problems({key: rows[key] for key in ids}, now))
    told("relations", lambda: [line for line in found["record"] if "relations held" in line])
    import labels
    told("labels", lambda: labels.problems(labels.table(c for c in checks if c.name in abouts), labels.recorded()))
    told("formula", lambda: formulas.problems({key: PAPER.statements[key] for key in ids}, checks, PAPER.package))
    ledger = claims.verify(ids)
    amiss = {key: f"{key} is {word}" for key, (word, _) in ledger.surprises.items() if key in ids}
    computed = {key for key in amiss if any(not (check.passes and check.rejects) for check in ledger.claims[key].checks
                                            if check.method != "kernel")}
    told("verdict", lambda: [amiss[key] for key in amiss if key in computed])
    told("pair", lambda: [amiss[key] for key in amiss if key not in computed])
    import rooms
    before = {key: row for key, row in rooms.recorded().items() if key[0] in ids}
    now = {key: row for key, row in rooms.present(ledger.claims).items() if key[0] in ids}
    told("rooms", lambda: rooms.problems(now, before))
except Exception as error:
    found["verdict"] = [f"{type(error).__name__}: {error}"[:200]]
print(json.dumps(found))
"""


def asked(root: Path, plant: Plant) -> dict[str, list[str]]:
    """What each way says of the copy with this plant in it: nothing, or up to two lines."""
    file = root / plant.file
    before = file.read_text(encoding="utf-8")
    if before[plant.start:plant.start + len(plant.old)] != plant.old:
        raise SystemExit(f"{plant.file}:{plant.line}: the text is not {plant.old!r}")
    file.write_text(before[:plant.start] + plant.new + before[plant.start + len(plant.old):], encoding="utf-8")
    try:
        if plant.kind == "pages":
            false, changed = held(root, "--only", plant.file.removeprefix("book/").removesuffix(".md"))
            return {"numbers": numbers(root), "held": false, "recorded": changed}
        found = _json(root, [sys.executable, "-c", ASKED, plant.kind, plant.about, plant.file])
        if plant.kind in ("weakened", "shortened"):
            said = _run(root, [sys.executable, "attacks/cases.py", "--only", plant.about]).splitlines()
            found["cases"] = [line for line in said if plant.about in line][:2]
        if plant.kind in ("texts", "steps"):
            said = _run(root, [sys.executable, "attacks/ties.py", "--only", plant.about]).splitlines()
            found["ties"] = [line for line in said if "other texts say" not in line][:2]
            found["others"] = [line for line in said if "other texts say" in line][:2]
    finally:
        file.write_text(before, encoding="utf-8")
    return found


def numbers(root: Path) -> list[str]:
    """What the tests of typed numbers say of the pages of a copy; nothing where they pass."""
    said = _run(root, [sys.executable, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider",
                       *(f"tests/book/{name}.py" for name in PROSE)])
    return [] if "[100%]" in said and not re.search("FAILED|ERROR", said) else said.splitlines()[-2:] or ["no answer"]


def held(root: Path, *options: str) -> tuple[list[str], list[str]]:
    """What nothing holds any more on the pages of a copy, and every change of a formula or number that is recorded."""
    said = _run(root, [sys.executable, "tests/book/held.py", *options]).splitlines()
    false = [line for line in said if line.startswith("held by nothing: ")]
    return false, [line for line in said if line not in false]


def unchanged(root: Path, plants: list[Plant]) -> None:
    """Ask the copy before anything is planted; what objects to the truth notices nothing.

    Raises
    ------
    SystemExit
    """
    for kind in dict.fromkeys(plant.kind for plant in plants):
        of_kind = [plant for plant in plants if plant.kind == kind]
        if kind == "pages":
            if said := numbers(root) + sum(held(root), []):
                raise SystemExit(f"{kind}: the unchanged copy is objected to: {said}")
            continue
        abouts = sorted({plant.about for plant in of_kind})
        said = _json(root, [sys.executable, "-c", ASKED, kind, " ".join(abouts), of_kind[0].file])
        if kind in ("texts", "steps"):
            said["ties"] = _run(root, [sys.executable, "attacks/ties.py", "--only", ",".join(abouts)]).splitlines()
        if kind in ("weakened", "shortened"):
            said["cases"] = _run(root, [sys.executable, "attacks/cases.py"]).splitlines()
        if any(said.values()) or not {"verdict", "record", "rooms", "formula"} <= said.keys():
            raise SystemExit(f"{kind}: the unchanged copy is objected to: {said}")


def _run(root: Path, command: list[str]) -> str:
    try:
        return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, timeout=SECONDS,
                              env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(root), "OPENBLAS_NUM_THREADS": "1",
                                   "PYTHONDONTWRITEBYTECODE": "1"}).stdout
    except subprocess.TimeoutExpired:
        return ""


def _json(root: Path, command: list[str]) -> dict:
    said = _run(root, command).strip().splitlines()
    try:
        return json.loads(said[-1])
    except (IndexError, ValueError):
        return {"verdict": ["it does not come to an end"]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=COUNTS)
    parser.add_argument("--count", type=int, help="of each kind")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args()
    kinds = [options.kind] if options.kind else list(COUNTS)
    plants = [plant for kind in kinds for plant in draw(kind, options.count or COUNTS[kind], options.seed)]
    if options.list:
        print(*(f"{p.kind:12}{p.file}:{p.line} {p.about}: {p.old[:60]!r} -> {p.new[:60]!r}" for p in plants), sep="\n")
        return 0
    rows, origin = [], {"day": datetime.date.today().isoformat(), "code": digest("derl")[:12]}
    with tempfile.TemporaryDirectory(prefix="planted-") as folder:
        root = Path(folder) / "copy"
        shutil.copytree(ROOT, root, ignore=LEFT_OUT, symlinks=True)
        unchanged(root, plants)
        for plant in plants:
            found = asked(root, plant)
            by = [way for way in WAYS if found.get(way)]
            rows.append({**asdict(plant), **origin, "seed": options.seed, "by": " ".join(by),
                         "said": next((found[way][0] for way in by), "")})
            print(f"{plant.kind:12}{plant.about[:44]:46}{plant.old[:18]!r:22}-> {plant.new[:18]!r:22}{' '.join(by)}",
                  flush=True)
            options.out.parent.mkdir(parents=True, exist_ok=True)
            with options.out.open("w", encoding="utf-8", newline="") as stream:
                writer = csv.DictWriter(stream, rows[0], lineterminator="\n")
                writer.writeheader()
                writer.writerows(rows)
    summary(rows)
    return 0


def ways(row: dict) -> tuple[bool, bool, bool]:
    """Whether a plant was noticed by what it means, without a record, and at all."""
    by = set(row["by"].split())
    return bool(by - RECORDS - TEXTS), bool(by - RECORDS), bool(by)


def summary(rows: list[dict]) -> None:
    """Shares by kind."""
    for kind in dict.fromkeys(row["kind"] for row in rows):
        found = [ways(row) for row in rows if row["kind"] == kind]
        meaning, unrecorded, noticed = (sum(column) for column in zip(*found, strict=True))
        print(f"{kind:12} {len(found):3} planted, {meaning:3} noticed by what they mean, "
              f"{unrecorded:3} without a record, {noticed:3} noticed")


if __name__ == "__main__":
    sys.exit(main())
