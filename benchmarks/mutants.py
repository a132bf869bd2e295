"""How much of what is false would be noticed: plant one wrong line, and see whether a check or a test objects.

    python benchmarks/mutants.py                          # all of them
    python benchmarks/mutants.py --only potential         # those whose row contains this text
    python benchmarks/mutants.py --sample 20 --seed 1

Each row of mutants.csv is a false change of one line of derl/. It is made in a copy of the repository, never here. Then
what speaks of that file is run until something objects: the row's own `hits`, the mirrored tests, the statements whose
checks import the file. What objects is run once more on an unchanged copy, where it must be silent. The exit status is
1 where a group has fewer than 90 % of its mutants caught, or a row no longer fits the code.
"""

from __future__ import annotations

import argparse
import ast
import csv
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLE = Path(__file__).with_suffix(".csv")
JUDGE = Path(__file__).with_name("mutants_judge.py")
RESULTS = ROOT / "_build" / "benchmarks" / "mutants.csv"
LEFT_OUT = shutil.ignore_patterns(".git", "_build", ".venv", "node_modules", "vendor", "__pycache__", ".hypothesis")
WANTED = 0.9  # share of the mutants of each group that must be caught
FOLDERS = ("claims", "theory", "algorithms", "estimation", "deployment", "mdp", "ledger")

@dataclass(frozen=True)
class Mutant:
    """One row of the table: in `file`, the text `old`, which stands there once, becomes `new`; that is false."""

    group: str
    series: str
    file: str
    old: str
    new: str
    meaning: str
    hits: str
    survives: str


@dataclass(frozen=True)
class Found:
    """What became of a mutant: caught or survived, by what, after how many seconds; and the last command."""

    outcome: str
    by: str
    seconds: float
    command: tuple[str, ...] = ()


class Stale(Exception):
    """A row that no longer fits the code."""


def read(table: Path) -> list[Mutant]:
    with table.open(encoding="utf-8", newline="") as stream:
        return [Mutant(**row) for row in csv.DictReader(stream)]


def write(table: Path, rows: list[dict]) -> None:
    table.parent.mkdir(parents=True, exist_ok=True)
    with table.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def changed(root: Path, mutant: Mutant) -> tuple[str, int]:
    """The text of the file with the change, and its line; raises Stale unless the old text stands there once."""
    file = root / mutant.file
    text = file.read_text(encoding="utf-8") if file.is_file() else ""
    if text.count(mutant.old) != 1:
        raise Stale(f"{mutant.file}: {mutant.old!r} stands there {text.count(mutant.old)} times")
    new = text.replace(mutant.old, mutant.new)
    if ast.dump(ast.parse(new)) == ast.dump(ast.parse(text)):
        raise Stale(f"{mutant.file}: {mutant.old!r} -> {mutant.new!r} changes nothing")
    return new, text[:text.index(mutant.old)].count("\n") + 1


def module_of(file: str | Path) -> str:
    return str(file).removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def imports(root: Path) -> dict[str, frozenset[str]]:
    """Module of derl -> the modules of derl that its text imports; a package stands for all its modules."""
    texts = {module_of(path.relative_to(root)): path.read_text(encoding="utf-8")
             for path in sorted((root / "derl").rglob("*.py"))}
    found = {}
    for name, text in texts.items():
        wanted = set()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and node.module:
                wanted |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
            elif isinstance(node, ast.Import):
                wanted |= {alias.name for alias in node.names}
        found[name] = frozenset(wanted & texts.keys())
    return found


@cache
def statements(root: Path) -> dict[str, tuple[str, ...]]:
    """Module of derl.claims -> ids of the statements that it checks."""
    return {module_of(path.relative_to(root)): tuple(dict.fromkeys(re.findall(
        r"^@check\(\s*\"([a-z0-9-]+)\"", path.read_text(encoding="utf-8"), re.MULTILINE)))
        for path in sorted((root / "derl" / "claims").rglob("*.py"))}


def of_line(root: Path, file: str, line: int) -> list[str]:
    """Statements that the check around this line is about, or the check that the control around it plants against."""
    functions = {node.name: node for node in ast.parse((root / file).read_text(encoding="utf-8")).body
                 if isinstance(node, ast.FunctionDef)}
    found = []
    for node in functions.values():
        if node.lineno <= line <= node.end_lineno:
            decorators = [call for call in node.decorator_list if isinstance(call, ast.Call)]
            of = [key.value.id for call in decorators for key in call.keywords if key.arg == "of"]
            decorators += [call for name in of for call in functions[name].decorator_list if isinstance(call, ast.Call)]
            found += [call.args[0].value for call in decorators if call.args and isinstance(call.args[0], ast.Constant)]
    return found


