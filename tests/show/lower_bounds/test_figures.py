"""The curves of the lower bounds, against laws that are written out here: geometric numbers, coins, arms."""

from math import comb

import numpy as np
import pytest

from derl.show.lower_bounds import figures
from derl.show.lower_bounds import lab as labs


def drawn(figure) -> dict:
    return {line.get_label(): line for line in figure.axes[0].lines}


def below(total: int, count: int, d: int) -> float:
    """P(G_1 + ... + G_count < total) for independent P(G >= j) = d^-j; 1 for no summand."""
    return float(total > 0) if not count else sum(
        comb(s + count - 1, s) * (1 - 1 / d)**count * d**-float(s) for s in range(total))


def test_the_arm_game_is_drawn_by_hand():
    """d = 3, H = 4: six arms, so that K deployments fail with probability 1 - (K+1)/6."""
    axes = figures.deterministic_failure(3, 4).axes[0]
    line, = axes.lines
    assert list(line.get_xdata()) == [0, 1, 2, 3, 4, 5, 6]
    assert line.get_ydata() == pytest.approx([5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6, 0, 0])
    claimed, = axes.collections
    assert claimed.get_segments()[0].tolist() == [[0, 0.1], [3, 0.1]]


def test_the_bandit_is_drawn_where_its_slider_stands():
    """d = 5, H = 6: twenty arms; failure at most 1/10 needs 17 deployments, and after 10 it is 9/20."""
    curve, point, needed = figures.bandit(labs.bandit_lab(5, 6, 10)).axes[0].lines
    assert curve.get_ydata() == pytest.approx([max(0, 1 - (k + 1) / 20) for k in range(21)])
    assert (point.get_xdata()[0], point.get_ydata()[0]) == (10, pytest.approx(9 / 20))
    assert set(needed.get_xdata()) == {17}


def test_a_single_wheel_is_searched_by_hand():
    """One digit of d = 3, one trajectory: uniform search succeeds with 1 - (2/3)^K; two looks exclude nothing more."""
    found = drawn(figures.arbitrary_bounds(3, 1, 1, 6))
    assert found["exact: plain uniform search"].get_ydata() == pytest.approx([(2 / 3)**k for k in range(7)])
    assert found["exact: no algorithm is below this"].get_ydata()[:2] == pytest.approx([1, 2 / 3])


@pytest.mark.parametrize("d, n", [(2, 3), (2, 6), (3, 5)])
def test_several_wheels_with_one_trajectory_each(d, n):
    """A deployment matches a geometric number of digits, and one more where it is told the wrong digit at the end."""
    figure = figures.arbitrary_bounds(d, n, 1, 6)
    found, k, horizon = drawn(figure), np.arange(7), n + 2
    assert found["exact: plain uniform search"].get_ydata() == pytest.approx([below(n, j, d) for j in k])
    told = [below(n - max(0, j - 1), j, d) for j in k]
    assert found["exact: no algorithm is below this"].get_ydata() == pytest.approx(told)
    assert found["without H in the logarithm"].get_ydata() == pytest.approx(told)
    mean = [1.0] + [1 - (j * (1 + 1 / (d - 1)) - 1) / n for j in k[1:]]
    markov = found["the same by Markov's inequality"]
    assert markov.get_ydata() == pytest.approx([value for value in mean if value > 1e-12])
    logarithm = next(j for j in range(99) if d**j >= horizon)
    for words, most in (("without the factor 2", n // logarithm), ("Theorem B.3, repaired", n // (2 * logarithm))):
        line = found[f"{words}: K = {most}"]
        assert line.get_ydata() == pytest.approx([(1 - 1 / horizon)**j for j in range(most + 1)])


def test_the_lab_of_the_search_is_drawn_by_hand():
    """d = 2, H = 5, one trajectory: three digits; the printed bound ends at 0, without the factor 2 at 3 // 3 = 1."""
    lab = labs.search_lab(2, 5, 0, 2)
    axes = figures.search(lab).axes[0]
    uniform, ceiling, printed, improved, point = axes.lines
    size = len(uniform.get_ydata())
    assert uniform.get_ydata() == pytest.approx([1 - below(3, j, 2) for j in range(size)])
    assert ceiling.get_ydata() == pytest.approx([1 - below(3 - max(0, j - 1), j, 2) for j in range(size)])
    assert set(printed.get_xdata()) == {0} and set(improved.get_xdata()) == {1}
    assert (point.get_xdata()[0], point.get_ydata()[0]) == (2, pytest.approx(1 - 0.6875))
