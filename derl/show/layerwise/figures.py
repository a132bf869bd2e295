"""How Algorithm 1 spends its deployments."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import LogNorm

from derl.show.drawing import style
from derl.show.layerwise.lab import LayerwiseLab


def layerwise_trace(outcome):
    """The statistic against the threshold, layer by layer."""
    figure, ax = style.axes()
    k, ratio = _statistic(ax, outcome)
    for x, y, record in zip(k, ratio, outcome.trace, strict=True):
        ax.annotate(str(record.layer), (x, y), textcoords="offset points", xytext=(0, 6 if y > 1 else -12),
                    ha="center", fontsize=8, color=style.GREY)
    ax.margins(y=0.15)
    ax.set(xlabel=r"deployment $k$ (numbers: layer $h_k$)")
    ax.legend()
    return figure


def _statistic(ax, outcome):
    """Draw Delta_k over its threshold; return k and the ratios."""
    k = np.arange(1, len(outcome.trace) + 1)
    ratio = np.array([record.statistic / record.threshold for record in outcome.trace])
    done = ratio < 1
    ax.vlines(k, 1, ratio, color=style.GREY, linewidth=1)
    ax.plot(k[~done], ratio[~done], "o", color=style.RED, label="explores on")
    ax.plot(k[done], ratio[done], "s", color=style.GREEN, label="finishes its layer")
    ax.axhline(1, color=style.BLUE, linestyle="--", linewidth=1)
    ax.set(xlabel="deployment k", ylabel=r"$\Delta_k$ / threshold", yscale="log")
    return k, ratio


def layerwise(lab: LayerwiseLab):
    """Statistic over threshold, values in the truncated MDP, and the bonus of each layer, deployment by deployment."""
    figure, (left, middle, right) = style.axes(3, figsize=(10.5, 3.3))
    k, _ = _statistic(left, lab.outcome)
    left.legend(fontsize=8)
    middle.step(k, lab.best, where="mid", color=style.GREY, label="optimum")
    middle.plot(k, lab.value, "o", color=style.BLUE, label="deployed policy")
    middle.set(xlabel="deployment k", ylabel=r"value in the first $h_k$ layers")
    middle.legend(fontsize=8)
    edges = np.arange(len(k) + 1) + 0.5, np.arange(lab.horizon + 1) + 0.5
    shown = np.ma.masked_invalid(np.maximum(lab.bonus, 1e-12).T)
    mesh = right.pcolormesh(*edges, shown, cmap="viridis", norm=LogNorm())
    right.set(xlabel="deployment k", ylabel="layer h")
    right.grid(visible=False)
    figure.colorbar(mesh, ax=right, label="bonus along the deployed policy")
    for ax in (left, middle, right):
        ax.xaxis.get_major_locator().set_params(integer=True)
    right.yaxis.get_major_locator().set_params(integer=True)
    return figure
