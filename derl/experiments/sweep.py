"""Run the tasks of a sweep that are not done yet, here or on a cluster, and put together one table.

Here, worker processes write the files of their tasks themselves, so a task that was finished stays finished, whatever
happens to the driver. On a cluster, the driver writes what comes back: workers need no common file system. A worker
that dies costs the tasks that it ran, which are run again.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path

from derl.experiments.cluster import connected
from derl.experiments.code import code_digest
from derl.experiments.spec import InvalidSpec, Spec, Task
from derl.experiments.work import finished, measured, place, store
from derl.inputs import Invalid, files, owners, shown, whole
from derl.inputs.parts import part
from derl.inputs.processes import CONTEXT, MOST_JOBS, begin, deaf, may_have_children

BREAKS = 3  # how often in a row workers may die before anything is finished
AHEAD = 4  # tasks per worker that wait on a cluster

Report = Callable[[int, int], None]


class SweepFailed(Invalid, RuntimeError):
    """A task cannot be finished; the message says which and why."""


def run_sweep(spec: Spec, out, jobs: int = 1, scheduler: str | None = None,
              report: Report = lambda done, total: None, security=None) -> Path:
    """Finish a sweep.

    Parameters
    ----------
    out : path
        A folder; what is finished there is not run again.
    jobs : int
        Worker processes on this machine; not used with a scheduler.
    scheduler : str or None
        Address of a dask scheduler, such as tcp://10.0.0.1:8786. It and its workers must be your own: dask reads what
        they send as Python objects, so they can run any code here.
    report : callable
        (tasks done, tasks in all), after every task.
    security : distributed.Security or None
        Certificates for a scheduler with TLS, see `derl.experiments.cluster.certificates`.

    Returns
    -------
    Path
        The folder.

    Raises
    ------
    InvalidSpec, SweepFailed, InvalidFile
    """
    jobs, folder = whole(jobs, "jobs", 1, MOST_JOBS, InvalidSpec), Path(out)
    with _alone(folder) as lock:
        tasks = spec.tasks
        # first seeds first: what is there when a sweep is stopped is a whole sweep of fewer seeds
        open_tasks = sorted((task for task in tasks if not finished(folder, task)), key=lambda task: task.first)
        done = len(tasks) - len(open_tasks)
        report(done, len(tasks))
        if open_tasks:
            run = _here(open_tasks, folder, jobs, lock) if scheduler is None else \
                _there(open_tasks, folder, scheduler, security)
            for _ in run:
                done += 1
                report(done, len(tasks))
    return folder


def _here(tasks: list[Task], folder: Path, jobs: int, lock: int) -> Iterator[str]:
    """Worker processes of this machine; yields the key of every finished task."""
    digest, breaks = code_digest(), 0
    if not may_have_children():  # this process is itself a worker, and does the work
        for task in tasks:
            store(str(folder), task.content, digest)
            yield task.key
        return
    while tasks:
        ended: set[str] = set()
        try:
            with ProcessPoolExecutor(min(jobs, len(tasks)), mp_context=CONTEXT, initializer=_begin,
                                     initargs=(os.getpid(), lock)) as pool:
                try:
                    with deaf():
                        futures = {pool.submit(store, str(folder), task.content, digest): task for task in tasks}
                    for future in as_completed(futures):
                        ended.add(_result(future, futures[future]))
                        yield futures[future].key
                except BaseException as error:
                    if not isinstance(error, BrokenProcessPool):  # who ends early does not wait for what is at work
                        for worker in list(pool._processes.values()):  # `kill_workers` from Python 3.14 on
                            worker.kill()
                    pool.shutdown(cancel_futures=True)  # and no thread is left behind, see `begin`
                    raise
        except BrokenProcessPool:
            breaks = 0 if ended else breaks + 1
        left = [task for task in tasks if task.key not in ended]
        yield from (task.key for task in left if finished(folder, task))  # written by one that died since
        tasks = [task for task in left if not finished(folder, task)]
        if tasks and breaks >= BREAKS:
            raise SweepFailed(f"worker processes died {BREAKS} times (out of memory?) before one of {len(tasks)} tasks "
                              "was finished")


def _begin(parent: int, lock: int) -> None:
    """A worker does not hold the lock of the driver."""
    begin(parent)
    os.close(lock)


def _result(future, task: Task):
    try:
        return future.result()
    except BrokenProcessPool:
        raise
    except Exception as error:
        raise SweepFailed(f"{task.study} with {task.parameters}, seeds from {task.first}: "
                          f"{type(error).__name__}: {' '.join(str(error).split())}") from error


def _there(tasks: list[Task], folder: Path, address: str, security) -> Iterator[str]:
    """Workers of a dask cluster; the driver writes their results."""
    client = connected(address, security)
    distributed = part("distributed", "a scheduler")
    digest, waiting = code_digest(), iter(tasks)
    with client:
        if not client.scheduler_info()["workers"]:
            raise InvalidSpec(f"the scheduler {shown(address)} has no workers; start at least one: dask worker "
                              f"{address}")
        room = AHEAD * len(client.scheduler_info()["workers"])
        sent: dict = {}

        def send() -> list:
            new = []
            for task in waiting:
                future = client.submit(measured, task.content, digest, key=task.key, pure=True)
                sent[future.key] = task
                new.append(future)
                if len(sent) >= room:
                    break
            return new

        order = distributed.as_completed(send(), loop=client.loop)
        for future in order:
            task = sent.pop(future.key)
            files.write(place(folder, task), _result(future, task))
            yield task.key
            for new in send():
                order.add(new)


@contextmanager
def _alone(folder: Path):
    """The folder, locked against a second sweep; the lock ends with the process."""
    files.target(folder / "new", InvalidSpec)
    folder.mkdir(parents=True, exist_ok=True)
    with os.fdopen(owners.opened(folder / ".lock", InvalidSpec), "ab") as stream:
        if not files.locked(stream.fileno()):
            raise InvalidSpec(f"another sweep is at work in {folder}; wait for it, or name another folder")
        yield stream.fileno()
