"""These checks establish Theorem R and its two improvements with every constant, for all parameters.

The steps take coverage, stopping, blow-up and exponents first, and then all logarithms against l = log(8 d^2 H N^2/
delta), with p = 4 for the norm as reward and p = 2 for its square. `Explicit` holds the constants of a version.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import sympy
from sympy import Rational, log

from derl.claims import Evidence, check, control, steps
from derl.claims.analysis.event import bonus_steps
from derl.claims.analysis.steps import iterations
from derl.claims.arbitrary.constants import CLAIMED, PARTS, algebra
from derl.theory.arbitrary.rules import RULES, xi_bounds
from derl.theory.exact.compared import at_most, every
from derl.theory.exact.symbolic import at_least, below, equal

SHARES = {"regressions": Rational(1, 4), "planning": Rational(1, 4), "batches": Rational(1, 4)}  # of delta

s, t, u = sympy.symbols("s t u", nonnegative=True)


@dataclass(frozen=True)
class Explicit:
    """The constants of one version.

    Attributes
    ----------
    iterations, bonus, batch : int
        c_i, c' and C.
    event : int
        c of the event: |G| <= c d sqrt(log(..)).
    length : Rational
        Length of the interval in which values lie.
    """

    iterations: int
    event: int
    bonus: int
    batch: int
    length: Rational = Rational(1)


CONSTANTS = {
    "relative": Explicit(120, 12, 24, 3 * 10**12),
    "squared": Explicit(60, 13, 26, 12 * 10**11),
    "spectral": Explicit(60, 13, 27, 32 * 10**10, Rational(51, 50)),
}


def classes(version: str, event: int) -> list[tuple[str, bool]]:
    """Nets in powers of X = dHN beta'/epsilon_0 >= 96: what the squared reward and the linear evaluation add."""
    X = 96 + t
    shares = (7, 14, 9) if version == "relative" else (7, 14, 9, 7)
    found = ["event",
             ("X >= 4 beta' >= 96", at_least(4 * (24 + t), 96, t)),
             ("4 (1 + classes + 1) + 6 <= c^2", at_most(4 * (1 + sum(shares) + 1) + 6, event**2))]
    if version != "relative":
        found.append(("phi^T M phi: rounding M by eps^2/(4d) moves it by d eps^2/(4d) <= eps",
                      at_least(1, 1 / (1 + u) / 4, u)))
    if version == "spectral":
        found += [("weights of values in an interval of length 51/50: 2.04 X + 3 <= X^2",
                   at_least(X**2, Rational(51, 25) * X + 3, t)),
                  ("(phi^T x)^2, x on the sphere: 2 (2d/eps) + 3 <= 4X + 3 <= X^2", at_least(X**2, 4 * X + 3, t)),
                  ("it moves by 2 |x - x'| <= 2 sqrt d eps/(2d) <= eps", at_least(1, 1 / (1 + u), u))]
    return found


def batch(version: str, c: Explicit, shares: dict) -> list[tuple[str, bool]]:
    """N >= A S l, the constraint of Chernoff, the resolution, the optimism, and the range of unclipped values."""
    rule = RULES[version]
    lam, most = Rational(rule.coverage), c.iterations + 2
    d, H, l, x, eps, policies, scale_of = sympy.symbols("d H l x eps policies scale", positive=True)  # noqa: E741
    bounds = xi_bounds(rule, d, 1 / x, policies, scale_of, scale_of, eps)
    # 1/xi = per_policy i beta' (times d) and 1/xi = optimism beta'/nu^2, as the program has them
    per_policy = sympy.simplify(1 / (bounds["covariance"] * policies * scale_of * (1 if rule.linear else d)))
    optimism = sympy.simplify(1 / (bounds["optimism"] * scale_of * x**2))
    tau = sympy.Symbol("tau", positive=True)
    p, dim = 2 * rule.degree, 5 if rule.linear else 7
    i = most * d * x**p * tau
    first = H**4 * d**3 * tau / eps**2
    second = H**2 * d**dim * x ** (2 * p) * tau**3
    beta2, plan2 = c.bonus**2 * d**2 * l, 4 * d**2 * H**2 * l
    inverse = per_policy * i * (1 if rule.linear else d)
    needed = 2 * i * H**2 / (lam * x**rule.nu_power)  # times 1/xi^2
    scale = 2 * per_policy**2 * c.bonus**2 * most**3 / lam  # A
    low2 = log(2)
    n1, d1 = 1 + t, 1 + u  # N and d
    found = [
        "size",
        ("l: dHN/(eps_0 delta') = 4 d^2 H N (N+1)/delta <= 8 d^2 H N^2/delta",
         at_least(8 * d1**2 * n1**2, 4 * d1**2 * n1 * (n1 + 1), t, u)),
        ("and 4dNH/delta' = 8dNH/delta <= 8 d^2 H N^2/delta", at_least(8 * d1**2 * n1**2, 8 * d1 * n1, t, u)),
        ("covariances: 2 i nu^q H^2/(lam xi^2) = A H^2 d^7 nu^{-2p} t^3 l",
         equal(needed * inverse**2 * beta2, scale * second * l)),
        ("plan: 2 i nu^q H^2 4 beta^2/(lam eps^2) <= A H^4 d^3 t l/eps^2",
         at_most(sympy.simplify(needed * 4 * plan2 / eps**2 / (first * l)), scale)),
        ("1 <= 2 d nu^{-p} t: log 4 >= 1", below(1, 2 * low2)),
        ("t <= 1/nu: x - log(2x) is 1 - log 2 > 0 at 1, its slope 1 - 1/x",
         every(below(low2, 1), at_least(1, 1 / (1 + s), s))),
        ("Lambda <= dH/(eps delta nu): log(2y) <= y, as before", below(low2, 1)),
        ("S <= 2 (dH/(eps nu))^11", every(at_least((1 + s) ** 11, (1 + s) ** (2 * p + 3), s), at_most(dim, 11))),
        ("C log 2 >= A (log 8 + 2 log(2C))", below(scale * (log(8) + 2 * log(2 * c.batch)), c.batch * low2)),
        ("slope: C >= 26 A", at_most(26 * scale, c.batch)),
        ("N/(A S) - 2 log N grows with N: C log 2 >= 2A", below(2 * scale, c.batch * low2)),
        "batch",
        ("Chernoff: log(4dH/delta) <= 2 Lambda: 2y <= y^2 for y >= 2", at_least((2 + t) ** 2, 2 * (2 + t), t)),
        ("and 2 k/(c_0 lam) <= C (log 2)^2, c_0 >= 1/7",
         every(below(14 * most / lam, c.batch * low2**2), below(log(2), Rational(5, 7)))),
        ("N >= i: log 4 >= c_0 lam", every(below(lam / 6, log(4)), below(Rational(2, 3), log(2)))),
        "resolution",
        ("resolution: 2 c_i log 2 >= lam gives N >= H^2/xi^2", below(lam, 2 * c.iterations * low2)),
        ("so 2 H eps_0 <= H/(d N) <= xi^2/H <= beta' xi", at_least(1, 1 / (1 + s) / (1 + t) / (1 + u), s, t, u)),
        ("optimism: 1/(per_policy i) <= nu^2/162: 162 <= per_policy c_i log 2",
         below(optimism, per_policy * c.iterations * low2)),
        "failure",
        (f"failure: {' + '.join(shares)} add up to at most delta", at_most(sum(shares.values()), 1)),
        "plan",
        ("plan: 2 beta xi h/H <= epsilon for xi <= epsilon/(2 beta)", at_least(1, 1 / (1 + s) / (1 + t), s, t)),
    ]
    if rule.linear:
        found += ["range",
                  ("range: H beta' sqrt(2i/(lam N)) <= 1/(4 nu i) <= 1/100", below(25, c.iterations * low2))]
    return found


