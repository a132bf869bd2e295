"""What the axes and legends of the figures say, written out; that each curve is what its name says is tested beside."""

import pytest
from read_figure import lines, read

from derl.show.arbitrary import figures, sizes
from derl.show.arbitrary import lab as labs


def lab(name="plane"):
    return labs.cover_lab(name)


def stopping():
    return figures.stopping([lab("plane").outcome.trace[0]], ["run"])


SAID = {
    "step": (lambda: figures.growth(labs.cover_step(lab(), 2, 3))[0], """
        x: first direction; y: second direction
        grey : = before
        orange -- = policy 3 alone
        blue - = with it
        green -. = disc to be covered"""),
    "course": (lambda: figures.growth(labs.cover_step(lab(), 2, 3))[1], """
        x: policies i; y: log
        blue - o = promised uncertainty V
        green -- s = least eigenvalue
        red : = stop"""),
    "cover": (lambda: figures.policy_cover(lab("lock").outcome), """
        x: ; y:
        x: ; y:
        x: ; y:
        x: ; y:
        beside: summed covariance, diagonal"""),
    "ellipses": (lambda: figures.covariance_ellipsoids(lab("lock").outcome), """
        x: ; y:
        x: ; y:
        x: ; y:
        x: ; y:
        below: first leading direction
        beside: second"""),
    "against nu": (lambda: sizes.batch_sizes_against_reachability(2, 2, 0.2, 0.1, [0.1, 0.5]), r"""
        x: $\nu_{\min}$, log; y: N, log
        blue - = paper, constants corrected: $\nu^{-18}$
        orange -- = Theorem R: $\nu^{-8}$
        green -. = squared reward: $\nu^{-4}$
        red : = linear evaluation: $\nu^{-4}$
        purple -- = self-certifying: $\nu^{-6}$
        grey - = printed formula, c = 1: $\nu^{-14}$"""),
}


@pytest.mark.parametrize("name", SAID)
def test_axes_and_legends(name):
    figure, said = SAID[name]
    assert read(figure()) == lines(said)


def test_axes_of_the_rule_and_of_the_sizes(monkeypatch):
    assert read(stopping())[0] == "x: policies i, log; y: optimistic value V, log"
    monkeypatch.setattr(sizes, "theorem_size", lambda name, version: 10**9)
    monkeypatch.setattr(sizes, "smallest_size", lambda name, version: 10**6)
    assert read(sizes.batch_sizes(("simplex", "lock"))) == lines("""
        x: N: filled by theorem, open by trial, log; y:
        rows: paper, constants corrected; Theorem R; squared reward; linear evaluation; self-certifying
        blue o = simplex
        blue s = lock""")
