"""The lab of the elliptical potential: an adversary plays batch after batch."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from derl.show.drawing import style
from derl.show.labs.controls import Choice, Lab, Slider, Steps, View
from derl.show.potential.lab import ADVERSARIES, elliptical_potential

MOST_STEPS = 60
run = lru_cache(maxsize=16)(elliptical_potential)


def batches(lab, k: int):
    """Trace of each batch against the level, up to batch k."""
    figure, ax = style.axes(figsize=(5.0, 3.5))
    played, at = lab.trajectory, np.arange(1, k + 1)
    share, bad = (played.trace / played.batch_size)[:k], played.violates[:k]
    ax.vlines(at, 0, share, color=style.GREY, linewidth=1)
    ax.plot(at[bad], share[bad], "o", color=style.RED, label="violates")
    ax.plot(at[~bad], share[~bad], "x", color=style.GREY, label="does not")
    ax.axhline(played.epsilon, color=style.BLUE, linestyle="--", label=r"level $\epsilon$")
    ax.set(xlabel="batch k", ylabel=r"$\mathrm{tr}(A_{k-1}^{-1}\Phi_{k-1})/N$", ylim=(0, 1.08),
           xlim=(0.5, max(len(played.trace), 2) + 0.5))
    ax.xaxis.get_major_locator().set_params(integer=True)
    figure.legend(loc="outside upper center", ncols=3, fontsize=8)
    return figure


def count(lab, k: int):
    """Violations so far against what the two lemmas allow."""
    figure, ax = style.axes(figsize=(5.0, 3.5))
    played = lab.trajectory
    ax.step(np.arange(k + 1), np.concatenate([[0], played.count[:k]]), where="post", color=style.RED,
            label="violations so far")
    ax.axhline(played.sharp_bound, color=style.GREEN, linestyle="-.", label="sharp bound")
    if np.isfinite(played.paper_bound):
        ax.axhline(played.paper_bound, color=style.ORANGE, linestyle=":", label="printed proof")
    ax.set(xlabel="batches", ylabel="violations", ylim=(0, None), xlim=(0, max(len(played.trace), 1)))
    for axis in (ax.xaxis, ax.yaxis):
        axis.get_major_locator().set_params(integer=True)
    figure.legend(loc="outside upper center", ncols=3, fontsize=8)
    return figure


def view(k: int, adversary: str, batch_size: int, epsilon: float, dimension: int) -> View:
    """The game after k batches."""
    lab = run(dimension, batch_size, epsilon, adversary)
    last = min(len(lab.trajectory.trace), MOST_STEPS)
    k = len(lab.trajectory.trace) if k >= last else max(k, 1)
    words = lab.sentence
    if k < len(lab.trajectory.trace):
        word = "violates" if lab.trajectory.violates[k - 1] else "does not violate"
        words = (f"batch {k} {word}; {int(lab.trajectory.count[k - 1])} violations so far, the sharp lemma allows "
                 f"{lab.trajectory.sharp_bound}")
    return View(words, (batches(lab, k), count(lab, k)), last)


LAB = Lab("potential", "Elliptical potentials: how many batches can violate?",
          "An adversary chooses the batches. You see how many of them violate, and how many the lemma allows.", view, (
              Steps("k", "batch k", 6, 1, MOST_STEPS),
              Choice("adversary", "adversary", tuple(ADVERSARIES), "axes"),
              Slider("batch_size", "batch size N", tuple(10**k for k in range(1, 10)), 1000, "{:,}"),
              Slider("epsilon", "level epsilon", (0.001, 0.003, 0.01, 0.03, 0.1, 0.2, 0.4, 0.8), 0.003),
              Slider("dimension", "dimension d", (1, 2, 3, 4), 3)), "potential/elliptical-potential")
