"""Worker processes that run checks.

A worker is killed at once when the run stops, whatever it is computing, and dies with its parent. It ignores Ctrl-C,
which a terminal sends to everybody; the parent hears it and stops all. A worker that dies by itself (a crash, a lack of
memory, `os._exit`) costs the check that it ran, not the run.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
from collections import deque
from collections.abc import Iterator
from multiprocessing.connection import wait

from derl.inputs.processes import CONTEXT, begin, deaf, may_have_children
from derl.inputs.threads import one_thread
from derl.ledger.paper import Paper
from derl.ledger.rows import CheckRow, plain, read
from derl.ledger.trial import lost, run_check

GARBAGE = 50_000  # objects between two looks for cycles: expressions are many, and none of them is one


class NoProcess(Exception):
    """No worker is at work and none can be started: this machine allows no further process, or has no memory for it."""


@one_thread  # rounding must not depend on the number of threads; two workers share two cores
def row_of(paper: Paper, position: int, thorough: bool = False) -> CheckRow:
    """Run one check; the row as a ledger would give it back, the same bytes for every process."""
    return read(CheckRow, json.loads(json.dumps(plain(run_check(paper.registry.checks[position], thorough)))))


class _Waiting:
    """Checks that nobody has begun. A worker stays with a module: its checks share runs that they have memorised."""

    def __init__(self, paper: Paper, positions: list[int]):
        self._module_of = [subject.function.__module__ for subject in paper.registry.checks]
        self._left: dict[str, deque[int]] = {}
        for position in positions:
            self._left.setdefault(self._module_of[position], deque()).append(position)

    def __bool__(self) -> bool:
        return bool(self._left)

    def take(self, before: int | None, elsewhere: list[int]) -> int:
        """The next check for a worker that has run the check `before`, while others run those of `elsewhere`."""
        theirs = {self._module_of[position] for position in elsewhere}
        module = self._module_of[before] if before is not None else ""
        if module not in self._left:
            module = next((name for name in self._left if name not in theirs), next(iter(self._left)))
        position = self._left[module].popleft()
        if not self._left[module]:
            del self._left[module]
        return position


def run_in_workers(paper: Paper, positions: list[int], jobs: int, thorough: bool = False
                   ) -> Iterator[tuple[int, CheckRow]]:
    """Yield (position, row) for every check, in the order in which they end.

    Where fewer processes can be started than `jobs`, those do the work.

    Raises
    ------
    NoProcess
        Rows that were not yielded before are left to the caller.
    """
    if not may_have_children():
        raise NoProcess("this process is itself a worker and may start none")
    waiting, crew = _Waiting(paper, positions), {}
    try:
        while waiting or crew:
            while waiting and len(crew) < jobs:
                elsewhere = [worker.position for worker in crew.values()]
                try:
                    with deaf():
                        worker = _Worker(paper.package, thorough)
                        crew[worker.pipe] = worker
                except OSError as error:
                    if not crew:
                        raise NoProcess(str(error)) from error
                    jobs = len(crew)
                    break
                worker.give(waiting.take(None, elsewhere))
            for pipe in wait(list(crew)):
                worker = crew[pipe]
                position, row = worker.position, worker.take()
                if row is None:
                    crew.pop(pipe).kill()
                    row = lost(paper.registry.checks[position], worker.process.exitcode)
                elif waiting:
                    others = [other.position for other in crew.values() if other is not worker]
                    worker.give(waiting.take(position, others))
                else:
                    crew.pop(pipe).kill()
                yield position, row
    finally:  # Ctrl-C too: nothing that waits is started, nothing that runs is waited for
        for worker in crew.values():
            worker.kill()


class _Worker:
    """A process and the pipe to it."""

    def __init__(self, package: str, thorough: bool):
        self.pipe, theirs = CONTEXT.Pipe()
        self.process = CONTEXT.Process(target=_serve, args=(package, theirs, os.getpid(), thorough), daemon=True)
        self.process.start()
        theirs.close()

    def give(self, position: int) -> None:
        self.position = position
        try:
            self.pipe.send(position)
        except OSError:  # it has died; `take` will find out
            pass

    def take(self) -> CheckRow | None:
        """The row; None where the worker has died."""
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            return None

    def kill(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def _serve(package: str, pipe, parent: int, thorough: bool) -> None:
    begin(parent)
    paper = importlib.import_module(package).PAPER
    paper.register()
    gc.freeze()  # what is imported stays, and need not be looked through again and again
    gc.set_threshold(GARBAGE)
    while True:
        try:
            position = pipe.recv()
        except EOFError:
            return
        pipe.send(row_of(paper, position, thorough))
