"""How much of what is false would be noticed: plant one wrong line, and see whether a check or a test objects.

    python attacks/mutants.py                          # all of them
    python attacks/mutants.py --only potential         # those whose row contains this text
    python attacks/mutants.py --sample 20 --seed 1

Each row of mutants.csv is a false change of one line of derl/. It is made in a copy of the repository, never here. Then
what speaks of that file is run until something objects: the row's own `hits`, the mirrored tests, the statements whose
checks import the file. What objects is run once more on an unchanged copy, where it must be silent. The exit status is
1 where a group has fewer than 90 % of its mutants caught, or a row no longer fits the code.
"""

from __future__ import annotations

import argparse
import datetime
import itertools
import random
import sys
import tempfile
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

from mutants_copy import Copy, Truth, name_of
from mutants_table import ROOT, Stale, changed, read, write

from derl.ledger.provenance import digest

TABLE = Path(__file__).with_suffix(".csv")
RESULTS = ROOT / "_build" / "attacks" / "mutants.csv"
WANTED = 0.9  # share of the mutants of each group that must be caught


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
        write(options.table, [asdict(replace(mutant, hits=name_of(caught.get(number), mutant.hits)))
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
    found.add_argument("--quick", action="store_true", help="judge by what `make test` runs: without the slow tests")
    found.add_argument("--list", action="store_true", help="say what would be planted, and stop")
    found.add_argument("--learn", action="store_true", help="write what caught a mutant to its row, to be tried first")
    found.add_argument("--table", type=Path, default=TABLE)
    found.add_argument("--out", type=Path, default=RESULTS)
    return found


def _run(chosen, options) -> list[dict]:
    rows, places, count, copies = [], threading.local(), itertools.count(), []
    origin = {"day": datetime.date.today().isoformat(), "code": digest("derl")[:12]}
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        truth = Truth(_new(folder, "truth"), options.quick)

        def one(entry):
            number, line, mutant = entry
            if not hasattr(places, "copy"):
                places.copy = Copy(_new(folder, f"job{next(count)}"), truth.copy.root, options.quick)
                copies.append(places.copy)
            found = places.copy.plant(mutant, options.limit, truth, options.nearest)
            row = {"row": number, "line": line, **asdict(mutant), "outcome": found.outcome, "by": found.by,
                   "seconds": found.seconds, **origin}
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
