"""The functions under the widgets, called as the widgets call them."""

import pytest

from derl.show.potential import lab as labs


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
