"""The lab of Algorithm 1."""

import numpy as np
import pytest

from derl.show.layerwise import lab as labs


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
