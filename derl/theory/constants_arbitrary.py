r"""Constants of Algorithm 2: N, beta', beta, i_max, xi and epsilon_0, for the printed theorem and for its improvements.

What has to be chosen, with c_K = 1, K = H, b = beta' xi, and L-factors written out:

    beta'    |w^T phi - P V| <= beta' |phi|_{Sigma^{-1}} for every value function that Algorithms 5 and 6 can meet
    i_max    policies after which the loop over i must have stopped (elliptical potential)
    xi       max_pi E_pi sum_h |phi_h|_{Sigma_h^{-1}} <= xi keeps the errors of Algorithms 5 and 6 below the threshold,
             and xi <= epsilon/(2 beta) makes the plan epsilon-optimal
    N        so many trajectories that layer h adds at most xi/H

**The regression.** For V with values in [0, 1] in a class with a net of epsilon_0-balls of size M, with probability
1 - delta/4 in all H layers, by the self-normalised bound (noise in an interval of length 1, hence variance proxy 1/4)

    beta' = sqrt d + 2 epsilon_0 sqrt N + sqrt( (d/2 log(1 + N/d) + log(4 H M/delta)) / 2 ) .

Class and net: w (d numbers, |w| <= sqrt N / 2, grid epsilon_0/(2d)), matrices (d(d+1)/2 numbers, grid epsilon_0^2/(4d)),
for Algorithm 6 one w for the value and one pair (w, matrix) for the policy. Float64 has 2^64 numbers, so a program that
computes with doubles has a finite class as well; the larger of the two counts is used. beta is the same for values in
[0, H] and plans, times H.

**The loop.** Sigma_i = 2 I + sum of covariances, Delta_i the error of its estimate, V_i the optimistic value. On the
event, V*(R~) <= V_i <= V^{pi_i}(R~) + 3b, and |Delta_i| <= 2 i d b (entrywise errors 2b; Algorithm 6 doubles what
Lemma E.8 bounds) or i b (linear evaluation, operator norm). With |Delta_i| <= 2 rho the matrices agree up to the
factors 1 -+ rho. If the loop stops with V <= t nu^2, the value of the true reward is below e, and a direction u with
u^T A u = sigma, A = Sigma_i - 2 I, has nu^2 <= max_pi E (phi^T u)^2, so that

    norm reward     nu^2 <= max E |phi^T u| <= e sqrt(2 + sigma)     sigma >= nu^4/e^2 - 2 =: lambda
    squared         nu^2 <= max E (phi^T u)^2 <= e (2 + sigma)       sigma >= nu^2/e - 2   =: lambda .

**The batch.** A >= lambda I, so I + k A >= (1 + k lambda)/(2 + lambda) (2 I + A) for k >= 1/2, and by the matrix Chernoff
bound Sigma_h >= I + (N/2i) A where N >= i log(2dH/delta)/(c_0 lambda), c_0 = (1 - log 2)/2. Then

    norm reward     max E |phi|_{Sigma_h^{-1}}   <= e sqrt((2 + lambda)/(1 + N lambda/2i)) <= nu^2 sqrt(2i/(lambda N))
    squared         max E |phi|^2_{Sigma_h^{-1}} <= nu^2/(1 + N lambda/2i)                 <= 2i nu^2/(lambda N) .

**The first layer** with a first state that is not known beforehand: `derl.algorithms.first_layer` explores it at the cost
2 d sqrt(L/N), L = log(8dH/delta)/c_0, and estimates the distribution of s_1 at the cost 1/sqrt N, both without nu.

Source: Theorem E.9 with constraints (26), (30) to (34); Theorem 4.4. The formulas accept sympy symbols where they are
monomials, so that exponents are derived from the same lines that the algorithm runs with.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from derl.theory.constants import InvalidConstant

BITS = 64 * math.log(2)  # log of the number of doubles
CHERNOFF = (1 - math.log(2)) / 2  # P(lambda_min(sum) <= 1/2) <= d exp(-c_0 / norm) for a sum with mean I
POTENTIAL = 0.5 / math.log(1.5)  # best constant of the elliptical potential lemma for 2 I


@dataclass(frozen=True)
class Rule:
    """How a version of Algorithm 2 measures, stops and is analysed.

    Attributes
    ----------
    reward : {"norm", "squared"}
        Reward of SolveOptQ.
    linear : bool
        Whether covariances are evaluated linearly, with an error bounded in operator norm.
    threshold : Fraction or None
        The loop stops when V <= threshold nu^2; None: when lambda_min(Sigma~ - 2 I) >= `eigenvalue`.
    iterate : Fraction
        The potential lemma finds an iterate whose true value is at most `iterate` nu^2.
    rho : Fraction or None
        Relative accuracy of Sigma~; None: the printed additive accuracy nu^2/8 of the reward.
    coverage : Fraction
        lambda: the covariances of the policies found add up to at least lambda I.
    nu_power : int
        The layer h costs sqrt(2 i nu^nu_power/(lambda N)).
    """

    reward: str
    linear: bool
    threshold: Fraction | None
    iterate: Fraction
    rho: Fraction | None
    coverage: Fraction
    nu_power: int

    @property
    def scale(self) -> int:
        """i_max is d/nu^4 for the norm and d/nu^2 for its square."""
        return 2 if self.reward == "norm" else 1


EIGHTH = Fraction(1, 8)
RULES = {
    "repaired": Rule("norm", False, Fraction(3, 8), EIGHTH, None, Fraction(2), 2),
    "relative": Rule("norm", False, Fraction(3, 8), Fraction(1, 3), EIGHTH, Fraction(350, 81), 4),
    "squared": Rule("squared", False, Fraction(1, 4), Fraction(1, 5), EIGHTH, Fraction(14, 9), 2),
    "spectral": Rule("squared", True, Fraction(1, 4), Fraction(1, 5), EIGHTH, Fraction(14, 9), 2),
    "self-certifying": Rule("squared", True, None, Fraction(1, 5), EIGHTH, Fraction(7, 4), 0),
}
EIGENVALUE = 2.0  # what the self-certifying rule waits for
VERSIONS = ("as-printed", *RULES)


def rule_of(version: str) -> Rule:
    """The rule of a version; that of the printed algorithm is the rule of its repaired form."""
    if version not in VERSIONS:
        raise InvalidConstant(f"version is {version!r}; allowed are {', '.join(map(repr, VERSIONS))}")
    return RULES["repaired" if version == "as-printed" else version]


@dataclass(frozen=True)
class ArbitraryConstants:
    """The constants of one version; see the module.

    Attributes
    ----------
    batch_size : int
        N, the largest of `conditions`.
    conditions : tuple of (name, value)
        What each condition asks of N.
    xi_conditions : tuple of (name, value)
        Upper bounds on xi.
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


