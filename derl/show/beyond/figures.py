"""Figures of the exchange law."""

from __future__ import annotations

import numpy as np

from derl.show.beyond.law import EPSILON, sides
from derl.show.beyond.smallest import LAYERS, LEVEL, Smallest, slopes
from derl.show.drawing import style
from derl.theory import lower_bounds

MARKS = ("o", "s", "^", "D")


def law(d: int, horizon: int):
    """K against log_d N: two proved lower bounds and the proved upper bound, with a logarithmic axis for K."""
    most = int(max(sides(d, horizon, 0)["enough"].exponents)) + 6
    curves = sides(d, horizon, most)
    figure, ax = style.axes(figsize=(6.8, 3.6))
    x = np.arange(1, most + 1)
    ax.plot(x, np.maximum(1, horizon / x), ":", color=style.GREY, linewidth=1.4, label=r"$H/\log_dN$")
    for name, kind, says in (("printed", "--", "needed: Theorem B.3, repaired"),
                             ("counted", "-", "needed: without $H$ in the logarithm")):
        ax.step(curves[name].exponents, curves[name].deployments, kind, where="post", color=style.RED, label=says)
    above = curves["enough"]
    ax.step([*above.exponents, most], [*above.deployments, above.deployments[-1]], where="post", color=style.BLUE,
            label=f"enough: block exploration, ε = {EPSILON}")
    ax.set(xlabel=r"$\log_dN$", ylabel="deployments $K$", yscale="log")
    figure.legend(fontsize=8, loc="outside lower center", ncols=2)
    return figure


def smallest(found: list[Smallest]):
    """Left: the smallest batch against d, for each L. Right: the same runs as K against log_d N, above the bound."""
    figure, (left, right) = style.axes(2, figsize=(8.2, 3.4))
    rates = slopes(found)
    for mark, color, block in zip(MARKS, style.CYCLE, rates, strict=False):
        own = [one for one in found if one.block == block]
        middle = np.array([one.batch_size for one in own])
        around = np.abs([[min(one.by_seed), max(one.by_seed)] for one in own] - middle[:, None]).T
        left.errorbar([one.d for one in own], middle, around, fmt=mark + "-", color=color, markersize=4, capsize=2,
                      label=f"$L={block}$: slope {rates[block].mean:.1f}")
        right.plot([np.log(one.batch_size) / np.log(one.d) for one in own], [one.deployments for one in own], mark,
                   color=color, markersize=4)
    sizes = sorted({one.d for one in found})
    left.set(xlabel="$d$", ylabel="smallest $N$", xscale="log", yscale="log", xticks=sizes, xticklabels=sizes)
    left.minorticks_off()
    left.legend(fontsize=8)
    x = np.arange(0, 12)
    right.step(x, [LAYERS // (2 * lower_bounds.largest_pace(sizes[-1], sizes[-1] ** int(one))) + 1 for one in x],
               where="post", color=style.RED, label=f"needed, $d={sizes[-1]}$")
    right.plot(x[1:], np.maximum(1, LAYERS / x[1:]), ":", color=style.GREY, label=r"$H/\log_dN$")
    right.set(xlabel=r"$\log_dN$", ylabel="deployments $K$", ylim=(0, LAYERS + 1))
    right.legend(fontsize=8)
    return figure


def said(found: list[Smallest]) -> str:
    """The slopes in a sentence, with their intervals."""
    rates = ", ".join(f"{slope.mean:.1f} ({slope.low:.1f} to {slope.high:.1f}) for L = {block}"
                      for block, slope in slopes(found).items())
    return (f"Slopes of log N against log d on locks with {LAYERS} layers, means over {len(found[0].by_seed)} seeds "
            f"with {100 * LEVEL:.0f} % intervals: {rates}. Every planning uses all trajectories here, as one would "
            "with few of them; the theorems speak of data that are split.")
