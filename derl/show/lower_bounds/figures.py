"""The two lower bounds: failure probabilities against the number of deployments."""

from __future__ import annotations

import numpy as np

from derl.show.drawing import style
from derl.show.lower_bounds.lab import BanditLab, SearchLab
from derl.theory import lower_bounds
from derl.theory.lower_bounds.search_programme import success_curve


def deterministic_failure(d: int, horizon: int):
    """Exact minimax failure probability of the deterministic game against K, with what the theorem claims."""
    figure, ax = style.axes()
    arms = lower_bounds.template_arms(d, horizon)
    _failure(ax, arms, arms)
    return figure


def bandit(lab: BanditLab):
    """The same, with the K that a failure of 1/10 requires and the position of the slider."""
    figure, ax = style.axes()
    _failure(ax, lab.arms, max(lab.arms, lab.deployments))
    ax.plot(lab.deployments, float(lab.failure), "o", color=style.BLUE, markersize=9)
    ax.axvline(lab.needed, color=style.GREEN, linestyle="-.", label=f"failure 1/10 needs K = {lab.needed}")
    ax.get_legend().remove()
    figure.legend(fontsize=8, loc="outside upper center", ncols=3)
    return figure


def _failure(ax, arms: int, largest: int) -> None:
    k = np.arange(largest + 1)
    exact = [float(lower_bounds.bandit_failure(arms, int(n))) for n in k]
    ax.step(k, exact, where="post", color=style.BLUE, label=r"exact: $1-(K+1)/m$")
    ax.hlines(0.1, 0, arms / 2, color=style.ORANGE, linestyle="--", label="claimed: at least 1/10 up to m/2")
    ax.set(xlabel="deployments K", ylabel="probability of the wrong arm", ylim=(-0.03, 1.03))
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.legend()


def search(lab: SearchLab):
    """Success probability against K: uniform search, and the upper bound for every algorithm."""
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


def arbitrary_bounds(d: int, n: int, batch_size: int, n_deployments: int):
    """Probability that not all n digits are matched, against K: two exact programmes and every proved lower bound.

    Parameters
    ----------
    n : int
        Digits; the template of Theorem B.3 with horizon H has n = H - 2.
    """
    figure, ax = style.axes(figsize=(7.0, 4.2))
    k = np.arange(n_deployments + 1)
    for memory, line, colour, label in (("forget", "-", style.BLUE, "exact: plain uniform search"),
                                        ("reveal", "-", style.SKY, "exact: no algorithm is below this")):
        ax.plot(k, 1 - success_curve(d, n, batch_size, n_deployments, memory).astype(float), line, color=colour,
                label=label)
    coin = [float(lower_bounds.failure_without_horizon_log(d, n, batch_size, int(j))) for j in k]
    ax.plot(k, coin, "--", color=style.GREEN, label="without H in the logarithm")
    mean = np.array([float(lower_bounds.mean_bound_without_horizon_log(d, n, batch_size, int(j))) for j in k])
    ax.plot(k[mean > 0], mean[mean > 0], ":", color=style.GREEN, label="the same by Markov's inequality")
    for bound, mark, colour, label in (
            (lower_bounds.improved_deployments_arbitrary, "s", style.PURPLE, "without the factor 2"),
            (lower_bounds.paper_deployments_arbitrary, "o", style.ORANGE, "Theorem B.3, repaired")):
        largest = bound(d, n + 2, batch_size)
        reach = k[:largest + 1]
        ax.plot(reach, (1 - 1 / (n + 2)) ** reach, "-.", color=colour, linewidth=1, marker=mark, markevery=[-1],
                label=f"{label}: K = {largest}")
    ax.set(xlabel="deployments K", ylabel="probability that the code is not matched", ylim=(-0.03, 1.03))
    ax.legend(fontsize=8, loc="lower left")
    return figure
