r"""How many trajectories later deployments need, if a first one has shown the law of the next state.

A design modulo the mean feature v of a first policy D_1 leads wherever any action leads, at most g times less often, up
to 1 + sqrt g times the law of the next state under D_1; g <= d - 1. After j layers of such designs

    W_j = g^j + (e - 1)(1 + sqrt g)(1 + g + ... + g^(j-1))          at most c g^j, c = 1 + (e - 1)/(sqrt g - 1)
    alpha = (d log(1 + 2N) + log(H/delta_1) + e)/N                  what the mean feature of N trajectories misses

bound what any policy reaches by W_j times the law of "D_1 until a random time, then designs", up to W_j alpha.

Two deployments for a known reward, with lambda, t, b of one deployment, delta_1 = delta/4, A_h = W_{h-1}(2 d g' + alpha
N/lambda), g' the leverage of the ordinary designs of the last layer:

    N >= 4 b^2/epsilon^2 (sum_h ((H-h)^2 A_h)^(1/3))^3 .

K = 1 + ceil((H-1-L0)/L) deployments for every linear reward, with C = 61 (d >= 3) or 1.72 L^3 (d = 2):

    N >= 5600 max(d^(L0+2), 2 C d^3 (d-1)^(L-1)) beta^2 K^2 H^4 (3/2 d log(1+N/d) + log(4H/delta))/epsilon^2

with covers by designs over all policies of a grid; with spanners 6.7e6 in place of 5600 and three powers of d more.

Source: `res-two-deployments`, `res-modulo-blocks`.
"""

from __future__ import annotations

import math

from derl.inputs import choice, real, whole
from derl.theory.beyond import exchange, truncation
from derl.theory.foundations.fixed_points import least_fixed_point
from derl.theory.foundations.setting import InvalidConstant, Setting

GROWTH = math.e - 1  # e^x <= 1 + (e - 1) x on [0, 1]
LATER = 2  # a later block costs twice as much as the first, where both have the same power
BLOCK = 61  # c_d/(1 - (d-1)^(-1/2))^2 for d >= 3
BLOCK_AT_TWO = 1.72
CLOSED = 1.42e8


def start_weights(leverage: float, layers: int) -> list[float]:
    """Weights of the starts of a chain of j layers: now, and D_1 until each of the j times after; they add up to W_j.

    Parameters
    ----------
    leverage : float, >= 1
        g of the designs modulo the mean feature.
    layers : int, >= 0
        j.

    Returns
    -------
    list of j + 1 float
        g^j, then (e - 1)(1 + sqrt g) g^(j - i) for i = 1..j.
    """
    leverage = real(leverage, "leverage", low=1, error=InvalidConstant)
    layers = whole(layers, "layers", 0, error=InvalidConstant)
    known = GROWTH * (1 + math.sqrt(leverage))
    return [leverage**layers] + [known * leverage ** (layers - i) for i in range(1, layers + 1)]


def total_weight(leverage: float, layers: int) -> float:
    """W_j."""
    return math.fsum(start_weights(leverage, layers))


def slack(d: int, horizon: int, failure: float, batch_size: float) -> float:
    """alpha, with failure = delta_1."""
    return (d * math.log1p(2 * batch_size) + math.log(horizon / failure) + math.e) / batch_size


def layer_costs(d: int, horizon: int, delta: float, batch_size: float, modulo: float, ordinary: float) -> list[float]:
    """(H-h)^2 A_h for the layers h = 1..H-1 of the second deployment."""
    level = exchange.ridge(d, horizon, delta, 1)
    moment = 2 * d * ordinary + slack(d, horizon, delta / 4, batch_size) * batch_size / level
    return [(horizon - h) ** 2 * total_weight(modulo, h - 1) * moment for h in range(1, horizon)]


