"""The figures of the elliptical potential, against the determinant written out here."""

from fractions import Fraction as F

import numpy as np
import pytest

from derl.show.potential import figures
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
