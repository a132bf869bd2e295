r"""A study on many instances and seeds: what it consists of, run here or on a dask cluster, and put into one table.

    study: run                        # a module of derl.experiments.studies, or file.py:name
    fixed: {epsilon: 0.2, delta: 0.1, batch_size: 1e9}
    grid:                             # every combination ...
      algorithm: [layerwise_exploration, flat_exploration]
      instance: ["random_simplex:n_states=6,n_actions=3,dim=3,horizon=3,seed={seed}"]
    cells:                            # ... with every one of these, or of these alone
      - {label: small}
    seeds: {first: 0, count: 100, block: 10}

A task is a cell with a block of seeds. Its file has the name of its content, of the code that it runs, and of every
file that a parameter names (`case.npz`, `mine.py:algorithm`). So what is done is not run again, and another code or
another file is another task. A worker runs copies of these files, also on a cluster. One sweep at a time writes to a
folder.

A study is a function `measure(seed, **parameters)` that returns rows, mappings from names to numbers. The module of a
study may have `check(seed, **parameters)`, which refuses a cell before the first task runs.
"""

from __future__ import annotations

import functools
import importlib.util
import inspect
import itertools
import json
import math
import multiprocessing
import re
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from threadpoolctl import threadpool_limits

from derl.exact import base
from derl.inputs import Invalid, digests, files, plugins, shown, whole
from derl.inputs.mappings import mapping
from derl.inputs.parts import part
from derl.inputs.processes import begin

FLOORS = ("inputs", "mdp", "deployment", "estimation", "theory", "algorithms", "experiments")  # what a study may run
MOST_TASKS, LARGEST = 200_000, 10**6  # tasks of a sweep; bytes of a specification
LARGEST_FILE = 10**9  # bytes of a file that a parameter names
NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
FILE = re.compile(r"(?P<before>(?:stationary:)*)(?P<file>.+\.(?:npz|py))(?P<after>(?::[A-Za-z_]\w*)?)", re.ASCII)
WHOLE_FLOAT = re.compile(r"[0-9]+(\.[0-9]+)?[eE][0-9]+")  # YAML reads 1e9 as text
PACKAGE = Path(__file__).resolve().parents[1]


class InvalidSpec(Invalid):
    """A specification of a sweep that cannot be run; the message is one line."""


class SweepFailed(Invalid, RuntimeError):
    """A task cannot be finished; the message says which and why."""


@functools.cache
def code_digest() -> str:
    """Digest of the sources that a study may use, and of the libraries whose versions may change a number."""
    sources = [path for floor in FLOORS for path in digests.below(PACKAGE / floor, "*.py")]
    return base.digest({"files": digests.contents(PACKAGE, sources),
                           "libraries": digests.versions(("numpy", "scipy", "numba"))})


