"""The picture of layers says what the records say."""

import numpy as np

from derl.show.layerwise import playground
from derl.show.layerwise.playground import CURRENT, DONE, LOCKED


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
