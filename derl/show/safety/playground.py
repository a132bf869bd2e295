"""The lab of the safe mixture: a share of the users meets an optimist."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from derl.show.drawing import style
from derl.show.labs.controls import Choice, Lab, Slider, Steps, View
from derl.show.safety.figures import PARTS
from derl.show.safety.lab import ALPHAS, EPSILON, INSTANCES, ROUNDING, safe_mixture_lab

MOST_STEPS = 100
run = lru_cache(maxsize=16)(safe_mixture_lab)


def path(lab, k: int):
    """J of the first k deployments and of their two parts."""
    figure, ax = style.axes(figsize=(7.0, 3.8))
    at = np.arange(1, k + 1)
    for part, label, marker, line, color, _ in PARTS:
        ax.plot(at, getattr(lab, part)[:k], marker + line, color=color, label=label, markersize=5)
    shown = lab.mixture[:k]
    fallen = 1 + np.flatnonzero(-np.diff(shown) > EPSILON + ROUNDING)
    ax.plot(at[fallen], shown[fallen], "v", color=style.ORANGE, markersize=11, zorder=0, label="fell too far")
    ax.axhline(lab.optimum, color=style.GREY, linewidth=1, linestyle="-.", label="optimum")
    low = min(part.min() for part in (lab.mixture, lab.pessimistic, lab.optimistic))
    ax.set(xlabel="deployment k", ylabel="expected return J", xlim=(0.5, max(len(lab.mixture), 2) + 0.5),
           ylim=(low - 0.1, lab.optimum + 0.15))
    ax.xaxis.get_major_locator().set_params(integer=True)
    figure.legend(loc="outside upper center", ncols=3, fontsize=8)
    return figure


def view(k: int, alpha: float, exponent: int, instance: str) -> View:
    """The safe mixture after k deployments."""
    lab = run(alpha, 10**exponent, instance)
    last = min(len(lab.mixture), MOST_STEPS)
    k = len(lab.mixture) if k >= last else max(k, 1)
    words = lab.sentence
    if k < len(lab.mixture):
        words = (f"deployment {k}: the mixture earns {lab.mixture[k - 1]:.3f} of {lab.optimum:.3f}; its optimist "
                 f"{lab.optimistic[k - 1]:.3f}, its pessimist {lab.pessimistic[k - 1]:.3f}")
    return View(words, (path(lab, k),), last)


LAB = Lab("safety", "The safe mixture: explore with a few users",
          "A policy that explores serves a fraction alpha of the users. "
          "You see what each deployment costs the others.", view, (
              Steps("k", "deployment k", 6, 1, MOST_STEPS),
              Slider("alpha", "fraction alpha", ALPHAS, 0.02),
              Slider("exponent", "batch size N", tuple(range(8, 16)), 12, "1e{}"),
              Choice("instance", "instance", tuple(INSTANCES), "corridor")), "safety/safe-mixture")
