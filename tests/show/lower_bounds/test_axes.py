"""What the axes and legends of the figures say, written out; that each curve is what its name says is tested beside."""

import pytest
from read_figure import lines, read

from derl.show.lower_bounds import figures, playground
from derl.show.lower_bounds import lab as labs

SAID = {
    "deterministic": (lambda: figures.deterministic_failure(3, 3), """
        x: deployments K; y: probability of the wrong arm
        blue - = exact: $1-(K+1)/m$
        orange area = claimed: at least 1/10 up to m/2"""),
    "bandit": (lambda: figures.bandit(labs.bandit_lab(5, 6, 10)), """
        x: deployments K; y: probability of the wrong arm
        blue - = exact: $1-(K+1)/m$
        orange area = claimed: at least 1/10 up to m/2
        green -. = failure 1/10 needs K = 17"""),
    "search": (lambda: figures.search(labs.search_lab(2, 5, 0, 2)), """
        x: deployments K; y: probability that the last layer is reached
        blue - o = uniform search, exact
        red -- s = no algorithm exceeds
        orange : = printed bound, K = 0
        green -. = without the factor 2, K = 1"""),
    "arbitrary": (lambda: figures.arbitrary_bounds(3, 5, 1, 6), """
        x: deployments K; y: probability that the code is not matched
        blue - = exact: plain uniform search
        sky - = exact: no algorithm is below this
        green -- = without H in the logarithm
        green : = the same by Markov's inequality
        purple -. s = without the factor 2: K = 2
        orange -. o = Theorem B.3, repaired: K = 1"""),
    "code": (lambda: playground.code(labs.search_lab(2, 5, 0, 2)), """
        x: probability that the last layer is reached; y:
        rows: uniform search; no algorithm exceeds"""),
    "arms": (lambda: playground.arms(labs.bandit_lab(5, 6, 10)), """
        x: ; y:
        below: blue: pulled; orange: the guess; empty: never looked at"""),
}


@pytest.mark.parametrize("name", SAID)
def test_axes_and_legends(name):
    figure, said = SAID[name]
    assert read(figure()) == lines(said)


def test_the_sentences_of_the_labs_by_hand():
    """Twenty arms after ten pulls; three digits of two, one path each: 1 - 11/16 after two deployments, told 3/4."""
    assert labs.bandit_lab(5, 6, 10).sentence == (
        "m = 20 arms, K = 10: every algorithm fails with probability at least 9/20 = 0.450 on some arm; a failure of "
        "1/10 needs K = 17, the printed theorem excludes K up to 10")
    lab = labs.search_lab(2, 5, 0, 2)
    assert lab.sentence == (
        "after 2 deployments uniform search has reached the last layer with probability 0.312, no algorithm with more "
        f"than {lab.bound:.3g}; the printed theorem excludes K up to 0, the sharper one up to 1")
    assert (lab.success, lab.bound) == (pytest.approx(5 / 16), pytest.approx(1 / 2))


def test_the_curve_of_a_search_ends_where_uniform_search_has_succeeded():
    lab = labs.search_lab(3, 5, 1, 0)
    assert lab.uniform[-1] >= 1 - 1e-6 > lab.uniform[-2] and len(lab.uniform) > 5
