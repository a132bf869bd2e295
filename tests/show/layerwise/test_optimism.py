"""The film of the inner cap: its numbers are those that the page computes by hand."""

import pytest

from derl.show.layerwise import moves, optimism


def test_the_numbers_are_those_of_the_example_by_hand():
    """f = -3/5 e1 + 4/5 e2: prediction -3/5 6.4 = -3.84, bonus 4/5 18 = 14.4, cut to 10 it leaves 6.16."""
    found = optimism.backups()
    by_hand = {"known": 6.4, "truth": 8, "prediction": -3.84, "bonus": 14.4, "capped": 10, "sum": 10.56,
               "printed": 6.16, "repaired": 10, "most": 10}
    assert found == pytest.approx(by_hand, abs=1e-6)


def test_the_film_ends_with_the_guess_that_makes_the_algorithm_try_q():
    film = moves.lost_optimism()
    assert len(film["frames"]) == 6 and "tries f" in film["frames"][-1]["said"]
    assert "never tries f" in film["frames"][-2]["said"] and ["prediction for f", "−3.84"] in film["rows"]


def test_a_bar_begins_where_the_bar_before_it_ends():
    drawn = optimism.picture(optimism.backups(), "prediction", "capped", "printed")
    shapes = {key: given for key, _, given, _ in drawn}
    assert shapes["prediction-bar"]["x"] == shapes["bonus-bar"]["x"]
    right = shapes["bonus-bar"]["x"] + shapes["bonus-bar"]["width"]
    assert right == pytest.approx(shapes["guess-bar"]["x"] + shapes["guess-bar"]["width"], abs=0.2)
