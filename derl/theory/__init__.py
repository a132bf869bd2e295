"""Floor 4: the formulas of the paper and of this book, and the kernels behind the lemmas."""

from derl.theory import constants, constants_arbitrary, elliptical, lower_bounds, potential

__all__ = ["constants", "constants_arbitrary", "elliptical", "lower_bounds", "potential"]
