"""Figures of one deployment: the mean loss against d and H with both bounds, and sizes against d on both sides."""

from __future__ import annotations

import math

import numpy as np

from derl.experiments.one_deployment import measured_size, worst_mean_loss
from derl.show.drawing import style
from derl.theory.beyond import exchange, odd_game, one_deployment

SIZES, HORIZONS, BATCH, DELTA, SEED = (2, 3, 4, 5, 6, 7, 8), (2, 3, 4, 5, 6), 10**4, 0.1, 7
HORIZON, DIM, BIAS, LOCKS, FEW = 3, 3, 0.125, 40, 12


def losses(d: int, horizon: int) -> dict[str, float]:
    """What N = 10^4 trajectories lose in the mean: measured on odd-one-out locks, and the bounds at g = d."""
    return {
        "bound with a logarithm": math.sqrt(exchange.batch_size(d, horizon, 1.0, DELTA, horizon, d, mean=True) / BATCH),
        "bound for the mean": math.sqrt(one_deployment.batch_size(d, horizon, 1e-3, DELTA, d, "mean") * 1e-6 / BATCH),
        "measured, worst bias": worst_mean_loss(d, horizon, BATCH, FEW, SEED),
        "necessary": one_deployment.necessary_loss(d, horizon, BATCH),
    }


def figure():
    """The mean loss against d at H = 3 and against H at d = 3, with the bounds of the theorems."""
    drawn, panels = style.axes(2, figsize=(7.2, 3.4), sharey=True)
    for ax, letter, values, pairs in ((panels[0], "$d$", SIZES, [(d, HORIZON) for d in SIZES]),
                                      (panels[1], "$H$", HORIZONS, [(DIM, horizon) for horizon in HORIZONS])):
        found = [losses(*pair) for pair in pairs]
        looks = (("--", style.GREY), ("-", style.BLUE), ("o", style.RED), ("-", style.GREEN))
        for name, (line, colour) in zip(found[0], looks, strict=True):
            ax.plot(values, [one[name] for one in found], line, color=colour, label=name)
        ax.set(xlabel=letter, yscale="log", xticks=values, xticklabels=values)
    panels[0].set(ylabel="mean loss")
    handles, labels = panels[0].get_legend_handles_labels()
    drawn.legend(handles, labels, fontsize=8, loc="outside lower center", ncols=2)
    return drawn


def sizes() -> dict[str, list[float]]:
    """N against d for odd-one-out locks with the bias b, by where it comes from; the loss is at most b/4."""
    return {
        "sufficient, the theorem": [float(one_deployment.batch_size(d, HORIZON, BIAS / 4, DELTA, d, "mean"))
                                    for d in SIZES],
        "one deployment, runs": [measured_size(d, HORIZON, BIAS, LOCKS, SEED) for d in SIZES],
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


def saved(d: int, horizon: int) -> str:
    """How many times the number of the theorem for the mean the bound with a logarithm needs, at delta = 1/10."""
    old = exchange.batch_size(d, horizon, 0.1, DELTA, horizon, d, mean=True)
    return f"{old / one_deployment.batch_size(d, horizon, 0.1, DELTA, d, 'mean'):.0f}"
