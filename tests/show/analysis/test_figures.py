"""The pictures of the analysis of Algorithm 2 show the exact values, and the moving one the thresholds of the lemma."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from derl.show.analysis import figures, moves
from derl.theory.analysis import perturbation


def test_bonuses_of_later_layers_add_up_around_the_middle():
    """Norms 1, 2, 3, 4, 5 in five layers and beta = 2: the band is 1/2 +- 10, 18, 24, 28."""
    inverses = [(np.array([[float(k * k)]]), None) for k in range(1, 6)]
    data = SimpleNamespace(mdp=SimpleNamespace(phi=np.ones((5, 1, 1, 1))), beta=2, regressions=lambda: inverses,
                           value=lambda layer, state, version: layer if version == "repaired" else -1000 * layer)
    axes = figures.runaway(data, 0).axes[0]
    band = {(round(x), y) for x, y in axes.collections[0].get_paths()[0].vertices}
    assert band == {(x, 0.5 + sign * reach) for x, reach in enumerate((10, 18, 24, 28)) for sign in (1, -1)}
    printed, repaired = axes.lines
    assert list(printed.get_ydata()) == [-5000, -4000, -3000, -2000] and list(repaired.get_ydata()) == [5, 4, 3, 2]
    assert [note.get_text() for note in axes.texts] == ["\u22124,000", "\u22123,000", "\u22122,000"]


def test_the_least_number_of_policies_by_trying_all():
    """At nu = 1 the printed proof asks for 2 log(1 + i)/i <= 1/64; the marks are the formulas of the legend."""
    lines = figures.policies_per_dimension(np.array([1.0, 0.9, 0.8, 0.7, 0.5])).axes[0].lines
    assert lines[0].get_ydata()[0] == next(i for i in range(1, 10**4) if 128 * math.log1p(i) <= i)
    for mark, constant, power in zip(lines[1::2], (1300, 120, 60), (4, 4, 2), strict=True):
        assert list(mark.get_xdata()) == [1, 0.5]
        assert mark.get_ydata() == pytest.approx([constant * math.log(2), constant * 2**power * math.log(4)])


def test_more_regularisation_lets_the_lemma_hold_later():
    rows = moves.blow_up()["rows"]
    assert [row["c"] for row in rows] == sorted({row["c"] for row in rows}) == list(moves.REGULARISATIONS)
    for row in rows:
        assert row["from"] == perturbation.blow_up_threshold((1 + row["c"]) ** 0.5)
