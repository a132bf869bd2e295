"""One step of a typed MDP: from every state by every action to the next states, valid or not."""

from __future__ import annotations

import numpy as np

from derl.show.drawing import style
from derl.show.foundations.draft import Draft, Fault

HEIGHT = 0.42  # inches per pair of state and action


def one_step(draft: Draft, wrong: Fault | None = None):
    """States at the left, their actions in the middle with the rewards, next states at the right.

    The width of a line is its probability; what is negative is dashed. The pair in which an assumption fails is red.
    """
    n_states, n_actions = draft.rewards.shape
    figure, ax = style.axes(figsize=(6.6, 0.9 + HEIGHT * max(n_states * n_actions, 4)))
    at = {(s, a): -(s * n_actions + a) for s in range(n_states) for a in range(n_actions)}
    place = [float(np.mean([at[s, a] for a in range(n_actions)])) for s in range(n_states)]
    for (s, a), y in at.items():
        bad = wrong is not None and (wrong.state, wrong.action) == (s, a)
        color = style.RED if bad else style.GREY
        ax.plot([0.12, 0.86], [place[s], y], color=color, linewidth=1.4)
        pay = f"r = {draft.rewards[s, a]:.3g}"
        ax.annotate(f"{'✗ ' if bad else ''}a{a}, {pay}", (1, y), ha="center", va="center", fontsize=8,
                    color=style.RED if bad else style.INK, fontweight="bold" if bad else "normal",
                    bbox={"facecolor": "white", "edgecolor": color, "boxstyle": "round,pad=0.25",
                          "linewidth": 1.8 if bad else 0.8})
        for t, p in enumerate(draft.rows[s, a]):
            if p:
                ax.annotate("", (1.88, place[t] + 0.12 * (s - t)), (1.17, y), arrowprops={
                    "arrowstyle": "->", "color": color, "linestyle": "-" if p > 0 else "--",
                    "linewidth": 0.5 + 2.5 * min(abs(float(p)), 1.5), "alpha": 1.0 if bad else 0.75})
    for s, y in enumerate(place):
        for x in (0, 2):
            ax.plot(x, y, "o", markersize=19, color=style.SKY)
            ax.annotate(f"s{s}", (x, y), ha="center", va="center", fontsize=9, color="black")
    ax.set(xlim=(-0.15, 2.15), ylim=(min(at.values()) - 0.6, 0.6))
    ax.set_axis_off()
    figure.supxlabel("state, action and reward, next state (width: probability)", fontsize=8)
    return figure
