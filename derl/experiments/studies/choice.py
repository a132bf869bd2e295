"""Which N a method needs on a family: the smallest of 1, 4, 16, ... at which enough of some runs succeed.

It is an oracle: success is read from the exact loss, which no algorithm is given. The search always begins at N = 1,
and its seeds are seed, ..., seed + runs - 1, which serve for nothing else: how often the chosen N succeeds is reported
from other seeds. A size is left as soon as too many of its runs have failed.
"""

from __future__ import annotations

import math

from derl.experiments.methods import METHODS, MODES
from derl.experiments.spec import InvalidSpec
from derl.experiments.studies.table1 import one_run
from derl.inputs import choice
from derl.inputs.threads import one_thread

FACTOR = 4  # grid of N


@one_thread
def measure(seed: int, method: str, mode: str, delta: float, runs: int, axis: str = "", **where) -> list[dict]:
    """One row per size that was tried; the last one is `chosen`, unless the cap came first."""
    choice(mode, "mode", MODES, InvalidSpec)
    found = METHODS[choice(method, "method", tuple(METHODS), InvalidSpec)]
    allowed, rows, size = math.floor(delta * runs), [], 1
    while size <= found.most() and not (rows and rows[-1]["chosen"]):
        tried = failed = 0
        while tried < runs and failed <= allowed:
            tried += 1
            run, _ = one_run(seed + tried - 1, method=method, mode=mode, delta=delta, size=size, **where)
            failed += not run.succeeded
        rows.append({"size": size, "tried": tried, "failed": failed, "chosen": failed <= allowed})
        size *= FACTOR
    return rows
