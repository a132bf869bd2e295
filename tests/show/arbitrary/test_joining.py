"""The film of a mixture: the list and its uncertainties are those that one finds by hand on the lock."""

import numpy as np
import pytest

from derl.show.arbitrary import joining, moves


def test_the_uncertainty_falls_as_is_computed_by_hand():
    """Sigma~ begins at 2 I, and the two states after a wrong digit share each visit; a bonus of 2e-6 is added."""
    matrix, found = 2 * np.eye(5), []
    for digit in ("states", 0, 1, 2, "states"):
        found.append(max(*(1 / matrix[i, i] for i in range(3)), (1 / matrix[3, 3] + 1 / matrix[4, 4]) / 2))
        matrix += np.diag([0, 0, 0, 0.5, 0.5]) if digit == "states" else np.diag(np.eye(5)[digit])
    assert found == pytest.approx([1 / 2, 1 / 2, 1 / 2, 1 / 2, 2 / 5])
    assert [joining.uncertainty(many) for many in range(5)] == pytest.approx(found, abs=1e-5)


def test_each_digit_gets_its_share_of_the_mixture():
    assert joining.shares(5) == pytest.approx(np.full(5, 1 / 5), abs=1e-5)
    assert [joining.played(i) for i in range(4)] == ["0-0", "1-0", "1-1", "1-2"]


def test_the_film_ends_where_the_rule_stops():
    film = moves.joining()
    assert len(film["frames"]) == joining.SHOWN + 2 and film["rows"][-1][0] == str(joining.cover().iterations)
    assert "the loop stops" in film["frames"][-1]["said"]


def test_the_last_picture_counts_the_policies_that_have_no_place():
    many = joining.cover().iterations
    (note,) = [shape for shape in joining.picture(many) if shape[0] == "more"]
    drawn = {shape[0].split("-")[0] for shape in joining.picture(many) if "-" in shape[0]}
    assert len(drawn) == joining.SHOWN and f"and {many - len(drawn)} more" in note
    assert not [shape for shape in joining.picture(joining.SHOWN) if shape[0] == "more"]
