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

beta contains N, so the least fixed point is taken. Derivations: `derl.claims.reward_free_samples`.
"""

from __future__ import annotations

import math

from derl.theory.constants import InvalidConstant, bonus_scale_with_batch

VERSIONS = ("paper", "explicit", "sharp", "flat")
C_BETA_REWARD_FREE = 2  # proved in `derl.claims.reward_free_concentration`


def deployments_reward_free(d: int, horizon: int, c_K: float, version: str = "paper") -> int:
    """K: floor(c_K d H) + 1, or floor(c_K d H) + H for "flat".        Source: Theorem D.4."""
    _require(d, horizon, c_K, version)
    return math.floor(c_K * d * horizon) + (horizon if version == "flat" else 1)


def bonus_scale_reward_free(d: int, horizon: int, delta: float, n_deployments: int, batch_size: float) -> float:
    """beta = 2 d H sqrt(log(2 d K N H/delta)), with which Lemma D.1 is proved for the repaired algorithms."""
    return bonus_scale_with_batch(d, horizon, delta, n_deployments, batch_size, C_BETA_REWARD_FREE)


def batch_size_reward_free(d: int, horizon: int, epsilon: float, delta: float, c_K: float, c: float = 1.0,
                           version: str = "paper") -> int:
    """Trajectories per deployment for Algorithm 3.

    Parameters
    ----------
    d, horizon : int, >= 1
    epsilon : float, > 0
    delta : float, in (0, 1)
    c_K : float, > 1
        The trade-off. The paper asks for c_K >= 2; any c_K > 1 will do.
    c : float, > 0
        The absolute constant of the printed bound ("paper" only).
    version : {"paper", "explicit", "sharp", "flat"}
        All but "paper" go with `bonus_scale_reward_free` and with the matching `deployments_reward_free`; "flat"
        also with `threshold="flat"` in the algorithm.

    Raises
    ------
    InvalidConstant

    Source: Theorem D.4, Equation (16).
    """
    _require(d, horizon, c_K, version)
    if not (epsilon > 0 and math.isfinite(epsilon)):
        raise InvalidConstant(f"epsilon is {epsilon!r}; it must be a finite number > 0")
    if not 0 < delta < 1:
        raise InvalidConstant(f"delta is {delta!r}; it must lie in (0, 1)")
    if version == "paper":
        if not c > 0:
            raise InvalidConstant(f"c is {c!r}; it must be > 0")
        logarithm = math.log(max(2.0, horizon * d / (delta * epsilon)))  # as in the printed beta, never below log 2
        inner = (math.log(c_K) + (6 * c_K + 1) * math.log(horizon) + 3 * c_K * math.log(d)
                 - 2 * c_K * math.log(epsilon) + 2 * c_K * math.log(logarithm))
        return _ceil_exp(math.log(c) + inner / (c_K - 1))
    log_n = 0.0
    while True:  # increasing and bounded: beta grows like sqrt(log N)
        following = max(log_conditions(d, horizon, epsilon, delta, c_K, log_n, version))
        if following <= log_n + 1e-12:
            return _ceil_exp(following)
        log_n = following


def log_conditions(d: int, horizon: int, epsilon: float, delta: float, c_K: float, log_n: float,
                   version: str) -> tuple[float, float]:
    """Logarithms of what conditions (1) and (2) ask of N when beta is taken at log N = `log_n`."""
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


def _ceil_exp(logarithm: float) -> int:
    """ceil(exp(x)) as an integer of any size; relative accuracy 1e-13 beyond 2^53."""
    if logarithm < 36:
        return max(1, math.ceil(math.exp(logarithm)))
    power = max(0, math.floor(logarithm / math.log(2)) - 53)
    return math.ceil(math.exp(logarithm - power * math.log(2))) << power


def _require(d, horizon, c_K, version) -> None:
    for value, name in ((d, "d"), (horizon, "horizon")):
        if isinstance(value, bool) or not value == int(value) or value < 1:
            raise InvalidConstant(f"{name} is {value!r}; it must be a whole number >= 1")
    if not (c_K > 1 and math.isfinite(c_K)):
        raise InvalidConstant(f"c_K is {c_K!r}; it must be a finite number > 1")
    if version not in VERSIONS:
        raise InvalidConstant(f"version is {version!r}; allowed are {', '.join(map(repr, VERSIONS))}")
