"""Floor 6: experiments on many instances and seeds that survive being stopped, and Table 1 executed.

A `Spec` (YAML) names a study and what to vary. It becomes tasks, each named by its content; a task leaves one small
file, which appears whole or not at all; a sweep skips what is there. The result is one tidy table.
"""

from derl.experiments.spec import InvalidSpec, Spec, Task
from derl.experiments.sweep import run_sweep

__all__ = ["InvalidSpec", "Spec", "Task", "run_sweep"]
