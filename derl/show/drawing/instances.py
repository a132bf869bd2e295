"""States, actions and transitions of an instance: as a picture, and as the table of a box "Meet the instance"."""

from __future__ import annotations

from itertools import groupby

import numpy as np
from IPython.display import Markdown

from derl.inputs import as_fraction
from derl.mdp import planning
from derl.show.drawing import style


def instance_graph(mdp, layers: int | None = None, highlight=None, first: int = 1):
    """States of each layer and the transitions between them, drawn from the arrays of an MDP.

    Parameters
    ----------
    mdp : LinearMDP
        Small: every state of every layer is drawn if it can be reached.
    layers : int or None
        Draw the first layers only.
    highlight : (H, S) int or None
        A deterministic policy; the transitions that it takes are drawn strongly.
    first : int
        Number of the first layer: 1 in the paper, 0 in its hard instances.
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
            ax.annotate(names[s], (h, -s), ha="center", va="center", fontsize=8, color="black")
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
    ax.set(xlabel="layer", xticks=range(layers), xticklabels=range(first, first + layers), yticks=[],
           xlim=(-0.4, layers - 0.6), ylim=(0.6 - mdp.n_states, 0.5))
    ax.grid(visible=False)
    ax.spines["left"].set_visible(False)
    return figure


def meet(mdp, name: str, words: str, first: int = 1, measures: bool = False) -> Markdown:
    """A box that introduces an instance: size, states, actions, features, rewards and transitions from its arrays.

    Parameters
    ----------
    mdp : ExactMDP, LinearMDP, or anything with their arrays phi, mu, theta, initial and available
        Rational entries are shown as fractions, others with three digits.
    name : str
        The instance, as prose calls it: "the trap".
    words : str
        What there is to say about it, in MyST.
    first : int
        Number of the first layer.
    measures : bool
        Also list the vectors mu_1(s).
    """
    horizon, n_states, n_actions, dim = np.shape(mdp.phi)
    states = tuple(getattr(mdp, "state_names", ())) or tuple(f"s{i}" for i in range(n_states))
    actions = tuple(getattr(mdp, "action_names", ())) or tuple(str(a) for a in range(n_actions))
    layers = f"{horizon} layers, numbered from {first}" if horizon > 1 else "One layer"
    size = (f"{layers}; dimension {dim}; {n_states} state{'s' * (n_states > 1)}; "
            f"start: {_law(mdp.initial, states)}.")
    table = ["| state | action | layers | feature $\\phi$ | reward | leads to |", "|---|---|---|---|---|---|"]
    table += [f"| {states[s]} | {'any' if 1 < len(able) == n_actions else ', '.join(actions[a] for a in able)} "
              f"| {_spans(hs, first)} | {vector(phi)} | {pay} | {_law(law, states) or 'the end'} |"
              for s, able, hs, phi, pay, law in _pairs(mdp, first)]
    if measures:
        found = [f"$\\mu_{first}(\\text{{{states[s]}}})=$ {vector(mdp.mu[0][:, s])}" for s in range(n_states)
                 if any(mdp.mu[0][:, s])]
        table += ["", "Measures of the first layer: " + ", ".join(found) + "."]
    opening = f":::{{admonition}} Meet {name}", ":class: meet", "", words, "", size, ""
    return Markdown("\n".join((*opening, *table, ":::")))


def arrows(features: dict[str, tuple[float, float]]):
    """Named vectors of the plane, drawn from the origin inside the unit circle."""
    figure, ax = style.axes(figsize=(3.6, 3.6))
    turn = np.linspace(0, 2 * np.pi, 200)
    ax.plot(np.cos(turn), np.sin(turn), color=style.GREY, linewidth=0.8)
    for name, (x, y) in features.items():
        ax.annotate("", (x, y), (0, 0), arrowprops={"arrowstyle": "->", "color": style.BLUE, "linewidth": 1.8})
        ax.annotate(name, (1.08 * x, 1.08 * y), ha=("right", "center", "left")[round(x) + 1], va="center")
    ax.set(aspect="equal", xlim=(-1.6, 1.6), ylim=(-1.35, 1.35), xticks=(-1, 0, 1), yticks=(-1, 0, 1))
    return figure


def number(x) -> str:
    """A number in maths: fractions as such, floats with three digits."""
    if isinstance(x, (float, np.floating)) and x != int(x):
        return f"{x:.3g}"
    x = as_fraction(x)
    if x.denominator == 1:
        return str(x.numerator)
    return f"{'-' * (x < 0)}\\frac{{{abs(x.numerator)}}}{{{x.denominator}}}"


def vector(v) -> str:
    """A vector as a combination of unit vectors, in maths: $-\\frac35e_1+\\frac45e_2$."""
    terms = [("" if x == 1 else "-" if x == -1 else number(x)) + f"e_{{{i}}}" for i, x in enumerate(v, 1) if x]
    return "$" + ("+".join(terms).replace("+-", "-") or "0") + "$"


def _pairs(mdp, first: int):
    """(state, actions, layers, feature, reward as text, next states) of all pairs that can be met.

    Layers with the same feature and the same next states make one row, and so do actions that do the same; after the
    last layer nothing follows.
    """
    horizon = len(mdp.phi)
    rows, met = {}, np.asarray(mdp.initial) > 0
    for h in range(horizon):
        following = np.zeros(len(met), bool)
        for s in np.flatnonzero(met):
            for a in np.flatnonzero(mdp.available[h][s]):
                phi = mdp.phi[h][s][a]
                law = tuple(phi @ mdp.mu[h])
                following |= np.array(law) > 0
                alike = [key for key in rows if key[:3] == (s, a, tuple(phi))] if h + 1 == horizon else []
                new = s, a, tuple(phi), law if h + 1 < horizon else ()
                key = max(alike, key=lambda row: len(rows[row]), default=new)
                rows.setdefault(key, []).append((h, phi @ mdp.theta[h]))
        met = following
    same = {}
    for (s, a, phi, law), seen in sorted(rows.items(), key=lambda row: (*row[0][:2], row[1][0][0])):
        same.setdefault((s, phi, law, tuple(seen)), []).append(a)
    for (s, phi, law, seen), able in same.items():
        runs = [(pay, [h for h, _ in run]) for pay, run in groupby(seen, key=lambda one: one[1])]
        pays = [f"${number(pay)}$" + (f" in {_spans(hs, first)}" if len(runs) > 1 else "") for pay, hs in runs]
        yield s, able, [h for h, _ in seen], phi, ", ".join(pays), law


def _spans(layers: list[int], first: int) -> str:
    """Layers as "1 to 3, 5"."""
    spans = []
    for h in layers:
        if spans and h == spans[-1][1] + 1:
            spans[-1][1] = h
        else:
            spans.append([h, h])
    return ", ".join(str(a + first) if a == b else f"{a + first} to {b + first}" for a, b in spans)


def _law(law, states) -> str:
    """A distribution in words: "B 17/20, C 3/20"."""
    return ", ".join(states[s] + (f" ${number(p)}$" if p != 1 else "") for s, p in enumerate(law) if p)
