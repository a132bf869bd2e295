"""What the axes and legends of the figures say, written out; that each curve is what its name says is tested beside."""

import numpy as np
import pytest
from read_figure import lines, read

from derl.show.comparison import executed_pictures, front, playground

RUNNERS = [playground.Runner(name, 3, 10, True, np.array([1, 2, 3]), np.array([1.0, 0.5, 0])) for name in "abcd"]
SAID = {
    "front": (lambda: front.deployments(front.runs(((4, 3),))), """
        x: $dH$, dimension times layers; y: deployments
        grey -- = $dH$
        red o = Algorithm 1, repaired: counted
        ink v = deterministic policies, any algorithm: proved to be needed (δ = 0.1)
        blue s = mixtures, $H$: proved to be enough"""),
    "losses": (lambda: playground.losses(RUNNERS, 3, 0.2), """
        x: deployments, log; y: loss of the policy (star: has stopped)
        blue - o = a
        orange -- s = b
        green : x = c
        red -. ^ = d"""),
    "spent": (lambda: playground.spent(RUNNERS, 3), r"""
        x: $\log_{10}$ of the trajectories so far; y:
        rows: a; b; c; d"""),
    "pareto": (executed_pictures.pareto, """
        x: deployments (at the theorem's own N), log; y: trajectories, log
        x: deployments (N from the oracle), log; y: trajectories, log"""),
}


@pytest.mark.parametrize("name", SAID)
def test_axes_and_legends(name):
    figure, said = SAID[name]
    assert read(figure()) == lines(said)


def test_the_two_pictures_of_many_methods():
    rare = read(executed_pictures.rare())
    assert rare[0] == "x: probability p of the rare state (hollow, far right: p = 0), log; y: trajectories in all, log"
    axes = [line for line in read(executed_pictures.success()) if line.startswith("x:")]
    assert axes == lines("""
        x: N, or episodes of a layer (with a bonus, calibrated), log; y: share of runs that succeed
        x: N, or episodes of a layer (without a bonus, own constants), log; y: share of runs that succeed""")
