"""Figures of one deployment: errors of regressions against d with their bounds, and sizes against d on both sides."""

from __future__ import annotations

import math

import numpy as np

from derl.experiments.one_deployment import errors, measured_size
from derl.mdp import instances
from derl.show.drawing import style
from derl.theory.beyond import exchange, odd_game

SIZES, BATCH, EPSILON, DELTA, SEED = (2, 3, 4, 5, 6, 7, 8), 10**7, 0.2, 0.1, 7
HORIZON, BIAS, LOCKS = 3, 0.125, 40


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


def sizes() -> dict[str, list[float]]:
    """N against d for odd-one-out locks with the bias b, by where it comes from; the loss is at most b/4."""
    return {
        "sufficient, the theorem": [float(exchange.batch_size(d, HORIZON, BIAS / 4, DELTA, HORIZON, d, mean=True))
                                    for d in SIZES],
        "block exploration, runs": [measured_size(d, HORIZON, BIAS, LOCKS, SEED) for d in SIZES],
        "uniform actions, best output": [odd_game.uniform_size(d, HORIZON, BIAS) for d in SIZES],
        "necessary, the theorem": [odd_game.necessary_size(d, HORIZON, BIAS) for d in SIZES],
    }


def slope(found: list[float]) -> float:
    """The slope of log N against log d, by least squares over d >= 4."""
    large = [number for number, d in enumerate(SIZES) if d >= 4]
    return float(np.polyfit(np.log([SIZES[at] for at in large]), np.log([found[at] for at in large]), 1)[0])


def sides():
    """Both sides of the size, and two strategies between them, on logarithmic axes with their slopes."""
    drawn, ax = style.axes(figsize=(6.4, 3.8))
    looks = (("--", style.BLUE), ("o", style.RED), ("-", style.GREEN), ("--", style.GREY))
    for (name, found), (line, colour) in zip(sizes().items(), looks, strict=True):
        ax.plot(SIZES, found, line, color=colour, label=f"{name}: slope {slope(found):.2f}")
    ax.set(xlabel="$d$", ylabel="trajectories", xscale="log", yscale="log", xticks=SIZES, xticklabels=SIZES)
    ax.minorticks_off()
    drawn.legend(fontsize=8, loc="outside lower center", ncols=2)
    return drawn


def ratio(d: int) -> str:
    """How many times the necessary number uniform actions need, for the cell of the page."""
    return f"{odd_game.uniform_size(d, HORIZON, BIAS) / odd_game.necessary_size(d, HORIZON, BIAS):.2f}"
