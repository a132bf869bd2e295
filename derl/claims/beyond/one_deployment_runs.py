"""These checks run block exploration with one block at the smaller N, and measure its errors exactly."""

from __future__ import annotations

import numpy as np

from derl.algorithms.blocks import block_exploration
from derl.claims import Evidence, check, control, printed
from derl.deployment import Deployer
from derl.experiments.one_deployment import error_ratio, families, size
from derl.mdp import planning

SEED = 20261127


@check("alg-one-deployment", method="run", arithmetic="float64", covers="five instances at the theorem's N",
       gap="samples; float64", plants=3, title="Losses at the theorem's N")
def losses_at_the_smaller_size(share=1.0,
                               said=printed("alg-one-deployment", says=["with one block",
                                                                        "a plan within"])) -> Evidence:
    """The largest loss, against epsilon; N times `share`."""
    worst, epsilon, delta = 0.0, float(said(r"\epsilon=")), float(said(r"\delta="))
    for number, mdp in enumerate(families()):
        deployer = Deployer(mdp, int(share * size(mdp, epsilon, delta)) + mdp.horizon + 1, 1, "any", SEED + number)
        worst = max(worst, planning.gap(mdp, block_exploration(deployer, epsilon, delta, mdp.horizon).policy))
    return Evidence(worst, epsilon, "upper", f"five runs, seed {SEED}")


control(losses_at_the_smaller_size, "a five-thousandth of N", {"share": 2e-4})


@check("alg-one-deployment", method="run", arithmetic="float64", covers="five instances at the theorem's N",
       gap="samples; float64", plants=3, title="The largest mean square error of any policy, against its bound")
def errors_at_the_smaller_size(part=1.0,
                               said=printed("alg-one-deployment", says=["In every layer the largest",
                                                                        "of any policy is at most"])) -> Evidence:
    """The largest quotient of max over policies of E (phi' x)^2 and `part` of the bound, over layers and instances."""
    epsilon, delta = float(said(r"\epsilon=")), float(said(r"\delta="))
    found = [error_ratio(mdp, epsilon, delta, SEED + number) for number, mdp in enumerate(families())]
    return Evidence(float(np.max(np.concatenate(found))) / part, 1.0, "upper", f"five runs, seed {SEED}")


control(errors_at_the_smaller_size, "a twenty-thousandth of the bound", {"part": 5e-5})
