r"""The constants of exploration without reachability: K = ceil((H-1)/L) deployments of N trajectories each.

After every block of L layers each pair whose elliptical norm is too large is cut: its weight w is 0. With

    beta  = sqrt(d(d+7) log(1+N) + 2 log(4H/delta)) + sqrt d + 1            what a regression may be off by, times |phi|
    tau   = epsilon/(3KH)                                                   probability that a block may lose
    kappa = sqrt(tau)/(6 sqrt(d) beta H)      or  sqrt(tau)/(120 d^2 beta H)        where it is cut
    eta   = tau/(14 H)                        or  tau/(120 d^2 H)                   grid of the policies

for the two ways to cover the states in front of a block: an optimal design of the estimated mean features of all
policies of the grid ("design"), or a robust spanner of them that needs linear optimisation only ("spanner"). The
theorem requires

    N >= c d^(L+p) K^2 H^4 beta^2 (3/2 d log(1+N/d) + log(2H/delta))/epsilon^2,    (c, p) = (5600, 2) or (6.7e6, 5).

In closed form, for epsilon <= 1: C (L+5)^2 d^(L+p+3) K^2 H^4 log^2(dH/(epsilon delta))/epsilon^2, C = 8.5e5 or 2e9.

Source: the theorem without reachability of the chapter "Beyond the paper".
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from derl.inputs import choice, whole
from derl.theory.foundations.fixed_points import least_fixed_point
from derl.theory.foundations.setting import InvalidConstant, Setting

LOST = 3  # tau = epsilon/(3 K H)
E_RATE = math.e / (math.e - 1)  # what a sum of conditional means exceeds a sum of variables in [0, 1] by


@dataclass(frozen=True)
class CoverConstants:
    """A way to cover the states in front of a block.

    Attributes
    ----------
    cut, cut_power : int, float
        kappa = sqrt(tau)/(cut d^cut_power beta H).
    grid, grid_power : int
        eta = tau/(grid d^grid_power H).
    share : int
        Laws are dominated by share d times the law of what is deployed, up to (1 + 1/H).
    batch, power : int
        c and p of the theorem.
    closed : float
        C of the closed form.
    """

    cut: int
    cut_power: float
    grid: int
    grid_power: int
    share: int
    batch: int
    power: int
    closed: float


COVERS = {"design": CoverConstants(6, 0.5, 14, 0, 1, 5_600, 2, 8.5e5),
          "spanner": CoverConstants(120, 2, 120, 2, 3, 6_700_000, 5, 2e9)}


@dataclass(frozen=True)
class Truncation:
    """The numbers of one run.

    Attributes
    ----------
    deployments : int
        K.
    beta, tau, kappa, eta : float
    slack : float
        By how much linear optimisation over policies may miss: 2 H eta + 3 E, E = sqrt 7 beta H kappa sqrt tau.
    dummy : float
        Size of the vectors that a spanner starts from, 4 d times the slack.
    """

    deployments: int
    beta: float
    tau: float
    kappa: float
    eta: float
    slack: float
    dummy: float


def blocks(horizon: int, block: int) -> tuple[tuple[int, ...], ...]:
    """The layers 1..H-1 in blocks of L; the last layer needs no data.

    Raises
    ------
    InvalidConstant
        L is not a whole number in 1..max(H-1, 1).
    """
    block = whole(block, "block", 1, max(horizon - 1, 1), InvalidConstant)
    return tuple(tuple(range(first, min(first + block, horizon))) for first in range(1, horizon, block))


def regression_scale(d: int, horizon: int, delta: float, batch_size: float) -> float:
    """beta: every regression of a value in [-1, 1] is off by at most beta |phi|, with probability 1 - delta/2."""
    return math.sqrt(d * (d + 7) * math.log1p(batch_size) + 2 * math.log(4 * horizon / delta)) + math.sqrt(d) + 1


def uncertainty(d: int, horizon: int, delta: float, batch_size: float) -> float:
    """y: tr(Sigma^{-1} Lambda) of the deployed law in every layer, with probability 1 - delta/2."""
    return E_RATE * _potential(d, horizon, delta, batch_size) / batch_size


def truncation(d: int, horizon: int, block: int, epsilon: float, delta: float, batch_size: float,
               cover: str = "spanner") -> Truncation:
    """What the algorithm is run with.

    Parameters
    ----------
    d : int, >= 2
    horizon : int, >= 2
    block : int
        L, 1..H-1.
    epsilon, delta : float
        Accuracy in (0, H], failure probability.
    batch_size : float
        N, whatever the theorem asks for.
    cover : {"design", "spanner"}

    Raises
    ------
    InvalidConstant
    """
    way, setting = _asked(d, horizon, epsilon, delta, cover)
    n_blocks = len(blocks(setting.horizon, block))
    beta, tau = regression_scale(d, horizon, delta, batch_size), setting.epsilon / (LOST * n_blocks * horizon)
    kappa = math.sqrt(tau) / (way.cut * d**way.cut_power * beta * horizon)
    eta = tau / (way.grid * d**way.grid_power * horizon)
    slack = 2 * horizon * eta + 3 * math.sqrt(7 * tau) * beta * horizon * kappa
    return Truncation(n_blocks, beta, tau, kappa, eta, slack, 4 * d * slack)


def demanded(d: int, horizon: int, block: int, epsilon: float, delta: float, batch_size: float,
             cover: str = "spanner") -> float:
    """The right side of the condition on N, at this N; it grows like a logarithm."""
    way, setting = _asked(d, horizon, epsilon, delta, cover)
    n_blocks = len(blocks(setting.horizon, block))
    beta = regression_scale(d, horizon, delta, batch_size)
    return (way.batch * d**(block + way.power) * n_blocks**2 * horizon**4 * beta**2
            * _potential(d, horizon, delta, batch_size) / setting.epsilon**2)


def batch_size(d: int, horizon: int, block: int, epsilon: float, delta: float, cover: str = "spanner") -> int:
    """The least N above which the theorem holds, rounded up by less than one part in 10^12."""
    found = least_fixed_point(lambda n: max(16.0, demanded(d, horizon, block, epsilon, delta, n, cover)), 16.0)
    return math.ceil(found * (1 + 1e-12))


def closed_form(d: int, horizon: int, block: int, epsilon: float, delta: float, cover: str = "spanner") -> float:
    """C (L+5)^2 d^(L+p+3) K^2 H^4 log^2(dH/(epsilon delta))/epsilon^2, for epsilon <= 1: also enough."""
    way, setting = _asked(d, horizon, epsilon, delta, cover)
    if setting.epsilon > 1:
        raise InvalidConstant(f"epsilon is {epsilon}; the closed form needs at most 1")
    return (way.closed * (block + 5)**2 * d**(block + way.power + 3) * len(blocks(horizon, block))**2 * horizon**4
            * math.log(d * horizon / (epsilon * delta))**2 / epsilon**2)


def _potential(d: int, horizon: int, delta: float, batch_size: float) -> float:
    return 1.5 * d * math.log1p(batch_size / d) + math.log(2 * horizon / delta)


def _asked(d: int, horizon: int, epsilon: float, delta: float, cover: str) -> tuple[CoverConstants, Setting]:
    setting = Setting(d, horizon, epsilon, delta)
    choice(cover, "cover", tuple(COVERS), InvalidConstant)
    for name, least in (("d", 2), ("horizon", 2)):
        whole(getattr(setting, name), name, least, error=InvalidConstant)
    if setting.epsilon > setting.horizon:
        raise InvalidConstant(f"epsilon is {epsilon}; at most H = {horizon} says something")
    return COVERS[cover], setting
