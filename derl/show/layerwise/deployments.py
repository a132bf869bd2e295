"""A run of any algorithm, deployment by deployment."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib import pyplot as plt

from derl.show.drawing import style


def of_run(rows: Sequence[Mapping[str, Any]], best: float, ending: str) -> bytes:
    """The value of every deployed policy, and the statistic over its threshold where the algorithm has one.

    Parameters
    ----------
    rows : list of dict
        See `derl.algorithms.outcome.trace_rows`.
    best : float
        The optimal value.
    ending : {".svg", ".png", ".pdf"}

    Returns
    -------
    bytes
        The picture.
    """
    tested = [row for row in rows if row.get("threshold") and row.get("statistic") is not None]
    figure, axes = style.axes(2 if tested else 1, figsize=(9.0 if tested else 6.0, 3.4))
    left = axes[0] if tested else axes
    left.axhline(best, color=style.GREY, linestyle="--", label="optimal value")
    left.plot([row["deployment"] for row in rows], [row["value"] for row in rows], "o-", color=style.BLUE,
              label="deployed policy")
    left.set(xlabel="deployment k", ylabel="value")
    left.legend()
    if tested:
        right = axes[1]
        ratio = [row["statistic"] / row["threshold"] for row in tested]
        right.plot([row["deployment"] for row in tested], ratio, "s", color=style.RED)
        right.axhline(1, color=style.GREY, linestyle="--")
        right.set(xlabel="deployment k", ylabel="statistic / threshold")
        if min(ratio) > 0:
            right.set_yscale("log")
    for ax in figure.axes:
        ax.xaxis.get_major_locator().set_params(integer=True)
    stream = io.BytesIO()
    with plt.rc_context({"svg.hashsalt": style.SETTINGS["svg.hashsalt"]}):  # the same run makes the same file
        # a picture for any viewer, so on white
        figure.savefig(stream, format=ending[1:], transparent=False, facecolor="white",
                       metadata={"Date": None} if ending == ".svg" else None)
    plt.close(figure)
    return stream.getvalue()
