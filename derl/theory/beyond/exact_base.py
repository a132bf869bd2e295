r"""The exchange law with its exact base, in numbers: both sides for N = d^x, where N itself may be too large to write.

K(N) is the least number of deployments of N trajectories with which some algorithm is epsilon-optimal with probability
1 - delta on every linear MDP of dimension d with H layers (finitely many actions, known features and rewards). With
x = 1/((d-1)(1-2 delta)), y = 1/((d-2)(1-2 delta)) and the polynomial Q of `modulo.closed_form`

    d >= 3:   1 + (H - 1 - ceil log_d N - x)/(ceil log_{d-1} N + 1 + y)  <=  K(N)  <=  1 + ceil((H-1)/L)
              for 1 <= L < H with N >= Q (d-1)^(L-1), so that K(N) log_{d-1} N/H -> 1 if log N/log Q and
              H/log_{d-1} N go to infinity,
    d >= 2:   K(N) >= 2 for N < (1 - 2 delta) d^(H-1), and K(N) = 1 from the N of one deployment on,
    d = 2:    K(N) <= 2 from a polynomial on.

Source: `res-exact-base-law`, `res-two-deployments`, `res-one-deployment`.
"""

from __future__ import annotations

import math

import numpy as np

from derl.inputs import real, whole
from derl.theory.beyond import exchange, modulo
from derl.theory.foundations.fixed_points import least_fixed_point
from derl.theory.foundations.setting import InvalidConstant, Setting

AT_TWO = 8 / 27 * modulo.GROWTH  # sum over h of ((H-h)^2 W_{h-1})^(1/3), cubed, is at most this times H^6 at d = 2


def needed(d: int, horizon: int, exponent: int, delta: float) -> int:
    """Deployments of N = d^x trajectories that every algorithm needs on some instance, if epsilon < 1/4.

    Parameters
    ----------
    d : int, >= 2
    horizon : int, >= 3
    exponent : int, >= 0
        x.
    delta : float in (0, 1/2)

    Raises
    ------
    InvalidConstant
    """
    d, horizon = whole(d, "d", 2, error=InvalidConstant), whole(horizon, "horizon", 3, error=InvalidConstant)
    exponent = whole(exponent, "exponent", 0, error=InvalidConstant)
    share = 1 - 2 * real(delta, "delta", above=0, below=0.5, error=InvalidConstant)
    least = 2 if exponent < horizon - 1 + math.log(share) / math.log(d) else 1
    if d == 2:
        return least
    later = math.ceil(exponent * math.log(d) / math.log(d - 1) - 1e-12)  # d^x is no power of d - 1 unless x = 0
    left = 1 + (horizon - 1 - exponent - 1 / ((d - 1) * share)) / (later + 1 + 1 / ((d - 2) * share))
    return max(least, math.ceil(left - 1e-12))


def enough(d: int, horizon: int, exponent: float, polynomial: float, one: float) -> float:
    """Deployments of N = d^x trajectories that are enough on every instance; inf where no theorem applies.

    Parameters
    ----------
    d : int, >= 2
    horizon : int, >= 3
    exponent : float, >= 0
        x.
    polynomial, one : float
        log_d of the sizes from which several deployments are enough, and one: `polynomial` and `one_deployment`.

    Raises
    ------
    InvalidConstant
    """
    d, horizon = whole(d, "d", 2, error=InvalidConstant), whole(horizon, "horizon", 3, error=InvalidConstant)
    exponent = real(exponent, "exponent", low=0, error=InvalidConstant)
    if exponent >= one:
        return 1
    if exponent < polynomial:
        return math.inf
    if d == 2:
        return 2
    block = 1 + math.floor((exponent - polynomial) * math.log(d) / math.log(d - 1) + 1e-12)
    return 1 - (1 - horizon) // min(block, horizon - 1)


def polynomial(d: int, horizon: int, epsilon: float, delta: float) -> float:
    """log_d of the polynomial from which `enough` counts: Q for d >= 3, and that of two deployments for d = 2.

    Parameters
    ----------
    d : int, >= 2
    horizon : int, >= 3
    epsilon : float in (0, 1]
    delta : float in (0, 1)

    Raises
    ------
    InvalidConstant
    """
    setting = Setting(d, whole(horizon, "horizon", 3, error=InvalidConstant), epsilon, delta)
    if d > 2:
        return math.log(modulo.closed_form(d, horizon, 1, epsilon, delta)) / math.log(d)
    level = exchange.ridge(2, horizon, delta, 1)
    scale = exchange.error_scale(2, level, math.log(4 * horizon / delta))

    def demand(size: float) -> float:
        moment = 8 + modulo.slack(2, horizon, delta / 4, size) * size / level
        return 4 * scale**2 * AT_TWO * float(horizon) ** 6 * moment / setting.epsilon**2

    return math.log2(least_fixed_point(lambda n: max(1.0, demand(n)), 1.0))


def one_deployment(d: int, horizon: int, epsilon: float, delta: float) -> float:
    """log_d of the N with which one deployment is enough for a known reward: `exchange.batch_size` for L = H, g = d.

    Parameters
    ----------
    d, horizon, epsilon, delta
        As of `polynomial`; there is no largest horizon, because only logarithms are computed.

    Raises
    ------
    InvalidConstant
    """
    setting = Setting(d, whole(horizon, "horizon", 3, error=InvalidConstant), epsilon, delta)
    scale = exchange.error_scale(d, exchange.ridge(d, horizon, delta, 1), math.log(4 * horizon / delta))
    layers = np.arange(horizon - 1)
    roots = (2 * np.log(horizon - 1 - layers) + (layers + 1) * math.log(d)) / 3
    cube = 3 * (roots.max() + math.log(np.exp(roots - roots.max()).sum()))
    return float((math.log(8 * d * scale**2 / setting.epsilon**2) + cube) / math.log(d))
