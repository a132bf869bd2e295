"""What the axes and legends of the figures say, written out; that each curve is what its name says is tested beside."""

import numpy as np
import pytest
from read_figure import lines, read

from derl.show.beyond import figures, known_law, no_reachability, one_deployment, refinements, smallest

SIZES = [smallest.Smallest(d, block, 8 // block, (50 * d**block, 60 * d**block)) for d in (2, 3) for block in (1, 2)]
SAID = {
    "law": (lambda: figures.law(3, 6), r"""
        x: $\log_dN$; y: deployments $K$, log
        grey : = $H/\log_dN$
        red -- = needed: Theorem B.3, repaired
        red - = needed: without $H$ in the logarithm
        blue - = enough: block exploration, ε = 0.1"""),
    "smallest": (lambda: figures.smallest(SIZES), r"""
        x: $d$, log; y: smallest $N$, log
        blue - o = $L=1$: slope 1.0
        orange - s = $L=2$: slope 2.0
        x: $\log_dN$; y: deployments $K$
        red - = needed, $d=3$
        grey : = $H/\log_dN$"""),
    "flat in nu": (lambda: no_reachability.flat_in_nu(2, 2, 0.5, 0.1), r"""
        x: $\nu_{\min}^2$, at most the probability of the rare state, log; y: $N$, log
        blue - = Algorithm 2, spectral error
        red -- = without reachability, spanner
        green : = without reachability, design"""),
    "failures": (lambda: refinements.failures(30, 30, most=2), r"""
        x: deployments over $dH$; y: failure at least
        grey -- = one bandit
        red - = needles in series
        blue - = $dH+1$: enough, whatever $\delta$"""),
    "sizes": (lambda: refinements.sizes_curve(2, 3), r"""
        x: $\nu_{\min}$, log; y: $N$, log
        grey : = with $\nu_{\min}$ in the loop
        red -- = without, eigenvalue rule
        blue - = without, best prefix"""),
    "paces": (lambda: refinements.pace_curve(3, 2), """
        x: $N$, log; y: digits per deployment
        grey : = is told the digit
        blue - = optimal play
        red -- = forgets"""),
    "known law": (known_law.figure, r"""
        x: layers $H$  ($d=2$); y: $\log_2$ of the smallest $N$
        red - o = one deployment
        blue - s = block exploration, K = 2
        green - ^ = designs modulo the known law, K = 2
        x: layers $H$  ($d=3$); y:
        red - o = one deployment
        blue - s = block exploration, K = 2
        green - ^ = designs modulo the known law, K = 2
        blue -- s = block exploration, K = 3
        green -- ^ = designs modulo the known law, K = 3
        x: layers $H$  ($d=4$); y:
        red - o = one deployment
        blue - s = block exploration, K = 2
        green - ^ = designs modulo the known law, K = 2
        blue -- s = block exploration, K = 3
        green -- ^ = designs modulo the known law, K = 3"""),
}


@pytest.mark.parametrize("name", SAID)
def test_axes_and_legends(name):
    figure, said = SAID[name]
    assert read(figure()) == lines(said)


def test_one_deployment(monkeypatch):
    """Errors 1/d^2 and 4/d^2 in each of two layers: twice the sum of their roots is 4/d and 8/d; d sizes d, d^2, ..."""
    monkeypatch.setattr(one_deployment, "errors", lambda mdp, *rest: (
        np.full(2, mdp.dim**-2.0), np.full(2, 4 * mdp.dim**-2.0)))
    figure = one_deployment.figure()
    assert read(figure) == lines("""
        x: $d$, log; y: loss of the plan at most, log
        grey -- = bound with the factor $d$
        blue - = bound in the mean
        red o = measured, worst policy""")
    old, new, measured = figure.axes[0].lines
    d = np.array(one_deployment.SIZES)
    for line, wanted in ((old, 8 / np.sqrt(d)), (new, 8 / d), (measured, 4 / d)):
        assert line.get_ydata() == pytest.approx(wanted) and list(line.get_xdata()) == list(d)


def test_both_sides_of_one_deployment(monkeypatch):
    powers = {"sufficient, the theorem": 5, "block exploration, runs": 4, "uniform actions, best output": 3,
              "necessary, the theorem": 2}
    monkeypatch.setattr(one_deployment, "sizes", lambda: {
        name: [float(d**power) for d in one_deployment.SIZES] for name, power in powers.items()})
    figure = one_deployment.sides()
    assert read(figure) == lines("""
        x: $d$, log; y: trajectories, log
        blue -- = sufficient, the theorem: slope 5.00
        red o = block exploration, runs: slope 4.00
        green - = uniform actions, best output: slope 3.00
        grey -- = necessary, the theorem: slope 2.00""")
    for line, power in zip(figure.axes[0].lines, powers.values(), strict=True):
        assert list(line.get_ydata()) == [d**power for d in one_deployment.SIZES]
