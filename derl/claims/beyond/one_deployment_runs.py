"""These checks run block exploration with one block at the smaller N, and measure its errors exactly."""

from __future__ import annotations

import numpy as np

from derl.algorithms.blocks import block_exploration
from derl.claims import Evidence, check, control
from derl.deployment import Deployer
from derl.experiments.one_deployment import error_ratio, families, size
from derl.mdp import planning

SEED, EPSILON, DELTA = 20261127, 0.2, 0.1


@check("alg-one-deployment", method="run", arithmetic="float64", covers="five instances at the theorem's N",
       gap="samples; float64", title="Losses at the theorem's N")
def losses_at_the_smaller_size(share=1.0) -> Evidence:
    """The largest loss, against epsilon; N times `share`."""
    worst = 0.0
    for number, mdp in enumerate(families()):
        deployer = Deployer(mdp, int(share * size(mdp, EPSILON, DELTA)) + mdp.horizon + 1, 1, "any", SEED + number)
        worst = max(worst, planning.gap(mdp, block_exploration(deployer, EPSILON, DELTA, mdp.horizon).policy))
    return Evidence(worst, EPSILON, "upper", f"five runs, seed {SEED}")


control(losses_at_the_smaller_size, "a five-thousandth of N", {"share": 2e-4})


@check("alg-one-deployment", method="run", arithmetic="float64", covers="five instances at the theorem's N",
       gap="samples; float64", title="The largest mean square error of any policy, against its bound")
def errors_at_the_smaller_size(part=1.0) -> Evidence:
    """The largest quotient of max over policies of E (phi' x)^2 and `part` of the bound, over layers and instances."""
    found = [error_ratio(mdp, EPSILON, DELTA, SEED + number) for number, mdp in enumerate(families())]
    return Evidence(float(np.max(np.concatenate(found))) / part, 1.0, "upper", f"five runs, seed {SEED}")


control(errors_at_the_smaller_size, "a twenty-thousandth of the bound", {"part": 5e-5})
