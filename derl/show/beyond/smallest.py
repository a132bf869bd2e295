"""The smallest batch with which block exploration opens a lock, by doubling: runs, not bounds."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy import stats

from derl.algorithms.blocks import block_exploration
from derl.deployment import Deployer
from derl.mdp import LinearMDP, instances, planning
from derl.theory.beyond import exchange

LAYERS, BIAS, EPSILON, DELTA = 8, 0.4, 0.2, 0.1
SIZES = (2, 3, 4, 6)
PACES = (1, 2, 3, 4)
SEEDS = 5
LEVEL = 0.95  # of the intervals


@dataclass(frozen=True)
class Smallest:
    """For every seed the first power of sqrt(2) with which it ends within epsilon."""

    d: int
    block: int
    deployments: int
    by_seed: tuple[int, ...]

    @property
    def batch_size(self) -> float:
        """The median over the seeds."""
        return float(np.median(self.by_seed))


@dataclass(frozen=True)
class Slope:
    """Mean of the slopes of the single seeds, with Student's interval."""

    mean: float
    low: float
    high: float


def succeeds(d: int, block: int, size: int, seed: int) -> bool:
    """Whether a run ends within epsilon on a lock with d digits a wheel, every planning on all data."""
    mdp = _lock(d)
    deployer = Deployer(mdp, size, len(exchange.blocks(LAYERS, block)), "any", seed)
    found = block_exploration(deployer, EPSILON, DELTA, block, data="pooled", initial=0)
    return planning.gap(mdp, found.policy) <= EPSILON


@cache
def _lock(d: int) -> LinearMDP:
    return instances.lock(d, LAYERS - 1, [(3 * h + 1) % d for h in range(LAYERS - 1)], BIAS)


def first(d: int, block: int, seed: int) -> int:
    """Search upwards from 16 or d^(L-1), whichever is more."""
    exponent = max(8, int(2 * (block - 1) * np.log2(d)))
    while not succeeds(d, block, round(2 ** (exponent / 2)), seed):
        exponent += 1
    return round(2 ** (exponent / 2))


def smallest(d: int, block: int, seeds: int = SEEDS) -> Smallest:
    """The smallest batches of all seeds."""
    return Smallest(d, block, len(exchange.blocks(LAYERS, block)),
                    tuple(first(d, block, seed) for seed in range(seeds)))


def curve(sizes=SIZES, paces=PACES) -> list[Smallest]:
    """All of them."""
    return [smallest(d, block) for block in paces for d in sizes]


def slopes(found: list[Smallest]) -> dict[int, Slope]:
    """L -> slope of log N against log d: least squares for every seed, their mean and its interval."""
    return {block: _slope([one for one in found if one.block == block])
            for block in sorted({one.block for one in found})}


def _slope(own: list[Smallest]) -> Slope:
    sizes = np.log(np.array([one.by_seed for one in own], dtype=float))
    each = np.polyfit(np.log([one.d for one in own]), sizes, 1)[0]
    mean, spread = float(each.mean()), float(each.std(ddof=1)) / len(each)**0.5
    half = float(stats.t.ppf((1 + LEVEL) / 2, len(each) - 1)) * spread
    return Slope(mean, mean - half, mean + half)
