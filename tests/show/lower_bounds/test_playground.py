"""The labs of the lower bounds: one square per arm, two bars for a search."""

import pytest

from derl.show.drawing import style
from derl.show.lower_bounds import playground


@pytest.mark.parametrize("pulled", [0, 7, 20])
def test_every_arm_is_one_mark(pulled):
    lab = playground.bandit_lab(5, 6, pulled)
    marks = playground.arms(lab).axes[0].lines
    assert len(marks) == lab.arms == 4 * 5
    assert len({(*mark.get_xdata(), *mark.get_ydata()) for mark in marks}) == lab.arms
    assert [mark.get_color() for mark in marks] == [
        style.BLUE if i < pulled else style.ORANGE if i == pulled else style.GREY for i in range(lab.arms)]
    assert [mark.get_fillstyle() == "full" for mark in marks] == [i <= pulled for i in range(lab.arms)]


def test_the_bars_are_the_chances_and_no_search_exceeds_the_bound():
    lab = playground.search(10, 60, 6, 9)
    bars = [bar.get_width() for bar in playground.code(lab).axes[0].patches]
    assert bars == [lab.success, lab.bound] and 0 <= lab.success <= lab.bound <= 1
    view = playground.search_view(9, 6, 10, 60)
    assert view.sentence == lab.sentence and len(view.pictures) == 2
