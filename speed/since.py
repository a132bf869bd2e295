"""The book's own commands beside those of an earlier commit, back to back.

    python speed/since.py COMMIT [--test | --only verify] [--rounds 2] [--out FILE]

Both are cloned into a temporary folder, where each brings its own environment: `make book` from nothing, then
`derl verify` of both tiers with two workers, in turns, and with --test every test of the built book (`make test-all`,
or `make test` at a commit that has no tiers of tests). Seconds of the clock and of the processors, of all children
together; because the book grows, also of the checks that both have.
`--only verify` measures the two tiers again and leaves the other rows as they were measured, each with its commit.
Prints the ratios and puts "since" into speed/results.json, which the page "Performance" shows. Not part of
`make bench`: it needs the history, and most of an hour of a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from derl.inputs import files

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "speed" / "results.json"
VERIFY = ".venv/bin/derl verify --tier {} --jobs 2 --out {}.json"
COMMANDS = {"make book, from nothing": "make book", "derl verify --tier quick": VERIFY.format("quick", "quick"),
            "derl verify --tier full": VERIFY.format("full", "full"),
            "make test": "if grep -q '^test-all:' Makefile; then make test-all; else make test; fi"}
VERIFYING = {name: command for name, command in COMMANDS.items() if name.startswith("derl verify")}
ONCE = ("make book", "make test")  # from nothing, or long
PASSED = re.compile(r"(\d+) passed")


def used() -> float:
    """Seconds of the processors that children have used and that somebody has waited for."""
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def clocked(command: str, folder: Path) -> dict:
    """One run: seconds of the clock and of the processors, its exit status, and how many tests passed."""
    begin, before = time.monotonic(), used()
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    run = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True, env=own)
    found = {"wall": time.monotonic() - begin, "cpu": used() - before, "exit": run.returncode}
    passed = sum(map(int, PASSED.findall(run.stdout)))
    if run.returncode:
        print("\n".join((run.stdout + run.stderr).splitlines()[-5:]), file=sys.stderr)
    return found | ({"passed": passed} if passed else {})


def contents(folder: Path) -> dict:
    """How much there is to do: statements and checks of the quick tier, and pages, where they were built.

    The ledger of an earlier commit may lack what rows have now, so it is read as plain JSON.
    """
    claims = json.loads((folder / "quick.json").read_text(encoding="utf-8"))["claims"]
    pages = [page for page in (folder / "_build" / "html").rglob("*.html") if "_static" not in page.parts]
    return {"statements": len(claims), "checks": sum(len(row["checks"]) for row in claims.values())} | (
        {"pages": len(pages)} if pages else {})


def shared(sides: dict[str, Path], tier: str) -> dict:
    """How many checks, by statement and name, both sides have, and the seconds of their first runs: the same work."""
    found = {side: {(key, check["name"]): check["seconds"] for key, row in json.loads(
        (folder / f"{tier}.json").read_text(encoding="utf-8"))["claims"].items() for check in row["checks"]}
        for side, folder in sides.items()}
    both = found["then"].keys() & found["now"].keys()
    return {"checks": len(both)} | {side: round(sum(rows[name] for name in both), 2) for side, rows in found.items()}


def beside(commit: str, rounds: int, commands: dict[str, str]) -> dict:
    """The commands on both sides, the earlier one first; of several rounds the best."""
    found = {name: {} for name in commands}
    with tempfile.TemporaryDirectory() as home:
        sides = {"then": Path(home, "then"), "now": Path(home, "now")}
        for side, folder in sides.items():
            subprocess.run(["git", "clone", "-q", ROOT, folder], check=True)
            subprocess.run(["git", "checkout", "-q", commit if side == "then" else "HEAD"], cwd=folder, check=True)
            if commands.keys() <= VERIFYING.keys():  # `make book` does it, too, and is measured from nothing
                subprocess.run(["make", "-s", ".venv/.ready"], cwd=folder, check=True)
                clocked(VERIFY.format("quick", "quick"), folder)  # compiles kernels that later runs find
        for name, command in commands.items():
            for _ in range(1 if command in ONCE else rounds):
                for side, folder in sides.items():
                    run = clocked(command, folder)
                    print(f"{name:26s} {side:4s} {run['wall']:7.1f} s, {run['cpu']:7.1f} s of the processors"
                          + f", exit status {run['exit']}" * bool(run["exit"]), flush=True)
                    found[name][side] = min(found[name].get(side, run), run, key=lambda done: done["cpu"])
        said = {side: contents(folder) for side, folder in sides.items()}
        head = {side: subprocess.run(["git", "rev-parse", "--short=12", "HEAD"], cwd=folder, check=True, text=True,
                                      capture_output=True).stdout.strip() for side, folder in sides.items()}
        same = {tier: shared(sides, tier) for tier in ("quick", "full")}
    for sides in found.values():
        for side, run in sides.items():
            run["commit"] = head[side]
    return {"commits": head, "contents": said, "commands": found, "shared": same, "day": str(datetime.date.today())}


def merged(before: dict, found: dict) -> dict:
    """What was measured now, and the rows of commands that were not, from before."""
    older = before.get("commands", {})
    for sides in older.values():
        for side, run in sides.items():
            run.setdefault("commit", before["commits"][side])
    return found | {"commands": older | found["commands"],
                    "contents": {side: before.get("contents", {}).get(side, {}) | row
                                 for side, row in found["contents"].items()}}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("commit", help="the earlier commit")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--test", action="store_true", help="all tests, too")
    which.add_argument("--only", choices=("verify",), help="the two tiers of `derl verify` alone")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--out", type=Path, default=RESULTS)
    options = parser.parse_args(arguments)
    load = [round(x, 1) for x in os.getloadavg()]
    chosen = VERIFYING if options.only else {name: command for name, command in COMMANDS.items()
                                             if options.test or name != "make test"}
    found = beside(options.commit, options.rounds, chosen) | {"load": load}
    before = json.loads(options.out.read_text(encoding="utf-8")) if options.out.is_file() else {}
    kept = merged(before.get("since", {}), found) if options.only else found
    files.write(options.out, (json.dumps(before | {"since": kept}, indent=1) + "\n").encode())
    for name, sides in found["commands"].items():
        print(f"{name:26s} {sides['then']['wall'] / sides['now']['wall']:.2f} by the clock, "
              f"{sides['then']['cpu'] / sides['now']['cpu']:.2f} by the processors")
    for tier, row in found["shared"].items():
        print(f"{row['checks']} checks of both, {tier}: {row['then']:.1f} s and {row['now']:.1f} s, "
              f"{row['then'] / row['now']:.2f}")
    return int(any(run["exit"] for sides in found["commands"].values() for run in sides.values()))


if __name__ == "__main__":
    sys.exit(main())
