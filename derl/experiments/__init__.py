"""Floor 6: experiments on many instances and seeds that survive being stopped, and Table 1 executed."""

from derl.experiments.sweep import InvalidSpec, Spec, run_sweep

__all__ = ["InvalidSpec", "Spec", "run_sweep"]
