"""The figure of one deployment: errors of regressions against d, with the new and the old bound."""

from __future__ import annotations

import math

import numpy as np

from derl.experiments.one_deployment import errors
from derl.mdp import instances
from derl.show.drawing import style

SIZES, BATCH, EPSILON, DELTA, SEED = (2, 3, 4, 5, 6, 7, 8), 10**7, 0.2, 0.1, 7


def figure():
    """The sum over layers of twice the root mean square error of the worst policy, on odd-one-out locks with H = 3."""
    measured, new = [], []
    for d in SIZES:
        k = d // 2
        mdp = instances.odd_one_out(d, 3, (1,), tuple(range(k)), [(-1) ** i for i in range(d - k)], 0.5)
        squares, bounds = errors(mdp, BATCH, EPSILON, DELTA, SEED)
        measured.append(2 * float(np.sqrt(squares).sum()))
        new.append(2 * float(np.sqrt(bounds).sum()))
    drawn, ax = style.axes(figsize=(6.4, 3.4))
    ax.plot(SIZES, [math.sqrt(d) * one for d, one in zip(SIZES, new, strict=True)], "--", color=style.GREY,
            label="bound with the factor $d$")
    ax.plot(SIZES, new, "-", color=style.BLUE, label="bound in the mean")
    ax.plot(SIZES, measured, "o", color=style.RED, label="measured, worst policy")
    ax.set(xlabel="$d$", ylabel="loss of the plan at most", xscale="log", yscale="log", xticks=SIZES,
           xticklabels=SIZES)
    ax.minorticks_off()
    drawn.legend(fontsize=8, loc="outside lower center", ncols=3)
    return drawn
