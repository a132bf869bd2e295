"""Tables of what a run is worth on the way."""

from derl import instances
from derl.claims.layerwise import direct_exploration
from derl.show.layerwise import guarantees


def cells(shown):
    return [line.strip("| ").split(" | ") for line in shown.data.splitlines()]


def test_finished_layers_of_equal_loss_share_a_column():
    header, _, losses = cells(guarantees.printed_layers(instances.optimism_trap()))
    assert header[1].startswith("1 to ")
    assert header[-1] == "10"
    assert losses[1] == "0.0000"
    assert float(losses[-1]) > 0.05


def test_without_layers_the_neglected_branch_comes_last():
    _, _, actions, losses = cells(guarantees.without_layers(direct_exploration.neglected_branch()))
    assert actions[1] == "0"
    assert actions[-1] == "1"
    assert [loss == "0" for loss in losses[1:]] == [action == "1" for action in actions[1:]]
