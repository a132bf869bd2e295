"""The lab of Algorithm 1 and the trace of a run as it is drawn."""

from types import SimpleNamespace

import numpy as np
import pytest

from derl.show.drawing import style
from derl.show.layerwise import figures, playground
from derl.show.layerwise import lab as labs
from derl.show.layerwise.playground import CURRENT, DONE, LOCKED

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


@pytest.mark.parametrize("dim, horizon, exponent", [(2, 1, 6), (4, 5, 8), (6, 6, 12)])
def test_every_layer_is_paid_for_and_the_loss_is_small(dim, horizon, exponent):
    lab = labs.layerwise_lab("random", dim, horizon, 0.2, "repaired", exponent)
    assert lab.outcome.converged and lab.loss <= lab.epsilon and "within" in lab.sentence
    assert lab.per_layer.sum() == lab.outcome.deployments and (lab.per_layer >= 1).all()
    assert (np.diff(lab.layers) >= 0).all() and (lab.value <= lab.best + 1e-9).all()
    finished = np.array([record.finished for record in lab.outcome.trace])
    assert (lab.best - lab.value <= lab.epsilon * lab.layers / lab.horizon)[finished].all()
    for k, layer in enumerate(lab.layers):
        assert np.isfinite(lab.bonus[k, :layer]).all() and np.isnan(lab.bonus[k, layer:]).all()
    assert lab.bonus[-1, 0] < lab.bonus[0, 0]


def test_the_printed_version_falls_into_the_trap():
    printed = labs.layerwise_lab("trap", version="as-printed", exponent=10)
    mended = labs.layerwise_lab("trap", version="repaired", exponent=10)
    assert printed.outcome.converged and printed.loss == pytest.approx(0.24) and "above" in printed.sentence
    assert mended.loss == pytest.approx(0, abs=1e-9) and (mended.dim, mended.horizon) == (7, 10)


def test_too_few_trajectories_are_said():
    assert "without an answer" in labs.layerwise_lab(exponent=2).sentence


@pytest.mark.parametrize("arguments, word", [({"instance": "maze"}, "instance"), ({"version": "better"}, "version"),
                                             ({"epsilon": 0}, "epsilon"), ({"exponent": 19}, "exponent"),
                                             ({"dim": 0}, "dim"), ({"horizon": 0}, "horizon")])
def test_bad_settings_are_named_in_one_line(arguments, word):
    with pytest.raises(ValueError, match=word) as caught:
        labs.layerwise_lab(**arguments)
    assert "\n" not in str(caught.value)


def test_layers_open_one_after_the_other():
    lab = playground.run("random", 4, 5, 0.2, "repaired", 8)
    states = playground.states(lab, len(lab.layers))
    assert states.shape == (5, len(lab.layers))
    for k, record in enumerate(lab.outcome.trace):
        column = states[:, k]
        assert (column[record.layer:] == LOCKED).all() and (column[:record.layer - 1] == DONE).all()
        assert column[record.layer - 1] == (DONE if record.finished else CURRENT)
    assert (np.diff((states != LOCKED).sum(axis=0)) >= 0).all()


def test_the_sentence_of_a_step_names_the_layer_that_opens():
    lab = playground.run("random", 4, 5, 0.2, "repaired", 8)
    k = next(record.deployment for record in lab.outcome.trace if record.finished)
    start = playground.LAB.start | {"k": k}
    assert f"layer {lab.layers[k - 1]} is finished, layer {lab.layers[k - 1] + 1} opens" in \
        playground.LAB.view(**start).sentence
    assert playground.LAB.view(**start | {"k": 10**3}).sentence == lab.sentence


def test_the_trap_has_its_own_size():
    view = playground.LAB.view(**playground.LAB.start | {"instance": "trap"})
    assert view.idle == ("dim", "horizon")