def canonical(value) -> bytes:
    """The one way to write plain values: JSON with sorted keys, ASCII."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


@dataclass(frozen=True)
class Spec:
    """A sweep: a study, its cells (parameters by name), and its seeds first, ..., first + count - 1 in blocks."""

    study: str
    cells: tuple[dict, ...]
    first: int
    count: int
    block: int

    @classmethod
    def read(cls, path) -> Spec:
        """From a file in YAML; raises InvalidSpec where it cannot be run."""
        try:
            return cls.parse(files.read(path, LARGEST, InvalidSpec).decode("utf-8"))
        except UnicodeDecodeError:
            raise InvalidSpec(f"{path} is no text in UTF-8") from None

    @classmethod
    def parse(cls, text: str) -> Spec:
        """From a text in YAML."""
        found = mapping(text, "the specification", InvalidSpec)
        return cls.of(**_known(found, ("study", "fixed", "grid", "cells", "seeds"), "the specification"))

    @classmethod
    def of(cls, study=None, fixed=None, grid=None, cells=None, seeds=None) -> Spec:
        """From its parts; the text of a specification has the same names."""
        if not plugins.is_plugin(study) and (not (isinstance(study, str) and NAME.fullmatch(study)) or
                importlib.util.find_spec(f"derl.experiments.studies.{study}") is None):
            raise InvalidSpec(f"study is {shown(study)}; it must be a module of derl.experiments.studies, such as "
                              "'run', or a function of your own, such as 'mine.py:measure'")
        fixed, grid = _plains(fixed, "fixed"), _plains(grid, "grid")
        for name, values in grid.items():
            if not isinstance(values, list) or not values:
                raise InvalidSpec(f"grid: {name} is {shown(values)}; it must be a list of values")
        if cells is not None and (not isinstance(cells, list) or not cells):
            raise InvalidSpec("cells must be a list of mappings")
        special = [_plains(cell, "a cell") for cell in cells or [{}]]
        sizes = {"first": 0, "count": 1} | _known(_plains(seeds, "seeds"), ("first", "count", "block"), "seeds")
        first = whole(sizes["first"], "seeds: first", 0, 2**62, InvalidSpec)
        count = whole(sizes["count"], "seeds: count", 1, 10**7, InvalidSpec)
        block = whole(sizes.get("block", min(count, 10)), "seeds: block", 1, error=InvalidSpec)
        size = math.prod(map(len, grid.values())) * len(special) * -(-count // block)
        if size > MOST_TASKS:
            raise InvalidSpec(f"the specification has {size} tasks; at most {MOST_TASKS} are allowed")
        made = (fixed | dict(zip(grid, values, strict=True)) | cell
                for values in itertools.product(*grid.values()) for cell in special)
        return cls(study, tuple(made), first, count, block)

    @property
    def tasks(self) -> tuple[dict, ...]:
        """What each task consists of, as plain values, in the order of the final table; equal ones once."""
        found = ({"study": self.study, "parameters": cell, "first": begin,
                  "count": min(self.block, self.first + self.count - begin)}
                 for cell in self.cells for begin in range(self.first, self.first + self.count, self.block))
        return tuple({canonical(task): task for task in found}.values())

    @property
    def content(self) -> dict:
        """As plain values."""
        return {"study": self.study, "cells": list(self.cells), "first": self.first, "count": self.count,
                "block": self.block}


def run_sweep(spec: Spec, out, jobs: int = 1, scheduler: str | None = None,
              report: Callable[[int, int], None] = lambda done, total: None) -> Path:
    """Run the tasks of a sweep that are not done yet; a file is written for each task as soon as it is done.

    Parameters
    ----------
    out : path
        A folder; what is finished there is not run again.
    jobs : int
        Worker processes on this machine; for 1 this process does the work. Not used with a scheduler. A script that
        asks for more needs `if __name__ == "__main__":`, as for any process pool.
    scheduler : str or None
        Address of a dask scheduler, such as tcp://10.0.0.1:8786. It and its workers must be your own: dask reads what
        they send as Python objects, so they can run any code here. Certificates for TLS are dask's own configuration.
    report : callable
        (tasks done, tasks in all), after every task.

    Raises
    ------
    InvalidSpec, SweepFailed
    """
    folder, tasks, digest = Path(out), spec.tasks, code_digest()
    used = contents(tasks)
    demand(spec)
    # first seeds first: what is there when a sweep is stopped is a whole sweep of fewer seeds
    left = sorted((task for task in tasks if not place(folder, task, used).is_file()), key=lambda task: task["first"])
    done = len(tasks) - len(left)
    report(done, len(tasks))

    def finish(task: dict, result: Callable[[], bytes]) -> None:
        try:
            files.write(place(folder, task, used), result())
        except BrokenProcessPool:
            raise SweepFailed("a worker process died (out of memory?); what is done is kept, so run the sweep again "
                              "with fewer --jobs") from None
        except Exception as error:
            raise SweepFailed(f"{task['study']} with {task['parameters']}, seeds from {task['first']}: "
                              f"{type(error).__name__}: {' '.join(str(error).split())}") from error

    if whole(jobs, "jobs", 1, error=InvalidSpec) == 1 and scheduler is None:
        for at, task in enumerate(left, done + 1):
            finish(task, functools.partial(measured, task, digest, used.of(task)))
            report(at, len(tasks))
    elif left:
        with _workers(min(jobs, len(left)), scheduler) as pool:
            futures = {pool.submit(measured, task, digest, used.of(task)): task for task in left}
            for at, future in enumerate(as_completed(futures), done + 1):
                finish(futures.pop(future), future.result)
                report(at, len(tasks))
    return folder


@contextmanager
def _workers(jobs: int, scheduler: str | None):
    """Processes of this machine or of a cluster; whoever ends early does not wait for what is at work."""
    if scheduler is None:
        pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), begin)
        try:
            yield pool
        except BaseException:
            for worker in list(pool._processes.values()):  # `kill_workers` from Python 3.14 on
                worker.kill()
            raise
        finally:
            pool.shutdown(cancel_futures=True)
        return
    Client = part("distributed", "a scheduler").Client
    try:
        client = Client(scheduler, timeout=5, set_as_default=False)
    except (OSError, ValueError, TypeError, RuntimeError) as error:
        raise InvalidSpec(f"no scheduler answers at {shown(scheduler)}: {' '.join(str(error).split())[:200]}") from None
    with client:
        if not client.scheduler_info()["workers"]:
            raise InvalidSpec(f"the scheduler {shown(scheduler)} has no workers; start one: dask worker {scheduler}")
        yield client.get_executor(pure=False)


def study_of(written: str) -> tuple[Callable, Callable | None]:
    """The functions `measure` and `check` of a study; the second one may be missing."""
    if plugins.is_plugin(written):
        return plugins.load(written), None
    module = importlib.import_module(f"derl.experiments.studies.{written}")
    return module.measure, getattr(module, "check", None)


def demand(spec: Spec) -> None:
    """Refuse a cell that the study does not take, before the first task runs.

    Raises
    ------
    InvalidSpec
        The message names the cell.
    """
    try:
        measure, check = study_of(spec.study)
    except plugins.InvalidPlugin as error:
        raise InvalidSpec(str(error)) from None
    for cell in spec.cells:
        try:
            inspect.signature(measure).bind(spec.first, **cell)
            if check:
                check(spec.first, **cell)
        except (TypeError, Invalid) as error:
            raise InvalidSpec(f"{spec.study} cannot run the cell {cell}: {' '.join(str(error).split())}") from None


@dataclass(frozen=True)
class Contents:
    """The files that tasks use, read once: `bytes_of` has their content, `digest_of` says what a result depends on."""

    bytes_of: dict[str, bytes]
    digest_of: dict[str, str]

    def of(self, task: dict) -> dict[str, bytes]:
        """The files of one task."""
        return {name: self.bytes_of[name] for name in named(task)}


def contents(tasks) -> Contents:
    """Read every file that the tasks name.

    Raises
    ------
    InvalidSpec
        A file is missing.
    """
    names = {name for task in tasks for name in named(task)}
    read = {name: files.read(name, LARGEST_FILE, InvalidSpec) for name in names}
    return Contents(read, {name: base.digest({"content": base.digest(content), "imports":
                                              plugins.imported(content) if name.endswith(".py") else {}})
                           for name, content in read.items()})


def named(task: dict) -> tuple[str, ...]:
    """The files that a task names in its study and in its parameters, for all of its seeds."""
    found = [match["file"] for text in _texts([task["study"], list(task["parameters"].values())])
             if (match := FILE.fullmatch(text))]
    seeds = range(task["first"], task["first"] + task["count"])
    return tuple(dict.fromkeys(name.replace("{seed}", str(seed)) for name in found for seed in seeds))


def _texts(value) -> Iterator[str]:
    if isinstance(value, list):
        for entry in value:
            yield from _texts(entry)
    elif isinstance(value, str):
        yield value


def _moved(value, folder: Path):
    """The same parameters with the files of a folder in place of those that they name."""
    if isinstance(value, list):
        return [_moved(entry, folder) for entry in value]
    if isinstance(value, str) and (found := FILE.fullmatch(value)):
        return found["before"] + str(_copy(folder, found["file"])) + found["after"]
    return value


def _copy(folder: Path, name: str) -> Path:
    return folder / base.digest(str(Path(name).parent))[:16] / Path(name).name


@threadpool_limits.wrap(limits=1)  # rounding must not depend on the number of threads
def measured(task: dict, digest: str, used: dict[str, bytes] | None = None) -> bytes:
    """Run a task on copies of the files that it uses and write down what it found; the same bytes wherever it runs."""
    if digest != code_digest():
        raise InvalidSpec("a worker has another version of derl, numpy, scipy or numba than the sweep")
    with tempfile.TemporaryDirectory(prefix="derl-") as folder:
        for name, content in (used or {}).items():
            files.write(_copy(Path(folder), name), content)
        measure, _ = study_of(_moved(task["study"], Path(folder)))
        parameters = {name: _moved(value, Path(folder)) for name, value in task["parameters"].items()}
        rows = [{"seed": seed, **{name: kept(value) for name, value in row.items()}}
                for seed in range(task["first"], task["first"] + task["count"])
                for row in measure(seed, **parameters)]
    return canonical({"task": task, "rows": rows}) + b"\n"


def place(folder: Path, task: dict, used: Contents) -> Path:
    """Where the file of a task lies: named by the task, by the code of derl and by the content of the files it uses."""
    key = base.digest(canonical([task, code_digest(), [used.digest_of[name] for name in named(task)]]))[:32]
    return folder / "tasks" / key[:2] / f"{key}.json"


def rows(spec: Spec, out) -> list[dict]:
    """All rows of a finished sweep: parameters of the cell, the seed, what was measured.

    Raises
    ------
    InvalidSpec
        A task is not done, or its file is not what the sweep wrote.
    """
    found, used = [], contents(spec.tasks)
    for task in spec.tasks:
        path = place(Path(out), task, used)
        if not path.is_file():
            raise InvalidSpec(f"a task of {out} is not done; run the sweep again")
        try:
            read = json.loads(path.read_bytes())
            if read["task"] != task:
                raise ValueError
            found += [{**task["parameters"], **row} for row in read["rows"]]
        except (ValueError, LookupError, TypeError):
            raise InvalidSpec(f"{path} is not what the sweep wrote there; remove it and run the sweep again") from None
    return found


def kept(value):
    """A value as it is written down: floats with six significant digits, since more differ from processor to
    processor; what is not finite as None."""
    if hasattr(value, "item"):
        value = value.item()
    if value is None or isinstance(value, bool | str) or isinstance(value, int) and abs(value) < 2**63:
        return value
    value = float(value)
    return float(f"{value:.6g}") if math.isfinite(value) else None


def _plains(value, name) -> dict:
    value = {} if value is None else value
    if not isinstance(value, dict) or not all(isinstance(key, str) and NAME.fullmatch(key) for key in value):
        raise InvalidSpec(f"{name} is {shown(value)}; it must map names such as batch_size to values")
    return {key: _plain(entry, key) for key, entry in value.items()}


def _plain(value, name: str):
    """A number, a text, a truth value, None, or a list of them; 1e9 is a whole number."""
    if isinstance(value, list):
        return [_plain(entry, name) for entry in value]
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, str) and WHOLE_FLOAT.fullmatch(value):
        value = float(value)
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**63:
        return int(value)
    if value is None or isinstance(value, int | str) or isinstance(value, float) and math.isfinite(value):
        return value
    raise InvalidSpec(f"{name} is {shown(value)}; it must be a number, a text, a truth value, or a list of them")


def _known(found: dict, names: tuple[str, ...], where: str) -> dict:
    for key in found:
        if key not in names:
            raise InvalidSpec(f"{where}: unknown key {shown(key)}; allowed are {', '.join(names)}")
    return found