def two_deployments_demand(d: int, horizon: int, epsilon: float, delta: float, batch_size: float,
                           modulo: float | None = None, ordinary: float | None = None) -> float:
    """The right side of the condition on N for two deployments, at this N; it grows like a logarithm.

    Parameters
    ----------
    d, horizon, epsilon, delta
        As everywhere; H >= 2.
    modulo, ordinary : float, >= 1, or None
        Leverages of the designs modulo the mean feature and of the ordinary ones; None: d - 1 and d.

    Raises
    ------
    InvalidConstant
    """
    setting = Setting(d, horizon, epsilon, delta)
    modulo = max(1.0, d - 1.0) if modulo is None else real(modulo, "modulo", low=1, error=InvalidConstant)
    ordinary = float(d) if ordinary is None else real(ordinary, "ordinary", low=1, error=InvalidConstant)
    scale = exchange.error_scale(d, exchange.ridge(d, horizon, delta, 1), math.log(4 * horizon / delta))
    costs = layer_costs(d, horizon, delta, batch_size, modulo, ordinary)
    return 4 * scale**2 * math.fsum(cost ** (1 / 3) for cost in costs) ** 3 / setting.epsilon**2


def two_deployments_size(d: int, horizon: int, epsilon: float, delta: float, modulo: float | None = None,
                         ordinary: float | None = None) -> int:
    """The least N above which two deployments are enough for a known reward; arguments as of the demand."""
    found = least_fixed_point(
        lambda n: max(1.0, two_deployments_demand(d, horizon, epsilon, delta, n, modulo, ordinary)), 1.0)
    return math.ceil(found * (1 + 1e-12))


def block_factor(d: int, block: int) -> float:
    """C of the theorem for K deployments: 61, or 1.72 L^3 at d = 2."""
    return BLOCK if whole(d, "d", 2, error=InvalidConstant) > 2 else BLOCK_AT_TWO * block**3


def deployments(horizon: int, first: int, block: int) -> int:
    """K = 1 + ceil((H - 1 - L0)/L) for a first block of L0 layers and later ones of L."""
    first = whole(first, "first", 0, horizon - 2, InvalidConstant)
    block = whole(block, "block", 1, horizon - 1 - first, InvalidConstant)
    return 1 - (first + 1 - horizon) // block


def blocks_demand(d: int, horizon: int, first: int, block: int, epsilon: float, delta: float,
                  batch_size: float, cover: str = "design") -> float:
    """The right side of the condition on N for K deployments and all linear rewards, at this N.

    Parameters
    ----------
    d, horizon : int, >= 2
    first : int, >= 0
        L0, layers that the first deployment explores by ordinary designs.
    block : int, >= 1
        L, layers of each later deployment; L0 + L <= H - 1.
    epsilon : float in (0, H]
    delta : float in (0, 1)
    cover : {"design", "spanner"}

    Raises
    ------
    InvalidConstant
    """
    way = truncation.COVERS[choice(cover, "cover", tuple(truncation.COVERS), InvalidConstant)]
    setting, number = Setting(d, horizon, epsilon, delta), deployments(horizon, first, block)
    if setting.epsilon > setting.horizon:
        raise InvalidConstant(f"epsilon is {epsilon}; at most H = {horizon} says something")
    beta = truncation.regression_scale(d, horizon, delta / 2, batch_size)
    larger = max(float(d) ** first, LATER * block_factor(d, block) * d * float(d - 1) ** (block - 1)) * d**way.power
    potential = 1.5 * d * math.log1p(batch_size / d) + math.log(4 * horizon / delta)
    return way.batch * larger * beta**2 * number**2 * horizon**4 * potential / setting.epsilon**2


def blocks_size(d: int, horizon: int, first: int, block: int, epsilon: float, delta: float,
                cover: str = "design") -> int:
    """The least N above which K deployments are enough for every linear reward; arguments as of `blocks_demand`."""
    found = least_fixed_point(lambda n: max(16.0, blocks_demand(d, horizon, first, block, epsilon, delta, n, cover)),
                              16.0)
    return math.ceil(found * (1 + 1e-12))


def closed_form(d: int, horizon: int, block: int, epsilon: float, delta: float) -> float:
    """1.42e8 (H+5)^2 d^6 (d-1)^(L-1) H^6 log^2(dH/(epsilon delta))/epsilon^2: enough too for d >= 3, epsilon <= 1."""
    setting = Setting(d, horizon, epsilon, delta)
    whole(d, "d", 3, error=InvalidConstant)
    deployments(horizon, 0, block)
    if setting.epsilon > 1:
        raise InvalidConstant(f"epsilon is {epsilon}; the closed form needs at most 1")
    return (CLOSED * (horizon + 5) ** 2 * float(d) ** 6 * float(d - 1) ** (block - 1) * horizon**6
            * math.log(d * horizon / (epsilon * delta)) ** 2 / epsilon**2)
