"""Run one task; its result is one file, which appears whole or not at all."""

from __future__ import annotations

import importlib
import json
import math
from pathlib import Path

from threadpoolctl import threadpool_limits

from derl.experiments.code import code_digest
from derl.experiments.spec import Task, canonical
from derl.inputs import Invalid, files, owners

DIGITS = 6  # significant, of what a file keeps: more would differ from processor to processor
LARGEST = 10**8  # bytes of a result


class OtherCode(Invalid, RuntimeError):
    """A worker runs other code than the one that asked."""


class DamagedResult(Invalid, RuntimeError):
    """The file of a finished task was changed."""


@threadpool_limits.wrap(limits=1)  # rounding must not depend on the number of threads
def measured(content: dict, digest: str) -> bytes:
    """Run a task, given as plain values, and write down what it found; the same bytes wherever it runs.

    Raises
    ------
    OtherCode
    """
    if digest != code_digest():
        raise OtherCode("a worker runs another version of derl, numpy, scipy or numba than the sweep; install the same")
    measure = importlib.import_module(f"derl.experiments.studies.{content['study']}").measure
    rows = []
    for seed in range(content["first"], content["first"] + content["count"]):
        for row in measure(seed, **content["parameters"]):
            rows.append({"seed": seed, **{name: kept(value) for name, value in row.items()}})
    return canonical({"task": content, "rows": rows}) + b"\n"


def place(folder: Path, task: Task) -> Path:
    """Where the file of a task lies."""
    return folder / "tasks" / task.key[:2] / f"{task.key}.json"


def finished(folder: Path, task: Task) -> bool:
    """Whether the result of a task is there.

    Raises
    ------
    DamagedResult
        Another user has written it: it is not believed.
    """
    path = place(folder, task)
    if not path.is_file():
        return False
    if owners.is_foreign(path.stat(), path.parent):
        raise DamagedResult(f"{path} belongs to another user; a sweep needs a folder of your own, so name another")
    return True


def store(folder: str, content: dict, digest: str) -> str:
    """Run a task and write its file; returns its key."""
    task = Task(**content)
    files.write(place(Path(folder), task), measured(content, digest))
    return task.key


def rows_of(folder: Path, task: Task) -> list[dict]:
    """The rows of a finished task.

    Raises
    ------
    DamagedResult
    """
    path = place(folder, task)
    try:
        found = json.loads(files.read(path, LARGEST, own=True))
        json.dumps(found, ensure_ascii=False).encode()  # half a character is no text
        if found["task"] == task.content and all(isinstance(row, dict) for row in found["rows"]):
            return found["rows"]
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        if isinstance(error, Invalid):
            raise
    raise DamagedResult(f"{path} is not what the sweep wrote there; remove it and run the sweep again")


def kept(value):
    """A value as it is written down: floats with six significant digits, what is not finite as None."""
    if value is None or isinstance(value, bool | str):
        return value
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**63 else kept(float(value))
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None
