r"""Sample sizes of Algorithms 3 and 4: the printed formula, and three with every constant explicit.

All of them come from two conditions on N. Let beta = 2 d H sqrt(log(2 d K N H / delta)) and G = 2H + 1.

"explicit": the printed algorithm and the printed analysis, Lemma 4.2 with its constant 1 and delta/2 for Hoeffding.
K = floor(c_K d H) + 1, x = epsilon^2 / (16 H^2 G^2 beta^2),

    (1) N >= (c_K H (d log(H d/x)/x)^{c_K})^{1/(c_K - 1)}    a layer is violated at most c_K d times
    (2) N >= (8 beta^2 H^2 G^2 / epsilon^2) log(2K/delta)    Hoeffding: E <= Delta_k + epsilon/(4H + 2)

"sharp": the same with the sharp form of Lemma 4.2,

    (1) N >= (c_K / x^{c_K})^{1/(c_K - 1)}                   a layer is violated at most c_K d times
    (2) N >= (8 beta^2 H^2 G^2 / epsilon^2) log(2K/delta)    Hoeffding: E <= Delta_k + epsilon/(4H + 2)

"flat": the threshold of Delta_k is epsilon/(4H + 2) in every layer, violations are counted once for all layers
together, and a multiplicative Chernoff bound takes the place of Hoeffding's. K = floor(c_K d H) + H,
x = epsilon^2 / (16 H G^2 beta^2),

    (1) N >= (c_K H / x^{c_K})^{1/(c_K - 1)}                 at most c_K d H violations in all
    (2) N >= (16 beta H G / epsilon) log(2K/delta)           E > epsilon/G makes Delta_k < epsilon/(4H + 2) unlikely

beta contains N, so the least fixed point is taken. Derivations: `derl.claims.reward_free.samples`.
"""

from __future__ import annotations

import math

from derl.inputs import choice, real
from derl.theory.constants import InvalidConstant, bonus_scale_with_batch, deployments_layerwise
from derl.theory.foundations.fixed_points import least_fixed_point, whole_exp
from derl.theory.foundations.setting import LEAST, MOST, Setting, log_of
from derl.theory.layerwise import printed

VERSIONS = ("as-printed", "explicit", "sharp", "flat")
C_BETA_REWARD_FREE = 2  # proved in `derl.claims.reward_free.concentration`


def deployments_reward_free(d: int, horizon: int, c_K: float, version: str = "as-printed") -> int:
    """K: floor(c_K d H) + 1, or floor(c_K d H) + H for "flat".        Source: Theorem D.4."""
    choice(version, "version", VERSIONS, InvalidConstant)
    return deployments_layerwise(d, horizon, c_K) + (horizon - 1 if version == "flat" else 0)


def bonus_scale_reward_free(d: int, horizon: int, delta: float, n_deployments: int, batch_size: float) -> float:
    """beta = 2 d H sqrt(log(2 d K N H/delta)), with which Lemma D.1 is proved for the repaired algorithms."""
    return bonus_scale_with_batch(d, horizon, delta, n_deployments, batch_size, C_BETA_REWARD_FREE)


def batch_size_reward_free(d: int, horizon: int, epsilon: float, delta: float, c_K: float, c: float = 1.0,
                           version: str = "as-printed") -> int:
    """Trajectories per deployment for Algorithm 3.

    Parameters
    ----------
    d, horizon : int, >= 1
    epsilon : float, > 0
    delta : float, in (0, 1)
    c_K : float, > 1
        The trade-off. The paper asks for c_K >= 2; any c_K > 1 will do.
    c : float, > 0
        The absolute constant of the printed bound ("as-printed" only).
    version : {"as-printed", "explicit", "sharp", "flat"}
        All but "as-printed" go with `bonus_scale_reward_free` and with the matching `deployments_reward_free`; "flat"
        also with `threshold="flat"` in the algorithm.

    Raises
    ------
    InvalidConstant
        A parameter outside its range, or c_K so near to 1 that N has more than a million digits.

    Source: Theorem D.4, Equation (16).
    """
    setting = Setting(d, horizon, epsilon, delta)
    deployments_reward_free(d, horizon, c_K, version)  # refuses c_K and version
    if version == "as-printed":
        return whole_exp(printed.log_batch_size(setting, c_K, c, claim="eq-batch-size-reward-free"))
    real(c, "c", LEAST, MOST, error=InvalidConstant)
    # in whole numbers, so that N itself satisfies what beta at N asks for
    return least_fixed_point(lambda size: whole_exp(max(log_conditions(setting, c_K, log_of(size), version))), 1,
                             tolerance=0)


def log_conditions(setting: Setting, c_K: float, log_n: float, version: str) -> tuple[float, float]:
    """Logarithms of what conditions (1) and (2) ask of N when beta is taken at log N = `log_n`."""
    d, horizon, epsilon, delta = setting.d, setting.horizon, setting.epsilon, setting.delta
    deployments = deployments_reward_free(d, horizon, c_K, version)
    logarithm = math.log(2 * d * deployments * horizon / delta) + log_n
    log_beta = math.log(C_BETA_REWARD_FREE * d * horizon) + 0.5 * math.log(logarithm)
    factor, power = 2 * horizon + 1, 1 if version == "flat" else 2  # x has H, or H^2
    log_x = 2 * (math.log(epsilon / (4 * factor)) - log_beta) - power * math.log(horizon)
    inner = math.log(c_K) - c_K * log_x
    if version == "explicit":
        inner += math.log(horizon) + c_K * math.log(d * max(math.log(horizon * d) - log_x, math.log(2.0)))
    elif version == "flat":
        inner += math.log(horizon)
    potential = inner / (c_K - 1)
    per_trajectory = log_beta + math.log(horizon * factor / epsilon)
    union = math.log(math.log(2 * deployments / delta))
    if version == "flat":
        return potential, math.log(16) + per_trajectory + union
    return potential, math.log(8) + 2 * per_trajectory + union
