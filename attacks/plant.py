"""Plant one mistake at a time in a copy of the project, and see whether a test notices it.

    python attacks/plant.py                    # every row of mistakes.csv: about a quarter of an hour
    python attacks/plant.py --only potential   # the rows that contain this text
    python attacks/plant.py --record           # write what noticed each row to the table; the book shows it

A row changes `old`, which stands once in `file`, to `new`; `meaning` says what is false then, and `tests` names the
folder or file of tests, or the statement, that should notice. A test that fails must pass again in the unchanged copy.
Tests that look at the built book or at its ledger are left out, because they refuse every other code.
The exit status is 1 where a planted mistake is not noticed, or a row no longer fits the code.

Most rows were chosen by readers who had seen no test. A share of known mistakes says that they stay caught, not how
many of the next ones would be: for that, let somebody else write a table and pass it with --table.
"""

from __future__ import annotations

import argparse
import csv
import datetime
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLE = Path(__file__).with_name("mistakes.csv")
LEFT_OUT = shutil.ignore_patterns(".git", "_build", ".venv", "node_modules", "__pycache__", ".hypothesis")
FIELDS = ("file", "old", "new", "meaning", "tests", "caught", "day")


def read(table: Path = TABLE) -> list[dict]:
    """The rows of a table; `caught` and `day` may be absent."""
    with table.open(encoding="utf-8", newline="") as stream:
        return [dict.fromkeys(FIELDS, "") | row for row in csv.DictReader(stream)]


def write(table: Path, rows: list[dict]) -> None:
    """The whole table, after every row that was planted: a run may be stopped."""
    with table.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def changed(text: str, row: dict) -> str:
    """The text of the file with the mistake; raises ValueError unless the old text stands there once."""
    if text.count(row["old"]) != 1 or row["old"] == row["new"]:
        raise ValueError(f"{row['file']}: {row['old']!r} stands there {text.count(row['old'])} times")
    return text.replace(row["old"], row["new"])


def copied(folder: Path) -> Path:
    """A copy of the repository whose byte code is compared with the source by content, not by time."""
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT, symlinks=True)
    run(folder, ["-m", "compileall", "-q", "--invalidation-mode", "checked-hash", "derl", "tests"])
    return folder


def run(root: Path, words: list[str]) -> tuple[int, str]:
    """Exit status and output of this Python in the copy."""
    surroundings = os.environ | {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run([sys.executable, *words], cwd=root, env=surroundings, capture_output=True, text=True,
                          check=False, timeout=1800)
    return done.returncode, done.stdout + done.stderr


def objection(root: Path, target: str) -> str:
    """The first test of a folder that fails, or the statement whose verdict is not the expected one; "" if none."""
    if "/" not in target:
        return target if run(root, ["-m", "derl.cli", "verify", target])[0] else ""
    status, output = run(root, ["-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "--tb=no",
                                "-m", "not slow and not built", target])
    found = re.search(r"^(?:FAILED|ERROR) (\S+)", output, re.MULTILINE)
    return "" if status in (0, 5) else found[1] if found else f"{target} does not start"


def noticed(root: Path, row: dict) -> str:
    """What notices the mistake of a row in a copy, "" if nothing does; the copy is afterwards as it was."""
    file = root / row["file"]
    before = file.read_text(encoding="utf-8")
    file.write_text(changed(before, row), encoding="utf-8")
    try:
        by = objection(root, row["tests"])
    finally:
        file.write_text(before, encoding="utf-8")
    asked = by.removesuffix(" does not start").split("[")[0]
    return "" if by and objection(root, asked) else by  # what fails without the mistake has noticed nothing


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="rows that contain this text")
    parser.add_argument("--table", type=Path, default=TABLE)
    parser.add_argument("--record", action="store_true", help="write what noticed each row to the table")
    options = parser.parse_args()
    rows, missed, chosen = read(options.table), 0, 0
    with tempfile.TemporaryDirectory(prefix="planted-") as folder:
        root = copied(Path(folder) / "copy")
        for row in (row for row in rows if options.only in " ".join(row.values())):
            chosen += 1
            try:
                by = noticed(root, row)
            except (ValueError, FileNotFoundError) as fault:
                by = ""
                print(f"does not fit: {fault}", file=sys.stderr)
            missed += not by
            row |= {"caught": by, "day": datetime.date.today().isoformat()}
            if options.record:
                write(options.table, rows)
            print(f"{'caught' if by else 'MISSED':8}{row['file']}: {row['meaning']}  {by}", flush=True)
    print(f"{chosen - missed} of {chosen} planted mistakes are noticed")
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
