"""N, K, bonus and thresholds of every method as its own theorem has them, literally.

Where a theorem's constants are not printed they are 1. N beyond what can be drawn exactly is drawn in the Gaussian
mode.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from derl.deployment import LARGEST_EXACT
from derl.theory.arbitrary.constants import arbitrary_constants
from derl.theory.beyond import exchange, prefix, spanner, truncation
from derl.theory.comparison import online, qiao_wang, quoted
from derl.theory.layerwise import samples as layerwise
from derl.theory.reward_free import direct
from derl.theory.reward_free import samples as reward_free

TRADE_OFF = 6  # c_K of a theorem
SKIPPED = 10**12  # deployments of the low-switching form
FUNCTIONS, PACE = 500, 0.05
ALL = 10**6  # layers of a deployment: as many as there are


@dataclass(frozen=True)
class Asked:
    """What a theorem is asked: the task, and what the algorithm may be told beyond it.

    Attributes
    ----------
    nu : float or None
        Reachability, where it is an input.
    leverage : float
        Of the designs over actions; it is computed from the features.
    log_rules : float or None
        log of the number of decision rules of a layer; None for those of a net.
    """

    d: int
    horizon: int
    epsilon: float
    delta: float
    nu: float | None = None
    leverage: float = 1.0
    log_rules: float | None = None

    @property
    def task(self) -> tuple[int, int, float, float]:
        """d, H, epsilon, delta."""
        return self.d, self.horizon, self.epsilon, self.delta


@dataclass(frozen=True)
class Setting:
    """What a run is given beyond the instance: N, K, options of the algorithm, how counts are drawn."""

    batch_size: int
    max_deployments: int
    options: dict[str, Any] = field(default_factory=dict)
    draws: str = "exact"


def drawn(size: int, deployments: int, **options) -> Setting:
    """A setting in which counts are drawn as exactly as that N allows."""
    return Setting(size, deployments, options, "exact" if size <= LARGEST_EXACT else "gaussian")


def algorithm_1(asked: Asked) -> Setting:
    """Algorithm 1, the sharp form of its theorem."""
    found = layerwise.budget(*asked.task, TRADE_OFF, "sharp")
    return drawn(found.batch_size, found.deployments, beta=found.beta)


def flat(asked: Asked) -> Setting:
    """One threshold for all layers."""
    found = layerwise.budget(*asked.task, TRADE_OFF, "share")
    return drawn(found.batch_size, found.deployments, beta=found.beta, share=found.share)


def algorithm_3(asked: Asked) -> Setting:
    """Algorithms 3 and 4."""
    size = reward_free.batch_size_reward_free(*asked.task, TRADE_OFF, version="sharp")
    deployments = reward_free.deployments_reward_free(asked.d, asked.horizon, TRADE_OFF, "sharp")
    return drawn(size, deployments, beta=reward_free.bonus_scale_reward_free(asked.d, asked.horizon, asked.delta,
                                                                            deployments, size))


def algorithm_3_direct(asked: Asked) -> Setting:
    """Algorithm 3 with the uncertainty explored itself."""
    found = direct.budget(*asked.task, TRADE_OFF)
    return drawn(found.batch_size, found.deployments, beta=found.beta, threshold="flat")


def algorithm_2(version: str):
    """Algorithm 2 in one of its versions."""
    def theorem(asked: Asked) -> Setting:
        return drawn(arbitrary_constants(*asked.task, asked.nu, version).batch_size, asked.horizon, nu_min=asked.nu,
                     version=version)
    return theorem


def best_prefix(asked: Asked) -> Setting:
    """Algorithm 2 with the best prefix; nu decides N alone."""
    return drawn(prefix.prefix_constants(*asked.task, asked.nu).batch_size, asked.horizon)


def blocks(block: int):
    """Designs over actions for blocks of layers; nu for the covers of the later blocks."""
    def theorem(asked: Asked) -> Setting:
        one = block >= asked.horizon
        found = exchange.shares(*asked.task, block, asked.leverage, None if one else asked.nu)
        return drawn(found.batch_size, block_deployments(block)(asked.d, asked.horizon, found.batch_size),
                     block=min(block, asked.horizon), nu_min=None if one else asked.nu, data="split")
    return theorem


def cut_blocks(block: int):
    """Blocks of layers where rare pairs are cut; no reachability."""
    def theorem(asked: Asked) -> Setting:
        layers = min(block, asked.horizon - 1)
        size = truncation.batch_size(asked.d, asked.horizon, layers, asked.epsilon, asked.delta)
        return drawn(size, cut_deployments(block)(asked.d, asked.horizon, size), block=layers)
    return theorem


def spanners(asked: Asked) -> Setting:
    """d deterministic policies per layer; one more deployment for the law of the first state."""
    return drawn(spanner.spanner_size(*asked.task, asked.log_rules), asked.d * asked.horizon + 1)


def low_switching(asked: Asked) -> Setting:
    """Gao et al., up to a matter of patience."""
    return Setting(1, min(2 * online.episodes_lsvi_ucb(*asked.task, eta=2.0), SKIPPED))


def reduction(asked: Asked) -> Setting:
    """The direct reduction of Appendix A."""
    return Setting(1, min(online.episodes_of_the_reduction(*asked.task), SKIPPED))


def olive(asked: Asked) -> Setting:
    """OLIVE at a quarter of epsilon."""
    size = quoted.olive(asked.d, asked.horizon, asked.epsilon / 4, asked.delta, FUNCTIONS).batch_size
    return Setting(size, 4 * (asked.d * asked.horizon + 1), {"n_functions": FUNCTIONS})


def qiao_wang_2023(asked: Asked) -> Setting:
    """At c = 1."""
    return drawn(qiao_wang.nominal(*asked.task).batch_size, asked.horizon)


def zhang_2025(asked: Asked) -> Setting:
    """The exact limit: the literal N has no draw, so the mean stands in the place of every draw."""
    return Setting(LARGEST_EXACT, asked.horizon, {"pace": PACE}, "expected")


def block_deployments(block: int):
    """K = ceil(H/L)."""
    return lambda d, horizon, size: math.ceil(horizon / min(block, horizon))


def cut_deployments(block: int):
    """K = ceil((H-1)/L): the last layer needs none."""
    return lambda d, horizon, size: max(1, math.ceil((horizon - 1) / block))
