"""The lab of reachability and its pictures, against values by hand and by enumeration.

The instance in the plane: from state 0 the first action stays, the second leads to state 1 with probability 3/4; in
layer 2 state 0 offers (1, 0) and (1/2, 1/2), state 1 has (0, 1) only. The hexagon has the features
(1, cos 60k, sin 60k) / sqrt 2.
"""

from itertools import product
from types import SimpleNamespace

import numpy as np
import pytest

from derl.certificates import stored
from derl.mdp.linear_mdp import LinearMDP
from derl.show.drawing import style
from derl.show.reachability import figures
from derl.show.reachability import lab as labs

BEST = r"best policy for $\theta$"
LAWS = np.array([[1.0, 0.0], [0.25, 0.75]])  # of the state of layer 2, by the first action
OFFERS = np.array([[[1.0, 0.0], [0.5, 0.5]], [[0.0, 1.0], [0.0, 1.0]]])


def plane() -> LinearMDP:
    first = np.broadcast_to(np.eye(2), (2, 2, 2))
    mu = np.array([LAWS, LAWS])
    return LinearMDP(np.stack([first, OFFERS]), mu, np.zeros((2, 2)), np.array([1.0, 0.0]))


def by_enumeration(theta):
    """E<phi, theta>^2 of the four policies in the plane: first action, then the action in state 0."""
    return np.array([LAWS[a] @ np.array([OFFERS[0, b] @ theta, OFFERS[1, 0] @ theta]) ** 2
                     for a, b in product((0, 1), repeat=2)])


def on_the_hexagon(azimuth, elevation):
    a, e = np.deg2rad(azimuth), np.deg2rad(elevation)
    return max((np.sin(e) + np.cos(e) * np.cos(a - k * np.pi / 3)) ** 2 / 2 for k in range(6))


@pytest.fixture
def hand(monkeypatch):
    monkeypatch.setitem(labs.INSTANCES, "by hand", (plane, 2))
    return "by hand"


def test_the_lab_finds_the_best_of_four_policies(hand):
    for angle in (0, 30, 63, 90, 135, 170, -20, 400):
        theta = [np.cos(np.pi * angle / 180), np.sin(np.pi * angle / 180)]
        assert labs.reachability_lab(angle, 0, hand).value == pytest.approx(by_enumeration(theta).max())
    up = labs.reachability_lab(90, 0, hand)  # to state 1 as often as possible
    assert up.mass[2:].sum() == pytest.approx(0.75) and up.mass[:2].sum() == pytest.approx(0.25)
    assert (up.states.tolist(), up.actions.tolist()) == ([0, 0, 1, 1], [0, 1, 0, 1])
    assert labs.reachability_lab(0, 0, hand).mass.tolist() == [1, 0, 0, 0]  # stay, and take (1, 0)


def test_the_interval_holds_the_least_of_the_profile(hand):
    angles, values = labs.profile(hand, 1801)
    assert (angles[0], angles[900], angles[-1], len(values)) == (0, 90, 180, 1801)
    turn = np.deg2rad(angles)
    found = by_enumeration(np.stack([np.cos(turn), np.sin(turn)])).max(axis=0)
    np.testing.assert_allclose(values, found, atol=1e-12)
    mdp, layer, interval = labs.layer_of(hand)
    assert layer == 2 and interval.lower**2 <= found.min() <= interval.upper**2 + 1e-3
    assert interval.upper**2 == pytest.approx(found.min(), abs=1e-3)


def test_the_profile_shows_single_policies_below_the_best_one(hand):
    axes = figures.angle_profile(hand).axes[0]
    lines = {line.get_label(): line for line in axes.lines}
    turn = np.deg2rad(lines[BEST].get_xdata())
    assert np.rad2deg(turn[[0, -1]]).tolist() == [0, 180]
    curves = by_enumeration(np.stack([np.cos(turn), np.sin(turn)]))
    np.testing.assert_allclose(lines[BEST].get_ydata(), curves.max(axis=0), atol=1e-12)
    single = np.array([line.get_ydata() for line in axes.lines if line.get_color() == style.GREY])
    near = [int(np.abs(curves - one).max(axis=1).argmin()) for one in single]
    np.testing.assert_allclose(single, curves[near], atol=1e-12)
    ever = np.isclose(curves, curves.max(axis=0), atol=1e-9).sum(axis=1) > 2  # best on a stretch of angles
    assert set(np.flatnonzero(ever)) <= set(near)
    mark, = (line for line in axes.lines if line.get_marker() == "v")
    (angle,), (height,) = np.deg2rad(mark.get_xdata()), mark.get_ydata()
    assert by_enumeration([np.cos(angle), np.sin(angle)]).max() == pytest.approx(curves.max(axis=0).min(), abs=1e-3)
    assert height == pytest.approx(curves.max(axis=0).min(), abs=1e-3)
    assert lines[r"certified $\nu_h^2$"].get_ydata()[0] == pytest.approx(curves.max(axis=0).min(), abs=1e-3)


