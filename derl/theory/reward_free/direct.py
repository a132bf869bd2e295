r"""The size of direct reward-free exploration with a flat threshold: K, N and beta with every constant explicit.

K = floor(c_K d H) + 1, beta = 2 d H sqrt(log(2dKNH/delta)), x = epsilon^2/(64 H beta^2), and

    (1) N >= (c_K H / x^{c_K})^{1/(c_K - 1)}            at most c_K d H violations in all
    (2) N >= (32 beta H/epsilon) log(2K/delta)          E[2 beta sum b] > epsilon/2 makes Delta_k < epsilon/4 unlikely

beta contains N: the least whole N with both, up to a relative 1e-10, every rounding upwards. Proof: the
claim `res-reward-free-direct-samples`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from derl.inputs import shown
from derl.theory.constants import InvalidConstant, deployments_layerwise
from derl.theory.foundations.setting import Setting
from derl.theory.layerwise.samples import whole_exp
from derl.theory.reward_free.samples import bonus_scale_reward_free

ROUNDING = 1e-12  # above the rounding errors of float64 in all that follows


@dataclass(frozen=True)
class DirectBudget:
    """What direct exploration needs.

    Attributes
    ----------
    batch_size : int
        N.
    deployments : int
        K.
    beta : float
        Scale of the bonus, for `reward_free_direct_exploration(..., beta=beta, threshold="flat")`.
    """

    batch_size: int
    deployments: int
    beta: float


def budget(d: int, horizon: int, epsilon: float, delta: float, c_K: float) -> DirectBudget:
    """N, K and beta for c_K > 1, 0 < epsilon <= H and 0 < delta < 1.

    Raises
    ------
    InvalidConstant

    Source: Theorem D.4 with fewer samples, `res-reward-free-direct-samples`.
    """
    setting = Setting(d, horizon, epsilon, delta)
    d, horizon, epsilon, delta = setting.d, setting.horizon, setting.epsilon, setting.delta
    if epsilon > horizon:
        raise InvalidConstant(f"epsilon is {shown(epsilon)}; it must lie in (0, H] = (0, {horizon}]")
    deployments, size = deployments_layerwise(d, horizon, c_K), 1  # checks c_K
    while True:  # increasing and bounded: beta grows like sqrt(log N)
        beta = (1 + ROUNDING) * bonus_scale_reward_free(d, horizon, delta, deployments, size)
        log_x = 2 * math.log(epsilon / (8 * beta)) - math.log(horizon)
        count = (math.log(c_K * horizon) - c_K * log_x) / (c_K - 1)
        test = math.log(32 * beta * horizon / epsilon * math.log(2 * deployments / delta))
        needed = whole_exp(max(count, test) + ROUNDING * (1 + abs(max(count, test))))
        if needed <= size:
            return DirectBudget(size, deployments, beta)
        size = needed