def explicit(version: str, claim: str, changed: dict) -> Evidence:
    """All steps of one version with its constants, or with some of them changed."""
    shares = SHARES | changed.pop("shares", {})
    c = Explicit(**(CONSTANTS[version].__dict__ | changed))
    rule = RULES[version]
    factor = int(2 / rule.iterate**rule.degree)
    return steps([
        *(said for pair in zip(PARTS, algebra(*CLAIMED[claim]).outcomes, strict=True) for said in pair),
        "stopping",
        *iterations(c.iterations, factor, 2 * rule.degree),
        *classes(version, c.event),
        *bonus_steps(c.bonus, c.length * c.event, c.length),
        *batch(version, c, shares),
    ], scope="all d, H >= 1, 0 < epsilon, delta < 1, 0 < nu <= nu_min, all linear rewards in [0, 1], all N from the "
             "stated one on; first state fixed or of known law")


@check("res-theorem-r", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Every constant: c_i = 120, c' = 24, C = 3e12")
def theorem_r_with_constants(**changed) -> Evidence:
    """Coverage, stopping, blow-up and exponents, then the logarithms, for the norm as reward."""
    return explicit("relative", "res-theorem-r", changed)


control(theorem_r_with_constants, "C = 2e12", {"batch": 2 * 10**12})
control(theorem_r_with_constants, "c_i = 100", {"iterations": 100})
control(theorem_r_with_constants, "the three events at delta, delta/2 and delta/2: 3/2 delta together",
        lambda: {"shares": {"regressions": Rational(1, 2), "planning": Rational(1, 2), "batches": Rational(1, 2)}})


@check("res-squared-reward", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Every constant: c_i = 60, c' = 26, C = 1.2e12")
def squared_reward_with_constants(**changed) -> Evidence:
    """The same chain for the squared norm; one class of functions more."""
    return explicit("squared", "res-squared-reward", changed)


control(squared_reward_with_constants, "the event with c = 12, one class short", {"event": 12})
control(squared_reward_with_constants, "C = 8e11", {"batch": 8 * 10**11})


@check("res-spectral-error", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Every constant: c_i = 60, c' = 27, C = 3.2e11")
def spectral_error_with_constants(**changed) -> Evidence:
    """The same chain with the covariance as a matrix; values stay in [-1/100, 101/100] without a clip."""
    return explicit("spectral", "res-spectral-error", changed)


control(spectral_error_with_constants, "c' = 24", {"bonus": 24})
control(spectral_error_with_constants, "C = 2e11", {"batch": 2 * 10**11})


# --- the program's N ---------------------------------------------------------------------------------------------

def stated_size(version: str, d: int, horizon: int, epsilon: float, delta: float, nu: float) -> float:
    """N as the statement has it."""
    tau, power, dim = math.log(2 / nu), 2 * RULES[version].degree, 5 if RULES[version].linear else 7
    bracket = horizon**4 * d**3 / epsilon**2 * tau + horizon**2 * d**dim / nu ** (2 * power) * tau**3
    return CONSTANTS[version].batch * bracket * math.log(2 * d * horizon / (epsilon * delta * nu))
