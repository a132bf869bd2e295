"""States, actions and transitions of an instance as a picture."""

from __future__ import annotations

import numpy as np

from derl.mdp import planning
from derl.show.drawing import style


def instance_graph(mdp, layers: int | None = None, highlight=None):
    """States of each layer and the transitions between them, drawn from the arrays of an MDP.

    Parameters
    ----------
    mdp : LinearMDP
        Small: every state of every layer is drawn if it can be reached.
    layers : int or None
        Draw the first layers only.
    highlight : (H, S) int or None
        A deterministic policy; the transitions that it takes are drawn strongly.
    """
    layers = mdp.horizon if layers is None else min(layers, mdp.horizon)
    figure, ax = style.axes(figsize=(7.6, 0.5 * mdp.n_states + 1.4))
    reachable = mdp.initial > 0
    on_path = None if highlight is None else planning.occupancy(mdp, highlight).sum(axis=2) > 0
    names = mdp.state_names or tuple(f"s{i}" for i in range(mdp.n_states))
    rewards = mdp.rewards()
    for h in range(layers):
        following = np.zeros(mdp.n_states, bool)
        for s in np.flatnonzero(reachable):
            ax.plot(h, -s, "o", markersize=16, color=style.SKY if rewards[h, s].max() < 1 else style.GREEN, alpha=0.85)
            ax.annotate(names[s], (h, -s), ha="center", va="center", fontsize=7, color="black")
            actions = np.flatnonzero(mdp.available[h][s])
            rows = mdp.transition_rows(h, np.full(len(actions), s), actions)
            following |= (rows > 0).any(axis=0)
            if h + 1 < layers:
                for a, row in zip(actions, rows, strict=True):
                    strong = on_path is not None and on_path[h, s] and highlight[h, s] == a
                    for t in np.flatnonzero(row):
                        ax.annotate("", (h + 0.88, -t), (h + 0.12, -s), arrowprops={
                            "arrowstyle": "->", "color": style.RED if strong else style.GREY,
                            "alpha": 0.9 if strong else 0.25 + 0.5 * float(row[t]),
                            "linewidth": 1.8 if strong else 0.9})
        reachable = following
    ax.set(xlabel="layer", xticks=range(layers), xticklabels=range(1, layers + 1), yticks=[],
           xlim=(-0.4, layers - 0.6))
    ax.grid(visible=False)
    ax.spines["left"].set_visible(False)
    return figure