def nearby(root: Path, file: str) -> list[str]:
    """Statements whose checks import the file, the nearest first; then those of its chapter."""
    graph, known = imports(root), statements(root)
    reached, seen = [module_of(file)], {module_of(file)}
    for name in reached:  # grows while it is read
        above = sorted(other for other, used in graph.items() if name in used and other not in seen)
        if not name.startswith("derl.claims.") or name == module_of(file):
            reached += above
            seen |= set(above)
    chapter = f"derl.claims.{Path(file).parts[2]}." if len(Path(file).parts) > 3 else "no chapter"
    modules = [*reached, *(name for name in known if name.startswith(chapter))]
    return list(dict.fromkeys(key for name in modules for key in known.get(name, ())))


def mirrored(root: Path, file: str) -> list[str]:
    """Test files in the folder that mirrors the file's, those with its name first."""
    path = Path(file)
    folder = root / "tests" / Path(*path.parts[1:-1])
    found = sorted(folder.glob("test_*.py")) if len(path.parts) > 3 or folder.name != "claims" else []
    if path.parts[1] == "theory":
        found += sorted((root / "tests" / "claims" / path.parts[2]).glob("test_*.py"))
    words = set(path.stem.split("_"))
    found.sort(key=lambda test: -len(words & set(test.stem.split("_"))))
    return [str(test.relative_to(root)) for test in found]


def stages(root: Path, mutant: Mutant, line: int, nearest: int | None = None) -> list[list[str]]:
    """Commands in the order in which they are tried, with at most so many statements that only lie near the file."""
    hits = mutant.hits.split()
    tests = [hit for hit in hits if hit.startswith("tests/")]
    ids = [hit for hit in hits if hit not in tests]
    if mutant.file.startswith("derl/claims/"):
        ids += [key for key in of_line(root, mutant.file, line) if key not in ids]
    further = [key for key in nearby(root, mutant.file) if key not in ids][:nearest]
    tried = (("tests", tests), ("statements", ids), ("tests", mirrored(root, mutant.file)), ("statements", further))
    return [[kind, *names] for kind, names in tried if names]


