"""The pictures of sample sizes draw the functions that are checked, with their trade-offs in the right order."""

import math

import numpy as np
import pytest

from derl.show.layerwise import samples_figures as pictures
from derl.theory import constants
from derl.theory.layerwise import samples

WHERE = (3, 4, 0.2, 0.1)


def test_each_line_is_the_budget_of_its_version():
    figure = pictures.batch_size_against_trade_off(*WHERE, largest=20.0)
    lines = {line.get_label(): line for line in figure.axes[0].lines}
    for version, (_, label) in pictures.LINES.items():
        factors, sizes = lines[label].get_data()
        assert len(factors) == 40 and 1 < factors[0] < 1.3 and factors[-1] == pytest.approx(20)
        for at in (0, 17, 39):
            assert sizes[at] == samples.budget(*WHERE, factors[at], version).batch_size
    factors, printed = lines["printed formula, constant 1 (not proved)"].get_data()
    assert factors.min() >= 2 and len(factors) > 20
    assert printed[5] == float(constants.batch_size_layerwise(*WHERE, factors[5]))


def test_the_curve_is_beside_the_repetition():
    lines = {line.get_label(): line for line in pictures.deployments_against_batch_size(*WHERE).axes[0].lines}
    sizes, counts = lines[r"$K(N_0)$, the curve"].get_data()
    reference = samples.budget(*WHERE, 2, "covering")
    naive = lines[r"$K\lceil N/N_0\rceil$ from $c_K=2$"].get_ydata()
    assert list(naive) == [reference.deployments * math.ceil(reference.batch_size / n) for n in sizes]
    assert list(lines["$dH$"].get_ydata()) == [12, 12] and (np.diff(counts) <= 0).all() and (counts >= 12).all()


def test_the_constant_that_is_needed_stays_below_the_proved_one():
    lines = pictures.bonus_constant((2, 3)).axes[0].lines
    for d, line in zip((2, 3), lines, strict=False):
        n, needed = line.get_data()
        at = len(n) // 2
        assert needed[at] == pytest.approx(samples.covering_scale(d, 1, 1 - 1e-12, math.log(n[at]))
                                           / (d * math.sqrt(math.log(2 * d * (n[at] + 1)))))
        assert max(needed) < samples.C_BETA == 1.5
