r"""The paper's formulas for K, N and beta of Algorithm 1, and the sharp ones of this book, every constant explicit.

Batch sizes are integers: the smallest that satisfy the bound, whatever their size.

The sharp batch size follows from three conditions. With beta = (3/2) dH sqrt(log(2 d K N H / delta)),
K = floor(c_K d H) + 1 and x = epsilon^2 / (16 H^2 beta^2),

    (1) N >= (c_K / x^{c_K})^{1/(c_K - 1)}            a layer is violated at most c_K d times (sharp form of Lemma 4.2)
    (2) N >= (8 beta^2 H^2 / epsilon^2) log(2K/delta)  Hoeffding over K deployments, with failure delta/2 in all
    (3) beta contains N: the least fixed point is taken.

It is the version "sharp" of `derl.theory.layerwise.samples`, which has further versions that need fewer samples still.
"""

from __future__ import annotations

from derl.inputs import choice, real
from derl.theory.foundations.fixed_points import whole_exp
from derl.theory.foundations.setting import LEAST, MOST, InvalidConstant, Setting, log_of
from derl.theory.layerwise import printed
from derl.theory.layerwise.bonus import C_BETA, closed_form_scale
from derl.theory.layerwise.samples import budget
from derl.theory.texts import said

__all__ = ["C_BETA", "VERSIONS", "InvalidConstant", "batch_size_layerwise", "bonus_scale", "bonus_scale_with_batch",
           "deployments_layerwise"]

VERSIONS = ("paper", "sharp")


def bonus_scale(d: int, horizon: int, epsilon: float, delta: float, c_beta: float = 1.0) -> float:
    """beta = c_beta d H sqrt(log(d H / (delta epsilon))), at least c_beta d H sqrt(log 2).

    The floor matters only where d H <= 2 delta epsilon, where the printed logarithm is small or negative.

    Raises
    ------
    InvalidConstant

    Source: input line of Algorithms 1 and 3.

    Examples
    --------
    >>> from derl.theory import constants
    >>> round(constants.bonus_scale(2, 2, epsilon=0.2, delta=0.1), 3)
    9.207
    """
    setting = Setting(d, horizon, epsilon, delta)
    c_beta = real(c_beta, "c_beta", LEAST, MOST, error=InvalidConstant)
    return said("text-beta-undefined")(r"\beta=", c_beta=c_beta, d=setting.d, H=setting.horizon,
                                       epsilon=setting.epsilon, delta=printed.capped_delta(setting))


def bonus_scale_with_batch(d: int, horizon: int, delta: float, n_deployments: int, batch_size: float,
                           c_beta: float = C_BETA) -> float:
    """beta = c_beta d H sqrt(log(2 d K N H / delta)): the scale that the concentration lemma needs.

    Source: Lemma C.4, repaired; the printed beta leaves K and N out of the logarithm.
    """
    return closed_form_scale(d, horizon, delta, n_deployments, log_of(batch_size, "batch_size"), c_beta)


def deployments_layerwise(d: int, horizon: int, c_K: float) -> int:
    """K = c_K d H + 1, rounded down.        Source: Equation (1).

    Examples
    --------
    >>> from derl.theory import constants
    >>> constants.deployments_layerwise(10, 10, c_K=2)
    201
    """
    return printed.deployments(d, horizon, c_K)


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
        A parameter outside its range, or c_K so near to 1 that N has more than a million digits.

    Source: Theorem 4.1 and Theorem C.6.

    Examples
    --------
    >>> from derl.theory import constants
    >>> f"{constants.batch_size_layerwise(10, 10, 0.1, 0.1, c_K=6):.1e}"
    '3.0e+13'
    """
    setting = Setting(d, horizon, epsilon, delta)
    if choice(version, "version", VERSIONS, InvalidConstant) == "sharp":
        real(c, "c", LEAST, MOST, error=InvalidConstant)
        return budget(d, horizon, epsilon, delta, c_K, "sharp").batch_size
    return whole_exp(printed.log_batch_size(setting, c_K, c))
