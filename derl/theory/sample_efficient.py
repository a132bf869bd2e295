r"""Deployments against the batch size: how many Algorithm 1 needs when N may not exceed N_0.

A deployment of Algorithm 1 that does not finish its layer has in some layer h <= h_k

    mean |phi_h|^2_{Lambda^{-1}} >= level = (epsilon / (4 H beta))^2 ,

and the sharp batched potential lemma allows floor(d x*(N)) of these per layer, for every N. The first deployment is one
of them in all H layers at once, when level <= 1/d. With H deployments that finish a layer,

    K(N) <= H floor(d x*(N)) - (H - 1) + H = H floor(d x*(N)) + 1        for every N >= 1, without any probability.

For the guarantee the mean over a batch must also be close to its expectation. A batch that is too small for that is
repeated m times, just often enough, and the policy is updated after m deployments: m K(m N_0) in all. The paper repeats
ceil(N / N_0) times, with the N of its theorem, and updates only then.

With the analysis of `derl.theory.constants_sharp` (one count for all layers, a flat threshold, a multiplicative test,
beta from the covering argument) the count and the smallest batch that can be trusted are smaller: analysis="flat".

Source: Appendix F.1 (constraint (b') and the emulation with ceil(N / N_0)), Lemma 4.2, Theorem 4.1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from derl.theory.constants import (
    C_BETA,
    InvalidConstant,
    batch_size_layerwise,
    bonus_scale_with_batch,
    deployments_layerwise,
)
from derl.theory.constants_sharp import budget, deployments_for
from derl.theory.potential_bounds import sharp_bound

ANALYSES = ("layers", "flat")
ROUNDING = 1 - 1e-12  # the level is taken a little lower: then the count can only be larger


@dataclass(frozen=True)
class Plan:
    """Deployments that suffice when a deployment may not use more than N_0 trajectories.

    Attributes
    ----------
    limit : int
        N_0.
    repetitions : int
        m: how often each policy is deployed before the next one is planned.
    updates : int
        Policies that are planned at most.
    """

    limit: int
    repetitions: int
    updates: int

    @property
    def deployments(self) -> int:
        """K = m times the number of policies."""
        return self.repetitions * self.updates


def violation_level(horizon: int, epsilon: float, beta: float) -> float:
    """(epsilon / (4 H beta))^2: what the mean square norm reaches in some layer when a layer is not finished."""
    return (epsilon / (4 * horizon * beta)) ** 2


def deployments_at(d: int, horizon: int, epsilon: float, beta: float, batch_size: int) -> int:
    """K(N): the most deployments that Algorithm 1 can make, for any batch size N >= 1 and any data.

    Raises
    ------
    InvalidConstant
        beta is so small that the level exceeds 1/d.
    """
    level = ROUNDING * violation_level(horizon, epsilon, beta)
    if not level <= 1 / d:
        raise InvalidConstant(f"the level (epsilon/(4 H beta))^2 is {level:.6g}; it must be at most 1/d = {1 / d:.6g}")
    return horizon * sharp_bound(d, int(batch_size), level) + 1


def adaptive(d: int, horizon: int, epsilon: float, delta: float, limit: int, analysis: str = "layers") -> Plan:
    """Repeat just often enough for the test on Delta_k, then update the policy.

    Parameters
    ----------
    d, horizon : int, >= 1
    epsilon, delta : float
        Accuracy > 0 and failure probability in (0, 1).
    limit : int, >= 1
        N_0.
    analysis : {"layers", "flat"}
        "layers": the printed thresholds, a count per layer, Hoeffding's inequality. "flat": steps (b) to (d) of
        `derl.theory.constants_sharp`, version "covering".

    Notes
    -----
    beta = 4 d H sqrt(log(2 d K N H / delta)) contains the number K of policies, which depends on beta: K is raised
    until it bounds itself.
    """
    _require_analysis(analysis)
    enough = _enough(d, horizon, epsilon, delta) if analysis == "layers" else _enough_flat(d, horizon, epsilon, delta)
    repetitions = -(-enough // limit)
    size = repetitions * limit
    updates = (_updates(d, horizon, epsilon, delta, size)[0] if analysis == "layers"
               else deployments_for(d, horizon, epsilon, delta, size, "covering"))
    return Plan(limit, repetitions, updates)


def repeated(d: int, horizon: int, epsilon: float, delta: float, limit: int, c_K: float,
             analysis: str = "layers") -> Plan:
    """The emulation of Appendix F.1: each of the c_K d H + 1 deployments of N trajectories in ceil(N / N_0) parts.

    N is the smallest for which this book can prove the theorem with the same analysis, which favours the emulation.
    """
    _require_analysis(analysis)
    size = (batch_size_layerwise(d, horizon, epsilon, delta, c_K, version="sharp") if analysis == "layers"
            else budget(d, horizon, epsilon, delta, c_K, "covering").batch_size)
    return Plan(limit, -(-size // limit), deployments_layerwise(d, horizon, c_K))


def _updates(d: int, horizon: int, epsilon: float, delta: float, batch_size: int) -> tuple[int, float]:
    """Number of policies and beta for batches of this size."""
    count = d * horizon + 1
    while True:
        beta = bonus_scale_with_batch(d, horizon, delta, count, batch_size, C_BETA)
        following = deployments_at(d, horizon, epsilon, beta, batch_size)
        if following <= count:
            return count, beta
        count = following


@cache  # does not depend on N_0, and a curve asks for many of these
def _enough(d: int, horizon: int, epsilon: float, delta: float) -> int:
    """Smallest N, to 1 in 10^9, with N >= (8 beta^2 H^2 / epsilon^2) log(2K/delta)."""
    def holds(logarithm: float) -> bool:
        size = math.ceil(math.exp(logarithm))
        count, beta = _updates(d, horizon, epsilon, delta, size)
        return size >= 8 * (beta * horizon / epsilon) ** 2 * math.log(2 * count / delta)

    return math.ceil(math.exp(_smallest(holds)))


@cache
def _enough_flat(d: int, horizon: int, epsilon: float, delta: float) -> int:
    """Smallest N, to 1 in 10^9, that the multiplicative test allows."""
    def holds(logarithm: float) -> bool:
        try:
            deployments_for(d, horizon, epsilon, delta, math.ceil(math.exp(logarithm)), "covering")
        except InvalidConstant:
            return False
        return True

    return math.ceil(math.exp(_smallest(holds)))


def _smallest(holds) -> float:
    """Where a condition begins to hold, from above, to 1e-9."""
    low, high = 0.0, 1.0
    while not holds(high):
        low, high = high, 2 * high
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def _require_analysis(analysis: str) -> None:
    if analysis not in ANALYSES:
        raise InvalidConstant(f"analysis is {analysis!r}; allowed are {', '.join(map(repr, ANALYSES))}")
