"""Figures of Algorithm 2: covariances that grow, the policies that make them grow, and what each version costs."""

from __future__ import annotations

import numpy as np

from derl.show import style
from derl.theory.arbitrary_rules import RULES
from derl.theory.constants_arbitrary import arbitrary_constants, printed_theorem

MARKS = ("-", "--", "-.", ":", (0, (3, 1, 1, 1, 1, 1)))
STAGES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)


def covariance_ellipsoids(outcome):
    """Summed covariances of Pi_h as ellipses, layer by layer, after 1, 2, 4, ... policies; for d = 2.

    The ellipse of A is {x : x^T A^{-1} x <= 1}: it reaches sqrt(u^T A u) far in every direction u.

    Parameters
    ----------
    outcome : Outcome
        Of `arbitrary_policy_exploration`; layers that were explored by designs are left out.
    """
    records = [record for record in outcome.trace if record.cover is not None]
    figure, axes = style.axes(len(records), figsize=(2.6 * len(records), 2.9), sharex=True, sharey=True, squeeze=False)
    angle = np.linspace(0, 2 * np.pi, 200)
    circle = np.stack([np.cos(angle), np.sin(angle)])
    for ax, record in zip(axes[0], records, strict=True):
        added = record.cover.estimates[record.cover.order]
        sums = np.cumsum(added, axis=0)
        shown = [stage for stage in STAGES if stage < len(sums)]
        for i, stage in enumerate(shown):
            ax.plot(*_root(sums[stage - 1]) @ circle, color=style.BLUE, alpha=0.25 + 0.6 * (i + 1) / len(shown),
                    linewidth=1)
        ax.plot(*_root(sums[-1]) @ circle, color=style.RED, linewidth=2)
        ax.set(title=f"layer {record.layer}: {len(sums)} policies", aspect="equal")
        ax.title.set_fontsize(9)
    figure.supxlabel(r"$\phi_1$", fontsize=9)
    figure.supylabel(r"$\phi_2$", fontsize=9)
    return figure


def _root(matrix: np.ndarray) -> np.ndarray:
    """The symmetric square root of a positive semi-definite matrix."""
    eigenvalues, vectors = np.linalg.eigh(matrix)
    return (vectors * np.sqrt(np.maximum(eigenvalues, 0))) @ vectors.T


def policy_cover(outcome, directions=None):
    """Which policy of Pi_h pays for which direction: the diagonal of the summed covariances, stacked by policy.

    Parameters
    ----------
    outcome : Outcome
        Of `arbitrary_policy_exploration`; layers that were explored by designs are left out.
    directions : sequence of str or None
        Names of the d coordinates.
    """
    records = [record for record in outcome.trace if record.cover is not None]
    figure, axes = style.axes(len(records), figsize=(2.7 * len(records), 2.9), sharey=True, squeeze=False)
    hatches = ("", "//", "xx", "..", "\\\\", "++")
    for ax, record in zip(axes[0], records, strict=True):
        cover = record.cover
        names = directions or [f"$e_{{{i + 1}}}$" for i in range(len(cover.matrix))]
        height = np.zeros(len(names))
        for k in np.argsort(-cover.counts):
            part = cover.counts[k] * np.diag(cover.estimates[k])
            ax.bar(names, part, bottom=height, color=style.CYCLE[k % 6], hatch=hatches[k % 6], edgecolor="white",
                   linewidth=0.5)
            height += part
        ax.set(title=f"layer {record.layer}: {record.n_distinct} distinct of {record.n_policies}")
        ax.title.set_fontsize(9)
    axes[0, 0].set_ylabel("summed covariance, diagonal")
    return figure


def stopping(records, names):
    """V against i for one layer of several runs, with the threshold of each.

    Parameters
    ----------
    records : sequence of LayerRecord
    names : sequence of str
    """
    figure, ax = style.axes()
    for record, name, color, line in zip(records, names, style.CYCLE, MARKS, strict=False):
        i = np.arange(1, record.iterations + 1)
        ax.plot(i, record.cover.values, linestyle=line, color=color, label=f"{name}: i = {record.iterations}")
        ax.plot(i[-1], record.cover.values[-1], "o", color=color)
        if record.statistic == record.cover.values[-1]:  # otherwise the rule looks at an eigenvalue
            ax.axhline(record.threshold, color=color, linewidth=0.8, alpha=0.6)
    ax.set(xscale="log", yscale="log", xlabel="policies i", ylabel="optimistic value V")
    ax.legend()
    return figure


def batch_sizes(d: int = 3, horizon: int = 3, epsilon: float = 0.1, delta: float = 0.1, coefficients=None):
    """N by version against nu_min on logarithmic axes, every constant explicit, known first state.

    Parameters
    ----------
    coefficients : sequence of float or None
        Values of nu_min; by default from 0.02 to 1.
    """
    nus = np.logspace(np.log10(0.02), 0, 60) if coefficients is None else np.asarray(coefficients)
    figure, ax = style.axes()
    for version, color, line in zip(RULES, style.CYCLE, MARKS, strict=False):
        sizes = [arbitrary_constants(d, horizon, epsilon, delta, nu, version, True).batch_size for nu in nus]
        ax.plot(nus, np.array(sizes, float), linestyle=line, color=color, label=version)
    printed = [printed_theorem(d, horizon, epsilon, delta, nu)["batch_size"] for nu in nus]
    ax.plot(nus, printed, color=style.GREY, linewidth=1, label="printed formula, c = 1")
    ax.set(xscale="log", yscale="log", xlabel=r"$\nu_{\min}$", ylabel="N")
    ax.legend(fontsize=8)
    return figure
