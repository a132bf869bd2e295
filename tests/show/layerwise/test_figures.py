"""The trace of Algorithm 1 as it is drawn, for a run that is written out here."""

from types import SimpleNamespace

import numpy as np
import pytest

from derl.show.drawing import style
from derl.show.layerwise import figures

RUN = SimpleNamespace(trace=[SimpleNamespace(layer=layer, statistic=statistic, threshold=threshold)
                             for layer, statistic, threshold in ((1, 6.0, 2.0), (1, 1.0, 2.0), (2, 4.5, 3.0),
                                                                 (2, 3.0, 3.0), (2, 0.3, 3.0))])


def check_statistic(axes):
    explores, finishes, level = axes.lines
    assert list(explores.get_xdata()) == [1, 3, 4] and explores.get_ydata() == pytest.approx([3, 1.5, 1])
    assert list(finishes.get_xdata()) == [2, 5] and finishes.get_ydata() == pytest.approx([0.5, 0.1])
    assert explores.get_color() == style.RED and finishes.get_color() == style.GREEN
    assert set(level.get_ydata()) == {1}
    stems = axes.collections[0].get_segments()
    assert np.array(stems) == pytest.approx(np.array([[[k, 1], [k, y]] for k, y in enumerate((3, .5, 1.5, 1, .1), 1)]))


def test_the_statistic_over_the_threshold_with_its_layer():
    axes = figures.layerwise_trace(RUN).axes[0]
    check_statistic(axes)
    assert [(text.xy[0], text.get_text()) for text in axes.texts] == [(1, "1"), (2, "1"), (3, "2"), (4, "2"), (5, "2")]


def test_values_and_bonuses_of_a_lab():
    bonus = np.array([[.5, np.nan], [.4, np.nan], [.3, .2], [.2, 0], [.1, .05]])
    lab = SimpleNamespace(outcome=RUN, best=np.array([1, 1, 2, 2, 2]), value=np.array([.2, .4, .6, .8, 1.5]),
                          bonus=bonus, horizon=2)
    left, middle, right, _ = figures.layerwise(lab).axes
    check_statistic(left)
    optimum, deployed = middle.lines
    assert list(optimum.get_ydata()) == [1, 1, 2, 2, 2] and list(deployed.get_ydata()) == [.2, .4, .6, .8, 1.5]
    assert list(deployed.get_xdata()) == [1, 2, 3, 4, 5]
    mesh, = right.collections
    shown = mesh.get_array().reshape(2, 5)
    np.testing.assert_allclose(shown.filled(7), [[.5, .4, .3, .2, .1], [7, 7, .2, 1e-12, .05]])
    assert shown.mask.tolist() == [[False] * 5, [True, True, False, False, False]]
    corners = mesh.get_coordinates()
    assert corners[0, :, 0].tolist() == [.5, 1.5, 2.5, 3.5, 4.5, 5.5] and corners[:, 0, 1].tolist() == [.5, 1.5, 2.5]
