"""What the axes and legends of the figures say, written out; that each curve is what its name says is tested beside."""

import pytest
from read_figure import lines, read

from derl.show.layerwise import figures, growth, playground, samples_figures, samples_lab
from derl.show.layerwise import lab as labs


def counts():
    pairs = {"d": [(d, growth.FIXED_LAYERS) for d in growth.DIMENSIONS],
             "H": [(growth.FIXED_DIMENSION, h) for h in growth.LAYERS]}
    return {axis: [growth.Count(family, d, h, 0, 5, True, 0.0, 9) for family in growth.LOOK for d, h in own]
            for axis, own in pairs.items()}


RUNS = """
        red o = compact bandit
        blue s = lock
        green ^ = random
        ink -- = proved upper bound at this N
        ink - = every algorithm, compact bandit"""
SAID = {
    "trace": (lambda: figures.layerwise_trace(labs.layerwise_lab().outcome), r"""
        x: deployment $k$ (numbers: layer $h_k$); y: $\Delta_k$ / threshold, log
        red o = explores on
        green s = finishes its layer"""),
    "lab": (lambda: figures.layerwise(labs.layerwise_lab()), r"""
        x: deployment k; y: $\Delta_k$ / threshold, log
        red o = explores on
        green s = finishes its layer
        x: deployment k; y: value in the first $h_k$ layers
        grey - = optimum
        blue o = deployed policy
        x: deployment k; y: layer h
        x: ; y: bonus along the deployed policy, log"""),
    "growth": (lambda: growth.deployments_growth(counts()), f"""
        x: $d$  ($H=6$), log; y: deployments K, log{RUNS}
        x: $H$  ($d=8$), log; y: log{RUNS}"""),
    "unlocking": (lambda: playground.unlocking(labs.layerwise_lab(), 5), """
        x: deployment k; y: layer h
        #e4e4e4 s = locked
        orange s = explored
        green s = finished; number: opened at"""),
    "progress": (lambda: playground.progress(labs.layerwise_lab(), 5), r"""
        x: deployment k; y: $\Delta_k$ / threshold, log
        red o = explores on
        green s = opens the next layer
        blue _ = true loss over threshold"""),
    "bars": (lambda: playground.bars(samples_lab.sample_sizes()), r"""
        x: $\log_{10}N$ (pale: not proved); y:
        rows: """ + "; ".join((
        "1: formula with c = 1", "1: printed proof", "1: (a) sharp lemma", "1: (a-c) one count, Chernoff",
        "1: (a-d) bonus of the covering", "1: (a-e) all steps", "2: printed proof, repaired", "2: Theorem R",
        "2: squared reward", "2: spectral error", "2: certifies itself"))),
    "K": (lambda: samples_figures.deployments_against_batch_size(2, 2, 0.5, 0.1), r"""
        x: batch size $N_0$, log; y: deployments, log
        blue - = $K(N_0)$, the curve
        orange -- = $K\lceil N/N_0\rceil$ from $c_K=2$
        grey : = $dH$"""),
    "bonus": (lambda: samples_figures.bonus_constant((2, 3), 3), r"""
        x: earlier trajectories n, log; y: constant $c_\beta$ that is needed
        blue - = d = 2
        orange -- = d = 3"""),
}


@pytest.mark.parametrize("name", SAID)
def test_axes_and_legends(name):
    figure, said = SAID[name]
    assert read(figure()) == lines(said)
