"""What the recorded study of junk locks found: smallest batches against the number of layers, with their slopes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import stats

from derl.experiments.recorded import recorded
from derl.experiments.studies.known_law import BIAS, DELTA, EPSILON, MOST
from derl.show.drawing import style
from derl.show.drawing.tables import readable

LEVEL = 0.95  # of the intervals
FROM = 8  # layers from which slopes are taken
NAMES = {"one": "one deployment", "blocks": "block exploration", "known law": "designs modulo the known law"}
LOOKS = {("one", 1): ("o", "-", style.RED), ("blocks", 2): ("s", "-", style.BLUE),
         ("blocks", 3): ("s", "--", style.BLUE),
         ("known law", 2): ("^", "-", style.GREEN), ("known law", 3): ("^", "--", style.GREEN)}


@dataclass(frozen=True)
class Line:
    """Smallest batches of one method at one d: by layers, then by seed; inf where no size of the grid was enough."""

    method: str
    deployments: int
    d: int
    sizes: dict[int, tuple[float, ...]]

    def median(self, horizon: int) -> float:
        """Of the seeds."""
        return float(np.median(self.sizes[horizon]))

    def slope(self) -> tuple[float, float, float] | None:
        """log2 N per layer from 8 layers on: mean over seeds and Student's interval; None with fewer than 3 sizes."""
        layers = [h for h, found in self.sizes.items() if h >= FROM and np.isfinite(found).all()]
        if len(layers) < 3:
            return None
        each = np.polyfit(layers, np.log2([self.sizes[h] for h in layers]), 1)[0]
        half = float(stats.t.ppf((1 + LEVEL) / 2, len(each) - 1) * each.std(ddof=1) / len(each) ** 0.5)
        return float(each.mean()), float(each.mean()) - half, float(each.mean()) + half


def lines() -> list[Line]:
    """All lines of the study."""
    found: dict[tuple, dict[int, list[float]]] = {}
    for row in recorded("known_law")[0]:
        if row["method"] != "theorem":
            own = found.setdefault((row["method"], int(row["deployments"]), int(row["d"])), {})
            own.setdefault(int(row["horizon"]), []).append(math.inf if row["size"] is None else row["size"])
    ordered = sorted(found.items(), key=lambda item: (item[0][2], item[0][1], item[0][0]))
    return [Line(method, number, d, {h: tuple(sizes) for h, sizes in sorted(own.items())})
            for (method, number, d), own in ordered]


def expected(method: str, deployments: int, d: int) -> float:
    """log2 N per layer in theory: base d, or d for the digits of the first deployment and d - 1 for the later ones."""
    if method == "known law":
        return 0.0 if d == 2 else 1 / (1 / math.log2(d) + (deployments - 1) / math.log2(d - 1))
    return math.log2(d) / deployments


def figure():
    """log2 of the smallest N against H, one panel per d; medians, and the range over the seeds."""
    found = lines()
    sizes = sorted({line.d for line in found})
    picture, axes = style.axes(len(sizes), figsize=(9.4, 3.7), sharey=True)
    for ax, d in zip(axes, sizes, strict=True):
        for line in (one for one in found if one.d == d):
            mark, kind, color = LOOKS[line.method, line.deployments]
            layers = [h for h, own in line.sizes.items() if np.isfinite(own).all()]
            logs = np.log2([line.sizes[h] for h in layers])
            middle = np.median(logs, axis=1)
            says = NAMES[line.method] + (f", K = {line.deployments}" if line.deployments > 1 else "")
            ax.errorbar(layers, middle, [middle - logs.min(axis=1), logs.max(axis=1) - middle], fmt=mark + kind,
                        color=color, markersize=4, capsize=2, linewidth=1.4, label=says)
        ax.set(xlabel=f"layers $H$  ($d={d}$)")
    axes[0].set_ylabel(r"$\log_2$ of the smallest $N$")
    handles = {label: handle for ax in axes for handle, label in zip(*ax.get_legend_handles_labels(), strict=True)}
    picture.legend(handles.values(), handles.keys(), fontsize=8, loc="outside lower center", ncols=3)
    return picture


