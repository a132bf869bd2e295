"""The smallest N with which a method opens a junk lock, and its loss at the N of its theorem.

The methods: "one", one deployment of block exploration; "blocks", K deployments of it; "known law", K deployments that
build on the law shown by the first. L0 of the last one divides the digits so that all its deployments are equally hard.
Every planning uses all data, and cuts are set by hand. Success is read from the exact loss. The digits depend on the
seed.
"""

from __future__ import annotations

import math

import numpy as np

from derl.algorithms.blocks import block_exploration
from derl.algorithms.known_law import two_deployment_exploration
from derl.algorithms.known_law_blocks import known_law_block_exploration
from derl.deployment import Deployer
from derl.experiments.sweep import InvalidSpec
from derl.inputs import choice
from derl.inputs.threads import one_thread
from derl.mdp import instances, planning
from derl.mdp.linear_mdp import LinearMDP
from derl.theory.beyond import modulo

METHODS = ("one", "blocks", "known law", "theorem")
BIAS, EPSILON, DELTA = 0.25, 0.1, 0.1
BY_HAND = {"kappa": 0.3, "eta": 1e-9, "dummy": 1e-3}
START, MOST = 8, 54  # sizes 2^(i/2) for i from START to MOST
STREAM = 51


@one_thread
def measure(seed: int, method: str, d: int, horizon: int, deployments: int) -> list[dict]:
    """One row: the first size of the grid with which the run of this seed succeeds, None where none does, and its loss.

    For "theorem" the size is that of two deployments, and the loss is what is found there.
    """
    choice(method, "method", METHODS, InvalidSpec)
    mdp = drawn(seed, d, horizon)
    if method == "theorem":
        size = modulo.two_deployments_size(d, horizon, EPSILON, DELTA, max(1.0, 1.1 * (d - 1)), float(d))
        outcome = two_deployment_exploration(Deployer(mdp, size, 2, "any", seed), EPSILON, DELTA)
        return [{"size": size, "loss": float(planning.gap(mdp, outcome.policy)), "converged": outcome.converged}]
    for i in range(START, MOST + 1):
        size = round(2 ** (i / 2))
        loss = float(planning.gap(mdp, run(mdp, method, size, deployments, seed)))
        if loss <= EPSILON:
            return [{"size": size, "loss": loss, "converged": True}]
    return [{"size": None, "loss": loss, "converged": False}]


def drawn(seed: int, d: int, horizon: int) -> LinearMDP:
    """A junk lock with random digits."""
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(STREAM, d, horizon)))
    return instances.junk_lock(d, horizon, rng.integers(0, d, horizon - 1), BIAS)


def run(mdp: LinearMDP, method: str, size: int, deployments: int, seed: int) -> np.ndarray:
    """The plan of a method."""
    deployer = Deployer(mdp, size, deployments, "any", seed)
    if method == "known law":
        first = first_layers(mdp.dim, mdp.horizon, deployments)
        block = -(-(mdp.horizon - 1 - first) // (deployments - 1))
        return known_law_block_exploration(deployer, EPSILON, DELTA, first, block, **BY_HAND).policy
    block = mdp.horizon if method == "one" else -(-mdp.horizon // deployments)
    return block_exploration(deployer, EPSILON, DELTA, block, data="pooled", initial=0).policy


def first_layers(d: int, horizon: int, deployments: int) -> int:
    """L0 with d^L0 about (d-1)^L, L0 + (K-1) L = H - 1; 0 at d = 2."""
    return 0 if d == 2 else math.floor((horizon - 1) / (1 + (deployments - 1) * math.log(d) / math.log(d - 1)))
