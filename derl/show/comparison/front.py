"""The picture of the front page: how many deployments, against layers and dimension, counted and proved."""

from __future__ import annotations

from math import ceil, log

import numpy as np

from derl.show.drawing import style
from derl.show.layerwise.growth import ACCURACY, CONFIDENCE, count_deployments
from derl.theory import lower_bounds
from derl.theory.texts import said as statement

SMALL = 0.1  # loss and failure at which the scale of the exchange law is said
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
    return (f"The picture has {len(counts)} runs at the proved batch size $N$ and $\\epsilon={ACCURACY}$. "
            f"At $d={last.dim}$, $H={last.layers}$ the repaired Algorithm 1 deploys {last.deployments} policies "
            f"and loses {last.gap:.1g}. "
            f"With mixtures {last.layers} deployments are enough, with larger batches. On these instances some "
            "directions cannot be reached, so the paper's theorem on mixtures (E.9) does not cover them; the theorem "
            "of this book without reachability does.")


def scale(dims=(4, 10, 100), epsilon: float = SMALL, delta: float = SMALL) -> list[tuple[int, int, float]]:
    """From how many layers on the exchange law asks for a second deployment, at the smallest N of its upper bound.

    Parameters
    ----------
    dims : iterable of int
        Dimensions d, at least 4.
    epsilon, delta : float
        In (0, 1/2) and in (0, 1/3).

    Returns
    -------
    list of (d, H, N)
        The least H at which the lower bound exceeds 1 for N = Qd; Q and the bound are those of the statement.

    Source: res-law-without-reachability
    """
    law, found = statement("res-law-without-reachability"), []
    for d in dims:
        for layers in range(3, 10**4):
            size = d * law("Q=", d=d, H=layers, epsilon=epsilon, delta=delta)
            bound = law.sides("...<", {r"K^\circ(N)": 1, r"\lceil\log_{d-1}N\rceil": ceil(log(size) / log(d - 1))},
                              H=layers, d=d, after="the bounds")[0]
            if bound > 1:
                found.append((d, layers, float(size)))
                break
    return found


def scale_said() -> str:
    """At which sizes the exchange law says something, in a sentence."""
    rows = scale()
    layers, sizes = [str(h) for _, h, _ in rows], [f"$10^{{{round(log(n) / log(10))}}}$" for *_, n in rows]
    dims = [str(d) for d, *_ in rows]
    return ("The law says something only for long horizons: at the smallest batch size $N$ that it allows, "
            f"it asks for more than one deployment from $H={', '.join(layers[:-1])}$ and ${layers[-1]}$ on for "
            f"$d={', '.join(dims[:-1])}$ and "
            f"${dims[-1]}$, where $N$ is about {', '.join(sizes[:-1])} and {sizes[-1]} "
            f"($\\epsilon=\\delta={SMALL}$).")
