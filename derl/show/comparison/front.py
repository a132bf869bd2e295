"""The picture of the front page: how many deployments, against layers and dimension, counted and proved."""

from __future__ import annotations

import numpy as np

from derl.show.drawing import style
from derl.show.layerwise.growth import ACCURACY, CONFIDENCE, count_deployments
from derl.theory import lower_bounds

SIZES = ((6, 4), (8, 4), (8, 6), (12, 6), (12, 8))  # (d, H) of the compact bandits that are run


def runs(sizes=SIZES):
    """The repaired Algorithm 1 at its proved N and beta on compact bandits, one `Count` per size."""
    return [count_deployments("compact bandit", dim, layers, 0) for dim, layers in sizes]


def deployments(counts):
    """Deployments against dH: what Algorithm 1 uses, what every deterministic policy class needs, what mixtures need.

    Parameters
    ----------
    counts : list of Count
        See `runs`.
    """
    figure, ax = style.axes(figsize=(6.8, 3.3))
    size = np.array([c.dim * c.layers for c in counts])
    order = np.argsort(size)
    needed = np.array([(1 - CONFIDENCE) * lower_bounds.compact_arms(c.dim, c.layers) - 1 for c in counts])
    ax.plot(size[order], size[order], "--", color=style.GREY, linewidth=1, label="$dH$")
    ax.plot(size, [c.deployments for c in counts], "o", color=style.RED, label="Algorithm 1, repaired: counted")
    ax.plot(size, needed, "v", color=style.INK, fillstyle="none",
            label=f"deterministic policies, any algorithm: proved to be needed (δ = {CONFIDENCE})")
    ax.plot(size, [c.layers for c in counts], "s", color=style.BLUE, label="mixtures, $H$: proved to be enough")
    ax.set(xlabel="$dH$, dimension times layers", ylabel="deployments", ylim=(0, None))
    figure.legend(fontsize=8, loc="outside lower center", ncols=2)
    return figure


def said(counts) -> str:
    """What the picture shows, in a sentence with its numbers."""
    last = max(counts, key=lambda c: c.dim * c.layers)
    return (f"{len(counts)} runs at the proved batch size, ε = {ACCURACY}: at d = {last.dim}, H = {last.layers} "
            f"the repaired Algorithm 1 deploys {last.deployments} policies and loses {last.gap:.1g}. "
            f"With mixtures {last.layers} deployments are enough, with larger batches. On these instances some "
            "directions cannot be reached, so Theorem E.9 says nothing about them; the theorem of this book without "
            "reachability does.")
