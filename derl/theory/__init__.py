"""Floor 4: the formulas of the paper and of this book, and the kernels behind the lemmas.

The rooms open when they are entered: `theory.reachability` brings solvers along that most programs never need.
"""

from importlib import import_module

ROOMS = {"constants": "constants", "constants_arbitrary": "arbitrary.constants", "covers": "analysis.covers",
         "elliptical": "potential.elliptical", "lower_bounds": "lower_bounds", "perturbation": "analysis.perturbation",
         "potential": "potential", "reachability": "reachability"}

__all__ = list(ROOMS)


def __getattr__(name: str):
    if name not in ROOMS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"{__name__}.{ROOMS[name]}")


def __dir__():
    return sorted({*globals(), *ROOMS})
