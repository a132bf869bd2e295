"""The lab and the figures of the elliptical potential, against the determinant written out here."""

from fractions import Fraction as F

import numpy as np
import pytest

from derl.show.potential import figures, playground
from derl.show.potential import lab as labs
from derl.theory import potential


def most(d: int, size: int) -> int:
    """The largest k with (1 + N/10)^k <= (1 + kN/d)^d, by counting."""
    k = 0
    while (1 + F(size, 10))**(k + 1) <= (1 + F((k + 1) * size, d))**d:
        k += 1
    return k


def test_the_allowed_violations_are_those_that_the_determinant_allows():
    for d, line in zip((1, 2, 3), figures.potential_bounds(0.1, (1, 2, 3), largest=4).axes[0].lines, strict=True):
        sizes, allowed = line.get_data()
        assert line.get_label() == f"d = {d}" and sizes[0] == 1 and sizes[-1] == 10**4
        assert allowed == pytest.approx([most(d, int(size)) / d for size in sizes])


def test_the_bars_are_the_traces_of_the_batches_in_the_inverse_of_their_sum():
    figure = figures.potential_slider((10, 1000), dimension=2, epsilon=0.1)
    for bar, size in zip(figure.data, (10, 1000), strict=True):
        gram, traces = np.eye(2), []
        for vector in potential.adversary_noncommuting(2, size, 0.1):  # all N vectors of a batch are the same
            traces.append(vector @ np.linalg.inv(gram) @ vector)
            gram = gram + size * np.outer(vector, vector)
        assert bar.y == pytest.approx(traces) and list(bar.x) == list(range(1, len(traces) + 1))
        reds = [color == figures.style.RED for color in bar.marker.color]
        assert reds == [value >= 0.1 for value in traces] and any(reds)
        assert list(bar.marker.pattern.shape) == ["" if red else "/" for red in reds]
    level, = figure.layout.shapes
    assert level.y0 == level.y1 == 0.1 and [step.label for step in figure.layout.sliders[0].steps] == ["10", "1,000"]


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


def test_batches_and_violations_until_now():
    lab = playground.run(3, 1000, 0.003, "axes")
    played, k = lab.trajectory, 7
    lines = {line.get_label(): line for line in playground.batches(lab, k).axes[0].lines}
    above, below = lines["violates"], lines["does not"]
    assert sorted([*above.get_xdata(), *below.get_xdata()]) == list(range(1, k + 1))
    assert (above.get_ydata() > 0.003).all() and (below.get_ydata() <= 0.003).all()
    steps, level = (playground.count(lab, k).axes[0].lines[i].get_ydata() for i in (0, 1))
    np.testing.assert_array_equal(steps, [0, *np.cumsum(played.violates[:k])])
    assert set(level) == {played.sharp_bound} and steps[-1] <= played.sharp_bound


def test_the_sentence_tells_the_batch_and_in_the_end_the_run():
    whole = playground.run(3, 1000, 0.003, "axes")
    early, late = (playground.view(k, "axes", 1000, 0.003, 3) for k in (2, playground.MOST_STEPS))
    assert early.sentence.startswith("batch 2 ") and f"allows {whole.trajectory.sharp_bound}" in early.sentence
    assert late.sentence == whole.sentence and early.last == min(len(whole.trajectory.trace), playground.MOST_STEPS)
