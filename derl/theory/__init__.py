"""Floor 4: the formulas of the paper and of this book, and the kernels behind the lemmas."""

from derl.theory import (
    constants,
    constants_arbitrary,
    covers,
    elliptical,
    lower_bounds,
    perturbation,
    potential,
    reachability,
)

__all__ = ["constants", "constants_arbitrary", "covers", "elliptical", "lower_bounds", "perturbation", "potential",
           "reachability"]
