"""Which checks of the ledger are fast enough for a reader who waits. Times are recorded, not measured in a test.

    python -m derl.show.foundations.light          measure every check that has a control, and record the light ones

Each check runs alone in its own process, without cached results: once on the true statement, and once on each of its
false variants. The first line of the record says by which command, on which day, of which code, with which Python, and
on what machine. A check is light if the true statement and the slowest false variant together take at most `MOST`
seconds of the processor, and every false variant can be run. Checks in Coq are not run here.
"""

from __future__ import annotations

import csv
import datetime
import io
import multiprocessing
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from derl.claims import PAPER
from derl.inputs import files
from derl.judge.registry import Check
from derl.judge.trial import attempt
from derl.ledger import provenance

FILE = Path(__file__).with_name("light.csv")
FIELDS = ("claim", "check", "seconds")
COMMAND = "python -m derl.show.foundations.light"
MOST = 0.4  # seconds of the processor


@cache
def recorded() -> dict[tuple[str, str], float]:
    """(statement, check) -> seconds of the light ones that the registry still has, with a control."""
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(line for line in file if not line.startswith("#"))
        found = {(row["claim"], row["check"]): float(row["seconds"]) for row in rows}
    return {name: found[name] for name in checks() if name in found}


@cache
def checks() -> dict[tuple[str, str], Check]:
    """(statement, name) -> check, for all that have a control and are run."""
    return {(check.claim, check.name): check for check in PAPER.register().checks
            if check.controls and check.method != "kernel"}


def measure(check: Check, most: float = MOST) -> float | None:
    """Seconds of the true statement and of the slowest false variant; None if heavy or without a result."""
    fork = multiprocessing.get_context("fork")
    answers = fork.SimpleQueue()

    def work():
        import resource  # not on Windows, where the recorded times can still be read

        limit = int(10 * most) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))
        times = []
        for plant in (dict, *(control.plant for control in check.controls)):
            start = time.process_time()
            if attempt(check, plant())[0] is None:
                return
            times.append(time.process_time() - start)
        answers.put(times[0] + max(times[1:]))

    process = fork.Process(target=work)
    process.start()
    process.join()
    found = None if answers.empty() else answers.get()
    return found if found is not None and found <= most else None


def measured() -> Iterator[tuple[str, str, str]]:
    """A row for every light check."""
    for (claim, name), check in checks().items():
        seconds = measure(check)
        if seconds is not None:
            yield claim, name, f"{seconds:.2f}"


def main() -> None:
    """Record them."""
    import sympy  # noqa: F401  # what all checks import is no part of one
    rows = list(measured())
    of = provenance.environment(PAPER.libraries)
    text = io.StringIO(f"# {COMMAND}, {datetime.date.today()}, code {provenance.digest('derl')[:12]}, "
                       f"Python {of['python']}, {of['platform']}\n")
    text.seek(0, io.SEEK_END)
    csv.writer(text, lineterminator="\n").writerows((FIELDS, *rows))
    files.write(FILE, text.getvalue().encode())
    print(f"{len(rows)} of {len(checks())} checks are light", file=sys.stderr)


if __name__ == "__main__":
    main()
