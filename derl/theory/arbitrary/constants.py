r"""Constants of Algorithm 2: N, beta', beta, i_max, xi, epsilon_0, for the printed theorem and for its improvements.

    beta'    |w^T phi - P V| <= beta' |phi|_{Sigma^{-1}}, see `derl.theory.arbitrary.regression_scale`
    beta     that of planning
    i_max    policies after which the loop over i must have stopped (elliptical potential)
    xi       max_pi E_pi sum_h |phi_h|_{Sigma_h^{-1}} <= xi keeps the errors of Algorithms 5 and 6 below the
             threshold, and xi <= epsilon/(2 beta) makes the plan epsilon-optimal
    N        so many trajectories that layer h adds at most xi/H

The derivation is in `derl.theory.arbitrary.rules`. Beside it:

**The first layer,** where the first state is not known beforehand, costs d sqrt(2.2 L/N), L =
log(8dH/delta)/c_0, and the estimate of the law of s_1 costs 1/sqrt N, both without nu
(`derl.algorithms.state_designs`). Against one layer of the induction this is a factor d more: N of order H^2 d^2/xi^2
where the others need H^2 d/xi^2. Theorem R and its improvements are stated for a known law.

**Linear evaluation** has no clip. Its values stay in [-1/100, 1 + 1/100] for N large enough ("range"),
because every feature of the layers 2..h-1 is covered, |phi|_{Sigma^{-1}} <= sqrt(2i/(lambda N)); beta' is
1.02 times larger.

Source: Theorem E.9 with Equations (26) and (30) to (34).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache, partial

from derl.inputs import real
from derl.theory.arbitrary.regression_scale import scale
from derl.theory.arbitrary.rules import (
    DESIGN,
    RULES,
    VersionRule,
    batch_bound,
    first_layer_bound,
    iteration_scale,
    rule_of,
    xi_bounds,
)
from derl.theory.foundations.fixed_points import least_fixed_point
from derl.theory.foundations.setting import InvalidConstant, Setting
from derl.theory.texts import said

__all__ = ["DESIGN", "RULES", "ArbitraryConstants", "VersionRule", "arbitrary_constants", "iteration_bound",
           "planning_scale", "printed_theorem", "regression_scale", "rule_of"]

CHERNOFF = (1 - math.log(2)) / 2  # P(lambda_min(sum) <= 1/2) <= d exp(-c_0/norm) for a sum with mean I
POTENTIAL = 0.5 / math.log(1.5)  # best constant of the elliptical potential lemma for 2 I
LEAST_NU = 1e-20
LEAST = 1e5  # N is never smaller; from here on the term 2/sqrt N of beta' no longer outweighs what grows with N
ROUNDING = 1e-9  # N is larger by so much, and xi smaller by a tenth of it, to pay for the rounding of float64
RANGE = 1.02  # length of the interval of values that are not clipped


@dataclass(frozen=True)
class ArbitraryConstants:
    """The constants of one version; see the module.

    Attributes
    ----------
    batch_size : int
        N, the largest of `conditions`.
    resolution : float
        epsilon_0 = 1/N.
    conditions, xi_conditions : tuples of (name, value)
        What each condition asks of N, and the upper bounds on xi.
    """

    version: str
    batch_size: int
    beta_prime: float
    beta: float
    i_max: int
    xi: float
    resolution: float
    conditions: tuple[tuple[str, float], ...]
    xi_conditions: tuple[tuple[str, float], ...]

    @property
    def binding(self) -> str:
        """Name of the condition that decides N."""
        return max(self.conditions, key=lambda pair: pair[1])[0]


def iteration_bound(version: str, d: int, nu: float) -> int:
    """i_max: from here on the potential lemma gives an iterate below s nu^2.

    Source: Equation (31); there 2 d log(1 + i/d)/i <= (nu^2/8)^2, otherwise with 1.2332 d log(1 + i/(2d))/i.
    """
    rule = rule_of(version)
    printed = rule.rho is None
    factor = float((2 if printed else POTENTIAL) * iteration_scale(rule, d, nu))
    return math.ceil(least_fixed_point(lambda i: max(1.0, factor * math.log1p(i / (d if printed else 2 * d))), 1.0))


def regression_scale(version: str, d: int, horizon: int, delta: float, batch_size: float) -> float:
    """beta' of a version for N trajectories and epsilon_0 = 1/N.        Source: Equation (26)."""
    return scale(d, horizon, delta, batch_size, True, RANGE if rule_of(version).linear else 1.0)


def planning_scale(d: int, horizon: int, delta: float, batch_size: float) -> float:
    """beta of Algorithm 4 for N trajectories per layer, all linear rewards.        Source: Theorem E.9."""
    return horizon * scale(d, horizon, delta, batch_size, False)


