"""Two labs of Algorithm 1: layers that open deployment by deployment, and how many trajectories each proof requires."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from matplotlib.colors import ListedColormap

from derl.show.drawing import style
from derl.show.labs.controls import Choice, Lab, Slider, Steps, View
from derl.show.layerwise import samples_lab
from derl.show.layerwise.lab import INSTANCES, VERSIONS, LayerwiseLab, layerwise_lab

MOST_VECTORS = 60  # deployments; of more, a picture is made of pixels, or it weighs a megabyte
MOST_STEPS = 120  # deployments that can be stepped through; what comes after is in the last picture
LOCKED, OPEN, CURRENT, DONE = range(4)
SHADES = ListedColormap(["#e4e4e4", style.SKY, style.ORANGE, style.GREEN])
WORDS = ("locked", "open", "explored now", "finished")
run = lru_cache(maxsize=8)(layerwise_lab)


def states(lab: LayerwiseLab, k: int) -> np.ndarray:
    """What each layer was at each of the first k deployments: (H, k), locked, open, explored now or finished.

    A layer opens when the one before it is finished, and deployment k walks through all layers up to h_k.
    """
    layer = np.arange(1, lab.horizon + 1)[:, None]
    now = lab.layers[None, :k]
    found = np.where(layer > now, LOCKED, np.where(layer < now, DONE, CURRENT))
    ends = np.array([record.finished for record in lab.outcome.trace[:k]])
    found[(layer == now) & ends] = DONE
    return found


def unlocking(lab: LayerwiseLab, k: int):
    """Layers against deployments: which is locked, explored, finished."""
    figure, ax = style.axes(figsize=(5.6, 3.6))
    ax.pcolormesh(np.arange(k + 1) + 0.5, np.arange(lab.horizon + 1) + 0.5, states(lab, k), cmap=SHADES, vmin=0, vmax=3,
                  edgecolors="white", linewidth=0.8 if k <= MOST_VECTORS else 0, rasterized=k > MOST_VECTORS)
    opened = [1 + int(np.flatnonzero(lab.layers[:k] == h)[0]) for h in range(1, lab.layers[k - 1] + 1)]
    for h, at in enumerate(opened, start=1):
        ax.annotate(str(at), (at, h), ha="center", va="center", fontsize=8, color="black")
    for shade, word in ((LOCKED, "locked"), (CURRENT, "explored"), (DONE, "finished; number: opened at")):
        ax.plot([], [], "s", color=SHADES(shade / 3), label=word)
    ax.set(xlabel="deployment k", ylabel="layer h", xlim=(0.5, max(len(lab.layers), 2) + 0.5),
           ylim=(0.5, lab.horizon + 0.5))
    ax.grid(visible=False)
    for axis in (ax.xaxis, ax.yaxis):
        axis.get_major_locator().set_params(integer=True)
    figure.legend(loc="outside upper center", ncols=3, fontsize=8)
    return figure


def progress(lab: LayerwiseLab, k: int):
    """Delta_k over its threshold, and how far the deployed policy is from the optimum of its layers."""
    figure, ax = style.axes(figsize=(5.0, 3.6))
    at, many = np.arange(1, k + 1), k > MOST_VECTORS
    ratio = np.array([record.statistic / record.threshold for record in lab.outcome.trace[:k]])
    done = ratio < 1
    ax.plot(at[~done], ratio[~done], "o", color=style.RED, label="explores on", rasterized=many)
    ax.plot(at[done], ratio[done], "s", color=style.GREEN, label="opens the next layer", rasterized=many)
    lost = np.maximum((lab.best - lab.value)[:k] / [record.threshold for record in lab.outcome.trace[:k]], 1e-6)
    ax.plot(at, lost, "_", color=style.BLUE, markersize=8, label="true loss over threshold", rasterized=many)
    ax.axhline(1, color=style.BLUE, linestyle="--", linewidth=1)
    ax.set(xlabel="deployment k", ylabel=r"$\Delta_k$ / threshold", yscale="log",
           xlim=(0.5, max(len(lab.layers), 2) + 0.5))
    ax.xaxis.get_major_locator().set_params(integer=True)
    figure.legend(loc="outside upper center", ncols=3, fontsize=8)
    return figure


def layers_view(k: int, instance: str, version: str, exponent: int, epsilon: float, dim: int, horizon: int) -> View:
    """Algorithm 1 after k deployments."""
    lab = run(instance, dim, horizon, epsilon, version, exponent)
    last = min(len(lab.layers), MOST_STEPS)
    k = len(lab.layers) if k >= last else max(1, k)
    record = lab.outcome.trace[k - 1]
    if k == len(lab.layers):
        words = lab.sentence
    else:
        what = f"layer {record.layer} is finished, layer {record.layer + 1} opens" if record.finished else \
            f"layer {record.layer} is explored on"
        words = (f"deployment {k} explored the layers 1 to {record.layer}: Delta = {record.statistic:.3g} against "
                 f"{record.threshold:.3g}, {what}")
    return View(words, (unlocking(lab, k), progress(lab, k)), last, ("dim", "horizon") if instance == "trap" else ())


LAB = Lab("layerwise", "Algorithm 1 opens layer after layer",
          "Play the deployments. See which layer each of them finishes, and how this depends on the batch size.",
          layers_view, (
              Steps("k", "deployment k", 5, 1, MOST_STEPS),
              Choice("instance", "instance", INSTANCES, "random"),
              Choice("version", "version", VERSIONS, "repaired"),
              Slider("exponent", "batch size N", tuple(range(4, 19)), 8, "1e{}"),
              Slider("epsilon", "accuracy epsilon", (0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0), 0.2),
              Slider("dim", "dimension d", tuple(range(2, 7)), 4),
              Slider("horizon", "horizon H", tuple(range(1, 9)), 5)), "layerwise/algorithm-one")


def bars(rows):
    """N of every version, on a logarithmic axis."""
    figure, ax = style.axes(figsize=(5.8, 4.0))
    at = np.arange(len(rows))[::-1]
    for i, row in zip(at, rows, strict=True):
        ax.barh(i, np.log10(float(row.batch_size)), color=style.BLUE if row.algorithm == "1" else style.GREEN,
                alpha=1.0 if row.proved else 0.35, hatch="" if row.proved else "//")
    ax.set(yticks=at, yticklabels=[f"{row.algorithm}: {row.version}" for row in rows],
           xlabel=r"$\log_{10}N$ (pale: not proved)")
    ax.tick_params(axis="y", labelsize=8)
    return figure


def sizes_view(dim: int, horizon: int, epsilon: float, delta: float, c_K: float, share: float) -> View:
    """N and K of every version."""
    rows = samples_lab.sample_sizes(dim, horizon, epsilon, delta, c_K, share / dim**0.5 * (1 - 1e-12))
    return View(samples_lab.sentence(rows), (bars(rows), samples_lab.table(rows)))


SIZES = Lab("layerwise_sizes", "How many trajectories?",
            "Batch size and deployments of both algorithms, from the printed proofs to the best that this book proves.",
            sizes_view, (
                Slider("c_K", "trade-off c_K", (1.1, 1.5, 2.0, 3.0, 4.0, 6.0, 10.0, 20.0, 40.0), 6.0),
                Slider("share", "nu sqrt(d)", tuple(k / 10 for k in range(1, 11)), 0.9),
                Slider("dim", "dimension d", (1, 2, 3, 5, 7, 10, 20, 50), 10),
                Slider("horizon", "horizon H", (1, 2, 3, 5, 7, 10, 20, 50), 10),
                Slider("epsilon", "accuracy epsilon", (0.0001, 0.001, 0.01, 0.03, 0.1, 0.3, 0.8), 0.1, "{:g}"),
                Slider("delta", "risk delta", (1e-9, 1e-6, 0.001, 0.01, 0.1, 0.5), 0.1, "{:g}")),
            "layerwise/fewer-samples")
