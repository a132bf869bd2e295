"""Labs and curves of the lower bounds, against laws that are written out here: geometric numbers, coins, arms."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from derl.show.drawing import style
from derl.show.lower_bounds import figures, playground
from derl.show.lower_bounds import lab as labs
from derl.theory import lower_bounds


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


@pytest.mark.parametrize("dim, horizon, exponent, deployments", [(2, 8, 1, 2), (10, 60, 6, 9), (20, 100, 30, 5)])
def test_uniform_search_lies_below_what_no_algorithm_exceeds(dim, horizon, exponent, deployments):
    lab = labs.search_lab(dim, horizon, exponent, deployments)
    assert lab.uniform[0] == lab.ceiling[0] == 0 and (np.diff(lab.uniform) >= -1e-12).all()
    assert (lab.uniform <= lab.ceiling + 1e-12).all() and len(lab.uniform) == len(lab.ceiling) > deployments
    exact = lower_bounds.exact_success_arbitrary(dim, horizon, 10**exponent, deployments)
    assert lab.success == pytest.approx(float(exact), abs=1e-11)
    assert lab.printed <= lab.improved and f"up to {lab.improved}" in lab.sentence
    # the bound that is proved: failure of at least (1 - 1/H)^K as long as K does not exceed it
    k = np.arange(lab.improved + 1)
    assert (1 - lab.ceiling[k] >= (1 - 1 / horizon) ** k - 1e-11).all()


def test_a_probability_too_small_to_be_told_apart_is_not_given_digits():
    lab = labs.search_lab(20, 100, 1, 3)
    assert "below 1e-09" in lab.sentence


def test_one_deployment_and_the_end_of_the_curve():
    lab = labs.search_lab(2, 3, 2, 1)
    assert lab.success == pytest.approx(1) and "one deployment" in lab.sentence
    assert labs.search_lab(2, 3, 2, 50).deployments == 50


@pytest.mark.parametrize("dim, horizon, deployments", [(2, 2, 0), (5, 6, 10), (3, 4, 100)])
def test_the_arm_game_is_exact(dim, horizon, deployments):
    lab = labs.bandit_lab(dim, horizon, deployments)
    m = (dim - 1) * (horizon - 1)
    assert lab.arms == m and lab.failure == max(Fraction(0), 1 - Fraction(deployments + 1, m))
    assert lower_bounds.bandit_failure(m, lab.needed) <= Fraction(1, 10)
    assert lab.needed == 0 or lower_bounds.bandit_failure(m, lab.needed - 1) > Fraction(1, 10)
    assert str(lab.failure) in lab.sentence


@pytest.mark.parametrize("call, word", [
    (lambda: labs.search_lab(dim=1), "d"), (lambda: labs.search_lab(horizon=2), "H"),
    (lambda: labs.search_lab(exponent=31), "exponent"),
    (lambda: labs.search_lab(exponent=1.5), "exponent"),
    (lambda: labs.search_lab(deployments=-1), "K"),
    (lambda: labs.bandit_lab(dim=0), "d"), (lambda: labs.bandit_lab(deployments=-1), "K"),
])
def test_bad_settings_are_named_in_one_line(call, word):
    with pytest.raises(ValueError, match=word) as caught:
        call()
    assert "\n" not in str(caught.value)


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
