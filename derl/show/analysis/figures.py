"""Values that diverge from layer to layer, and the number of policies that a layer needs."""

from __future__ import annotations

import numpy as np

from derl.show.drawing import style
from derl.theory.arbitrary.constants import iteration_bound

CLIPS = (("as-printed", "o-", style.RED, "clipped from above (printed)"),
         ("repaired", "s-", style.GREEN, "clipped to [0, 1]"))
REWARDS = (("repaired", "-", "o", style.BLUE, "norm, printed target ν²/8", 1300, 4),
           ("relative", ":", "^", style.ORANGE, "norm, target ν²/3 of Theorem R", 120, 4),
           ("squared", "--", "s", style.GREEN, "square, target ν²/5", 60, 2))


def runaway(data, state: int, layers=(5, 4, 3, 2)):
    """Predicted value at a state, from the last layer back, with both clips, and the bound from the bonuses.

    Parameters
    ----------
    data : object with `mdp`, `beta`, `regressions()` and `value(layer, state, version)`
        `derl.claims.analysis.clip.runaway()`.
    """
    norms = [float(data.mdp.phi[h, state, 0] @ inverse @ data.mdp.phi[h, state, 0]) ** 0.5
             for h, (inverse, _) in enumerate(data.regressions())]
    ahead = [float(data.beta) * sum(norms[layer - 1:]) for layer in layers]
    figure, ax = style.axes(figsize=(7, 3.8))
    x = range(len(layers))
    ax.fill_between(x, [0.5 - a for a in ahead], [0.5 + a for a in ahead], color=style.GREY, alpha=0.25,
                    label="allowed by the bonuses")
    for version, marker, colour, name in CLIPS:
        values = [float(data.value(layer, state, version)) for layer in layers]
        ax.plot(x, values, marker, color=colour, label=name)
        if version == "as-printed":
            for place, value in enumerate(values[1:], 1):
                ax.annotate(f"{value:,.0f}".replace("-", "\u2212"), (place, value), textcoords="offset points",
                            xytext=(-8, -12), ha="right", color=colour)
    ax.set_yscale("symlog", linthresh=1)
    ax.set(xticks=x, xticklabels=[f"layer {layer}" for layer in layers], ylabel="predicted value at z",
           ylim=(-6000, 4000), xlim=(-0.35, len(layers) - 0.8))
    ax.legend(loc="upper left", fontsize=9)
    return figure


def policies_per_dimension(nu: np.ndarray):
    """The least number of policies that the potential lemma allows (lines), and the certified formulas (marks)."""
    few = nu[::4]
    figure, ax = style.axes(figsize=(7, 3.6))
    for version, line, mark, colour, name, constant, power in REWARDS:
        ax.loglog(nu, [iteration_bound(version, 1, float(v)) for v in nu], line, color=colour, label=name)
        ax.loglog(few, constant / few**power * np.log(2 / few), mark, color=colour,
                  label=f"{constant} ν⁻{'⁴' if power == 4 else '²'} log(2/ν)")
    ax.set(xlabel="ν", ylabel="policies per dimension")
    ax.legend(fontsize=9)
    return figure
