"""How long the book's own commands take from nothing; the page "Performance" shows the result.

    python speed/book.py    # ten minutes of an idle machine; writes to speed/results.json

A fresh clone of what is committed brings its own environment. Seconds of the clock, and of the processors with all
processes that somebody waited for.
"""

from __future__ import annotations

import datetime
import os
import resource
import subprocess
import tempfile
import time
from pathlib import Path

from measuring import record

ROOT = Path(__file__).resolve().parents[1]
COMMANDS = {"make book": "make book", "derl verify": ".venv/bin/derl verify", "make test": "make test"}


def clocked(command: str, folder: Path) -> dict:
    """One run; a command that fails ends the measurement."""
    start, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    subprocess.run(command, shell=True, cwd=folder, check=True, env=own)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {"wall": round(time.monotonic() - start, 1),
            "cpu": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1)}


def main() -> None:
    git = ["git", "-C", str(ROOT)]
    commit = subprocess.run([*git, "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        found = {name: clocked(command, clone) for name, command in COMMANDS.items()}
    origin = {"commit": commit.strip(), "day": datetime.date.today().isoformat(), "cores": os.cpu_count()}
    record({"book": origin | {"commands": found}})


if __name__ == "__main__":
    main()
