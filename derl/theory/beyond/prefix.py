r"""Constants of Algorithm 2 with the best prefix: N with everything explicit, nu_min in N only and not in the loop.

I <= i_max policies until the eigenvalue is 2, b = beta' sum_t U_t what is known of the error of one covariance,

    i V_i <= G = (8/7)/log(3/2) d log(1 + I/d) + 3/4,          max_pi E_pi |phi_h| <= U_h <= sqrt((135/28) G/N) .

So sum_h U_h <= r/sqrt N with r = H sqrt((135/28) G), and what has to hold is

    plan         2 beta r/sqrt N <= epsilon                covariance   b <= 1/(8I): 2I covariances are off by 1/4
    optimism     b <= nu^2/162                              range        H beta' |phi| <= 1/100 for values that are not
    Chernoff     2I log(4dH/delta) <= (7/4) c_0 N                        clipped, |phi|^2 <= 16 I/(7N)

Where the law of the first state is not known, the first layer costs d sqrt(2.2 level/N) and the law 1/sqrt N
(`derl.theory.arbitrary.rules.first_layer_bound`).

Source: `res-shortest-prefix`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from derl.theory.arbitrary.constants import (
    CHERNOFF,
    LEAST,
    RANGE,
    ROUNDING,
    iteration_bound,
    planning_scale,
    regression_scale,
    require,
)
from derl.theory.arbitrary.rules import DESIGN, RULES
from derl.theory.foundations.fixed_points import least_fixed_point
from derl.theory.foundations.setting import InvalidConstant
from derl.theory.texts import said

VERSION = "self-certifying"
COVERAGE = RULES[VERSION].coverage
RELATIVE = 1 / (1 - RULES[VERSION].rho)  # Sigma~^-1 <= 8/7 Sigma^-1
COST = 2 * (2 / COVERAGE + 1) * (1 + RULES[VERSION].rho)  # 2 (15/7)(9/8) = 135/28
FAR_OFF = Fraction(3, 4)  # 2I (3b) for b <= 1/(8I)


@dataclass(frozen=True)
class PrefixConstants:
    """What the version with the best prefix needs.

    Attributes
    ----------
    batch_size : int
        N, the largest of `conditions`.
    policies : int
        Bound on I; the list has fewer than twice as many.
    value : float
        G, the bound on i V_i.
    conditions : tuple of (name, value)
        What each condition asks of N.
    """

    batch_size: int
    policies: int
    value: float
    beta_prime: float
    beta: float
    conditions: tuple[tuple[str, float], ...]

    @property
    def binding(self) -> str:
        """Name of the condition that decides N."""
        return max(self.conditions, key=lambda pair: pair[1])[0]


def value_bound(d: int, policies: int) -> float:
    """G: the smallest i V_i among I <= i < 2I is at most this."""
    return float(RELATIVE) / math.log(1.5) * d * math.log1p(policies / d) + float(FAR_OFF)


def prefix_constants(d: int, horizon: int, epsilon: float, delta: float, nu: float,
                     known_start: bool = False) -> PrefixConstants:
    """N and all constants; parameters as of `arbitrary_constants`.

    Raises
    ------
    InvalidConstant
    """
    _, nu = require(d, horizon, epsilon, delta, nu)
    policies = iteration_bound(VERSION, d, nu)
    value = value_bound(d, policies)
    layer = math.sqrt(float(COST) * value)
    level = math.log(8 * d * horizon / delta) / CHERNOFF
    root = horizon * layer if known_start else (horizon - 1) * layer + 1 + d * math.sqrt(2 * float(DESIGN) * level)
    coverage = float(COVERAGE)

    def at(size: float) -> PrefixConstants:
        beta_prime = regression_scale(VERSION, d, horizon, delta, size)
        beta = planning_scale(d, horizon, delta, size)
        needed = {
            "plan": (2 * beta * root / epsilon) ** 2,
            "covariance": (8 * policies * beta_prime * root) ** 2,
            "optimism": (162 * beta_prime * root / nu**2) ** 2,
            "range": (2 / (RANGE - 1) * horizon * beta_prime) ** 2 * 4 * policies / coverage,
            "Chernoff": 2 * policies * math.log(4 * d * horizon / delta) / (CHERNOFF * coverage),
        }
        conditions = tuple((name, (1 + ROUNDING) * found) for name, found in needed.items())
        largest = max(found for _, found in conditions)
        if not largest < 1e300:
            raise InvalidConstant(f"N exceeds 1e300 for nu = {nu:g}, epsilon = {epsilon:g}; larger batches cannot be "
                                  "drawn")
        return PrefixConstants(math.ceil(largest), policies, value, beta_prime, beta, conditions)

    return at(least_fixed_point(lambda size: max(found for _, found in at(size).conditions), LEAST))


def stated_size(d: int, horizon: int, epsilon: float, delta: float, nu: float) -> float:
    """N as the statement has it; known first state."""
    return float(said("res-shortest-prefix")(r"N\ge", d=d, H=horizon, epsilon=epsilon, delta=delta, nu=nu))
