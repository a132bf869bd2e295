r"""How many trajectories one deployment needs to explore L layers at once: constants of block exploration.

The H layers are cut into K = ceil(H/L) blocks, and block k is explored by deployment k: a mixture of policies that
brings every state law to the first layer of the block, then designs over the actions of each state. With

    g         the largest leverage of the designs, max phi' V_s^+ phi, at most C d and at most C A
    G_h       Lambda^pi_h <= G_h Lambda_h for every policy: g^(j+1) in layer j of the first block, 6 d g^(j+1) later
    lambda    log(2 d H P/delta)/c_0, the ridge; P is the number of plannings
    b         sqrt(d log(2)/2 + t) + sqrt(lambda d)
    xi_h      sqrt(2 d G_h/n_h) >= max_pi E_pi |phi_h|_{Sigma_h^{-1}}

planning with n_h trajectories for layer h loses 2 sum R_h b xi_h, R_h the range of the values after layer h (a mean
that is estimated errs by half of that, and its values have range 2). The n_h of a block that make this least are
proportional to (R_h^2 G_h)^(1/3). So a block costs

    A_k = ( sum_h (8 d b^2 R_h^2 G_h)^(1/3) )^3,   and (sum_k sqrt(A_k))^2/epsilon^2 trajectories are enough.

If errors are bounded in the mean (`res-mean-error`), the same holds without the d in A_k: that is `mean=True`.

Each planning has trajectories of its own, so that none of them has to be uniform over a class of value functions: the
last one, which plans for the reward, and one for the cover of each block after the first.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from derl.inputs import Invalid, real, whole

CHERNOFF = (1 - math.log(2)) / 2  # a sum with mean I of parts of size at most 1/lambda: d exp(-c_0 lambda)
COVER = 6  # law <= 6 d g law_mix behind the first layer of a block: 3 from the spanner, 2 from what it misses
PHANTOM = 7  # gamma = nu^2/(7 d): what is reached less than that is left out of the spanner
ACCURACY = 8  # means within gamma/(8 d)
LARGEST = 10**300


class InvalidExchange(Invalid):
    """A parameter of block exploration is outside its range."""


@dataclass(frozen=True)
class Shares:
    """How the N trajectories of a deployment are divided.

    Attributes
    ----------
    batch_size : int
        N that the theorem asks for; `plan + (K - 1) (cover + start)` and what rounding adds.
    plan, cover, start : int
        Trajectories for the last planning, for one cover, and for the law of the first state in one cover.
    ridge, scale, cover_scale : float
        lambda, and b of the last planning and of a cover.
    gamma, accuracy : float
        Of the spanner; nan where there is one block only.
    """

    batch_size: int
    plan: int
    cover: int
    start: int
    ridge: float
    scale: float
    cover_scale: float
    gamma: float
    accuracy: float


def blocks(horizon: int, block: int) -> tuple[range, ...]:
    """The layers 0..H-1 in blocks of L, the last one perhaps shorter."""
    horizon, block = whole(horizon, "horizon", 1), whole(block, "block", 1)
    return tuple(range(start, min(start + block, horizon)) for start in range(0, horizon, block))


def domination(dim: int, leverage: float, horizon: int, block: int) -> tuple[float, ...]:
    """G_h for the layers 0..H-1: Lambda^pi <= G_h Lambda of what is deployed, for every policy."""
    return tuple((COVER * dim if k else 1) * leverage ** (at + 1)
                 for k, layers in enumerate(blocks(horizon, block)) for at in range(len(layers)))


def costs(dim: int, factors: tuple[float, ...], ranges: tuple[float, ...], scale: float, block: int):
    """A_k of every block, and the share of each of its layers; a layer of range 0 needs no data, and dim may be 1."""
    found = []
    for layers in blocks(len(factors), block):
        roots = [(8 * dim * scale**2 * ranges[h] ** 2 * factors[h]) ** (1 / 3) for h in layers]
        total = math.fsum(roots)
        found.append((total**3, tuple(root / total if total else 0.0 for root in roots)))
    return found


def ridge(dim: int, horizon: int, delta: float, plannings: int) -> float:
    """lambda = log(2 d H P/delta)/c_0."""
    return math.log(2 * dim * horizon * plannings / delta) / CHERNOFF


def error_scale(dim: int, ridge: float, t: float) -> float:
    """b: |phi'(w^ - w)| <= R b |phi|_{Sigma^{-1}} for values in an interval of length R, with probability 1 - e^-t."""
    return math.sqrt(dim * math.log(2) / 2 + t) + math.sqrt(ridge * dim)


