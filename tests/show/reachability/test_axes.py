"""What the axes and legends of the figures say, written out; that each curve is what its name says is tested beside."""

import pytest
from read_figure import lines, read

from derl.show.reachability import figures
from derl.show.reachability import lab as labs

SAID = {
    "angles": (lambda: figures.angle_profile("plane"), r"""
        x: angle of $\theta$ in degrees; y: $E_\pi\langle\phi_h,\theta\rangle^2$
        grey - = single policies
        blue - = best policy for $\theta$
        red -- = certified $\nu_h^2$"""),
    "in space": (lambda: figures.direction_picture(labs.reachability_lab(0, 90, "hexagon")), r"""
        x: $\langle\phi,\theta\rangle$; y: across
        grey o = features
        blue area = met by the best policy
        x: ; y: value of the best policy"""),
    "in the plane": (lambda: figures.direction_picture(labs.reachability_lab(0, 0, "plane")), r"""
        x: $\phi_1$; y: $\phi_2$
        grey o = features
        blue area = met by the best policy
        x: ; y: value of the best policy"""),
    "cones": (figures.cones_of_a_certificate, """
        x: ; y:
        x: ; y: best value in the middle of the cone"""),
}


@pytest.mark.parametrize("name", SAID)
def test_axes_and_legends(name):
    figure, said = SAID[name]
    assert read(figure()) == lines(said)


def test_titles_of_the_pictures_that_answer_to_the_mouse():
    slider, heat = figures.theta_slider("plane", 3).layout, figures.sphere_heatmap("hexagon", 3)
    assert (slider.xaxis.title.text, slider.yaxis.title.text) == ("φ₁", "φ₂")
    assert (heat.layout.xaxis.title.text, heat.layout.yaxis.title.text) == ("azimuth of θ", "elevation of θ")
    assert heat.data[0].colorbar.title.text == "value" and [one.name for one in heat.data[1:]] == [
        "lowest", "its opposite"]
