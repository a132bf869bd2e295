"""Figures on sample sizes: N against the trade-off, K against N, the constant of the bonus."""

from __future__ import annotations

import math

import numpy as np

from derl.show.drawing import style
from derl.theory import constants
from derl.theory.constants import InvalidConstant
from derl.theory.layerwise import samples

LINES = {"explicit": ("-", "printed proof, constants explicit"), "sharp": ("--", "(a) sharp lemma per layer"),
         "chernoff": ("-.", "(a-c) one count, multiplicative test"), "covering": (":", "(d) bonus of the covering"),
         "share": ((0, (5, 1)), "(e) larger share of epsilon")}


def batch_size_against_trade_off(d: int, horizon: int, epsilon: float, delta: float, largest: float = 100.0):
    """N against c_K for each version; the printed formula with constant 1 beside them."""
    figure, ax = style.axes(figsize=(7.0, 4.2))
    trade_offs = 1 + np.logspace(-0.7, math.log10(largest - 1), 40)
    for version, (line, label) in LINES.items():
        ax.plot(trade_offs, [samples.budget(d, horizon, epsilon, delta, c, version).batch_size * 1.0
                             for c in trade_offs], linestyle=line, label=label)
    printed = [float(constants.batch_size_layerwise(d, horizon, epsilon, delta, c)) for c in trade_offs if c >= 2]
    ax.plot(trade_offs[trade_offs >= 2], printed, color=style.GREY, marker=".", linewidth=0.8,
            label="printed formula, constant 1 (not proved)")
    ax.set(xscale="log", yscale="log", xlabel=r"trade-off $c_K$", ylabel=r"trajectories per deployment $N$",
           ylim=(None, 1e32))
    ax.legend(fontsize=8)
    return figure


def deployments_against_batch_size(d: int, horizon: int, epsilon: float, delta: float, c_K: float = 1.6):
    """K against N_0 for the whole algorithm, beside repeating small batches until they make one large batch."""
    figure, ax = style.axes()
    large = samples.budget(d, horizon, epsilon, delta, c_K, "covering")
    sizes, counts = curve(d, horizon, epsilon, delta, large.batch_size)
    reference = samples.budget(d, horizon, epsilon, delta, 2, "covering")
    naive = [reference.deployments * math.ceil(reference.batch_size / n) for n in sizes]
    ax.plot(sizes, counts, label=r"$K(N_0)$, the curve")
    ax.plot(sizes, naive, linestyle="--", label=r"$K\lceil N/N_0\rceil$ from $c_K=2$")
    ax.axhline(d * horizon, color=style.GREY, linestyle=":", label=r"$dH$")
    ax.set(xscale="log", yscale="log", xlabel=r"batch size $N_0$", ylabel="deployments",
           ylim=(0.7 * d * horizon, 3 * counts[0]))
    ax.legend()
    return figure


def curve(d: int, horizon: int, epsilon: float, delta: float, largest: float, points: int = 120):
    """Batch sizes from the smallest that the test on Delta_k allows, and K for each."""
    sizes, counts = [], []
    for size in np.logspace(0, math.log10(largest), points):
        try:
            counts.append(samples.deployments_for(d, horizon, epsilon, delta, float(size)))
        except InvalidConstant:
            continue
        sizes.append(float(size))
    return sizes, counts


def bonus_constant(dimensions=(2, 3, 8, 50), largest: int = 15):
    """beta/(dH sqrt(log(2dKNH/delta))) that the covering argument requires, against n, at H = delta = N = 1."""
    figure, ax = style.axes()
    n = np.unique(np.round(np.logspace(0, largest, 150)))
    for d, line in zip(dimensions, ("-", "--", "-.", ":"), strict=False):
        needed = [samples.covering_scale(d, 1, 1 - 1e-12, math.log(k)) for k in n]
        ax.plot(n, np.array(needed) / (d * np.sqrt(np.log(2 * d * (n + 1)))), linestyle=line, label=f"d = {d}")
    ax.axhline(samples.C_BETA, color=style.GREY, linewidth=1)
    ax.annotate("proved: 3/2 for all parameters", (n[-1], samples.C_BETA), ha="right", va="bottom",
                color=style.INK)
    ax.set(xscale="log", xlabel="earlier trajectories n", ylabel=r"constant $c_\beta$ that is needed", ylim=(0, 1.75))
    ax.legend(ncols=2)
    return figure
