r"""The paper's formulas for K, N and beta, and the sharper ones of this book, every constant explicit.

Batch sizes are integers: the smallest that satisfy the bound, whatever their size.

The sharper batch size of Algorithm 1 follows from three conditions. With
beta = 4 dH sqrt(log(2 d K N H / delta)), K = floor(c_K d H) + 1 and x = epsilon^2 / (16 H^2 beta^2),

    (1) N >= (c_K / x^{c_K})^{1/(c_K - 1)}            a layer is violated at most c_K d times (sharp form of Lemma 4.2)
    (2) N >= (8 beta^2 H^2 / epsilon^2) log(2K/delta)  Hoeffding over K deployments, with failure delta/2 in all
    (3) beta contains N: the least fixed point is taken.
"""

from __future__ import annotations

import math

VERSIONS = ("paper", "sharp")
C_BETA = 4.0  # absolute constant in the concentration lemma that the sharp version uses


class InvalidConstant(ValueError):
    """A parameter of a formula is outside its range; the message says which and what is allowed."""


def bonus_scale(d: int, horizon: int, epsilon: float, delta: float, c_beta: float = 1.0) -> float:
    """beta = c_beta d H sqrt(log(d H / (delta epsilon))), at least c_beta d H sqrt(log 2).

    The floor matters only where d H <= 2 delta epsilon, where the printed logarithm is small or negative.

    Source: input line of Algorithms 1 and 3.
    """
    _require(d, horizon, epsilon, delta)
    if not c_beta > 0:
        raise InvalidConstant(f"c_beta is {c_beta!r}; it must be > 0")
    return c_beta * d * horizon * math.sqrt(math.log(max(2.0, d * horizon / (delta * epsilon))))


def bonus_scale_with_batch(d: int, horizon: int, delta: float, n_deployments: int, batch_size: float,
                           c_beta: float = C_BETA) -> float:
    """beta = c_beta d H sqrt(log(2 d K N H / delta)): the scale that the concentration lemma needs.

    Source: Lemma C.4; the printed beta leaves K and N out of the logarithm.
    """
    return c_beta * d * horizon * math.sqrt(math.log(2 * d * n_deployments * batch_size * horizon / delta))


def deployments_layerwise(d: int, horizon: int, c_K: float) -> int:
    """K = c_K d H + 1, rounded down.        Source: Equation (1)."""
    _require_trade_off(c_K)
    return math.floor(c_K * d * horizon) + 1


def batch_size_layerwise(d: int, horizon: int, epsilon: float, delta: float, c_K: float, c: float = 1.0,
                         version: str = "paper") -> int:
    """Trajectories per deployment for Algorithm 1.

    Parameters
    ----------
    d, horizon : int, >= 1
    epsilon : float, > 0
    delta : float, in (0, 1)
    c_K : float, > 1
        The trade-off: K = c_K d H + 1 deployments. The paper asks for c_K >= 2; any c_K > 1 will do.
    c : float, > 0
        The absolute constant of the printed bound ("paper" only).
    version : {"paper", "sharp"}

    Raises
    ------
    InvalidConstant

    Source: Theorem 4.1 and Theorem C.6.
    """
    _require(d, horizon, epsilon, delta)
    _require_trade_off(c_K)
    if version not in VERSIONS:
        raise InvalidConstant(f"version is {version!r}; allowed are {', '.join(map(repr, VERSIONS))}")
    if version == "paper":
        if not c > 0:
            raise InvalidConstant(f"c is {c!r}; it must be > 0")
        logarithm = math.log(horizon * d / (delta * epsilon))
        log_inner = (math.log(c_K) + (4 * c_K + 1) * math.log(horizon) + 3 * c_K * math.log(d)
                     - 2 * c_K * math.log(epsilon) + 2 * c_K * math.log(max(logarithm, math.log(2.0))))
        return _ceil_exp(math.log(c) + log_inner / (c_K - 1))
    n_deployments, log_n = deployments_layerwise(d, horizon, c_K), 0.0
    while True:  # increasing and bounded: beta grows like sqrt(log N)
        beta = C_BETA * d * horizon * math.sqrt(math.log(2 * d * n_deployments * horizon / delta) + log_n)
        log_x = 2 * math.log(epsilon / (4 * horizon * beta))
        potential = (math.log(c_K) - c_K * log_x) / (c_K - 1)
        hoeffding = 2 * math.log(beta * horizon / epsilon) + math.log(8 * math.log(2 * n_deployments / delta))
        following = max(potential, hoeffding)
        if following <= log_n + 1e-12:
            return _ceil_exp(following)
        log_n = following


def _ceil_exp(logarithm: float) -> int:
    """ceil(exp(x)) as an integer; relative accuracy 1e-13 where the float is larger than 2^53."""
    return max(1, math.ceil(math.exp(logarithm)))


def _require(d, horizon, epsilon, delta) -> None:
    for value, name in ((d, "d"), (horizon, "horizon")):
        if isinstance(value, bool) or not value == int(value) or value < 1:
            raise InvalidConstant(f"{name} is {value!r}; it must be a whole number >= 1")
    if not (epsilon > 0 and math.isfinite(epsilon)):
        raise InvalidConstant(f"epsilon is {epsilon!r}; it must be a finite number > 0")
    if not 0 < delta < 1:
        raise InvalidConstant(f"delta is {delta!r}; it must lie in (0, 1)")


def _require_trade_off(c_K) -> None:
    if not (c_K > 1 and math.isfinite(c_K)):
        raise InvalidConstant(f"c_K is {c_K!r}; it must be a finite number > 1")
