r"""The bonus, which measures how uncertain an estimate is, in one place for all algorithms.

    bonus        beta |phi|_{Lambda^{-1}}, capped or not
    statistic    Delta_k = (2 beta/N) sum_{n, h} |phi(s_h^n, a_h^n)|_{Lambda_h^{-1}}, twice the mean bonus of a batch

Optimists add the bonus (`derl.estimation.backup`, `derl.algorithms.policy_cover`), pessimists subtract it, the
reward-free algorithms explore it. The replays in ball arithmetic, the listings of the pseudocode and the labs'
re-computations compute it again from the formula on purpose, as independent checks.
"""

from __future__ import annotations

import numpy as np


def bonus(norms: np.ndarray, beta: float, cap: float = np.inf) -> np.ndarray:
    """min(beta |phi|_{Lambda^{-1}}, cap) for elliptical norms of any shape."""
    return np.minimum(beta * norms, cap)


def mean_bonus(visits: np.ndarray, norms: np.ndarray, beta: float) -> float:
    """Delta_k: twice the mean over the trajectories of the bonuses on their way, with the shares `visits` (h, S, A).

    Source: line 13 of Algorithm 1.
    """
    return 2 * beta * float((visits * norms).sum())
