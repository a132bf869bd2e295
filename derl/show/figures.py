"""Figures, one function each: arrays or results in, a matplotlib figure out."""

from __future__ import annotations

import numpy as np

from derl.mdp import planning
from derl.show import style
from derl.theory import lower_bounds, potential


def potential_lab(lab):
    """Trace of each batch against the level, and the determinant that pays for it (see `labs.elliptical_potential`)."""
    figure, (left, right) = style.axes(2, figsize=(7.6, 3.4))
    run, n = lab.trajectory, np.arange(1, len(lab.trajectory.trace) + 1)
    share = run.trace / run.batch_size
    left.plot(n[run.violates], share[run.violates], "o", color=style.RED, label="violates")
    left.plot(n[~run.violates], share[~run.violates], "x", color=style.GREY, label="does not")
    left.axhline(run.epsilon, color=style.BLUE, linestyle="--", label=r"level $\epsilon$")
    left.set(xlabel="batch k", ylabel=r"$\mathrm{tr}(A_{k-1}^{-1}\Phi_{k-1})/N$", ylim=(0, None))
    left.xaxis.get_major_locator().set_params(integer=True)
    left.legend()
    right.step(np.arange(len(run.count) + 1), np.concatenate([[0], run.count]), where="post", color=style.RED,
               label="violations so far")
    right.axhline(run.sharp_bound, color=style.GREEN, linestyle="-.", label="sharp bound")
    if np.isfinite(run.paper_bound):
        right.axhline(run.paper_bound, color=style.ORANGE, linestyle=":", label="printed proof")
    right.set(xlabel="batches", ylabel="violations")
    right.xaxis.get_major_locator().set_params(integer=True)
    right.yaxis.get_major_locator().set_params(integer=True)
    right.legend()
    return figure


def potential_bounds(epsilon: float = 0.1, dimensions=(1, 2, 5), largest: int = 18):
    """Violations per dimension that the sharp lemma allows, against N: K/d comes down to 1 as N grows."""
    figure, ax = style.axes()
    sizes = np.unique(np.logspace(0, largest, 90).astype(np.int64))
    for d, line in zip(dimensions, ("-", "--", ":"), strict=False):
        ax.step(sizes, [potential.sharp_bound(d, int(n), epsilon) / d for n in sizes], line, where="post",
                label=f"d = {d}")
    ax.set(xscale="log", yscale="log", xlabel="batch size N", ylabel="allowed violations / d")
    ax.legend()
    return figure


def layerwise_trace(outcome):
    """How Algorithm 1 spends its deployments: the statistic against the threshold, layer by layer."""
    figure, ax = style.axes()
    trace = outcome.trace
    k = np.array([record.deployment for record in trace])
    layer = np.array([record.layer for record in trace])
    ratio = np.array([record.statistic / record.threshold for record in trace])
    finished = ratio < 1
    ax.vlines(k, 1, ratio, color=style.GREY, linewidth=1)
    ax.plot(k[finished], ratio[finished], "s", color=style.GREEN, label="finishes its layer")
    ax.plot(k[~finished], ratio[~finished], "o", color=style.RED, label="explores on")
    for x, y, h in zip(k, ratio, layer, strict=True):
        ax.annotate(str(h), (x, y), textcoords="offset points", xytext=(0, 6 if y > 1 else -12), ha="center",
                    fontsize=8, color=style.GREY)
    ax.axhline(1, color=style.BLUE, linestyle="--", linewidth=1)
    ax.margins(y=0.15)
    ax.set(xlabel=r"deployment $k$ (numbers: layer $h_k$)", ylabel=r"$\Delta_k$ / threshold", yscale="log")
    ax.legend()
    return figure


def deterministic_failure(d: int, horizon: int):
    """Exact minimax failure probability of the deterministic game against K, with what the theorem claims."""
    figure, ax = style.axes()
    arms = lower_bounds.template_arms(d, horizon)
    n = np.arange(0, arms + 1)
    exact = [float(lower_bounds.exact_failure_deterministic(d, horizon, int(k))) for k in n]
    ax.step(n, exact, where="post", color=style.BLUE, label=r"exact: $1-(K+1)/m$")
    ax.hlines(0.1, 0, arms / 2, color=style.ORANGE, linestyle="--", label="claimed: at least 1/10 up to m/2")
    ax.set(xlabel="deployments K", ylabel="probability of the wrong arm", ylim=(0, 1))
    ax.legend()
    return figure


def instance_graph(mdp, layers: int | None = None, highlight=None):
    """States of each layer and the transitions between them, drawn from the arrays of an MDP.

    Parameters
    ----------
    mdp : LinearMDP
        Small: every state of every layer is drawn if it can be reached.
    layers : int or None
        Draw the first layers only.
    highlight : (H, S) int or None
        A deterministic policy; the transitions that it takes are drawn strongly.
    """
    layers = mdp.horizon if layers is None else min(layers, mdp.horizon)
    figure, ax = style.axes(figsize=(7.6, 0.5 * mdp.n_states + 1.4))
    reachable = mdp.initial > 0
    on_path = None if highlight is None else planning.occupancy(mdp, highlight).sum(axis=2) > 0
    names = mdp.state_names or tuple(f"s{i}" for i in range(mdp.n_states))
    rewards = mdp.rewards()
    for h in range(layers):
        following = np.zeros(mdp.n_states, bool)
        for s in np.flatnonzero(reachable):
            ax.plot(h, -s, "o", markersize=16, color=style.SKY if rewards[h, s].max() < 1 else style.GREEN, alpha=0.85)
            ax.annotate(names[s], (h, -s), ha="center", va="center", fontsize=7, color="black")
            actions = np.flatnonzero(mdp.available[h][s])
            rows = mdp.transition_rows(h, np.full(len(actions), s), actions)
            following |= (rows > 0).any(axis=0)
            if h + 1 < layers:
                for a, row in zip(actions, rows, strict=True):
                    strong = on_path is not None and on_path[h, s] and highlight[h, s] == a
                    for t in np.flatnonzero(row):
                        ax.annotate("", (h + 0.88, -t), (h + 0.12, -s), arrowprops={
                            "arrowstyle": "->", "color": style.RED if strong else style.GREY,
                            "alpha": 0.9 if strong else 0.25 + 0.5 * float(row[t]),
                            "linewidth": 1.8 if strong else 0.9})
        reachable = following
    ax.set(xlabel="layer", xticks=range(layers), xticklabels=range(1, layers + 1), yticks=[],
           xlim=(-0.4, layers - 0.6))
    ax.grid(visible=False)
    ax.spines["left"].set_visible(False)
    return figure