# --- the monomials: numbers or symbols ---------------------------------------------------------------------------

def iteration_scale(rule: Rule, d, nu):
    """i_max without its logarithm and its constant: d/(iterate nu^2)^2, or d/(iterate nu^2) for the squared reward."""
    return d / (rule.iterate * nu**2) ** rule.scale


def xi_bounds(rule: Rule, d, nu, i, beta_prime, beta, epsilon) -> dict:
    """Upper bounds on xi, by name.        Source: Equation (30) and Step 3, with the constants that the proof needs."""
    if rule.rho is None:
        covariance = nu**4 / (130 * i * d * beta_prime)
    else:
        covariance = rule.rho / (i * beta_prime) * (2 if rule.linear else Fraction(1, 1) / d)
    return {"covariance estimate": covariance, "optimism": nu**2 / (162 * beta_prime), "plan": epsilon / (2 * beta)}


def batch_bound(rule: Rule, horizon, nu, i, xi):
    """N for the induction step of one layer.        Source: Step 2 (printed: 16 H^2 nu^2 i/xi^2)."""
    factor = 16 if rule.rho is None else 2 / rule.coverage
    return factor * horizon**2 * nu**rule.nu_power * i / xi**2


# --- numbers -----------------------------------------------------------------------------------------------------

def iteration_bound(version: str, d: int, nu: float) -> int:
    """i_max: the least i from which on the potential lemma gives an iterate below `iterate` nu^2.

    Source: Equation (31); printed: 2 d log(1 + i/d)/i <= (nu^2/8)^2, otherwise 1.2332 d log(1 + i/(2d))/i.
    """
    rule = rule_of(version)
    printed = rule.rho is None
    factor = 2.0 if printed else POTENTIAL
    scale, i = float(factor * iteration_scale(rule, d, nu)), 1.0
    while True:  # i = scale log(1 + i/...), from below
        following = max(1.0, scale * math.log1p(i / (d if printed else 2 * d)))
        if following <= i * (1 + 1e-12):
            return math.ceil(i)
        i = following


def regression_scale(d: int, horizon: int, delta: float, batch_size: float) -> float:
    """beta' for N trajectories and epsilon_0 = 1/N, as derived in the module.        Source: Equation (26)."""
    return _scale(d, horizon, delta, batch_size, policy=True)


def planning_scale(d: int, horizon: int, delta: float, batch_size: float) -> float:
    """beta of Algorithm 4 for N trajectories per layer: values up to H, all linear rewards.    Source: Theorem E.9."""
    return horizon * _scale(d, horizon, delta, batch_size, policy=False)