class Copy:
    """A copy of the repository, in which one file at a time is changed."""

    def __init__(self, folder: Path, compiled: Path | None = None):
        self.root = folder / "copy"
        shutil.copytree(compiled or ROOT, self.root, ignore=None if compiled else LEFT_OUT, symlinks=True)
        environment = os.environ | {"PYTHONPATH": str(self.root), "TMPDIR": str(folder), "OPENBLAS_NUM_THREADS": "1",
                                    "OMP_NUM_THREADS": "1"}
        if not compiled:
            subprocess.run([sys.executable, "-m", "compileall", "-q", "derl", "tests"], cwd=self.root, env=environment,
                           check=True)
        self.output = folder / "output"
        self.judge = subprocess.Popen([sys.executable, str(JUDGE)], cwd=self.root, env=environment, text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def run(self, command: list[str], seconds: float, without: frozenset[str] = frozenset()) -> tuple[str, str]:
        """(outcome, by whom): "objects", "silent" or "late"."""
        kind, *names = command
        names = [name for name in names if name not in without]
        if not names:  # pytest would run them all
            return "silent", ""
        task = {"kind": kind, "names": names, "output": str(self.output), "seconds": int(seconds) + 1,
                "without": sorted(without)}
        print(json.dumps(task), file=self.judge.stdin, flush=True)
        status = int(self.judge.stdout.readline())
        if status < 0:  # its time is up
            return "late", ""
        if status == 0 or kind == "tests" and status in (4, 5):  # a test that is gone
            return "silent", ""
        output = self.output.read_text(encoding="utf-8", errors="replace")
        lines = re.findall(r"^(?:FAILED|ERROR|OBJECTS) (.*)$", output, re.MULTILINE)
        return "objects", (lines or ["does not start: " + (output.strip().splitlines() or ["?"])[-1]])[0]

    def close(self) -> None:
        self.judge.stdin.close()
        self.judge.wait()

    def plant(self, mutant: Mutant, seconds: float, truth: Truth, nearest: int | None = None) -> Found:
        """Change the file, run one command after the other until one objects, and change it back.

        What objects to the truth too is left out, here and from now on: the rest may still tell the two apart.
        """
        file, started = self.root / mutant.file, time.monotonic()
        before, times = file.read_bytes(), file.stat()
        text, line = changed(self.root, mutant)
        file.write_text(text, encoding="utf-8")
        os.utime(file, (times.st_atime, times.st_mtime + 10))  # no byte code of the truth fits
        outcome, by, command = "survived", "", []
        try:
            for command in stages(self.root, mutant, line, nearest):
                found, who = self.run(command, seconds, truth.troubled)
                while found == "objects" and not truth.silent(who, list(command), seconds):
                    name = _name(who, "")
                    if not name or name in truth.troubled:
                        outcome, by = "survived", f"objects to the truth too: {who}"
                        return self._found(outcome, by, started, command)
                    truth.troubled |= {name}
                    found, who = self.run(command, seconds, truth.troubled)
                if found != "silent":
                    outcome, by = ("caught", who) if found == "objects" else ("survived", "time is up")
                    break
        finally:
            file.write_bytes(before)
            os.utime(file, (times.st_atime, times.st_mtime))
        return self._found(outcome, by, started, command)

    @staticmethod
    def _found(outcome: str, by: str, started: float, command) -> Found:
        return Found(outcome, by, round(time.monotonic() - started, 1), tuple(command))


class Truth:
    """An unchanged copy: what objects here too has caught nothing, and is in `troubled`."""

    def __init__(self, folder: Path):
        self.copy, self.lock, self.known = Copy(folder), threading.Lock(), {}
        self.troubled: frozenset[str] = frozenset()

    def silent(self, by: str, command: list[str], seconds: float) -> bool:
        name = _name(by, "")
        if name:  # otherwise it did not start, which is asked of the whole command
            command = ["tests" if name.startswith("tests/") else "statements", name]
        with self.lock:
            if tuple(command) not in self.known:
                self.known[tuple(command)] = self.copy.run(command, seconds)[0] == "silent"
            return self.known[tuple(command)]


def main(arguments: list[str] | None = None) -> int:
    options = parser().parse_args(arguments)
    table = read(options.table)
    chosen, faults = [], []
    for number, mutant in enumerate(table, 2):
        try:
            line = changed(ROOT, mutant)[1]
        except (Stale, SyntaxError) as fault:
            faults.append(f"{options.table.name}, line {number}: {fault}")
            continue
        if options.only.lower() in " ".join(asdict(mutant).values()).lower():
            chosen.append((number, line, mutant))
    print(*faults, sep="\n", file=sys.stderr, end="\n" if faults else "")
    if options.sample:
        chosen = sorted(random.Random(options.seed).sample(chosen, min(options.sample, len(chosen))))
    if options.list or not chosen:
        print(*(f"{m.file}:{line}: {m.old}  ->  {m.new}" for _, line, m in chosen), sep="\n")
        return int(bool(faults))
    rows = _run(chosen, options)
    if options.learn:
        caught = {row["row"]: row["by"] for row in rows if row["outcome"] == "caught"}
        write(options.table, [asdict(replace(mutant, hits=_name(caught.get(number), mutant.hits)))
                              for number, mutant in enumerate(table, 2)])
    return int(bool(faults) | (not _summary(rows)))


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    found.add_argument("--only", default="", help="mutants whose row contains this text")
    found.add_argument("--sample", type=int, default=0, help="so many, at random")
    found.add_argument("--seed", type=int, default=0)
    found.add_argument("--jobs", type=int, default=1)
    found.add_argument("--limit", type=float, default=60, help="seconds for one command")
    found.add_argument("--nearest", type=int, help="of the statements that only lie near the file, try so many")
    found.add_argument("--list", action="store_true", help="say what would be planted, and stop")
    found.add_argument("--learn", action="store_true", help="write what caught a mutant to its row, to be tried first")
    found.add_argument("--table", type=Path, default=TABLE)
    found.add_argument("--out", type=Path, default=RESULTS)
    return found


def _run(chosen, options) -> list[dict]:
    rows, places, count, copies = [], threading.local(), itertools.count(), []
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        truth = Truth(_new(folder, "truth"))

        def one(entry):
            number, line, mutant = entry
            if not hasattr(places, "copy"):
                places.copy = Copy(_new(folder, f"job{next(count)}"), truth.copy.root)
                copies.append(places.copy)
            found = places.copy.plant(mutant, options.limit, truth, options.nearest)
            row = {"row": number, "line": line, **asdict(mutant), "outcome": found.outcome, "by": found.by,
                   "seconds": found.seconds}
            rows.append(row)
            sys.stdout.write(f"{found.outcome:9}{found.seconds:6.1f} s  {mutant.file}:{line}  {mutant.meaning}"
                             f"{'  <- ' + found.by if found.by else ''}\n")  # in one piece, from any thread
            sys.stdout.flush()
            write(options.out, sorted(rows, key=lambda row: row["row"]))

        with ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(one, chosen))
        for copy in (truth.copy, *copies):
            copy.close()
    return rows


def _new(folder: str, name: str) -> Path:
    path = Path(folder) / name
    path.mkdir()
    return path


def _name(by: str | None, before: str) -> str:
    """The test or statement in what was printed; parameters of a test may change, its name stays."""
    return before if not by or by.startswith("does") else by.split(" - ")[0].partition("[")[0].split()[0]


def _summary(rows: list[dict]) -> bool:
    planted, caught = Counter(), Counter()
    for row in rows:
        for name in (row["group"], "all"):
            planted[name] += 1
            caught[name] += row["outcome"] == "caught"
    print()
    for name, number in sorted(planted.items(), key=lambda pair: pair[1]):
        print(f"{name:14}{caught[name]:4} of {number:3} caught, {caught[name] / number:.0%}")
    for row in rows:
        if row["outcome"] != "caught":
            print(f"survives: {row['file']}:{row['line']}  {row['meaning']}: {row['survives'] or row['by'] or '?'}")
    return all(caught[name] >= WANTED * number for name, number in planted.items())


if __name__ == "__main__":
    sys.exit(main())
