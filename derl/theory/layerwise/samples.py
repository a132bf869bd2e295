r"""Fewer samples for Algorithm 1: batch sizes with every constant explicit, and the curve of K against N.

Each version takes one step more than the one before it. With the threshold share s (1/2 in the paper), c = c_K and
K = floor(c d H) + 1:

    "explicit"  the printed proof: Lemma 4.2 with constant 1, x = (s epsilon/(2 H beta))^2, per layer
                    N >= (c H (d log(Hd/x)/x)^c)^{1/(c-1)}
    "sharp"     the sharp lemma in every layer:      N >= (c/x^c)^{1/(c-1)}
    "flat"      one count for all layers, threshold s epsilon in every layer, x = (s epsilon/(2 beta))^2/H
                    N >= (c H/x^c)^{1/(c-1)}
    "chernoff"  N >= (4 beta H/((1-s)^2 epsilon)) log(2K/delta)  instead of Hoeffding's
                    N >= (2 beta^2 H^2/((1-s)^2 epsilon^2)) log(2K/delta)
    "covering"  beta from the covering argument itself, not from its closed form (3/2) d H sqrt(log(2dKNH/delta))
    "share"     s nearer to 1, as far as the Chernoff condition allows

beta contains N and K: the least fixed point is taken. The proofs are in
`derl.claims.layerwise.fewer_samples` and `derl.claims.layerwise.concentration`, the constants of beta in
`derl.theory.layerwise.bonus`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import mpmath
import numpy as np

from derl.inputs import choice, shown
from derl.theory.foundations.fixed_points import ROUNDING, least_fixed_point, whole_exp
from derl.theory.foundations.setting import InvalidConstant, Setting, log_of, trade_off
from derl.theory.layerwise import printed
from derl.theory.layerwise.bonus import C_BETA, COVERING, bonus_scale_sharp, covering_scale
from derl.theory.potential.bounds import largest_exponent
from derl.theory.texts import said

__all__ = ["C_BETA", "STEPS", "TRADE_OFF_STEPS", "Budget", "bonus_scale_sharp", "budget", "covering_scale",
           "deployments_for", "proved_batch_size", "proved_bonus_scale"]

STEPS = ("explicit", "sharp", "flat", "chernoff", "covering", "share")
SHARES = tuple(1 - 0.5 * 2 ** (-i / 2) for i in range(15))  # 1/2 to 0.996
TRADE_OFF_STEPS = STEPS[2:]  # versions with a flat threshold


@dataclass(frozen=True)
class Budget:
    """What a version needs.

    Attributes
    ----------
    version : str
    batch_size, deployments : int
        N and K.
    beta : float
        Scale of the bonus.
    share : float
        s: a layer is finished when Delta_k < s epsilon, or s epsilon h_k/H where `layered`.
    layered : bool
        Whether the threshold grows with the layer, as printed.
    log_potential, log_test : float
        Logarithms of what the count of violations and the test on Delta_k ask of N.
    """

    version: str
    batch_size: int
    deployments: int
    beta: float
    share: float
    layered: bool
    log_potential: float
    log_test: float

    @property
    def trajectories(self) -> int:
        """K N, the trajectories in all."""
        return self.deployments * self.batch_size


def budget(d: int, horizon: int, epsilon: float, delta: float, c_K: float, version: str = "share",
           c_beta: float = C_BETA) -> Budget:
    """N, K and beta of one version; with them the repaired algorithm keeps its promise.

    Parameters
    ----------
    d, horizon : int, >= 1
    epsilon : float, > 0
    delta : float, in (0, 1)
    c_K : float, > 1
        The trade-off; K = floor(c_K d H) + 1.
    version : {"explicit", "sharp", "flat", "chernoff", "covering", "share"}
    c_beta : float, > 0
        Constant of the closed form of beta; unused from "covering" on.

    Raises
    ------
    InvalidConstant
        A parameter outside its range, or c_K so near to 1 that N has more than a million digits.
    """
    setting = Setting(d, horizon, epsilon, delta)
    choice(version, "version", STEPS, InvalidConstant)
    n_deployments = printed.deployments(d, horizon, c_K)
    c_beta = C_BETA if version in COVERING else c_beta  # one answer for all
    candidates = [_solved(_Conditions(setting, version, share, c_beta), n_deployments, c_K)
                  for share in (SHARES if version == "share" else (0.5,))]
    return min(candidates, key=lambda found: found.batch_size)


@lru_cache(2**12, typed=True)
def _solved(conditions: _Conditions, n_deployments: int, c_K: float) -> Budget:
    """A fixed point is found once: checks use the same one again."""
    return conditions.budget(n_deployments, c_K)


@dataclass(frozen=True)
class _Conditions:
    """What one version asks of N; attributes as in `Budget`."""

    setting: Setting
    version: str
    share: float
    c_beta: float

    def beta(self, n_deployments: int, log_n: float) -> float:
        """beta for K deployments of N = exp(log_n)."""
        return bonus_scale_sharp(self.setting.d, self.setting.horizon, self.setting.delta, n_deployments, log_n,
                                 self.version, self.c_beta)

    def log_level(self, beta: float) -> float:
        """log x: what the mean square of a violation is at least, per layer or summed over the layers."""
        layers = 2 if self.layered else 1
        return 2 * math.log(self.share * self.setting.epsilon / (2 * beta)) - layers * math.log(self.setting.horizon)

    def log_potential(self, beta: float, c_K: float) -> float:
        """Logarithm of the N that the count of violations requires."""
        log_x, d, horizon = self.log_level(beta), self.setting.d, self.setting.horizon
        inner = math.log(c_K) - c_K * log_x
        if self.version == "explicit":
            inner += math.log(horizon) + c_K * math.log(d * max(math.log(horizon * d) - log_x, math.log(2)))
        elif self.version != "sharp":
            inner += math.log(horizon)
        return inner / (c_K - 1)

    def log_test(self, beta: float, n_deployments: int) -> float:
        """Logarithm of the N that the test on Delta_k requires."""
        union = math.log(math.log(2 * n_deployments / self.setting.delta)) - 2 * math.log(1 - self.share)
        per_trajectory = beta * self.setting.horizon / self.setting.epsilon
        if self.version in STEPS[:3]:
            return math.log(2) + 2 * math.log(per_trajectory) + union
        return math.log(4 * per_trajectory) + union

    @property
    def layered(self) -> bool:
        return self.version in STEPS[:2]

    def budget(self, n_deployments: int, c_K: float) -> Budget:
        def needs(log_n: float) -> tuple[float, float]:
            beta = self.beta(n_deployments, log_n)
            return self.log_potential(beta, c_K), self.log_test(beta, n_deployments)

        # beta grows like sqrt(log N); in whole numbers, so that N itself satisfies what beta at N asks for
        size = least_fixed_point(lambda size: whole_exp(max(needs(log_of(size)))), 1, tolerance=0)
        return Budget(self.version, size, n_deployments, self.beta(n_deployments, log_of(size)), self.share,
                      self.layered, *needs(log_of(size)))


def deployments_for(d: int, horizon: int, epsilon: float, delta: float, batch_size: float, version: str = "covering",
                    share: float = 0.5, c_beta: float = C_BETA) -> int:
    """K for a given N, with a flat threshold: floor(d H x*) + 1, x* the largest x with (1 + N y)^x <= 1 + x H N.

    y = (s epsilon/(2 beta))^2/H; beta contains K, so the least fixed point is taken. In float64: next to a whole
    number the floor may be off by one.

    Parameters
    ----------
    batch_size : float, >= 1
    version : {"flat", "chernoff", "covering", "share"}

    Raises
    ------
    InvalidConstant
        Also where N is too small for the test on Delta_k.
    """
    conditions = _Conditions(Setting(d, horizon, epsilon, delta),
                             choice(version, "version", TRADE_OFF_STEPS, InvalidConstant), share, c_beta)
    log_n = log_of(batch_size)

    def count(n_deployments: int) -> int:
        log_x = conditions.log_level(conditions.beta(n_deployments, log_n))
        root = largest_exponent(float(np.logaddexp(0, log_n + log_x)), log_n + math.log(horizon))
        return math.floor(d * horizon * root) + 1

    def refuse_too_few(n_deployments: int) -> None:
        needed = conditions.log_test(conditions.beta(n_deployments, log_n), n_deployments)
        if log_n < needed:
            raise InvalidConstant(f"batch_size is {shown(batch_size)}; the test on Delta_k needs at least "
                                  f"e^{needed:.6g} trajectories")

    refuse_too_few(1)  # where not even one deployment can be trusted, the count may be beyond all floats
    n_deployments = least_fixed_point(count, 1, tolerance=0)
    refuse_too_few(n_deployments)
    return n_deployments


def proved_batch_size(d: int, horizon: int, epsilon: float, delta: float, c_K: float) -> int:
    """N of Theorem C.6, repaired: the printed one with an absolute constant, for dH >= 2, epsilon <= 1, c_K >= 2."""
    setting = Setting(d, horizon, epsilon, delta)
    if d * horizon < 2 or epsilon > 1 or trade_off(c_K) < 2:
        raise InvalidConstant(f"d H is {d * horizon}, epsilon {epsilon}, c_K {c_K}; dH >= 2, epsilon <= 1 and c_K >= 2 "
                              "are allowed")
    return whole_exp(printed.log_batch_size(setting, c_K, 1, claim="thm-layerwise-detailed-repaired"))


def proved_bonus_scale(d: int, horizon: int, delta: float, batch_size: float) -> float:
    """beta = (3/sqrt 2) d H sqrt(log(2dHN/delta)), which goes with `proved_batch_size`."""
    Setting(d, horizon, 1, delta)
    values = {"d": d, "H": horizon, "N": batch_size, "delta": delta}
    beta = said("thm-layerwise-detailed-repaired")(
        r"\beta=", **{letter: mpmath.mpf(value) for letter, value in values.items()})
    return (1 + ROUNDING) * float(beta)
