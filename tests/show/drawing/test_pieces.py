"""Tables, films, wheels and the frame of a figure: what they show for what they are given."""

import numpy as np
import plotly.graph_objects as go
import pytest
from matplotlib import pyplot as plt

from derl.show.drawing import film, style, wheels
from derl.show.drawing.embed import embed
from derl.show.drawing.tables import folded, readable, table
from derl.theory.lower_bounds import search_game


def test_a_table():
    assert table(("a", "$b$"), [(1, 2.5)]).data == "| a | $b$ |\n| --- | --- |\n| 1 | 2.5 |"


def test_a_row_that_is_too_short_is_refused():
    with pytest.raises(ValueError, match="1 cells and the header 2"):
        table(("a", "b"), [(1,)])


def test_a_folded_table_stands_between_blank_lines():
    text = folded("more", ("a",), [(1,)]).data
    assert text == "<details><summary>more</summary>\n\n| a |\n| --- |\n| 1 |\n\n</details>"


@pytest.mark.parametrize("printed, shown", [
    ("1.2e+18", "1.2·10¹⁸"), ("1e6", "10⁶"), ("1e-05", "10⁻⁵"), ("5.5e+28*", "5.5·10²⁸*"), ("0.0e+00", "0"),
    ("2.25e+05", "225000"), ("1.00e-03", "0.00100"), ("7.6e-10", "7.6·10⁻¹⁰"), ("1.6e+00", "1.6"),
    ("3e‑04 / 1e‑06", "3·10⁻⁴ / 10⁻⁶"), ("1e6 (20 deployments)", "10⁶ (20 deployments)"), ("-2e+09", "-2·10⁹"),
    ("`N=1e12`", "`N=1e12`"), ("$1e6$", "$1e6$"), ("commit 5e12f", "commit 5e12f"), ("v1e6", "v1e6")])
def test_powers_of_ten_are_written_for_people_outside_code_and_formulas(printed, shown):
    assert readable(printed) == shown


def test_truth_values_are_yes_and_no():
    assert table(("holds",), [(True,), (np.False_,)]).data.split("\n")[2:] == ["| yes |", "| no |"]


def test_a_film_keeps_its_frames_apart_from_its_table():
    shapes = [film.shape("a", "circle", cx=1.23456, cy=2.0, r=3, kind="dot red"),
              film.text("b", 1, 2, "1 < 2", "strong")]
    made = film.film((10, 20), [(shapes, "one & two")], ("k", "value"), [(1, 0.5)], "a film")
    (frame,) = made.pop("frames")
    assert made == {"label": "a film", "head": ["k", "value"], "rows": [["1", "0.5"]]}
    assert frame["svg"] == ('<svg viewBox="0 0 10 20" width="10" height="20" role="img" aria-label="one &amp; two">'
                            '<circle data-key="a" cx="1.2" cy="2" r="3" class="dot red"></circle>'
                            '<text data-key="b" x="1" y="2" text-anchor="start" class="strong">1 &lt; 2</text></svg>')
    assert film.still([frame]).count("<figcaption>one &amp; two</figcaption>") == 1
    assert "<figcaption>" not in film.picture(shapes, (10, 20), "alone").data


def test_a_bar_is_never_shorter_than_nothing():
    assert film.bar("x", 0, 0, -3, 4, "blue")[2]["width"] == 0


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


def test_axes_stand_side_by_side_and_nothing_stays_open():
    figure, ax = style.axes(figsize=(4, 2))
    assert tuple(figure.get_size_inches()) == (4, 2) and figure.get_facecolor() == (0, 0, 0, 0)
    assert not ax.spines["top"].get_visible() and ax.spines["left"].get_visible()
    assert len(style.axes(3)[1]) == 3 and plt.get_fignums() == []
    assert plt.rcParams["figure.facecolor"] != "none"  # the look ends with the figure


def test_a_page_carries_the_figure_and_says_what_it_shows():
    page = embed(go.Figure(go.Scatter(x=[1, 2], y=[3, 4], name="pair")), 'x < "y"').data
    assert 'aria-label="x &lt; &quot;y&quot;"' in page and 'role="figure"' in page and "pair" in page
    assert "<script src" not in page and len(page) < 50_000  # plotly.js comes from the page
