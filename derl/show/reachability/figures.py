"""Figures of the reachability coefficient: directions, the best policies for them, and cones of a certificate."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import plotly.graph_objects as go

from derl.certificates import stored
from derl.mdp.exact import ExactMDP
from derl.show.drawing import style
from derl.show.reachability import lab as labs
from derl.theory import reachability
from derl.theory.reachability.certified import FILES


def angle_profile(instance: str = "plane", policies: int = 24):
    """max_pi E<phi, theta>^2 against the angle of theta, single policies below it, and the certified interval."""
    figure, ax = style.axes()
    mdp, layer, interval = labs.layer_of(instance)
    angles, values = labs.profile(instance)
    directions = np.array([labs.direction(2, a) for a in angles])
    found = np.unique(reachability.reach(mdp, layer, directions)[1], axis=0)[:policies]
    for k, policy in enumerate(found):
        ax.plot(angles, _form(mdp, layer, policy, directions), color=style.GREY, linewidth=0.8, alpha=0.7,
                label="single policies" if k == 0 else None)
    ax.plot(angles, values, color=style.BLUE, label=r"best policy for $\theta$")
    ax.axhspan(interval.lower**2, interval.upper**2, color=style.RED)
    ax.axhline(interval.lower**2, color=style.RED, linestyle="--", label=r"certified $\nu_h^2$")
    lowest = labs.lowest_angles(instance)[0] % 180
    ax.plot([lowest], [interval.upper**2], "v", color=style.RED, markersize=9)
    ax.set(xlabel=r"angle of $\theta$ in degrees", ylabel=r"$E_\pi\langle\phi_h,\theta\rangle^2$", xlim=(0, 180),
           ylim=(0, None))
    ax.legend(loc="upper right")
    return figure


def _form(mdp, layer, policy, directions):
    """E_pi<phi_h, theta>^2 of one policy (h, S) at directions (n, d)."""
    states, mass = np.arange(mdp.n_states), mdp.initial
    for h in range(layer - 1):
        mass = mass @ (mdp.phi[h][states, policy[h]] @ mdp.mu[h])
    return ((directions @ mdp.phi[layer - 1][states, policy[-1]].T) ** 2) @ mass


def direction_picture(lab: labs.ReachLab):
    """Features of the layer, those that the best policy meets, and theta; the value beside the interval."""
    figure, (left, right) = style.axes(2, figsize=(7.6, 3.6), width_ratios=(3, 1))
    spatial = len(lab.theta) == 3
    points = lab.features @ _screen(lab.theta) if spatial else lab.features
    arrow = np.array([1.0, 0.0]) if spatial else lab.theta
    left.plot(*points.T, "o", color=style.GREY, markersize=4, label="features")
    met = lab.mass > 0
    left.scatter(*points[met].T, s=20 + 400 * lab.mass[met], facecolors="none", edgecolors=style.BLUE, linewidths=1.8,
                 label="met by the best policy")
    left.annotate("", arrow, (0, 0), arrowprops={"arrowstyle": "->", "color": style.RED, "linewidth": 2})
    left.annotate(r"$\theta$", arrow, color=style.RED, xytext=(4, 4), textcoords="offset points")
    left.set(xlim=(-1.2, 1.2), ylim=(-1.2, 1.2), aspect="equal",
             xlabel=r"$\langle\phi,\theta\rangle$" if spatial else r"$\phi_1$",
             ylabel="across" if spatial else r"$\phi_2$")
    left.legend(loc="upper center", bbox_to_anchor=(0.5, -0.2), fontsize=8, markerscale=0.5)
    right.bar([0], [lab.value], color=style.BLUE, width=0.5)
    right.axhline(lab.interval.upper**2, color=style.RED, linestyle="--")
    right.annotate(r"$\nu_h^2$", (1.02, lab.interval.upper**2), xycoords=("axes fraction", "data"), color=style.RED,
                   ha="left", va="center")
    right.set(ylim=(0, 1.05), xticks=[], xlim=(-0.6, 0.6), ylabel="value of the best policy")
    return figure


def _screen(theta):
    """Two orthonormal columns (3, 2), the first of them theta."""
    across = np.eye(3)[np.abs(theta).argmin()]
    across = across - (across @ theta) * theta
    return np.stack([theta, across / np.linalg.norm(across)], axis=1)


def theta_slider(instance: str = "plane", steps: int = 37) -> go.Figure:
    """Theta on a slider, in the plane: features, the ones that the best policy meets, and the value."""
    figure, entries = go.Figure(), []
    angles = np.linspace(0, 180, steps)
    for i, angle in enumerate(angles):
        lab = labs.reachability_lab(float(angle), 0.0, instance)
        x, y = lab.theta
        text = [f"state {s + 1}, action {a + 1}: {m:.3f}"
                for s, a, m in zip(lab.states, lab.actions, lab.mass, strict=True)]
        figure.add_scatter(x=lab.features[:, 0].tolist(), y=lab.features[:, 1].tolist(), mode="markers", text=text,
                           hoverinfo="text", visible=i == 0, name="features, size: how often met",
                           marker={"size": (6 + 40 * np.sqrt(lab.mass)).tolist(), "opacity": 0.65,
                                   "color": [style.BLUE if m > 0 else style.GREY for m in lab.mass],
                                   "symbol": ["circle" if m > 0 else "x" for m in lab.mass]})
        figure.add_scatter(x=[-x, x], y=[-y, y], mode="lines", visible=i == 0, name="direction θ",
                           line={"color": style.RED, "width": 3})
        title = f"angle {angle:.0f}°: best value {lab.value:.4f}<br>certified ν² = {lab.interval.lower ** 2:.6f}"
        entries.append({"method": "update", "label": f"{angle:.0f}", "args": [
            {"visible": [j // 2 == i for j in range(2 * steps)]}, {"title.text": title}]})
    figure.update_layout(sliders=[{"steps": entries, "currentvalue": {"prefix": "angle "}, "pad": {"t": 40}}],
                         title={"text": entries[0]["args"][1]["title.text"], "font": {"size": 13}}, height=480,
                         xaxis={"title": "φ₁", "range": [-1.1, 1.1]},
                         yaxis={"title": "φ₂", "range": [-1.1, 1.1], "scaleanchor": "x"},
                         legend={"x": 0, "xanchor": "left", "y": 0, "yanchor": "bottom", "bgcolor": "rgba(0,0,0,0)"})
    return figure


def sphere_heatmap(instance: str = "hexagon", steps: int = 46) -> go.Figure:
    """The value over the sphere of directions; hovering reads it off. Triangles mark the lowest directions found."""
    azimuth, elevation, values = labs.sphere_map(instance, steps)
    interval = labs.layer_of(instance)[2]
    figure = go.Figure(go.Heatmap(x=azimuth.tolist(), y=elevation.tolist(), z=np.round(values, 4).tolist(),
                                  colorscale="Cividis", colorbar={"title": "value"},
                                  hovertemplate="azimuth %{x:.0f}°, elevation %{y:.0f}°<br>value %{z}<extra></extra>"))
    a, e = labs.lowest_angles(instance)
    for x, y, text in ((a, e, "lowest"), ((a + 360) % 360 - 180, -e, "its opposite")):
        figure.add_scatter(x=[x], y=[y], mode="markers", name=text, hoverinfo="name", showlegend=False,
                           marker={"symbol": "triangle-down", "size": 14, "color": style.RED,
                                   "line": {"color": "white", "width": 1}})
    figure.update_layout(title={"text": f"certified ν² in [{interval.lower ** 2:.6f}, {interval.upper ** 2:.6f}]",
                                "font": {"size": 13}},
                         xaxis_title="azimuth of θ", yaxis_title="elevation of θ", height=420)
    return figure


def cones_of_a_certificate(name: str = "reachability-random-d3"):
    """The leaves of a stored certificate on the half sphere, in an equal-area view; colour: the value at the middle."""
    certificate = stored.load(name)
    about = FILES[name]
    cones = labs.leaves(certificate)
    mdp = about.build()
    mdp = mdp.to_float() if isinstance(mdp, ExactMDP) else mdp
    middles = cones.sum(axis=2)
    values = reachability.reach(mdp, about.layer, middles / np.linalg.norm(middles, axis=1, keepdims=True))[0] ** 2
    basis = np.array(certificate["lower"]["basis"], dtype=float)
    axis = basis[:, 0] / np.linalg.norm(basis[:, 0])
    figure, ax = style.axes(figsize=(5.6, 4.8))
    low = float(stored.ends_of(certificate)[0])
    shades = (values - low) / (values.max() - low)
    colours = mpl.colormaps["cividis"](shades)
    across = np.eye(3)[np.abs(axis).argmin()]
    across = across - (across @ axis) * axis
    frame = np.stack([across / np.linalg.norm(across), np.cross(axis, across / np.linalg.norm(across)), axis])
    for cone, colour in zip(cones, colours, strict=True):
        outline = np.concatenate([_arc(cone[:, i], cone[:, (i + 1) % 3]) for i in range(3)])
        turned = outline @ frame.T
        flat = turned[:, :2] / np.sqrt(1 + np.maximum(turned[:, 2:], -0.999))
        ax.fill(*flat.T, facecolor=colour, edgecolor=style.INK, linewidth=0.6)
    theta = np.array(certificate["upper"]["direction"], dtype=float)
    theta = frame @ (theta * np.sign(theta @ axis) / np.linalg.norm(theta))
    ax.plot(*(theta[:2, None] / np.sqrt(1 + theta[2])), "v", color=style.RED, markersize=10, markeredgecolor="white")
    ax.set(aspect="equal", xticks=[], yticks=[])
    ax.grid(False)
    for spine in ax.spines.values():
        spine.set_visible(False)
    bar = figure.colorbar(mpl.cm.ScalarMappable(mpl.colors.Normalize(low, values.max()), "cividis"), ax=ax)
    bar.set_label("best value in the middle of the cone")
    return figure


def _arc(start, end, count=25):
    """Points (count, 3) of the great circle from one unit vector to another."""
    share = np.linspace(0, 1, count)[:, None]
    points = (1 - share) * start + share * end
    return points / np.linalg.norm(points, axis=1, keepdims=True)