def slopes() -> str:
    """One row per line: the measured slope with its interval, and the slope in theory."""
    rows = ["| $d$ | method | $K$ | $\\log_2N$ per layer, measured | in theory |", "|---|---|---|---|---|"]
    for line in lines():
        slope = line.slope()
        if slope is not None:
            rows.append(f"| {line.d} | {NAMES[line.method]} | {line.deployments} | {slope[0]:.2f} ({slope[1]:.2f} to "
                        f"{slope[2]:.2f}) | {expected(line.method, line.deployments, line.d):.2f} |")
    return "\n".join(rows) + f"\n\nLayers from {FROM} on; {100 * LEVEL:.0f} % intervals over {seeds()} seeds."


def compared() -> str:
    """Medians of the smallest N of both methods at equal d, K and H, and which is smaller."""
    found = {(line.method, line.deployments, line.d): line for line in lines()}
    rows = ["| $d$ | $K$ | $H$ | block exploration | modulo the known law | ratio |", "|---|---|---|---|---|---|"]
    for (method, number, d), line in found.items():
        other = found.get(("known law", number, d))
        if method == "blocks" and other is not None:
            for h in sorted(line.sizes.keys() & other.sizes.keys()):
                both = line.median(h), other.median(h)
                rows.append(f"| {d} | {number} | {h} | {size(both[0])} | {size(both[1])} | "
                            + (f"{both[0] / both[1]:.2f}" if math.isfinite(both[0] + both[1]) else "–") + " |")
    return "\n".join(rows)


def where_it_wins() -> str:
    """At which d, K and H the median of designs modulo the known law is below that of block exploration, in words."""
    found = {(line.method, line.deployments, line.d): line for line in lines()}
    ratios = {(d, number, h): line.median(h) / found["known law", number, d].median(h)
              for (method, number, d), line in found.items() if method == "blocks"
              for h in sorted(line.sizes.keys() & found["known law", number, d].sizes.keys())}
    two = {h: ratio for (d, _, h), ratio in ratios.items() if d == 2}
    start = min(h for h in two if all(ratio > 1 for other, ratio in two.items() if other >= h))
    others = {key: ratio for key, ratio in ratios.items() if key[0] > 2}
    wins = ", ".join(f"$d={d}$, $K={number}$, $H={h}$ (a factor {ratio:.2f})"
                     for (d, number, h), ratio in others.items() if ratio > 1)
    exceptions = f"; it wins at {wins}" if wins else ""
    return (f"At $d=2$ the new program needs fewer trajectories than block exploration from $H={start}$ on, and "
            f"{two[max(two)]:.0f} times fewer at $H={max(two)}$. **At $d=3$ and $d=4$ it does not win** at equal $K$ "
            f"in {sum(ratio <= 1 for ratio in others.values())} of {len(others)} comparisons up to $H={max(two)}$"
            f"{exceptions}. Its slope is smaller, and its constant is larger, because a trajectory has to draw the "
            "right target and the right start.")


def at_the_theorem() -> str:
    """The N of the theorem for two deployments, and the largest loss of the seeds there."""
    rows = ["| $d$ | $H$ | $N$ of the theorem | largest loss |", "|---|---|---|---|"]
    own: dict[tuple[int, int], list[dict]] = {}
    for row in recorded("known_law")[0]:
        if row["method"] == "theorem":
            own.setdefault((int(row["d"]), int(row["horizon"])), []).append(row)
    rows += [f"| {d} | {h} | {group[0]['size']:.1e} | {max(row['loss'] for row in group):.1g} |"
             for (d, h), group in sorted(own.items())]
    return readable("\n".join(rows)) + f"\n\nε = {EPSILON}, δ = {DELTA}, bias {BIAS}, {seeds()} seeds each."


def seeds() -> int:
    """How many seeds the study has."""
    return len({row["seed"] for row in recorded("known_law")[0]})


def size(number: float) -> str:
    """A median of sizes; where it is infinite, the end of the grid."""
    return f"{number:.0f}" if math.isfinite(number) else f"above 2^{MOST // 2}"