def arbitrary_constants(d: int, horizon: int, epsilon: float, delta: float, nu: float, version: str = "repaired",
                        known_start: bool = False) -> ArbitraryConstants:
    """All constants of one version, every absolute constant explicit; N is the fixed point of its conditions.

    Parameters
    ----------
    d, horizon : int, >= 1
    epsilon, delta : float, in (0, 1)
    nu : float, in (0, 1]
        nu_min or a lower bound of it.
    version : {"as-printed", "repaired", "relative", "squared", "spectral", "self-certifying"}
        "as-printed" has the constants of "repaired".
    known_start : bool
        Whether the first state, or its distribution, is known beforehand, as the paper assumes.

    Raises
    ------
    InvalidConstant
    """
    rule_of(version)
    setting, nu = require(d, horizon, epsilon, delta, nu)
    policies = cache(partial(iteration_bound, version, setting.d, nu))  # the same for all N

    def at(size: float) -> ArbitraryConstants:
        try:
            found = _at(setting, nu, version, known_start, policies(), size)
            largest = max(value for _, value in found.conditions)
        except ArithmeticError:  # a power of nu leaves float64 on the way
            largest = math.inf
        if not largest < 1e300:
            raise InvalidConstant(f"N exceeds 1e300 for nu = {nu:g}, epsilon = {epsilon:g}; larger batches cannot be "
                                  "drawn")
        return found

    # beta and beta' grow like sqrt(log N)
    found = at(least_fixed_point(lambda size: max(value for _, value in at(size).conditions), LEAST))
    conditions = tuple((name, value * (1 + ROUNDING)) for name, value in found.conditions)
    size = math.ceil(max(value for _, value in conditions))
    return replace(found, batch_size=size, xi=found.xi * (1 - ROUNDING / 10), resolution=1.0 / size,
                   conditions=conditions)


def _at(setting: Setting, nu: float, version: str, known_start: bool, i: int, size: float) -> ArbitraryConstants:
    """The constants for i_max = i and N = size, and what the conditions ask of N then."""
    rule = rule_of(version)
    d, horizon, delta = setting.d, setting.horizon, setting.delta
    beta_prime = regression_scale(version, d, horizon, delta, size)
    beta = planning_scale(d, horizon, delta, size)
    bounds = {name: float(v) for name, v in xi_bounds(rule, d, nu, i, beta_prime, beta, setting.epsilon).items()}
    xi = min(bounds.values())
    spread, coverage = math.log(8 * d * horizon / delta), float(rule.coverage)
    found = {"induction": float(batch_bound(rule, horizon, nu, i, xi)),
             "resolution": 2 * horizon / (beta_prime * xi)}  # epsilon_0 = 1/N <= b/(2H)
    if not known_start:
        found["first layer"] = float(first_layer_bound(d, horizon, xi, spread / CHERNOFF))
    if rule.rho is None:
        found["Bernstein"] = 256 * i**2 * spread**2 / nu**4
    else:
        found["Chernoff"] = i * math.log(2 * d * horizon / delta) / (CHERNOFF * coverage)
    if rule.linear:  # H beta' |phi| <= (RANGE - 1)/2
        found["range"] = (2 / (RANGE - 1) * horizon * beta_prime) ** 2 * 2 * i / coverage
    return ArbitraryConstants(version, size, beta_prime, beta, i, xi, 1.0 / size, tuple(found.items()),
                              tuple(bounds.items()))


def printed_theorem(d: int, horizon: int, epsilon: float, delta: float, nu: float, c: float = 1.0, c_i: float = 1.0,
                    c_beta: float = 1.0) -> dict[str, float]:
    """The formulas of the theorem; the absolute constants are arguments.        Source: Theorem E.9."""
    require(d, horizon, epsilon, delta, nu)
    text = said("thm-arbitrary-formal")
    letters = {"d": d, "H": horizon, "epsilon": epsilon, "delta": delta, "nu": nu}
    letters["L"] = text("L=", **letters)
    size = float(text("N=", c=c, **letters))
    return {"batch_size": size, "i_max": float(text(r"i_{\max}=", c_i=c_i, **letters)),
            "resolution": float(text(r"\epsilon_0=", N=size)),
            "beta_prime": float(text(r"\beta'=", {r"c_{\beta'}": c_beta}, **letters)),
            "beta": float(text(r"\beta=", {r"c_\beta": c_beta}, **letters))}


def require(d: int, horizon: int, epsilon: float, delta: float, nu: float) -> tuple[Setting, float]:
    """The setting of Theorem E.9, with epsilon below 1, and nu in (0, 1].

    Raises
    ------
    InvalidConstant
    """
    real(epsilon, "epsilon", above=0, below=1, error=InvalidConstant)
    return Setting(d, horizon, epsilon, delta), real(nu, "nu", LEAST_NU, 1, error=InvalidConstant)
