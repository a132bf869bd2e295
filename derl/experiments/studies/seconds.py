"""How long a run takes: seconds of one processor core, without what is read from the run afterwards.

The one study whose rows differ from run to run and from machine to machine.
"""

from __future__ import annotations

import time

from derl.experiments.studies.table1 import one_run
from derl.inputs.threads import one_thread


@one_thread
def measure(seed: int, axis: str = "", **cell) -> list[dict]:
    """The row; the cell is one of the study `table1`. A run before it compiles or loads what is compiled."""
    one_run(seed, **cell)
    begin = time.process_time()
    one_run(seed, **cell)
    return [{"seconds": time.process_time() - begin}]
