r"""Deployments against the batch size: how many Algorithm 1 needs when N may not exceed N_0.

A deployment of Algorithm 1 that does not finish its layer has in some layer h <= h_k

    mean |phi_h|^2_{Lambda^{-1}} >= level = (epsilon / (4 H beta))^2 ,

and the sharp batched potential lemma allows floor(d x*(N)) of these per layer, for every N. The first deployment is one
of them in all H layers at once, when level <= 1/d. With H deployments that finish a layer,

    K(N) <= H floor(d x*(N)) - (H - 1) + H = H floor(d x*(N)) + 1        for every N >= 1, without any probability.

For the guarantee the mean over a batch must also be close to its expectation. A batch that is too small for that is
repeated m times, just often enough, and the policy is updated after m deployments: m K(m N_0) in all. The paper repeats
ceil(N / N_0) times, with the N of its theorem, and updates only then.

With the analysis of `derl.theory.layerwise.samples` (one count for all layers, a flat threshold, a multiplicative test,
beta from the covering argument) the count and the smallest batch that can be trusted are smaller: analysis="flat".

Source: Appendix F.1 (constraint (b') and the emulation with ceil(N / N_0)), Lemma 4.2, Theorem 4.1.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

from derl.inputs import choice, real, shown, whole
from derl.theory.constants import InvalidConstant, bonus_scale_with_batch
from derl.theory.foundations.fixed_points import least_fixed_point, whole_exp
from derl.theory.foundations.setting import LARGEST, LEAST, MOST, Setting
from derl.theory.layerwise.samples import budget, deployments_for
from derl.theory.potential.bounds import sharp_bound

ANALYSES = ("layers", "flat")
TRADE_OFFS = (1.25, 1.5, 2, 3, 4, 6, 8, 12, 20)  # c_K that repetition is compared at
ROUNDING = 1 - 1e-12  # the level is taken a little lower: then the count can only be larger


@dataclass(frozen=True)
class RepetitionPlan:
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
        A parameter outside its range; beta so small that the level exceeds 1/d, or so large that it is below 1e-100.
    """
    d, horizon = (whole(value, name, 1, LARGEST, InvalidConstant) for value, name in ((d, "d"), (horizon, "horizon")))
    batch_size = whole(batch_size, "batch_size", 1, error=InvalidConstant)
    epsilon = real(epsilon, "epsilon", LEAST, MOST, error=InvalidConstant)
    level = ROUNDING * violation_level(horizon, epsilon, real(beta, "beta", above=0, error=InvalidConstant))
    if not LEAST <= level <= 1 / d:
        raise InvalidConstant(f"the level (epsilon/(4 H beta))^2 is {level:.6g}; it must lie in [1e-100, 1/d] = "
                              f"[1e-100, {1 / d:.6g}]")
    return horizon * sharp_bound(d, batch_size, level) + 1


def adaptive(d: int, horizon: int, epsilon: float, delta: float, limit: int, analysis: str = "layers"
             ) -> RepetitionPlan:
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
        `derl.theory.layerwise.samples`, version "covering".

    Notes
    -----
    beta = (3/2) d H sqrt(log(2 d K N H / delta)) contains the number K of policies, which depends on beta: K is raised
    until it bounds itself.
    """
    setting = Setting(d, horizon, epsilon, delta)
    limit = whole(limit, "limit", error=InvalidConstant)
    updates = _UPDATES[choice(analysis, "analysis", ANALYSES, InvalidConstant)]
    repetitions = -(-_enough(setting, analysis) // limit)
    return RepetitionPlan(limit, repetitions, updates(setting, repetitions * limit))


def repeated(d: int, horizon: int, epsilon: float, delta: float, limit: int, c_K: float,
             analysis: str = "layers") -> RepetitionPlan:
    """The emulation of Appendix F.1: each of the c_K d H + 1 deployments of N trajectories in ceil(N / N_0) parts.

    N is the smallest for which this book can prove the theorem with the same analysis, which favours the emulation.
    """
    choice(analysis, "analysis", ANALYSES, InvalidConstant)
    found = budget(d, horizon, epsilon, delta, c_K, "sharp" if analysis == "layers" else "covering")
    limit = whole(limit, "limit", error=InvalidConstant)
    return RepetitionPlan(limit, -(-found.batch_size // limit), found.deployments)


def _updates_layers(setting: Setting, batch_size: int) -> int:
    """Number of policies for batches of this size.

    Raises
    ------
    InvalidConstant
        The batches are too small: N < (8 beta^2 H^2 / epsilon^2) log(2K/delta).
    """
    d, horizon, epsilon, delta = setting.d, setting.horizon, setting.epsilon, setting.delta

    def beta(count: int) -> float:
        return bonus_scale_with_batch(d, horizon, delta, count, batch_size)

    count = least_fixed_point(lambda count: deployments_at(d, horizon, epsilon, beta(count), batch_size),
                              d * horizon + 1, tolerance=0)
    if batch_size < 8 * (beta(count) * horizon / epsilon) ** 2 * math.log(2 * count / delta):
        raise InvalidConstant(f"batch_size is {shown(batch_size)}; Hoeffding's inequality asks for more")
    return count


def _updates_flat(setting: Setting, batch_size: int) -> int:
    """Number of policies for batches of this size; refused where the multiplicative test needs larger ones."""
    return deployments_for(setting.d, setting.horizon, setting.epsilon, setting.delta, batch_size, "covering")


_UPDATES = {"layers": _updates_layers, "flat": _updates_flat}


@cache  # does not depend on N_0, and a curve asks for many of these
def _enough(setting: Setting, analysis: str) -> int:
    """Smallest N, to 1 in 10^9, that the test on Delta_k allows."""
    def holds(logarithm: float) -> bool:
        try:
            _UPDATES[analysis](setting, whole_exp(logarithm))
        except InvalidConstant:
            return False
        return True

    low, high = 0.0, 1.0
    while not holds(high):
        low, high = high, 2 * high
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return whole_exp(high)
