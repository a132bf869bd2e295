"""K, N and beta of Algorithm 1 as the paper prints them."""

from __future__ import annotations

import math

from derl.inputs import real, whole
from derl.theory.foundations.setting import LARGEST, LEAST, MOST, InvalidConstant, Setting, trade_off


def deployments(d: int, horizon: int, c_K: float) -> int:
    """K = c_K d H + 1, rounded down.        Source: Equation (1)."""
    d, horizon = (whole(value, name, 1, LARGEST, InvalidConstant) for value, name in ((d, "d"), (horizon, "horizon")))
    return math.floor(trade_off(c_K) * d * horizon) + 1


def log_batch_size(setting: Setting, c_K: float, c: float, power: int) -> float:
    """log of c (c_K H^{power c_K + 1} d^{3 c_K} epsilon^{-2 c_K} log^{2 c_K}(dH/(delta epsilon)))^{1/(c_K - 1)}.

    Parameters
    ----------
    power : int
        4 in Theorem C.6 (Algorithm 1), 6 in Theorem D.4 (Algorithm 3).
    """
    c_K, c = trade_off(c_K), real(c, "c", LEAST, MOST, error=InvalidConstant)
    inner = (math.log(c_K) + (power * c_K + 1) * math.log(setting.horizon) + 3 * c_K * math.log(setting.d)
             - 2 * c_K * math.log(setting.epsilon) + 2 * c_K * math.log(logarithm(setting)))
    return math.log(c) + inner / (c_K - 1)


def logarithm(setting: Setting) -> float:
    """log(dH/(delta epsilon)), never below log 2: the printed one is small or negative where dH <= 2 delta epsilon."""
    return math.log(max(2.0, setting.d * setting.horizon / (setting.delta * setting.epsilon)))