def directions(dim: int, accuracy: float) -> float:
    """log of the number of directions that the oracle may receive: a grid with error accuracy/2."""
    return dim * math.log(6 * math.sqrt(dim) / accuracy)


def shares(dim: int, horizon: int, epsilon: float, delta: float, block: int, leverage: float,
           nu: float | None = None, mean: bool = False) -> Shares:
    """N of `res-one-deployment` (one block) and `res-blocks` (more), with its parts.

    Parameters
    ----------
    leverage : float, >= 1
        g, computed from the features.
    nu : float in (0, 1], or None
        Reachability at the first layer of each block but the first; needed where there is more than one block.
    mean : bool
        The smaller N of `res-mean-error` and `res-blocks-mean`, without a factor d where the plan and the
        covers regress.

    Raises
    ------
    InvalidExchange
    """
    dim, horizon = whole(dim, "dim", 1, error=InvalidExchange), whole(horizon, "horizon", 1, error=InvalidExchange)
    epsilon = real(epsilon, "epsilon", above=0, error=InvalidExchange)
    delta = real(delta, "delta", above=0, below=1, error=InvalidExchange)
    leverage = real(leverage, "leverage", low=1, error=InvalidExchange)
    number = len(blocks(horizon, whole(block, "block", 1, error=InvalidExchange)))
    if min(block, horizon) * math.log(leverage) > math.log(LARGEST):
        raise InvalidExchange(f"N would be above {leverage:.3g}^{min(block, horizon)}; it must be below 1e300")
    factors = domination(dim, leverage, horizon, block)
    level = ridge(dim, horizon, delta, number)
    scale = error_scale(dim, level, math.log(4 * horizon / delta))
    ranges = tuple(float(horizon - 1 - h) for h in range(horizon))
    trace = 1 if mean else dim  # what a bound by traces pays
    plan = math.fsum(math.sqrt(cost) for cost, _ in costs(trace, factors, ranges, scale, block))**2 / epsilon / epsilon
    cover = start = 0.0
    cover_scale = gamma = accuracy = math.nan
    if number > 1:
        if nu is None:
            raise InvalidExchange(f"nu is None; with {number} blocks it must be a number in (0, 1]")
        nu = real(nu, "nu", above=0, high=1, error=InvalidExchange)
        gamma = nu**2 / (PHANTOM * dim)
        accuracy = gamma / (ACCURACY * dim)
        if not accuracy > 1e-150:
            raise InvalidExchange(f"nu is {nu:.3g}: N would be above 1e300")
        events = directions(dim, accuracy) + math.log(8 * (dim + 1) * horizon * number / delta)
        cover_scale = error_scale(dim, level, events)
        roots = (math.sqrt(cost) for cost, _ in costs(trace, factors, (1.0,) * horizon, cover_scale, block))
        cover = math.fsum(roots) ** 2 / (accuracy / 2) ** 2
        start = 2 * events / (accuracy / 2) ** 2
    total = plan + (number - 1) * (cover + start)
    if not total < LARGEST:
        raise InvalidExchange(f"N would be {total:.3g}; it must be below 1e300")
    parts = [math.ceil(part) + horizon for part in (plan, cover)] + [math.ceil(start)]
    if number == 1:
        parts[1] = 0
    return Shares(parts[0] + (number - 1) * (parts[1] + parts[2]), *parts, level, scale, cover_scale, gamma, accuracy)


def batch_size(dim: int, horizon: int, epsilon: float, delta: float, block: int, leverage: float,
               nu: float | None = None, mean: bool = False) -> int:
    """N with which block exploration is epsilon-optimal with probability 1 - delta; see `shares`."""
    return shares(dim, horizon, epsilon, delta, block, leverage, nu, mean).batch_size


def covered(dim: int, horizon: int, epsilon: float, delta: float, block: int, leverage: float, amount: float) -> float:
    """The least nu for which `amount` trajectories per cover are enough; 1 where they are for none."""
    nu = 1.0
    for _ in range(60 if amount > 0 else 0):  # the cover costs nu^-4 up to a logarithm
        wanted = shares(dim, horizon, epsilon, delta, block, leverage, nu)
        nu = min(1.0, nu * ((wanted.cover + wanted.start) / amount) ** 0.25)
    return nu
