"""One layer of the hard template, by hand for d = 3 with state 0 as the core."""

import pytest

from derl.theory.lower_bounds.feature_rank import HALF, template_layer


def test_the_template_by_hand():
    assert 2 * HALF == 1
    core = [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0]]
    fair = [[0, 0, 0, HALF, HALF]] * 3
    stays = [[[0, 0, 0, 1, 0]] * 3, [[0, 0, 0, 0, 1]] * 3]
    assert template_layer(3, 0).tolist() == [core, fair, fair, *stays]


@pytest.mark.parametrize("core", [0, 1, 2, 3])
def test_the_core_leads_each_action_to_its_state(core):
    kernel = template_layer(4, core)
    assert all(kernel[core, j, j] == 1 for j in range(4)) and kernel.sum() == 6 * 4
