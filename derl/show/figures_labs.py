"""What the labs of Algorithm 1 and of the lower bounds draw."""

from __future__ import annotations

import numpy as np
from matplotlib.colors import LogNorm

from derl.show import style
from derl.show.labs_layerwise import LayerwiseLab
from derl.show.labs_lower_bounds import BanditLab, SearchLab
from derl.theory import lower_bounds


def layerwise(lab: LayerwiseLab):
    """Statistic over threshold, values in the truncated MDP, and the bonus of each layer, deployment by deployment."""
    figure, (left, middle, right) = style.axes(3, figsize=(10.5, 3.3))
    k = np.arange(1, len(lab.layers) + 1)
    ratio = np.array([record.statistic / record.threshold for record in lab.outcome.trace])
    done = ratio < 1
    left.vlines(k, 1, ratio, color=style.GREY, linewidth=1)
    left.plot(k[~done], ratio[~done], "o", color=style.RED, label="explores on")
    left.plot(k[done], ratio[done], "s", color=style.GREEN, label="finishes its layer")
    left.axhline(1, color=style.BLUE, linestyle="--", linewidth=1)
    left.set(xlabel="deployment k", ylabel=r"$\Delta_k$ / threshold", yscale="log")
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


def search(lab: SearchLab):
    """Success probability against K, between what uniform search attains and what no algorithm exceeds."""
    figure, ax = style.axes()
    k = np.arange(len(lab.uniform))
    ax.fill_between(k, lab.uniform, lab.ceiling, color=style.SKY, alpha=0.35, linewidth=0)
    ax.plot(k, lab.uniform, "o-", markersize=3, color=style.BLUE, label="uniform search, exact")
    ax.plot(k, lab.ceiling, "s--", markersize=3, color=style.RED, label="no algorithm exceeds")
    ax.axvline(lab.printed, color=style.ORANGE, linestyle=":", label=f"printed bound, K = {lab.printed}")
    ax.axvline(lab.improved, color=style.GREEN, linestyle="-.", label=f"without the factor 2, K = {lab.improved}")
    ax.plot(lab.deployments, lab.success, "o", color=style.BLUE, markersize=9)
    ax.set(xlabel="deployments K", ylabel="probability that the last layer is reached", ylim=(-0.03, 1.03))
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.legend(fontsize=8, loc="center right")
    return figure


def bandit(lab: BanditLab):
    """Minimax failure of the deterministic game against K, the printed claim, and where the slider stands."""
    figure, ax = style.axes()
    k = np.arange(max(lab.arms, lab.deployments) + 1)
    exact = [float(lower_bounds.bandit_failure(lab.arms, int(n))) for n in k]
    ax.step(k, exact, where="post", color=style.BLUE, label=r"exact: $1-(K+1)/m$")
    ax.hlines(0.1, 0, lab.arms / 2, color=style.ORANGE, linestyle="--", label="claimed: at least 1/10 up to m/2")
    ax.plot(lab.deployments, float(lab.failure), "o", color=style.BLUE, markersize=9)
    ax.axvline(lab.needed, color=style.GREEN, linestyle="-.", label=f"failure 1/10 needs K = {lab.needed}")
    ax.set(xlabel="deployments K", ylabel="probability of the wrong arm", ylim=(-0.03, 1.03))
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.legend(fontsize=8, loc="upper right")
    return figure
