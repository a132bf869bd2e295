"""Figures of the safe mixture, and of deployments against the batch size."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from derl.experiments import small_batches as runs
from derl.show.drawing import style
from derl.show.safety import lab as labs_safety
from derl.theory.safety import sample_efficient

PARTS = (("mixture", "the mixture", "o", "-", style.BLUE, "circle"),
         ("pessimistic", "its pessimistic part", "s", "--", style.GREEN, "square"),
         ("optimistic", "its optimistic part", "x", ":", style.RED, "x"))


def mixture_path(lab: labs_safety.MixtureLab):
    """J of every deployment and of its two parts, with the deployments that fall by more than epsilon."""
    figure, ax = style.axes()
    k = np.arange(1, len(lab.mixture) + 1)
    for part, label, marker, line, color, _ in PARTS:
        ax.plot(k, getattr(lab, part), marker + line, color=color, label=label, markersize=5)
    fallen = 1 + np.flatnonzero(-np.diff(lab.mixture) > labs_safety.EPSILON + labs_safety.ROUNDING)
    ax.plot(k[fallen], lab.mixture[fallen], "v", color=style.ORANGE, markersize=11, zorder=0,
            label=r"fell by more than $\epsilon$")
    ax.axhline(lab.optimum, color=style.GREY, linewidth=1, linestyle="-.", label="optimum")
    ax.set(xlabel="deployment k", ylabel="expected return J")
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.legend(loc="center left", bbox_to_anchor=(1, 0.5))
    return figure


def price_of_exploring(alphas, instance: str = "corridor", batch_size: int = 10**12):
    """Largest drop and deployments needed against alpha."""
    figure, (left, right) = style.axes(2, figsize=(7.6, 3.4))
    found = [labs_safety.safe_mixture_lab(a, batch_size, instance) for a in alphas]
    left.plot(alphas, [lab.drop for lab in found], "o-", color=style.BLUE, label="largest drop")
    left.axhline(labs_safety.EPSILON, color=style.RED, linestyle="--", label=r"allowed: $\epsilon$")
    left.set(xscale="log", yscale="log", xlabel=r"fraction $\alpha$ that explores", ylabel="J lost in one step")
    done = np.array([lab.converged for lab in found])
    a, n = np.asarray(alphas), np.array([len(lab.mixture) for lab in found])
    right.plot(a[done], n[done], "s", color=style.GREEN, label="finished")
    right.plot(a[~done], n[~done], "x", color=style.RED, label="_" if done.all() else "not finished")
    right.set(xscale="log", xlabel=r"fraction $\alpha$ that explores", ylabel="deployments", ylim=(0, 1.15 * n.max()))
    right.yaxis.get_major_locator().set_params(integer=True)
    left.legend()
    right.legend()
    return figure


def alpha_slider(alphas=labs_safety.ALPHAS, instance: str = "corridor", batch_size: int = 10**12) -> go.Figure:
    """The lab with alpha on a slider, every step computed beforehand."""
    figure, steps = go.Figure(), []
    for i, alpha in enumerate(alphas):
        lab = labs_safety.safe_mixture_lab(alpha, batch_size, instance)
        k = list(range(1, len(lab.mixture) + 1))
        for part, label, _, line, color, symbol in PARTS:
            figure.add_scatter(x=k, y=getattr(lab, part).tolist(), visible=i == 0, name=label, mode="lines+markers",
                               line={"color": color, "dash": {"-": "solid", "--": "dash", ":": "dot"}[line]},
                               marker={"symbol": symbol, "size": 8})
        visible = [j // len(PARTS) == i for j in range(len(PARTS) * len(alphas))]
        title = f"α = {alpha:g}: {lab.sentence}".replace("; ", "<br>")  # fits a phone
        steps.append({"method": "update", "label": f"{alpha:g}", "args": [{"visible": visible}, {"title.text": title}]})
    figure.update_layout(sliders=[{"steps": steps, "currentvalue": {"prefix": "α = "}, "pad": {"t": 50}}],
                         title={"text": steps[0]["args"][1]["title.text"], "font": {"size": 13}},
                         xaxis_title="deployment", yaxis={"title": "expected return J"}, height=500,
                         legend={"orientation": "h", "y": 0, "yanchor": "bottom", "x": 1, "xanchor": "right"})
    return figure


def sample_efficient_curve(d: int = 4, horizon: int = 4, epsilon: float = 0.1, delta: float = 0.1, largest: int = 24):
    """Deployments that suffice against N_0: repetition (c_K = 2, best c_K), early updates, one count of all layers."""
    figure, ax = style.axes()
    limits = [10**k for k in range(largest + 1)]
    fixed = [sample_efficient.repeated(d, horizon, epsilon, delta, n, 2).deployments for n in limits]
    best = [min(sample_efficient.repeated(d, horizon, epsilon, delta, n, c).deployments
                for c in sample_efficient.TRADE_OFFS) for n in limits]
    ours = [sample_efficient.adaptive(d, horizon, epsilon, delta, n).deployments for n in limits]
    ax.plot(limits, fixed, ":", color=style.ORANGE, label=r"repetition, $c_K=2$")
    ax.plot(limits, best, "--", color=style.RED, label=r"repetition, best $c_K$")
    ax.plot(limits, ours, "-", color=style.BLUE, label="updated as early as possible")
    flat = [sample_efficient.adaptive(d, horizon, epsilon, delta, n, "flat").deployments for n in limits]
    ax.plot(limits, flat, "-", color=style.GREEN, linewidth=2.5, label="the same, one count for all layers")
    ax.axhline(d * horizon + 1, color=style.GREY, linestyle="-.", linewidth=1, label=r"$dH+1$")
    ax.set(xscale="log", yscale="log", xlabel=r"largest batch allowed $N_0$", ylabel="deployments K")
    ax.legend()
    return figure


def runs_against_batch_size():
    """Deployments of runs of Algorithm 1 at each N, with the bound that holds with certainty."""
    figure, panels = style.axes(len(runs.SPECS), figsize=(7.6, 3.2), sharey=True)
    for ax, spec in zip(panels, runs.SPECS, strict=True):
        allowed = [runs.bound(spec, size) for size in runs.SIZES]
        used = [runs.measured(spec, size, k)[0] for size, k in zip(runs.SIZES, allowed, strict=True)]
        ax.plot(runs.SIZES, allowed, "--", color=style.BLUE, label="bound")
        ax.plot(runs.SIZES, used, "o", color=style.RED, label="runs")
        ax.set(xscale="log", yscale="log", xlabel="batch size N")
        ax.annotate(spec.split(":")[0].replace("_", " "), (0.95, 0.95), xycoords="axes fraction", ha="right", va="top")
    panels[0].set_ylabel("deployments K")
    panels[0].legend(loc="center right")
    return figure
