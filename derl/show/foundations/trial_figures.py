"""The result of a check: its steps, or its number beside the claimed one, and the way to a false variant."""

from __future__ import annotations

import math
from fractions import Fraction

from derl.judge.evidence import Evidence
from derl.show.drawing import style
from derl.show.foundations.trials import Trial

NAMED = 16  # steps that are told by name
LONGEST = 74  # characters of a name
ACROSS = 12  # steps in a row, of more
SIGNS = {"upper": "at most", "lower": "at least", "tight": "exactly", "identity": "exactly"}


def number(value) -> str:
    """A number in a few characters, however long it is."""
    if isinstance(value, Fraction) and value.denominator < 10_000 and abs(value.numerator) < 1_000_000:
        return str(value)
    size = _size(value)
    if math.isfinite(size):
        return f"{size:.6g}"
    digits = len(str(abs(int(value)))) - 1
    return f"{'-' if value < 0 else ''}1e{digits} or so"


def _size(value) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf


def found(evidence: Evidence) -> str:
    """What a run found, in one clause."""
    if evidence.steps:
        broken = [name for name, holds in evidence.steps if not holds]
        many = f"{len(evidence.steps)} steps" if len(evidence.steps) > 1 else "its one step"
        if not broken:
            return f"all {many} hold" if len(evidence.steps) > 1 else f"{many} holds"
        return f"{len(broken)} of {len(evidence.steps)} steps fail{'s' * (len(broken) == 1)}, first: {broken[0]}"
    return f"measured {number(evidence.measured)}, claimed {SIGNS[evidence.direction]} {number(evidence.claimed)}"


def gauge(run: Trial, truth: Trial):
    """The steps one by one, or the measured number on a line on which what is allowed is shaded."""
    if run.evidence is None:
        return _said(run.error)
    return _steps(run) if run.evidence.steps else _line(run.evidence, truth.evidence)


def _said(words: str):
    figure, ax = style.axes(figsize=(5.6, 1.2))
    ax.text(0, 0.5, words[:90], fontsize=9, va="center", parse_math=False)
    ax.set_axis_off()
    return figure


def _steps(run: Trial):
    """One line per step, with its name; of very many, squares with numbers."""
    steps = run.evidence.steps
    named = len(steps) <= NAMED
    across = 1 if named else ACROSS
    rows = -(-len(steps) // across)
    figure, ax = style.axes(figsize=(6.4, 0.6 + 0.3 * rows if named else 0.7 + 0.45 * rows))
    for good, marker, color, word in ((True, "s", style.GREEN, "holds"), (False, "X", style.RED, "fails")):
        at = [i for i, (_, holds) in enumerate(steps) if holds == good]
        ax.plot([i % across for i in at], [-(i // across) for i in at], marker, color=color, markersize=12,
                linestyle="none", label=f"step that {word}" if at else None)
    for i, (name, holds) in enumerate(steps):
        ax.annotate(str(i + 1), (i % across, -(i // across)), ha="center", va="center", fontsize=7, color="white",
                    fontweight="bold")
        if named:
            ax.annotate(name if len(name) <= LONGEST else name[:LONGEST - 1] + "\u2026", (0.35, -i), va="center",
                        fontsize=8, fontweight="normal" if holds else "bold", parse_math=False,
                        color=style.INK if holds else style.RED)
    ax.set(xlim=(-0.4, 9.6) if named else (-0.7, across - 0.3), ylim=(-rows + 0.4, 0.6))
    ax.set_axis_off()
    figure.legend(loc="outside lower left", ncols=2, fontsize=8, markerscale=0.7)
    return figure


def _line(evidence: Evidence, truth: Evidence | None):
    values = [_size(evidence.measured), _size(evidence.claimed)]
    if not all(map(math.isfinite, values)):
        return _said(found(evidence))
    measured, claimed = values
    before = _size(truth.measured) if truth else measured
    ends = [x for x in (measured, claimed, before) if math.isfinite(x)]
    room = 0.25 * (max(ends) - min(ends)) or 0.25 * max(abs(claimed), 1.0)
    low, high = min(ends) - room, max(ends) + room
    figure, ax = style.axes(figsize=(5.6, 1.7))
    allowed = {"upper": (low, claimed), "lower": (claimed, high)}.get(evidence.direction)
    if allowed:
        ax.axvspan(*allowed, color=style.GREEN, alpha=0.15, linewidth=0, label="allowed")
    ax.axvline(claimed, color=style.INK, linewidth=1.5, label=f"claimed: {SIGNS[evidence.direction]}")
    if truth and math.isfinite(before) and before != measured:
        ax.plot(before, 0.5, "o", color=style.GREY, fillstyle="none", markersize=9, label="measured for the truth")
    ax.plot(measured, 0.5, "s" if evidence.holds else "X", markersize=12, label="measured",
            color=style.GREEN if evidence.holds else style.RED)
    ax.set(xlim=(low, high), ylim=(0, 1), yticks=[])
    ax.ticklabel_format(axis="x", useOffset=False)
    ax.xaxis.get_major_locator().set_params(nbins=5)
    figure.legend(loc="outside lower center", ncols=4, fontsize=8)
    return figure


def passage(runs: list[Trial], stop: int):
    """Where the verdict changes between the true statement and the false variant."""
    figure, ax = style.axes(figsize=(5.6, 1.7))
    last = runs[0].stops
    for kind, marker, color, word in ((True, "s", style.GREEN, "passes"), (False, "X", style.RED, "fails"),
                                      (None, ".", style.GREY, "no answer")):
        at = [run.stop for run in runs if (None if run.evidence is None else run.passes) == kind]
        if at:
            ax.plot([100 * x / last for x in at], [0.5] * len(at), marker, color=color, markersize=9, linestyle="none",
                    label=word)
    ax.plot(100 * min(stop, last) / last, 0.5, "o", markersize=17, fillstyle="none", color=style.INK,
            label="you are here")
    ax.set(xlim=(-4, 104), ylim=(0, 1), yticks=[], xlabel="per cent of the way from the truth to the falsehood")
    ax.grid(visible=False)
    figure.legend(loc="outside upper center", ncols=4, fontsize=8, markerscale=0.7)
    return figure
