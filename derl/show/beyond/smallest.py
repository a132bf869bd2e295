"""The smallest batch with which block exploration opens a lock, by doubling: runs, not bounds."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.algorithms.blocks import block_exploration
from derl.deployment import Deployer
from derl.mdp import instances, planning
from derl.theory.beyond import exchange

LAYERS, BIAS, EPSILON, DELTA = 8, 0.4, 0.2, 0.1
SIZES = (2, 3, 4, 6)
PACES = (1, 2, 3, 4)
SEEDS = 3


@dataclass(frozen=True)
class Smallest:
    """The first power of sqrt(2) with which at least two thirds of the seeds end within epsilon."""

    d: int
    block: int
    deployments: int
    batch_size: int


def succeeds(d: int, block: int, size: int, seeds: int = SEEDS) -> float:
    """The share of seeds that end within epsilon on a lock with d digits a wheel, every planning on all data."""
    digits = [(3 * h + 1) % d for h in range(LAYERS - 1)]
    mdp = instances.lock(d, LAYERS - 1, digits, BIAS)
    best, good = planning.optimal(mdp).value, 0
    for seed in range(seeds):
        deployer = Deployer(mdp, size, len(exchange.blocks(LAYERS, block)), "any", seed)
        found = block_exploration(deployer, EPSILON, DELTA, block, data="pooled", initial=0)
        good += best - planning.evaluate(mdp, found.policy).value <= EPSILON
    return good / seeds


def smallest(d: int, block: int) -> Smallest:
    """Search upwards from 64 and 4 d^(L-1)."""
    exponent = max(12, int(2 * (block - 1) * np.log2(d)) + 4)
    while succeeds(d, block, round(2 ** (exponent / 2))) < 2 / 3:
        exponent += 1
    return Smallest(d, block, len(exchange.blocks(LAYERS, block)), round(2 ** (exponent / 2)))


def curve(sizes=SIZES, paces=PACES) -> list[Smallest]:
    """All of them."""
    return [smallest(d, block) for block in paces for d in sizes]


def slopes(found: list[Smallest]) -> dict[int, float]:
    """L -> slope of log N against log d by least squares."""
    return {block: float(np.polyfit(np.log([one.d for one in found if one.block == block]),
                                    np.log([one.batch_size for one in found if one.block == block]), 1)[0])
            for block in sorted({one.block for one in found})}
