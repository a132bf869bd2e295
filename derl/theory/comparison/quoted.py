r"""Batch sizes of OLIVE, FRANCIS and Simplified MOFFLE, as their papers' theorems have them up to absolute constants.

All three are stated for returns in [0, 1]; here rewards are in [0, 1], so epsilon becomes epsilon/H, which explains the
powers of H in Table 1. c = 1 is nominal. With iota = log(Hd/(delta epsilon)):

    OLIVE     act c H^4 iota/epsilon^2 and eliminate c H^4 d log|F| iota/epsilon^2 trajectories of the same policy, with
              thresholds 2 epsilon/H and epsilon/(2 H sqrt d), at most d H + 1 phases
    FRANCIS   c d^3 H^4 iota/epsilon^2 episodes in each of H layers
    MOFFLE    a policy is added while the planner finds tr(S Gamma^-1) > 3b/4 with b = eta^2/(d^2 A^4)

What is sure: the shapes, which agree with Table 1. What is not: absolute constants, logarithms, the stopping fraction.

Source: Jiang et al. (2017) and Jin, Liu and Miryoosefi (2021); Zanette et al. (2020), Theorem 4.1; Modi et al. (2021).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from derl.theory.foundations.setting import Setting


@dataclass(frozen=True)
class Olive:
    """Thresholds and batch sizes of one phase; errors are in units of the rewards.

    Attributes
    ----------
    act, eliminate : float
        Thresholds of a Bellman error.
    n_act, n_eliminate : int
    phases : int
    """

    act: float
    eliminate: float
    n_act: int
    n_eliminate: int
    phases: int

    @property
    def batch_size(self) -> int:
        """Both parts are collected with the same policy, hence at once."""
        return self.n_act + self.n_eliminate


def olive(d: int, horizon: int, epsilon: float, delta: float, n_functions: int) -> Olive:
    """The sizes for a class of so many functions whose Bellman eluder dimension is d."""
    iota = _iota(d, horizon, epsilon, delta)
    act = math.ceil(horizon**4 * iota / epsilon**2)
    return Olive(2 * epsilon / horizon, epsilon / (2 * horizon * math.sqrt(d)), act,
                 math.ceil(act * d * math.log(max(n_functions, 2))), d * horizon + 1)


def francis_episodes(d: int, horizon: int, epsilon: float, delta: float) -> int:
    """Episodes of one layer."""
    return math.ceil(d**3 * horizon**4 * _iota(d, horizon, epsilon, delta) / epsilon**2)


def moffle_threshold(d: int, n_actions: int, eta: float) -> float:
    """b = eta^2/(d^2 A^4), eta the reachability of the latent states."""
    return eta**2 / (d**2 * n_actions**4)


def moffle_policies(d: int, threshold: float) -> int:
    """The most policies T of a layer: (3b/4) T <= 2 d log(1 + T/d) holds on every path, by the elliptical potential."""
    count = 1
    while 0.75 * threshold * (count + 1) <= 2 * d * math.log1p((count + 1) / d):
        count *= 2
    low, high = count // 2, count
    while high - low > 1:
        middle = (low + high) // 2
        fits = 0.75 * threshold * middle <= 2 * d * math.log1p(middle / d)
        low, high = (middle, high) if fits else (low, middle)
    return max(low, 1)


def _iota(d: int, horizon: int, epsilon: float, delta: float) -> float:
    s = Setting(d, horizon, epsilon, delta)
    return max(math.log(horizon * d / (s.delta * s.epsilon)), math.log(2))
