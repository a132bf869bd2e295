"""Where the seconds of the tests go: by file, by what they need, and the slowest tests.

    python speed/profile_tests.py [--tier quick|slow|all] [--jobs 2] [--out speed/tests.csv] [--most 25]
    python speed/profile_tests.py --read TABLE      print the same of a table of single tests made before

The book has to be built. A worker second is a second of the clock that one worker of pytest spends on a test, its
fixtures included; CPU seconds are those of the worker and of the children it has waited for, so that processes of
Chromium, whose parent nobody waits for, are missing in part.
"""

from __future__ import annotations

import argparse
import csv
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TIERS = {"quick": ["-m", "not slow"], "slow": ["-m", "slow"], "all": []}
PARTS = {  # what a test needs -> how the file is recognised, in this order
    "Coq": ("tests/proofs/",), "JupyterLab": ("tests/labs/test_in_jupyterlab", "tests/labs/test_trust"),
    "book in Chromium": ("tests/book/test_browser", "tests/book/test_access", "tests/book/test_moves.py",
                         "tests/book/test_finding.py", "tests/book/test_csp", "tests/book/test_heights",
                         "tests/book/test_waiting", "tests/book/test_proofreading_page"),
    "PDF and note": ("tests/book/test_pdf", "tests/book/test_note"),
    "faults and kills": ("tests/inputs/test_faults", "tests/ledger/test_journal", "tests/cli/test_stopping",
                         "tests/ledger/test_broken"),
}


def measured(tier: str, jobs: int, table: Path) -> int:
    """Run the tests of a tier with the plugin; the exit status of pytest."""
    path = os.pathsep.join([str(ROOT / "speed"), *filter(None, [os.environ.get("PYTHONPATH")])])
    words = [sys.executable, "-m", "pytest", "-n", str(jobs), "--dist", "loadfile", "--no-loadscope-reorder",
             "-p", "profile_plugin", f"--profile-out={table}", *TIERS[tier]]
    return subprocess.run(words, cwd=ROOT, env=os.environ | {"PYTHONPATH": path}, check=False).returncode


def tests_of(table: Path) -> list[dict]:
    """One row per test: its file, its name, and the seconds of its three phases together."""
    found: dict[tuple[str, str], list[float]] = defaultdict(lambda: [0.0, 0.0])
    with table.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            cost = found[row["file"], row["test"]]
            cost[0] += float(row["wall"])
            cost[1] += float(row["cpu"])
    return [{"file": file, "test": test, "wall": wall, "cpu": cpu} for (file, test), (wall, cpu) in found.items()]


def part(file: str) -> str:
    """What the tests of a file need."""
    return next((name for name, places in PARTS.items() if file.startswith(places)), "the rest")


def summed(tests: list[dict], key) -> list[dict]:
    """Rows with the sums of all tests that share a key, the longest first."""
    sums: dict[str, dict] = {}
    for row in tests:
        total = sums.setdefault(key(row), {"name": key(row), "tests": 0, "wall": 0.0, "cpu": 0.0})
        total["tests"] += 1
        total["wall"] += row["wall"]
        total["cpu"] += row["cpu"]
    return sorted(sums.values(), key=lambda row: -row["wall"])


def show(title: str, rows: list[dict], whole: float) -> None:
    print(f"\n{title:70} {'tests':>6} {'clock s':>9} {'CPU s':>9} {'share':>6}")
    for row in rows:
        share = row["wall"] / whole
        print(f"{row['name'][-70:]:70} {row['tests']:6} {row['wall']:9.1f} {row['cpu']:9.1f} {share:6.1%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tier", choices=TIERS, default="all")
    parser.add_argument("--jobs", type=int, default=2, help="workers of pytest")
    parser.add_argument("--out", type=Path, default=ROOT / "speed" / "tests.csv", help="the table by file")
    parser.add_argument("--most", type=int, default=25, help="how many files and tests are printed")
    parser.add_argument("--read", type=Path, help="a table of single tests that was made before")
    options = parser.parse_args()
    status = 0
    with tempfile.TemporaryDirectory() as folder:
        table = options.read or Path(folder) / "tests.csv"
        if not options.read:
            status = measured(options.tier, options.jobs, table)
        tests = tests_of(table)
    files, whole = summed(tests, lambda row: row["file"]), sum(row["wall"] for row in tests)
    show("what the tests need", summed(tests, lambda row: part(row["file"])), whole)
    show("file", files[:options.most], whole)
    slowest = sorted(tests, key=lambda row: -row["wall"])[:options.most]
    show("test", [row | {"name": f"{row['file']}::{row['test']}", "tests": 1} for row in slowest], whole)
    print(f"\n{len(tests)} tests, {whole:.0f} worker seconds, {sum(row['cpu'] for row in tests):.0f} CPU seconds")
    if not options.read:
        with options.out.open("w", encoding="utf-8", newline="") as out:
            writer = csv.writer(out, lineterminator="\n")
            writer.writerow(("file", "part", "tests", "worker seconds", "CPU seconds"))
            writer.writerows((row["name"], part(row["name"]), row["tests"], f"{row['wall']:.1f}", f"{row['cpu']:.1f}")
                             for row in files)
    sys.exit(status)


if __name__ == "__main__":
    main()
