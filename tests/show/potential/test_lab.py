"""The functions under the widgets, called as the widgets call them."""

import numpy as np
import pytest

from derl.show.drawing.embed import embed
from derl.show.potential import figures
from derl.show.potential import lab as labs
from derl.theory import potential


@pytest.mark.parametrize("adversary", labs.ADVERSARIES)
@pytest.mark.parametrize("dimension, batch_size, epsilon", [(1, 10, 0.05), (2, 200, 0.1), (4, 10**6, 0.5)])
def test_no_adversary_beats_the_sharp_bound(adversary, dimension, batch_size, epsilon):
    lab = labs.elliptical_potential(dimension, batch_size, epsilon, adversary)
    assert 0 < lab.violations <= lab.trajectory.sharp_bound <= lab.trajectory.paper_bound + 1
    assert lab.violations >= dimension  # d violations are always possible
    assert str(lab.violations) in lab.sentence


def test_directions_between_the_axes_do_better():
    assert labs.elliptical_potential(2, 200, 0.1, "non-commuting").violations == 3
    assert labs.elliptical_potential(2, 200, 0.1, "axes").violations == 2


@pytest.mark.parametrize("arguments, word", [
    ({"adversary": "clever"}, "adversary"), ({"epsilon": 0}, "epsilon"), ({"epsilon": float("nan")}, "epsilon"),
    ({"batch_size": 0}, "N"), ({"batch_size": 2.5}, "N"), ({"dimension": 0}, "d"),
])
def test_bad_settings_are_named_in_one_line(arguments, word):
    with pytest.raises(ValueError, match=word) as caught:
        labs.elliptical_potential(**arguments)
    assert "\n" not in str(caught.value)


def test_the_slider_has_a_step_for_each_size_and_shows_one_at_a_time():
    figure = figures.potential_slider([10, 200, 1000])
    assert [trace.visible for trace in figure.data] == [True, False, False]
    steps = figure.layout.sliders[0].steps
    assert [step.label for step in steps] == ["10", "200", "1,000"]
    assert "3 violations" in steps[1].args[1]["title.text"]
    body = embed(figure, alt='a "quoted" text').data
    assert 'aria-label="a &quot;quoted&quot; text"' in body and "<script src" not in body


def test_the_bounds_come_down_to_one_per_dimension():
    lines = figures.potential_bounds(epsilon=0.1, dimensions=(1, 3)).axes[0].lines
    for line, d in zip(lines, (1, 3), strict=True):
        y = np.asarray(line.get_ydata())
        assert y[-1] == 1 and (np.diff(y) <= 0).all() and y[0] * d == potential.sharp_bound(d, 1, 0.1)
