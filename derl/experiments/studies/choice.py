"""Which N a method needs on a family: the smallest of 1, 4, 16, ... at which enough of some runs succeed.

It is an oracle: success is read from the exact loss, which no algorithm is given. The search always begins at N = 1,
and its seeds are seed, ..., seed + runs - 1, which serve for nothing else: how often the chosen N succeeds is reported
from other seeds. A size is left as soon as too many of its runs have failed.
"""

from __future__ import annotations

import math

from derl.experiments.choose import sizes
from derl.experiments.methods import METHODS, MODES
from derl.experiments.studies.table1 import one_run
from derl.experiments.sweep import InvalidSpec
from derl.inputs import choice
from derl.inputs.threads import one_thread


@one_thread
def measure(seed: int, method: str, mode: str, delta: float, runs: int, axis: str = "", **where) -> list[dict]:
    """One row per size that was tried; the last one is `chosen`, unless the cap came first."""
    choice(mode, "mode", MODES, InvalidSpec)
    found = METHODS[choice(method, "method", tuple(METHODS), InvalidSpec)]

    def succeeds(size: int, number: int) -> bool:
        return one_run(seed + number, method=method, mode=mode, delta=delta, size=size, **where)[0].succeeded

    return list(sizes(runs, math.floor(delta * runs), found.most(), succeeds))
