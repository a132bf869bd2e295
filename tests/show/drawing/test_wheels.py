"""The lock as it is drawn on paper: what its windows show, and what one trajectory says of each wheel."""

import pytest

from derl.show.drawing import wheels
from derl.theory.lower_bounds import search_game

DIGITS = ("0", "1", "2")


@pytest.mark.parametrize("hidden", search_game.sequences(3, 3)[::4])
def test_a_trajectory_marks_the_wheels_up_to_the_first_wrong_one(hidden):
    for code in search_game.sequences(3, 3):
        states, right = wheels.tried(code, hidden), search_game.matched(code, hidden)
        assert states == (["right"] * right + ["wrong"] * (right < 3) + ["dark"] * 2)[:3]


def test_the_window_of_each_wheel_shows_its_label():
    shapes = wheels.lock("l", 0, 0, DIGITS, (2, 0, 1), ["right", "wrong", "dark"])
    middle = wheels.TOP + wheels.HIGH / 2
    labels = [words for _, _, given, words in shapes
              if given["class"] == "wheel-label" and abs(given["y"] - middle) < 10]
    marks = [words for _, _, given, words in shapes if given["class"].startswith("wheel-mark")]
    assert (labels, marks) == (["2", "0", "1"], ["✓", "✕", "?"])
    assert wheels.in_words((2, 0), ("right", "")) == "A lock. wheel 1: 2, right; wheel 2: 0."


def test_all_of_the_lock_is_within_its_size():
    width, height = wheels.size(6)
    for _, tag, given, _ in wheels.lock("l", 0, 0, DIGITS, [0] * 6):
        if tag == "rect":
            assert 0 <= given["x"] <= given["x"] + given["width"] <= width and given["y"] + given["height"] <= height
