"""The methods of the executed Table 1, each declared once: one `Method(...)`, and nothing anywhere else.

    "theorem"      N, K, bonus and thresholds literally those of its theorem, where that can be run at all
    "nominal"      the bonus scale of its theorem with the absolute constant 1; N is chosen
    "calibrated"   the bonus beta = c dH sqrt(log(dH/(delta epsilon))) with a common c found beforehand; N is chosen

Methods without a bonus have no calibrated form; their "nominal" one has constants of its own. Where N is chosen, K is
2dH + 1 (c_K = 2), or what the method fixes. Where a theorem's constants are not printed they are 1. N beyond what can
be drawn exactly is drawn in the Gaussian mode.

A new method is the file of its algorithm and one declaration in `METHODS` of a module beside this one.
"""

from derl.experiments.methods import baselines, book, paper
from derl.experiments.methods.method import MODES, Asked, Method, Places, RunSetting

METHODS: dict[str, Method] = {method.label: method
                              for method in (*paper.METHODS, *baselines.METHODS, *book.METHODS)}

__all__ = ["METHODS", "MODES", "Asked", "Method", "Places", "RunSetting"]
