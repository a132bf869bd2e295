r"""beta of Algorithm 1 as Lemma C.4, repaired, requires it: in closed form, and before it is put in closed form."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from derl.inputs import real
from derl.theory.foundations.fixed_points import ROUNDING, least_fixed_point
from derl.theory.foundations.setting import LEAST, MOST, InvalidConstant, Setting

C_BETA = 1.5  # Lemma C.4, repaired
COVERING = ("covering", "share")  # versions that take beta from the covering argument itself


def closed_form_scale(d: int, horizon: int, delta: float, n_deployments: int, log_n: float,
                      c_beta: float = C_BETA) -> float:
    """beta = c_beta d H sqrt(log(2 d K N H / delta)) for K deployments of N = exp(log_n) trajectories.

    Raises
    ------
    InvalidConstant
    """
    Setting(d, horizon, 1, delta)
    c_beta = real(c_beta, "c_beta", LEAST, MOST, error=InvalidConstant)
    n_deployments = real(n_deployments, "n_deployments", 1, MOST, error=InvalidConstant)
    return (1 + ROUNDING) * c_beta * d * horizon * math.sqrt(
        math.log(2 * d * n_deployments * horizon / delta) + log_n)


def covering_scale(d: int, horizon: int, delta: float, log_samples: float) -> float:
    """beta of Lemma C.4 before it is put in closed form, for n = exp(log_samples) earlier trajectories.

    The smaller of H (sqrt d + sqrt n) and the least fixed point, at the best u, of

        beta/H = sqrt d + u + sqrt((d log(1 + n/d)/2 + d log(1 + 4n/u) + (d(d+1)/2) log(1 + 8 beta sqrt(dn)/(Hu))
                                    + log(2H/delta))/2) ;

    H where d = 1, or before any data.

    Parameters
    ----------
    log_samples : float
        -inf for n = 0.

    Raises
    ------
    InvalidConstant
    """
    Setting(d, horizon, 1, delta)
    if d == 1 or log_samples == -math.inf:
        return horizon * math.sqrt(d)
    return _covering_scale(d, horizon, delta, log_samples)


@lru_cache(maxsize=2**14)  # a search for N asks for the same point several times
def _covering_scale(d: int, horizon: int, delta: float, log_samples: float) -> float:
    u = d * np.logspace(-3, 1, 81)
    spread = d / 2 * np.logaddexp(0, log_samples - math.log(d)) + math.log(2 * horizon / delta)
    spread = spread + d * np.logaddexp(0, log_samples + np.log(4 / u))

    def step(scale):  # the logarithm makes it a contraction
        inside = np.log(8 * scale / u) + 0.5 * (math.log(d) + log_samples)
        return math.sqrt(d) + u + np.sqrt((spread + d * (d + 1) / 2 * np.logaddexp(0, inside)) / 2)

    crude = math.sqrt(d) + math.exp(min(0.5 * log_samples, 700.0))
    return (1 + ROUNDING) * horizon * min(float(least_fixed_point(step, np.full(u.shape, math.sqrt(d))).min()), crude)


def bonus_scale_sharp(d: int, horizon: int, delta: float, n_deployments: int, log_n: float, version: str = "chernoff",
                      c_beta: float = C_BETA) -> float:
    """beta of a version of `derl.theory.layerwise.samples` for K deployments of N = exp(log_n) trajectories.

    Raises
    ------
    InvalidConstant
    """
    if version in COVERING:
        earlier = log_n + math.log(n_deployments - 1) if n_deployments > 1 else -math.inf
        return covering_scale(d, horizon, delta, earlier)
    return closed_form_scale(d, horizon, delta, n_deployments, log_n, c_beta)
