"""Figures of the reward-free chapter."""

from __future__ import annotations

import numpy as np

from derl.show.drawing import style
from derl.theory.reward_free.samples import batch_size_reward_free, deployments_reward_free

LINES = {"explicit": ("printed analysis, constants explicit", style.ORANGE, ":"),
         "sharp": ("sharp potential lemma", style.BLUE, "--"),
         "flat": ("flat threshold, one count, Chernoff", style.GREEN, "-")}


def batch_sizes(d: int, horizon: int, epsilon: float, delta: float, largest: float = 100.0):
    """K N against the trade-off c_K for three analyses of Algorithm 3, all constants explicit."""
    figure, ax = style.axes()
    factors = np.geomspace(1.3, largest, 60)
    for version, (label, colour, line) in LINES.items():
        totals = [deployments_reward_free(d, horizon, c_K, version)
                  * batch_size_reward_free(d, horizon, epsilon, delta, c_K, version=version) for c_K in factors]
        ax.plot(factors, [float(total) for total in totals], line, color=colour, label=label)
    ax.set(xscale="log", yscale="log", xlabel=r"trade-off $c_K$", ylabel=r"trajectories $K\cdot N$")
    ax.legend()
    return figure
