"""Figures of Algorithm 2: covariances that grow policy by policy, and the policies that make them grow."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import plotly.graph_objects as go
from matplotlib import pyplot as plt
from plotly.subplots import make_subplots

from derl.show.arbitrary import lab as labs_arbitrary
from derl.show.arbitrary.lab import ellipse, plane_of
from derl.show.drawing import style

MARKS = ("-", "--", "-.", ":", (0, (3, 1, 1, 1, 1, 1)))
HATCHES = ("", "//", "xx", "..", "\\\\", "++")
NUMBERED = 0.12  # parts of a bar that are higher than this share of the axis carry the number of their policy
DISC = np.sqrt(labs_arbitrary.EIGENVALUE)  # radius; an ellipse that contains the disc has least eigenvalue >= 2
STAGES = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)


def covariance_ellipsoids(outcome):
    """Summed covariances of Pi_h as ellipses, layer by layer, after 1, 2, 4, ... policies.

    The ellipse of A is {x : x^T A^{-1} x <= 1}: it reaches sqrt(u^T A u) far in every direction u. For d > 2 its shadow
    on the plane of the two leading eigenvectors of the last A is drawn.

    Parameters
    ----------
    outcome : Outcome
        Of `arbitrary_policy_exploration`; layers that were explored by designs are left out.
    """
    records = [record for record in outcome.trace if record.cover is not None]
    figure, axes = _panels(len(records), 2.9, sharex=True, sharey=True)
    for ax, record in zip(axes, records, strict=True):
        sums = np.cumsum(record.cover.estimates[record.cover.order], axis=0)
        basis = plane_of(sums[-1])
        shown = [stage for stage in STAGES if stage < len(sums)]
        for i, stage in enumerate(shown):
            ax.plot(*ellipse(basis.T @ sums[stage - 1] @ basis), color=style.BLUE,
                    alpha=0.25 + 0.6 * (i + 1) / len(shown), linewidth=1)
        ax.plot(*ellipse(basis.T @ sums[-1] @ basis), color=style.RED, linewidth=2)
        ax.set(title=f"layer {record.layer}: {len(sums)} policies", aspect="equal")
        ax.title.set_fontsize(9)
    figure.supxlabel(r"$\phi_1$" if len(basis) == 2 else "first leading direction", fontsize=9)
    figure.supylabel(r"$\phi_2$" if len(basis) == 2 else "second", fontsize=9)
    return figure


def _panels(n: int, height: float, **options):
    """A figure with n axes in two columns: narrow enough for a phone."""
    rows = (n + 1) // 2
    with mpl.rc_context(style.SETTINGS):
        figure, axes = plt.subplots(rows, 2, figsize=(6.4, height * rows), squeeze=False, **options)
    plt.close(figure)
    for ax in axes.flat[n:]:
        ax.set_visible(False)
    return figure, axes.flat[:n]


def growth(step: labs_arbitrary.Step):
    """One step of the loop in two figures: the ellipse without and with policy i, and what the rule has seen so far."""
    shape, left = style.axes(figsize=(4.6, 4.2))
    for matrix, color, line, label in _curves(step):
        left.plot(*ellipse(matrix), color=color, linestyle=line, label=label)
    left.set(aspect="equal", xlabel="first direction", ylabel="second direction")
    shape.legend(loc="outside upper center", ncols=2, fontsize=8)
    course, right = style.axes(figsize=(4.6, 4.2))
    i = np.arange(1, step.policy + 1)
    right.plot(i, step.values, "o-", color=style.BLUE, markersize=4, label="promised uncertainty V")
    if step.watches_eigenvalue:
        right.plot(i, np.maximum(step.least, 1e-3), "s--", color=style.GREEN, markersize=4, label="least eigenvalue")
    right.axhline(step.threshold, color=style.RED, linestyle=":", label="stop")
    right.set(xlabel="policies i", yscale="log", xlim=(0.5, step.length + 0.5))
    right.xaxis.get_major_locator().set_params(integer=True)
    course.legend(loc="outside upper center", ncols=3, fontsize=8)
    return shape, course


def _curves(step):
    """The ellipses of a step: matrix (2, 2), colour, line, name."""
    found = [(step.before, style.GREY, ":", "before"), (step.added, style.ORANGE, "--", f"policy {step.policy} alone"),
             (step.after, style.BLUE, "-", "with it")]
    if step.watches_eigenvalue:
        found.append((DISC**2 * np.eye(2), style.GREEN, "-.", "disc to be covered"))
    return found


def growth_slider(lab: labs_arbitrary.CoverLab) -> go.Figure:
    """The lab with layer and policy on one slider, every step computed beforehand: its static twin.

    Parameters
    ----------
    lab : CoverLab
        Of a version whose layers are short: one step per policy.
    """
    dashes = {"-": "solid", "--": "dash", ":": "dot", "-.": "dashdot"}
    steps = [labs_arbitrary.cover_step(lab, h, i) for h, length in enumerate(lab.lengths, start=1)
             for i in range(1, length + 1)]
    figure = make_subplots(rows=2, cols=1, row_heights=[0.72, 0.28], vertical_spacing=0.14)
    first, reach = steps[0], 1.1 * max(float(np.abs(ellipse(step.after)).max()) for step in steps)
    for matrix, color, line, label in _curves(first):
        x, y = ellipse(matrix).round(3).tolist()
        figure.add_scatter(x=x, y=y, name=label, mode="lines", row=1, col=1,
                           line={"color": color, "dash": dashes[line]})
    for name, color, line, symbol, values in _watched(first):
        figure.add_scatter(x=list(range(1, len(values) + 1)), y=values, name=name, mode="lines+markers", row=2, col=1,
                           line={"color": color, "dash": dashes[line]}, marker={"symbol": symbol, "size": 6})
    lowest = min(min(values) for *_, values in (entry for step in steps for entry in _watched(step)))
    entries = []
    for step in steps:
        curves = [ellipse(matrix).round(3).tolist() for matrix, *_ in _curves(step)]
        watched = [values for *_, values in _watched(step)]
        data = {"x": [x for x, _ in curves] + [list(range(1, len(v) + 1)) for v in watched],
                "y": [y for _, y in curves] + watched,
                "name": [name for *_, name in _curves(step)] + [name for name, *_ in _watched(step)]}
        entries.append({"method": "update", "label": f"{step.layer}:{step.policy}",
                        "args": [data, {"title.text": _folded(step.sentence)}]})
    figure.add_hline(y=first.threshold, line={"color": style.RED, "dash": "dot"}, row=2, col=1)
    figure.update_layout(
        sliders=[{"steps": entries, "currentvalue": {"prefix": "layer : policy = "}, "pad": {"t": 45}}],
        title={"text": entries[0]["args"][1]["title.text"], "font": {"size": 13}}, height=800,
        legend={"orientation": "h", "y": -0.27, "yanchor": "top", "font": {"size": 11}},
        xaxis={"range": [-reach, reach], "constrain": "domain"},
        yaxis={"range": [-reach, reach], "scaleanchor": "x", "constrain": "domain"},
        xaxis2={"title": "policies i", "range": [0.5, max(lab.lengths) + 0.5], "dtick": 1},
        yaxis2={"type": "log", "range": np.log10([0.8 * lowest, 1.4 * first.threshold]).tolist(),
                "tickvals": [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2]})
    return figure


def _watched(step):
    """What the lower panel shows: name, colour, line, marker, values."""
    found = [("promised uncertainty V", style.BLUE, "-", "circle", step.values.round(4).tolist())]
    if step.watches_eigenvalue:
        found.append(("least eigenvalue", style.GREEN, "--", "square", np.maximum(step.least, 0.01).round(4).tolist()))
    return found


def _folded(sentence: str) -> str:
    """A title that fits a phone."""
    return sentence.replace(": promised", ":<br>promised").replace("; ", ";<br>")


def policy_cover(outcome, directions=None):
    """Which policy of Pi_h covers which direction: the diagonal of the summed covariances, stacked by policy.

    Larger parts carry the number of their policy, as in `cover_rows`.

    Parameters
    ----------
    outcome : Outcome
        Of `arbitrary_policy_exploration`; layers that were explored by designs are left out.
    directions : sequence of str or None
        Names of the d coordinates.
    """
    records = [record for record in outcome.trace if record.cover is not None]
    figure, axes = _panels(len(records), 2.6, sharey=True)
    top = max(float(np.diag(record.cover.excess).max()) for record in records)
    for ax, record in zip(axes, records, strict=True):
        cover = record.cover
        names = directions or [f"$e_{{{i + 1}}}$" for i in range(len(cover.matrix))]
        height = np.zeros(len(names))
        for k in np.argsort(-cover.counts):
            part = cover.counts[k] * np.diag(cover.estimates[k])
            ax.bar(names, part, bottom=height, color=style.CYCLE[k % 6], hatch=HATCHES[(k + k // 6) % 6],
                   edgecolor="white", linewidth=0.5)
            for x in np.flatnonzero(part > NUMBERED * top):
                ax.text(x, height[x] + part[x] / 2, str(k + 1), ha="center", va="center", fontsize=8, color=style.INK,
                        bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.2})
            height += part
        ax.set(title=f"layer {record.layer}: {record.n_distinct} distinct of {record.n_policies}")
        ax.title.set_fontsize(9)
    figure.supylabel("summed covariance, diagonal", fontsize=9)
    return figure


def cover_rows(outcome, directions=None) -> list[tuple]:
    """Pi_h in numbers, one row per distinct policy: layer, number, times, weight, trace added, direction of most.

    Returns
    -------
    list of (int, int, int, float, float, str)
        What a policy adds is the trace of its covariance times its number of copies, as a share of the layer's sum.
    """
    rows = []
    for record in outcome.trace:
        if record.cover is None:
            continue
        cover = record.cover
        names = directions or [f"$e_{{{i + 1}}}$" for i in range(len(cover.matrix))]
        traces = cover.counts * np.trace(cover.estimates, axis1=1, axis2=2)
        for k, (count, share) in enumerate(zip(cover.counts, traces / traces.sum(), strict=True)):
            diagonal = np.diag(cover.estimates[k])
            where = ", ".join(names[j] for j in np.flatnonzero(diagonal > 0.9 * diagonal.max()))
            rows.append((record.layer, k + 1, int(count), float(record.policy.weights[k]), float(share), where))
    return rows


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
