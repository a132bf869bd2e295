"""Floor 4: the formulas of the paper and of this book, and the computations that the lemmas use.

The rooms open when they are entered: `theory.reachability` brings solvers along that most programs never need.
"""

from importlib import import_module as _import_module

__all__ = ["analysis", "arbitrary", "beyond", "comparison", "constants", "foundations", "layerwise",
           "lower_bounds", "potential", "reachability", "reward_free", "safety"]


def __getattr__(name: str):
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(__all__)}")
    return _import_module(f"{__name__}.{name}")


def __dir__():
    return sorted({*globals(), *__all__})
