"""Figures of the executed table."""

from __future__ import annotations

import math

import numpy as np

from derl.experiments.methods import METHODS
from derl.experiments.summary import cells, column, median
from derl.show.comparison import executed
from derl.show.drawing import style

TOLD = "OLIVE"  # its class of functions contains the answer, so it stands beside the others and not on their front
NEAR = 0.2  # decades: points nearer than this share a label
LETTER, LINE = 0.0125, 0.026  # of a panel, what a letter of a label takes across and up
SHIFTS = (0.0, -0.026, 0.026, -0.052, 0.052, -0.078, 0.078, 0.104)


def pareto():
    """Trajectories against deployments on the template, literal theorems beside calibrated runs."""
    figure, axes = style.axes(2, figsize=(9.6, 6.4), sharey=False)
    for ax, modes, title in ((axes[0], ("theorem",), "at the theorem's own N"),
                             (axes[1], ("calibrated", "nominal"), "calibrated, smallest N that succeeds")):
        found = [point for point in executed.points(**executed.TEMPLATE) if point["mode"] in modes
                 and (point["mode"] != "nominal" or not METHODS[point["method"]].bonus)]
        for point in found:
            free = METHODS[point["method"]].reward_free
            ax.plot(point["deployments"], point["trajectories"], "s" if free else "o",
                    color=style.BLUE if free else style.RED,
                    fillstyle="none" if hollow(point) else "full")
        edge = executed.front([point for point in found if not hollow(point)])
        ax.step([point["deployments"] for point in edge], [point["trajectories"] for point in edge], where="post",
                color=style.GREY, linewidth=1, linestyle="--")
        ax.set(xscale="log", yscale="log")
        largest = max(point["deployments"] for point in found)
        ax.set(xlabel=f"deployments ({title})", ylabel="trajectories", xlim=(0.7, 30 * largest))
        name_points(ax, labels(found))
    return figure


def hollow(point: dict) -> bool:
    """Whether a point is drawn hollow: the method knew the answer, or may have succeeded with one reward only."""
    method = METHODS[point["method"]]
    vouches = method.reward_free or method.bonus or point["mode"] == "theorem"
    return point["method"] == TOLD or method.scheduled and not vouches


def labels(found: list[dict]) -> list[tuple[str, float, float]]:
    """Names and places; points that lie close together have one label."""
    places: list[tuple[list[str], float, float]] = []
    for point in found:
        x, y = point["deployments"], point["trajectories"]
        near = [names for names, u, v in places
                if abs(math.log10(x / u)) < NEAR and abs(math.log10(y / v)) < 2 * NEAR]
        if near:
            near[0].append(point["method"])
        else:
            places.append(([point["method"]], x, y))
    return [("\n".join(names), x, y) for names, x, y in places]


def name_points(ax, found: list[tuple[str, float, float]]) -> None:
    """Write names beside their points, a little higher or lower if another name is there already."""
    (left, right), (low, high) = np.log10(ax.get_xlim()), np.log10(ax.get_ylim())
    taken: list[tuple[float, float, float, float]] = []
    for names, x, y in sorted(found, key=lambda entry: -entry[2]):
        across, up = (math.log10(x) - left) / (right - left), (math.log10(y) - low) / (high - low)
        width, height = LETTER * max(map(len, names.split("\n"))), LINE * len(names.split("\n"))
        boxes = [(across, up + shift, across + width, up + shift + height) for shift in SHIFTS]
        place = next((k for k, box in enumerate(boxes) if not any(meet(box, other) for other in taken)), 0)
        taken.append(boxes[place])
        ax.annotate(names, (x, y), fontsize=6.5, xytext=(across + 0.012, up + SHIFTS[place]),
                    textcoords="axes fraction", va="bottom")


def meet(one: tuple[float, float, float, float], two: tuple[float, float, float, float]) -> bool:
    """Whether two boxes (left, low, right, high) overlap."""
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def rare():
    """Smallest total number of trajectories that succeeds against the probability of the rare state."""
    figure, ax = style.axes(figsize=(7.6, 4.4))
    rows = [row for row in executed.chosen(family="rare") if row["mode"] != "theorem"]
    for place, ((name,), group) in enumerate(cells(rows, "method").items()):
        by_p = {p: median(column(part, "trajectories")) if any(row["succeeded"] for row in part) else None
                for (p,), part in cells(group, "probability").items()}
        x = np.array([p for p in by_p if by_p[p] and p > 0])
        found = [by_p[p] for p in x]
        colour, marker = style.CYCLE[place % 6], "osv^Dx*"[place % 7]
        ax.errorbar(x, [e.value for e in found], yerr=[[e.value - max(e.low, 0.0) for e in found],
                                                       [min(e.high, 100 * e.value) - e.value for e in found]],
                    marker=marker, color=colour, label=name, linewidth=1.2, capsize=2)
        if by_p.get(0.0):
            ax.plot(1e-5, by_p[0.0].value, marker, color=colour, fillstyle="none")
    ax.set(xscale="log", yscale="log", xlabel="probability p of the rare state (hollow, far right: p = 0)",
           ylabel="trajectories in all")
    ax.invert_xaxis()
    figure.legend(fontsize=7, loc="outside right center")
    return figure
