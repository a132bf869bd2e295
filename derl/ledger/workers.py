"""Worker processes that run checks.

A check that ends its process, by a crash or by a lack of memory, costs itself and not the run. Ctrl-C ends all at once.
"""

from __future__ import annotations

import gc
import importlib
import json
import multiprocessing
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from derl.inputs.ambient import as_delivered
from derl.inputs.processes import CONTEXT, begin
from derl.inputs.threads import one_thread
from derl.judge.rows import CheckRow
from derl.judge.trial import lost, run_check
from derl.ledger.paper import Paper
from derl.ledger.rows import plain, read

GARBAGE = 50_000  # objects between two looks for cycles: expressions are many, and none of them is one


@one_thread  # rounding must not depend on the number of threads; two workers share two cores
def row_of(paper: Paper, position: int, thorough: bool = False) -> CheckRow:
    """Run one check; the row as a ledger would give it back, the same for every process."""
    with as_delivered():
        found = run_check(paper.registry.checks[position], thorough)
    return read(CheckRow, json.loads(json.dumps(plain(found))))


def run_apart(paper: Paper, positions: list[int], jobs: int, thorough: bool = False) -> Iterator[tuple[int, CheckRow]]:
    """Yield (position, row) for every check, in the order in which they end.

    A worker runs the checks of a module one after the other, because they share what they have memorised. Where a
    worker has died, the checks that were not finished run again, each in a process of its own.
    """
    modules: dict[str, list[int]] = {}
    for position in positions:
        modules.setdefault(paper.registry.checks[position].function.__module__, []).append(position)
    alone = yield from _pool(paper, [*modules.values()], jobs, thorough)
    for position in alone:
        for _ in (yield from _pool(paper, [[position]], 1, thorough)):
            yield position, lost(paper.registry.checks[position])


def _pool(paper: Paper, groups: list[list[int]], jobs: int, thorough: bool) -> Iterator[tuple[int, CheckRow]]:
    """Yield (position, row) for the checks of all groups; return those that were lost with a worker."""
    before, left = {*multiprocessing.active_children()}, []
    pool = ProcessPoolExecutor(jobs, CONTEXT, begin)
    try:
        futures = {pool.submit(_rows, paper.package, group, thorough): group for group in groups}
        for future in as_completed(futures):
            group = futures.pop(future)
            try:
                yield from zip(group, future.result(), strict=True)
            except BrokenProcessPool:
                left += group
        return left
    finally:  # Ctrl-C too: nothing that runs is waited for
        for process in {*multiprocessing.active_children()} - before:
            process.kill()
        pool.shutdown(cancel_futures=True)


def _rows(package: str, positions: list[int], thorough: bool) -> list[CheckRow]:
    gc.set_threshold(GARBAGE)
    paper = importlib.import_module(package).PAPER
    paper.register()
    return [row_of(paper, position, thorough) for position in positions]
