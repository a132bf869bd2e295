"""K, N and beta of Algorithm 1 as the statements print them: their formulas are evaluated."""

from __future__ import annotations

import mpmath

from derl.inputs import real, whole
from derl.theory.foundations.setting import LARGEST, LEAST, MOST, InvalidConstant, Setting, trade_off
from derl.theory.texts import said

BITS = 80  # of the numbers from which log N is computed: their exponents have no limit, unlike those of floats


def deployments(d: int, horizon: int, c_K: float) -> int:
    """K = floor(c_K d H) + 1.        Source: Equation (1)."""
    d, horizon = (whole(value, name, 1, LARGEST, InvalidConstant) for value, name in ((d, "d"), (horizon, "horizon")))
    return int(said("eq-deployments")("K=", after="is not a whole number,", c_K=trade_off(c_K), d=d, H=horizon))


def log_batch_size(setting: Setting, c_K: float, c: float, claim: str = "thm-layerwise") -> float:
    """log of the N that a statement prints.

    Parameters
    ----------
    c : float
        The absolute constant, where the statement leaves it open.
    claim : str
        Whose N: Theorem 4.1 has H^{4 c_K + 1}, Theorem D.4 (Algorithm 3) has H^{6 c_K + 1}.
    """
    c_K, c = trade_off(c_K), real(c, "c", LEAST, MOST, error=InvalidConstant)
    with mpmath.workprec(BITS):
        values = {"c_K": c_K, "c": c, "d": setting.d, "H": setting.horizon, "epsilon": setting.epsilon,
                  "delta": capped_delta(setting)}
        size = said(claim)(r"N\ge", **{letter: mpmath.mpf(value) for letter, value in values.items()})
        return float(mpmath.log(size))


def capped_delta(setting: Setting) -> float:
    """delta, or dH/(2 epsilon) if that is smaller.

    So log(dH/(delta epsilon)) is never below log 2. The printed one is small or negative where dH <= 2 delta epsilon.
    """
    return min(setting.delta, setting.d * setting.horizon / (2 * setting.epsilon))
