"""These checks run two deployments, and blocks modulo a known law, at the theorems' own N."""

from __future__ import annotations

import numpy as np

from derl.algorithms.known_law import two_deployment_exploration
from derl.algorithms.known_law_blocks import known_law_block_exploration
from derl.claims import Evidence, claim
from derl.deployment import Deployer
from derl.mdp import LinearMDP, instances, planning
from derl.theory.beyond import modulo

SEED = 20261127
REWARDS = 5  # further rewards of a run
MODULO = 1.1  # the designs are within this factor of their rank


def families() -> list[LinearMDP]:
    """Junk locks, a random simplex, and a state that is reached seldom."""
    return [instances.junk_lock(2, 8, (0, 1, 1, 0, 1, 0, 0), 0.25), instances.junk_lock(3, 6, (1, 2, 0, 0, 1), 0.25),
            instances.junk_lock(4, 4, (1, 3, 0), 0.25), instances.random_simplex(5, 4, 3, 4, 3),
            instances.rare_state(0.001, 4, 3)]


@claim("alg-two-deployments", method="run", arithmetic="float64", covers="five instances at the theorem's N",
       gap="samples; float64", plants=3,
       false={"a hundred-millionth of N": {"share": 1e-8}})
def two_deployments_at_their_size(text, share=1.0):
    """Two deployments at the theorem's N: The largest loss for the instance's own reward, against epsilon; N times
    `share`."""
    worst, epsilon, delta = 0.0, float(text(r"\epsilon=")), float(text(r"\delta="))
    for number, mdp in enumerate(families()):
        size = modulo.two_deployments_size(mdp.dim, mdp.horizon, epsilon, delta, max(1.0, MODULO * (mdp.dim - 1)),
                                           MODULO * mdp.dim)
        deployer = Deployer(mdp, int(share * size) + 1, 2, "any", SEED + number)
        worst = max(worst, planning.gap(mdp, two_deployment_exploration(deployer, epsilon, delta).policy))
    return Evidence(worst, epsilon, "upper", f"five runs, seed {SEED}")


@claim("alg-two-deployments", method="run", arithmetic="float64",
       covers="five instances, L0 = 0 and 1, at the theorem's N", gap="samples; float64", plants=3,
       false={"a fraction of 10^-19 of N": {"share": 1e-19}})
def blocks_at_their_size(text, share=1.0):
    """Blocks modulo a known law at the theorem's N: The largest loss for the instance's reward and five others, against
    epsilon; covers by spanners."""
    rng, worst, made = np.random.default_rng(np.random.SeedSequence(SEED)), 0.0, 0
    epsilon, delta, deployments = float(text(r"\epsilon=")), float(text(r"\delta=")), int(text("K="))
    for number, mdp in enumerate(families()):
        for first in (int(text("L_0=")), 1):
            block = -(-(mdp.horizon - 1 - first) // (deployments - 1))
            size = int(share * modulo.blocks_size(mdp.dim, mdp.horizon, first, block, epsilon, delta, "spanner")) + 1
            mode = "exact" if size < 2**63 - 1 else "gaussian"
            deployer = Deployer(mdp, size, deployments, "any", SEED + number, mode)
            data = known_law_block_exploration(deployer, epsilon, delta, first, block).dataset
            others = rng.random((REWARDS, mdp.horizon, mdp.dim)) / mdp.dim
            for theta in (mdp.theta, *others):
                asked = LinearMDP(mdp.phi, mdp.mu, theta, mdp.initial, mdp.available)
                worst = max(worst, planning.gap(asked, data.plan(theta)))
            made += 1
    return Evidence(worst, epsilon, "upper", f"{made} runs, {1 + REWARDS} rewards each, seed {SEED}")
