r"""The versions of Algorithm 2: how each measures, when it stops, and what its analysis asks of i_max, xi and N.

Throughout, b = beta' xi, where xi bounds max_pi E_pi sum_t |phi_t|_{Sigma_t^{-1}} over the layers before h.

**The loop.** Sigma_i = 2 I + sum of covariances, Delta_i the error of its estimate, V_i the optimistic value.
On the event, V*(R~) <= V_i <= V^{pi_i}(R~) + 3b, and |Delta_i| <= 2 i d b (entrywise errors 2b: Algorithm 6
doubles what Lemma E.8 bounds) or i b (linear evaluation, operator norm). With |Delta_i| <= 2 rho the two
matrices agree up to the factors 1 - rho and 1 + rho. If the loop stops with V <= t nu^2, the value of the
true reward is at most e = sqrt(1 + rho) t nu^2 (norm) or (1 + rho) t nu^2 (squared), and a direction u with
u^T A u = sigma, where A = Sigma_i - 2 I, satisfies

    norm      nu^2 <= max E (phi^T u)^2 <= max E |phi^T u| <= e sqrt(2 + sigma),   sigma >= nu^4/e^2 - 2 =: lambda
    squared   nu^2 <= max E (phi^T u)^2 <= e (2 + sigma),                          sigma >= nu^2/e - 2   =: lambda .

Without nu_min the loop stops at sigma~ >= 2, the least eigenvalue of the estimated A; then lambda = 2 - 2
rho.

**It stops.** Some iterate has V^{pi_i}(R) <= s nu^2, because the values of the squared reward sum to at most
1.2332 d log(1 + i/(2d)); s is chosen such that s nu^2/sqrt(1 - rho) + 3b (or /(1 - rho)) stays below t nu^2.

**The batch.** A >= lambda I gives I + k A >= (1 + k lambda)/(2 + lambda) (2 I + A) for k >= 1/2, and the
matrix Chernoff bound Sigma_h >= I + (N/2i) A for N >= i log(2dH/delta)/(c_0 lambda), c_0 = (1 - log 2)/2.
Hence

    norm      max E |phi|_{Sigma_h^{-1}}   <= e sqrt((2 + lambda)/(1 + N lambda/2i)) <= nu^2 sqrt(2i/(lambda N))
    squared   max E |phi|^2_{Sigma_h^{-1}} <= nu^2/(1 + N lambda/2i)                 <= 2i nu^2/(lambda N) .

The version "repaired" follows the printed proof, with the constants that its steps need: additive accuracy
nu^2/8 of the reward instead of a relative one, Bernstein instead of Chernoff.

This module has the monomials only, without logarithms. They accept sympy symbols, so that the exponents of the
theorem are derived from the same lines that the algorithm runs with; `derl.theory.arbitrary.constants` puts
numbers in.

Source: proof of Theorem E.9, Equations (30) to (34).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from derl.inputs import choice
from derl.theory.foundations.setting import InvalidConstant

EIGENVALUE = 2.0  # what the self-certifying rule waits for
EIGHTH = Fraction(1, 8)
DESIGN = Fraction(11, 10)  # the first layer's design is within this factor of the best one


@dataclass(frozen=True)
class VersionRule:
    """How a version of Algorithm 2 measures, stops and is analysed.

    Attributes
    ----------
    reward : {"norm", "squared"}
        Reward of SolveOptQ.
    linear : bool
        Whether covariances are evaluated linearly, with an error bounded in operator norm.
    threshold : Fraction or None
        t: the loop stops when V <= t nu^2; None: when the least eigenvalue of Sigma~ - 2 I reaches 2.
    iterate : Fraction
        s: the potential lemma finds an iterate whose true value is at most s nu^2.
    rho : Fraction or None
        Relative accuracy of Sigma~; None: the printed additive accuracy nu^2/8 of the reward.
    coverage : Fraction
        lambda: the covariances of the policies found add up to at least lambda I.
    nu_power : int
        Layer h costs sqrt(2 i nu^nu_power/(lambda N)).
    """

    reward: str
    linear: bool
    threshold: Fraction | None
    iterate: Fraction
    rho: Fraction | None
    coverage: Fraction
    nu_power: int

    @property
    def degree(self) -> int:
        """i_max is d/nu^4 for the norm (2) and d/nu^2 for its square (1)."""
        return 2 if self.reward == "norm" else 1


RULES = {
    "repaired": VersionRule("norm", False, Fraction(3, 8), EIGHTH, None, Fraction(2), 2),
    "relative": VersionRule("norm", False, Fraction(3, 8), Fraction(1, 3), EIGHTH, Fraction(350, 81), 4),
    "squared": VersionRule("squared", False, Fraction(1, 4), Fraction(1, 5), EIGHTH, Fraction(14, 9), 2),
    "spectral": VersionRule("squared", True, Fraction(1, 4), Fraction(1, 5), EIGHTH, Fraction(14, 9), 2),
    "self-certifying": VersionRule("squared", True, None, Fraction(1, 5), EIGHTH, Fraction(7, 4), 0),
}
ARBITRARY_VERSIONS = ("as-printed", *RULES)


def rule_of(version: str) -> VersionRule:
    """The rule of a version; that of the printed algorithm is the rule of its repaired form."""
    choice(version, "version", ARBITRARY_VERSIONS, InvalidConstant)
    return RULES["repaired" if version == "as-printed" else version]


def iteration_scale(rule: VersionRule, d, nu):
    """i_max without logarithm and constant: d/(s nu^2)^2 for the norm, d/(s nu^2) for its square."""
    return d / (rule.iterate * nu**2) ** rule.degree


def xi_bounds(rule: VersionRule, d, nu, i, beta_prime, beta, epsilon) -> dict:
    """Upper bounds on xi, by name.        Source: Equation (30) and Step 3, with the constants that are needed."""
    if rule.rho is None:
        covariance = nu**4 / (130 * i * d * beta_prime)
    else:
        covariance = rule.rho / (i * beta_prime) * (2 if rule.linear else Fraction(1, 1) / d)
    return {"covariance": covariance, "optimism": nu**2 / (162 * beta_prime), "plan": epsilon / (2 * beta)}


def batch_bound(rule: VersionRule, horizon, nu, i, xi):
    """N for the induction step of one layer.        Source: Step 2, which prints 16 H^2 nu^2 i/xi^2."""
    factor = 16 if rule.rho is None else 2 / rule.coverage
    return factor * horizon**2 * nu**rule.nu_power * i / xi**2


def first_layer_bound(d, horizon, xi, level):
    """N for a first layer whose first state is not known: H (d sqrt(2.2 level/N) + 1/sqrt N) = xi.

    The first term is the layer itself, explored by designs, with probability 1 - d exp(-c_0 level); the second is
    the estimate of the law of s_1 (`derl.algorithms.state_designs`).
    """
    return (horizon * (1 + d * (2 * DESIGN * level) ** Fraction(1, 2)) / xi) ** 2