def test_a_direction_in_the_plane_shows_what_the_best_policy_meets(hand):
    left, right = figures.direction_picture(labs.reachability_lab(90, 0, hand)).axes
    points = np.array(left.lines[0].get_data()).T
    np.testing.assert_allclose(points, [[1, 0], [0.5, 0.5], [0, 1], [0, 1]])
    met = np.asarray(left.collections[0].get_offsets())
    sizes = left.collections[0].get_sizes()
    above = np.isclose(met, [0, 1]).all(axis=1)
    assert sizes[above].sum() == pytest.approx(20 * above.sum() + 300)  # 400 times 3/4
    assert sizes[~above].tolist() == [pytest.approx(20 + 100)]
    assert np.allclose(met[~above], [0.5, 0.5])  # (1, 0) has nothing of this direction
    arrow = next(note for note in left.texts if note.get_text() == "")
    np.testing.assert_allclose(arrow.xy, [0, 1], atol=1e-12)
    assert right.patches[0].get_height() == pytest.approx(0.25 * 0.25 + 0.75)


def test_a_direction_in_space_is_drawn_across_itself():
    lab = labs.reachability_lab(0, 90, "hexagon")  # theta = e_1
    left, right = figures.direction_picture(lab).axes
    x, y = left.lines[0].get_data()
    np.testing.assert_allclose(x, [0.5**0.5] * 6)
    np.testing.assert_allclose(y, [np.sin(k * np.pi / 3) / 2**0.5 for k in range(6)], atol=1e-12)
    assert right.patches[0].get_height() == pytest.approx(1 / 2)
    assert right.lines[0].get_ydata()[0] == pytest.approx(3 / 8)
    assert lab.excess == pytest.approx(1 / 3) and "reaches 0.5000, 33.3% above" in lab.sentence
    assert "0.375000 <= nu^2 <= 0.375000" in lab.sentence
    columns = figures._screen(np.array([0.6, 0.0, 0.8]))
    np.testing.assert_allclose(columns, [[0.6, 0], [0, 1], [0.8, 0]])
    turned = figures._screen(np.array([1.0, 2.0, 2.0]) / 3)
    np.testing.assert_allclose(turned.T @ turned, np.eye(2), atol=1e-12)
    assert turned[0, 1] == pytest.approx(8**0.5 / 3)  # across is as near to e_1 as it can be


def test_angles_are_read_from_the_pole():
    for azimuth, elevation, wanted in ((0, 0, [0, 1, 0]), (90, 0, [0, 0, 1]), (0, 90, [1, 0, 0]),
                                       (180, -30, [-0.5, -(0.75**0.5), 0]), (45, 45, [0.5**0.5, 0.5, 0.5])):
        np.testing.assert_allclose(labs.direction(3, azimuth, elevation), wanted, atol=1e-12)
    np.testing.assert_allclose(labs.direction(2, 120, 50), [-0.5, 0.75**0.5])


@pytest.mark.parametrize(("found", "angles"), [
    (["0", "0", "2"], (90, 0)), (["3", "3", "0"], (0, 45)), (["1", "0", "-1"], (-90, 45)), (["-1", "0", "0"], (0, -90)),
    (["5", "5"], (45, 0)), (["-1", "0"], (180, 0))])
def test_the_lowest_direction_is_the_one_of_the_certificate(monkeypatch, found, angles):
    interval = SimpleNamespace(certificate={"upper": {"direction": [float(x) for x in found]}})
    monkeypatch.setattr(labs, "layer_of", lambda instance: (None, 1, interval))
    assert labs.lowest_angles("any") == pytest.approx(angles)


