"""The levels of the adversary's game, and the film of the ellipse."""

import re

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


def test_the_ellipse_shrinks_as_is_computed_by_hand():
    """A = I, then diag(9, 1), then diag(17, 1); 0.36/17 + 0.64 = 0.661 before the third batch."""
    film = moves.ellipse()
    assert [row[2] for row in film["rows"]] == ["1.000", "0.111", "0.661", "0.138"]
    assert [row[3] for row in film["rows"]] == ["yes", "no", "yes", "no"]
    assert film["rows"][0][4:] == ["0.333", "1.000"] and film["rows"][1][4:] == [f"{17 ** -0.5:.3f}", "1.000"]


def test_the_drawn_shadow_is_that_of_the_drawn_ellipse():
    """Brute force over the boundary of the ellipse as it is drawn: the furthest point along each direction."""
    angle = np.linspace(0, 2 * np.pi, 200_001)
    oblique = np.outer((0.6, 0.8), (0.6, 0.8))
    for matrix, u in ((np.eye(2), (0.6, 0.8)), (np.diag([17.0, 1]) + 8 * oblique, (-0.8, 0.6))):
        level = np.array(u) @ np.linalg.solve(matrix, u)
        shapes = {key: given for key, _, given, _ in moves.drawn(matrix, u, level, None)}
        drawn = shapes["ellipse"]
        turn = np.radians(float(drawn["transform"].split("(")[1].split(" ")[0]))
        x, y = drawn["rx"] * np.cos(angle), drawn["ry"] * np.sin(angle)
        furthest = (u[0] * (x * np.cos(turn) - y * np.sin(turn)) - u[1] * (x * np.sin(turn) + y * np.cos(turn))).max()
        ends = np.array(re.findall(r"-?[\d.]+", shapes["shadow"]["d"]), float).reshape(2, 2)
        assert np.linalg.norm(ends[1] - ends[0]) / 2 == pytest.approx(furthest, abs=0.3)
