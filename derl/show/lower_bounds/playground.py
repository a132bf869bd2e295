"""The labs of the two lower bounds: a hidden code, and a hidden arm."""

from __future__ import annotations

from functools import lru_cache

from derl.show.drawing import style
from derl.show.labs.controls import Lab, Slider, Steps, View
from derl.show.lower_bounds import figures
from derl.show.lower_bounds.lab import bandit_lab, search_lab

MOST_SEARCH = 60
search = lru_cache(maxsize=16)(search_lab)


def code(lab):
    """How far uniform search is expected to be: the digits that are known with probability 1/2 or more."""
    figure, ax = style.axes(figsize=(5.0, 1.6))
    ax.barh([1, 0], [lab.success, lab.bound], color=[style.BLUE, style.RED])
    ax.set(yticks=[1, 0], yticklabels=["uniform search", "no algorithm exceeds"], xlim=(0, 1),
           xlabel="probability that the last layer is reached")
    return figure


def search_view(deployments: int, exponent: int, dim: int, horizon: int) -> View:
    """The search after K deployments."""
    lab = search(dim, horizon, exponent, deployments)
    return View(lab.sentence, (figures.search(lab), code(lab)))


SEARCH = Lab("lower_bounds", "A hidden code, searched by policies of any kind",
             "A code of H - 2 digits is hidden. You see how many deployments every search needs, "
             "whatever its policies are.",
             search_view, (
                 Steps("deployments", "deployments K", 9, 0, MOST_SEARCH),
                 Slider("exponent", "batch size N", tuple(range(1, 31)), 6, "1e{}"),
                 Slider("dim", "dimension d", (2, 3, 4, 5, 7, 10, 15, 20), 10),
                 Slider("horizon", "horizon H", (3, 5, 10, 20, 30, 40, 50, 60), 60)), "lower-bounds/arbitrary")


def arms(lab):
    """Every arm as a square: pulled, guessed, or never looked at."""
    across = 16
    figure, ax = style.axes(figsize=(5.0, 0.7 + 0.32 * (1 + (lab.arms - 1) // across)))
    for i in range(lab.arms):
        pulled = i < lab.deployments
        ax.plot(i % across, -(i // across), "s" if pulled else "o", markersize=9, color=style.BLUE if pulled else
                style.ORANGE if i == lab.deployments else style.GREY,
                fillstyle="full" if i <= lab.deployments else "none")
    ax.set(xticks=[], yticks=[], xlim=(-1, across), ylim=(-((lab.arms - 1) // across) - 0.8, 0.8))
    ax.set_axis_off()
    figure.supxlabel("blue: pulled; orange: the guess; empty: never looked at", fontsize=10)
    return figure


def arms_view(deployments: int, dim: int, horizon: int) -> View:
    """The game of the arms after K pulls."""
    lab = bandit_lab(dim, horizon, deployments)
    return View(lab.sentence, (arms(lab), figures.bandit(lab)), lab.arms)


ARMS = Lab("lower_bounds_arms", "A hidden arm, one pull per deployment",
           "One of (d-1)(H-1) arms is better. A deterministic policy pulls one arm per deployment, however large N is.",
           arms_view, (
               Steps("deployments", "pulls K", 7, 0, 121),
               Slider("dim", "dimension d", tuple(range(2, 13)), 5),
               Slider("horizon", "horizon H", tuple(range(2, 13)), 6)), "lower-bounds/deterministic")