def test_the_map_of_the_sphere_is_the_formula_of_the_hexagon():
    figure = figures.sphere_heatmap("hexagon", 7)
    heat, low, opposite = figure.data
    assert list(heat.x) == list(range(-180, 181, 30)) and list(heat.y) == list(range(-90, 91, 30))
    np.testing.assert_allclose(heat.z, [[on_the_hexagon(x, y) for x in heat.x] for y in heat.y], atol=6e-5)
    for mark in (low, opposite):  # 3/8 is reached half-way between two corners, at elevation 0, and nowhere else
        assert (mark.x[0] - 30) / 60 == pytest.approx(round((mark.x[0] - 30) / 60), abs=1e-3)
        assert mark.y[0] == pytest.approx(0, abs=0.05) and -180 <= mark.x[0] <= 180
    assert abs(low.x[0] - opposite.x[0]) == pytest.approx(180)
    assert figure.layout.title.text == "certified ν² in [0.375000, 0.375000]"


def test_the_slider_carries_every_direction(hand):
    figure = figures.theta_slider(hand, 5)
    steps = figure.layout.sliders[0].steps
    assert figure.layout.title.text == steps[0].args[1]["title.text"]
    for i, angle in enumerate((0, 45, 90, 135, 180)):
        points, line = figure.data[2 * i:2 * i + 2]
        theta = np.array([np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))])
        best = by_enumeration(theta).max()
        assert steps[i].args[1]["title.text"] == (f"angle {angle}°: best value {best:.4f}<br>certified ν² = "
                                                  f"{labs.layer_of(hand)[2].lower**2:.6f}")
        assert steps[i].args[0]["visible"] == [j in (2 * i, 2 * i + 1) for j in range(10)]
        np.testing.assert_allclose([line.x, line.y], [[-theta[0], theta[0]], [-theta[1], theta[1]]])
        np.testing.assert_allclose([points.x, points.y], [[1, 0.5, 0, 0], [0, 0.5, 1, 1]])
    first = figure.data[0]
    assert list(first.marker.size) == [46, 6, 6, 6] and list(first.marker.symbol) == ["circle", "x", "x", "x"]
    assert list(first.marker.color) == [style.BLUE] + [style.GREY] * 3
    assert list(first.text) == ["state 1, action 1: 1.000", "state 1, action 2: 0.000", "state 2, action 1: 0.000",
                                "state 2, action 2: 0.000"]


def test_cuts_halve_the_edge_they_name_and_the_signs_give_four_cones():
    plain = {"lower": {"method": "cones", "basis": [["2", "0", "0"], ["0", "1", "0"], ["0", "0", "1"]],
                       "nodes": [{}, {"cut": [0, 1]}, {}, {}, {}, {}]}}
    x, y, z, middle = (1, 0, 0), (0, 1, 0), (0, 0, 1), (2 / 5**0.5, 1 / 5**0.5, 0)

    def minus(v):
        return tuple(-c for c in v)

    cones = [(x, y, z), (middle, y, minus(z)), (x, middle, minus(z)), (x, minus(y), z), (x, minus(y), minus(z))]
    np.testing.assert_allclose(labs.leaves(plain), np.array(cones).transpose(0, 2, 1), atol=1e-12)


def test_the_cones_fill_a_half_sphere_in_their_true_areas():
    certificate = stored.load("reachability-random-d3")
    axes = figures.cones_of_a_certificate().axes[0]
    area = 0.0
    for patch in axes.patches:
        x, y = patch.get_xy().T
        area += abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1))) / 2
    assert area == pytest.approx(np.pi, rel=0.01)  # half of 2 pi: the map takes the half sphere to the unit disc
    pole = np.array(certificate["lower"]["basis"], float)[:, 0]
    low = np.array(certificate["upper"]["direction"], float)
    cosine = abs(pole @ low) / np.linalg.norm(pole) / np.linalg.norm(low)
    mark, = (line for line in axes.lines if line.get_marker() == "v")
    assert np.hypot(*mark.get_data()).item() ** 2 == pytest.approx(1 - cosine)
    inside = [patch.get_path().contains_point(np.ravel(mark.get_data())) for patch in axes.patches]
    assert sum(inside) <= 1 and len(inside) == len(labs.leaves(certificate))


def test_an_arc_keeps_to_the_great_circle():
    points = figures._arc(np.array([1.0, 0, 0]), np.array([0, 0.6, 0.8]), 3)
    np.testing.assert_allclose(points, [[1, 0, 0], np.array([1, 0.6, 0.8]) / 2**0.5, [0, 0.6, 0.8]])