def _scale(d, horizon, delta, batch_size, policy):
    log_n = math.log(batch_size)
    log_det = d / 2 * _log_add(0.0, log_n - math.log(d))
    numbers = d + d * (d + 1) // 2  # w and a symmetric matrix
    value = 1.0
    while True:
        log_w = d * _log_add(math.log(2 * d) + log_n + _log_add(log_n / 2, math.log(2 * math.sqrt(d))), math.log(3))
        log_matrix = d * (d + 1) / 2 * _log_add(math.log(8 * d * value**2) + 2 * log_n, math.log(3))
        net = log_w + log_matrix + (log_w if policy else 0.0) + math.log(3)
        doubles = BITS * (numbers + (d if policy else 0)) + math.log(3)
        log_count = math.log(4 * horizon / delta) + max(net, doubles)
        following = math.sqrt(d) + 2 * math.exp(-log_n / 2) + math.sqrt((log_det + log_count) / 2)
        if following <= value * (1 + 1e-13):
            return value
        value = following


def _log_add(x: float, y: float) -> float:
    """log(e^x + e^y)."""
    return max(x, y) + math.log1p(math.exp(-abs(x - y)))


def arbitrary_constants(d: int, horizon: int, epsilon: float, delta: float, nu: float,
                        version: str = "repaired") -> ArbitraryConstants:
    """All constants of one version, every absolute constant explicit; N is the least fixed point of its conditions.

    Parameters
    ----------
    d, horizon : int, >= 1
    epsilon, delta : float, in (0, 1)
    nu : float, in (0, 1]
        nu_min or a lower bound of it.
    version : {"as-printed", "repaired", "relative", "squared", "spectral", "self-certifying"}
        "as-printed" has the constants of "repaired": the printed proof with its own route and correct constants.

    Raises
    ------
    InvalidConstant
    """
    rule = rule_of(version)
    require(d, horizon, epsilon, delta, nu)
    i, size = iteration_bound(version, d, nu), 2.0
    while True:  # increasing and bounded: beta and beta' grow like sqrt(log N)
        beta_prime, beta = regression_scale(d, horizon, delta, size), planning_scale(d, horizon, delta, size)
        bounds = {name: float(v) for name, v in xi_bounds(rule, d, nu, i, beta_prime, beta, epsilon).items()}
        conditions = _conditions(rule, d, horizon, delta, nu, i, beta_prime, min(bounds.values()))
        following = max(conditions.values())
        if not following < 1e300:
            raise InvalidConstant(f"N exceeds 1e300 for nu = {nu:g}, epsilon = {epsilon:g}; no larger N can be drawn")
        if following <= size * (1 + 1e-12):
            break
        size = following
    return ArbitraryConstants(version, math.ceil(size), beta_prime, beta, i, min(bounds.values()), 1.0 / size,
                              tuple(conditions.items()), tuple(bounds.items()))


def _conditions(rule, d, horizon, delta, nu, i, beta_prime, xi) -> dict[str, float]:
    spread = math.log(8 * d * horizon / delta)
    found = {"induction": float(batch_bound(rule, horizon, nu, i, xi)),
             "first layer": (horizon * (1 + 2 * d * math.sqrt(spread / CHERNOFF)) / xi) ** 2,
             "resolution": 2 * horizon / (beta_prime * xi)}  # epsilon_0 = 1/N <= b/(2H)
    if rule.rho is None:
        found["Bernstein"] = 256 * i**2 * spread**2 / nu**4
    else:
        found["Chernoff"] = i * math.log(2 * d * horizon / delta) / (CHERNOFF * float(rule.coverage))
        # values without clip stay in [-1/100, 1 + 1/100]
        found["range"] = (100 * horizon * beta_prime) ** 2 * 2 * i / float(rule.coverage) if rule.linear else 1.0
    return found


def printed_theorem(d: int, horizon: int, epsilon: float, delta: float, nu: float, c: float = 1.0, c_i: float = 1.0,
                    c_beta: float = 1.0) -> dict[str, float]:
    """The formulas as they stand in the theorem: N, i_max, beta', beta, epsilon_0, absolute constants to be given.

    Source: Theorem E.9.
    """
    require(d, horizon, epsilon, delta, nu)
    log = math.log(d * horizon / (epsilon * delta * nu))
    size = c * (horizon**4 * d**3 / (epsilon**2 * nu**2) + horizon**2 * d**7 / nu**14) * log**2
    return {"batch_size": size, "i_max": c_i * d / nu**4 * math.log(d / nu), "beta_prime": c_beta * d * math.sqrt(log),
            "beta": c_beta * d * horizon * math.sqrt(log), "resolution": 1 / size}


def require(d, horizon, epsilon, delta, nu) -> None:
    """Check the parameters of the formulas.

    Raises
    ------
    InvalidConstant
    """
    for value, name in ((d, "d"), (horizon, "horizon")):
        if isinstance(value, bool) or not value == int(value) or value < 1:
            raise InvalidConstant(f"{name} is {value!r}; it must be a whole number >= 1")
    for value, name in ((epsilon, "epsilon"), (delta, "delta")):
        if not 0 < value < 1:
            raise InvalidConstant(f"{name} is {value!r}; it must lie in (0, 1)")
    if not 0 < nu <= 1:
        raise InvalidConstant(f"nu is {nu!r}; it must lie in (0, 1]")
