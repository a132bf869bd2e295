"""The levels of the adversary's game."""

import numpy as np
import pytest

from derl.show.potential import moves
from derl.theory import potential


@pytest.mark.parametrize("level", moves.adversary()["levels"], ids=lambda level: f"N={level['size']}")
def test_the_best_play_is_one_and_none_has_more(level):
    run = potential.trajectory(np.array(level["best"]), level["size"], level["epsilon"])
    assert run.violates.all() and len(run.violates) == len(level["best"]) == level["refined"] <= level["sharp"]
    assert level["greedy"] <= level["axes"] < level["refined"]


def test_greed_stops_where_it_is_said_to_stop():
    for level in moves.adversary()["levels"]:
        run = potential.trajectory(potential.adversary_greedy(2, level["size"], level["epsilon"]), level["size"],
                                   level["epsilon"])
        assert run.violates.sum() == level["greedy"]
