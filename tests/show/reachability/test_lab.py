"""The lab of the reachability coefficient and the figures of its page."""

import numpy as np
import pytest

from derl.certificates import stored
from derl.show.drawing import InvalidChoice
from derl.show.reachability import figures, playground
from derl.show.reachability import lab as labs
from derl.theory import reachability


@pytest.mark.parametrize("instance", ["plane", "hexagon", "random"])
def test_no_angle_gets_below_the_certified_interval(instance):
    rng = np.random.default_rng(np.random.SeedSequence(3))
    for azimuth, elevation in zip(rng.uniform(-180, 180, 30), rng.uniform(-90, 90, 30), strict=True):
        lab = labs.reachability_lab(azimuth, elevation, instance)
        assert lab.value >= lab.interval.lower**2 and np.linalg.norm(lab.theta) == pytest.approx(1)
        assert lab.mass.sum() == pytest.approx(1)
        assert lab.mass @ (lab.features @ lab.theta) ** 2 == pytest.approx(lab.value, abs=1e-12)
        assert f"{lab.value:.4f}" in lab.sentence


@pytest.mark.parametrize("instance", ["plane", "hexagon", "random"])
def test_the_direction_of_the_certificate_attains_the_upper_end(instance):
    lab = labs.reachability_lab(*labs.lowest_angles(instance), instance)
    assert lab.value == pytest.approx(lab.interval.upper**2, rel=1e-9) and abs(lab.excess) < 1e-8


def test_the_hexagon_by_hand():
    lab = labs.reachability_lab(0, 90, "hexagon")
    assert lab.value == pytest.approx(1 / 2)  # theta = e_1: every feature has 1/sqrt 2
    assert labs.reachability_lab(0, 0, "hexagon").value == pytest.approx(1 / 2)
    assert labs.reachability_lab(30, 0, "hexagon").value == pytest.approx(3 / 8)
    azimuth, elevation, values = labs.sphere_map("hexagon", 31)
    assert values.shape == (31, 61) == (len(elevation), len(azimuth)) and values.min() == pytest.approx(3 / 8)


@pytest.mark.parametrize(("call", "words"), [
    (lambda: labs.reachability_lab(0, 0, "maze"), "instance is 'maze'"),
    (lambda: labs.reachability_lab(float("nan")), "azimuth is nan"),
    (lambda: labs.direction(4, 0), "dim is 4"),
    (lambda: labs.sphere_map("plane"), "needs d = 3"),
    (lambda: labs.leaves(stored.load("reachability-hexagon")), "by 'vertices'"),
])
def test_bad_settings_are_named_in_one_line(call, words):
    with pytest.raises(InvalidChoice, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)


def test_the_leaves_cover_every_direction_once():
    cones = labs.leaves(stored.load("reachability-random-d3"))
    rng = np.random.default_rng(np.random.SeedSequence(4))
    theta = rng.standard_normal((500, 3))
    inside = (np.linalg.solve(cones[None], theta[:, None, :, None])[..., 0] > 0).all(axis=2) \
        | (np.linalg.solve(cones[None], -theta[:, None, :, None])[..., 0] > 0).all(axis=2)
    np.testing.assert_array_equal(inside.sum(axis=1), 1)


def test_a_cone_has_the_colour_of_the_value_at_its_middle():
    certificate, about = stored.load("reachability-random-d3"), figures.FILES["reachability-random-d3"]
    cones, mdp = labs.leaves(certificate), about.build()
    axes = figures.cones_of_a_certificate().axes[0]
    assert len(axes.patches) == len(cones) > 20
    middles = cones.sum(axis=2)
    middles /= np.linalg.norm(middles, axis=1, keepdims=True)
    values = np.array([reachability.reach(mdp, about.layer, middle)[0].item() for middle in middles]) ** 2
    low = float(stored.ends_of(certificate)[0])
    assert values.min() >= low
    shades = (values - low) / (values.max() - low)
    colours = np.array([patch.get_facecolor() for patch in axes.patches])
    np.testing.assert_allclose(colours, figures.mpl.colormaps["cividis"](shades), atol=1 / 255)
    assert axes.lines[0].get_marker() == "v"


def test_the_view_is_the_lab_and_a_plane_has_no_elevation():
    for instance, idle in (("plane", ("elevation",)), ("hexagon", ()), ("random", ())):
        view, lab = playground.view(30, 20, instance), labs.reachability_lab(30, 20, instance)
        assert view.sentence == lab.sentence and view.idle == idle and view.last is None
        assert view.pictures[0].axes[1].patches[0].get_height() == lab.value
