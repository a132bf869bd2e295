"""These checks run one deployment at the sizes of its theorems, and measure losses and errors exactly."""

from __future__ import annotations

import numpy as np

from derl.claims import Evidence, claim
from derl.experiments.one_deployment import families, largest_loss, mean_errors, size
from derl.theory.beyond.one_deployment import VERSIONS

SEED, RUNS = 20261127, range(40)


@claim("alg-one-deployment", method="run", arithmetic="float64", plants=3,
       covers="five instances at the N of three theorems, six rewards", gap="samples; float64",
       false={"a five-thousandth of N": {"share": 2e-4}})
def losses_at_the_sizes(text, share=1.0):
    """Losses at the sizes of the theorems: The largest loss, against epsilon; N times `share`."""
    worst, epsilon, delta = 0.0, float(text(r"\epsilon=")), float(text(r"\delta="))
    for number, mdp in enumerate(families()):
        for version in VERSIONS:
            batch = int(share * size(mdp, epsilon, delta, version)) + 8 * mdp.horizon
            worst = max(worst, largest_loss(mdp, batch, epsilon, delta, version, SEED + number))
    return Evidence(worst, epsilon, "upper", f"fifteen runs, seed {SEED}")


@claim("alg-one-deployment", method="run", arithmetic="float64", plants=3,
       covers="five instances at the N for the mean loss, 40 runs each", gap="samples; float64",
       false={"a two-hundredth of the bound": {"part": 5e-3}})
def errors_at_the_size(text, part=1.0):
    """The largest mean square error of any policy, against its bound: The largest quotient of max over policies of E
    (phi' x)^2 and `part` of the bound, over layers and instances."""
    epsilon, delta = float(text(r"\epsilon=")), float(text(r"\delta="))
    worst = 0.0
    for mdp in families():
        squares, bounds = mean_errors(mdp, size(mdp, epsilon, delta, "mean"), RUNS)
        worst = max(worst, float(np.max(squares / bounds)))
    return Evidence(worst / part, 1.0, "upper", "40 runs on each instance, seeds 0 to 39")
