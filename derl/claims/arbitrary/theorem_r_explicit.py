"""These checks establish Theorem R and its two improvements with every constant, for all parameters.

The steps take coverage, stopping, blow-up and exponents first, and then all logarithms against l = log(8 d^2 H N^2/
delta), with p = 4 for the norm as reward and p = 2 for its square. `Explicit` holds the constants of a version.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import sympy
from sympy import Rational, log

from derl.claims import Evidence, claim, printed, steps
from derl.claims.analysis.event import bonus_steps
from derl.claims.analysis.steps import iterations, multiple
from derl.claims.arbitrary.constants import PARTS, algebra
from derl.claims.layerwise.symbols import values_fit
from derl.exact.compared import at_most, every, exactly
from derl.exact.symbolic import at_least, below, equal
from derl.printed import Text, Unreadable
from derl.theory.arbitrary.exponents import exponents
from derl.theory.arbitrary.rules import RULES, xi_bounds
from derl.theory.texts import said as text_of

SHARES = {"regressions": Rational(1, 4), "planning": Rational(1, 4), "batches": Rational(1, 4)}  # of delta

s, t, u = sympy.symbols("s t u", nonnegative=True)


CLAIMS = {"relative": "res-theorem-r", "squared": "res-squared-reward", "spectral": "res-spectral-error"}
# c of the event, |G| <= c d sqrt(log(..)), and the length of the interval in which values lie
EVENTS = {"relative": (12, Rational(1)), "squared": (13, Rational(1)), "spectral": (13, Rational(51, 50))}
LETTERS = {name: sympy.Symbol(name, positive=True) for name in ("d", "H", "N", "epsilon", "epsilon_0", "delta", "nu")}


@dataclass(frozen=True)
class Explicit:
    """The constants of one version.

    Attributes
    ----------
    iterations, bonus, batch : Rational
        c_i, c' and C.
    event : int
        c of the event: |G| <= c d sqrt(log(..)).
    length : Rational
        Length of the interval in which values lie.
    planning : Rational
        beta is planning d H times the root of the logarithm of {claim}`res-concentration-reward-free`.
    """

    iterations: Rational
    event: int
    bonus: Rational
    batch: Rational
    length: Rational
    planning: Rational


def constants_of(version: str, text: Text, setting: Text) -> Explicit:
    """The constants that a statement prints; `setting` is Theorem R, of which its siblings take over beta."""
    d, H, N, eps, eps0, delta, nu = LETTERS.values()
    rule, letters = RULES[version], LETTERS
    policies = (text if version != "spectral" else text_of(CLAIMS["squared"]))(r"i_{\max}=", d=d, nu=nu)
    if policies.func != sympy.ceiling:
        raise Unreadable(f"i_max is {policies}, which is not rounded up")
    shape = sum(batch_terms(version, d, H, 1 / eps, 1 / nu, log(2 / nu)))
    event, length = EVENTS[version]
    return Explicit(
        multiple(policies.args[0], d / nu ** (2 * rule.degree) * log(2 / nu), "i_max"), event,
        multiple(text(r"\beta'=", **letters), d * sympy.sqrt(log(d * H * N / (eps0 * delta / 2))), "beta'"),
        multiple(text(r"N\ge", **letters), shape * log(2 * d * H / (eps * delta * nu)), "N"), length,
        multiple(setting(r"\beta=", **letters), d * H * sympy.sqrt(log(4 * d * N * H / (delta / 2))), "beta"))


def batch_terms(version: str, d, H, inverse_eps, x, tau) -> tuple:
    """Both terms of N, x = 1/nu: what the constraints leave, each policy of i_max with one tau = log(2/nu)."""
    rule, result = RULES[version], []
    for name, logarithms in (("plan", 1), ("covariance", 3)):
        power = exponents(rule, name)
        result.append(H ** int(power["H"]) * d ** int(power["d"]) * inverse_eps ** int(-power["epsilon"])
                      * x ** int(-power["nu"]) * tau**logarithms)
    return tuple(result)


def classes(version: str, event: int) -> list[tuple[str, bool]]:
    """Nets in powers of X = dHN beta'/epsilon_0 >= 96: what the squared reward and the linear evaluation add."""
    X = 96 + t
    shares = (7, 14, 9) if version == "relative" else (7, 14, 9, 7)
    result = ["event",
              ("4 (1 + classes + 1) + 6 <= c^2", at_most(4 * (1 + sum(shares) + 1) + 6, event**2))]
    if version != "relative":
        result.append(("phi^T M phi: rounding M by eps^2/(4d) moves it by d eps^2/(4d) <= eps",
                       at_least(1, 1 / (1 + u) / 4, u)))
    if version == "spectral":
        result += [("weights of values in an interval of length 51/50: 2.04 X + 3 <= X^2",
                    at_least(X**2, Rational(51, 25) * X + 3, t)),
                   ("(phi^T x)^2, x on the sphere: 2 (2d/eps) + 3 <= 4X + 3 <= X^2", at_least(X**2, 4 * X + 3, t)),
                   ("it moves by 2 |x - x'| <= 2 sqrt d eps/(2d) <= eps", at_least(1, 1 / (1 + u), u))]
    return result


def batch(version: str, c: Explicit, shares: dict, setting: Text, text: Text | None = None) -> list[tuple[str, bool]]:
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
    first, second = batch_terms(version, d, H, 1 / eps, x, tau)
    beta2, plan2 = c.bonus**2 * d**2 * l, c.planning**2 * d**2 * H**2 * l
    inverse = per_policy * i * (1 if rule.linear else d)
    needed = 2 * i * H**2 / (lam * x**rule.nu_power)  # times 1/xi^2
    scale = 2 * per_policy**2 * c.bonus**2 * most**3 / lam  # A
    low2 = log(2)
    n1, d1 = 1 + t, 1 + u  # N and d
    resolution = setting(r"\epsilon_0=", d=d1, N=n1)
    result = [
        "size",
        ("l: dHN/(eps_0 delta') = 4 d^2 H N (N+1)/delta <= 8 d^2 H N^2/delta",
         at_least(8 * d1**2 * n1**2, 2 * d1 * n1 / resolution, t, u)),
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
        ("so 2 H eps_0 <= H/(d N)", at_least(1 / (d1 * n1), 2 * resolution, t, u)),
        ("and H/(d N) <= xi^2/H <= beta' xi", at_least(1, 1 / (1 + s) / (1 + t) / (1 + u), s, t, u)),
        ("optimism: 1/(per_policy i) <= nu^2/162: 162 <= per_policy c_i log 2",
         below(optimism, per_policy * c.iterations * low2)),
        "failure",
        (f"failure: {' + '.join(shares)} add up to at most delta",
         at_most(sum(shares.values()), 1 if text is not setting else 10 * (1 - text(
             "", after="with probability at least", delta=Rational(1, 10))))),
        "plan",
        ("plan: 2 beta xi h/H <= epsilon for xi <= epsilon/(2 beta)", at_least(1, 1 / (1 + s) / (1 + t), s, t)),
    ]
    if rule.linear:
        result += ["range",
                   ("range: H beta' sqrt(2i/(lam N)) <= 1/(4 nu i) <= 1/100", below(25, c.iterations * low2))]
    return result


def in_the_setting(text: Text) -> list:
    """Rewards in [0, 1]; epsilon, delta and nu for which the logarithms of the steps are positive."""
    d, H, _, _, _, _, nu = LETTERS.values()
    low, high = text.range(r"\epsilon").low, text.range(r"\delta").high
    marked = text.range(r"\nu", {r"\nu_{\min}": nu})
    return [values_fit(text.interval(after="rewards lie in")),
            ("log(2dH/(epsilon delta nu)) >= log 2 for epsilon, delta, nu <= 1, and it grows without end",
             every(exactly((low, marked.low), (0, 0)), at_least(2 * (1 + s) * (1 + t) / high, 2, s, t),
                   exactly(marked.high, nu)))]


def explicit(version: str, text: Text, setting: Text, planning, changed: dict) -> Evidence:
    """All steps of one version with its constants, or with some of them changed."""
    shares = SHARES | changed.pop("shares", {})
    c = replace(constants_of(version, text, setting), **changed)
    rule = RULES[version]
    factor = int(2 / rule.iterate**rule.degree)
    d, H, N, _, _, delta, _ = LETTERS.values()
    return steps([
        *(told for pair in zip(PARTS, algebra(version, text).outcomes, strict=True) for told in pair),
        "stopping",
        *iterations(c.iterations, factor, 2 * rule.degree),
        *classes(version, c.event),
        *bonus_steps(c.bonus, c.length * c.event, c.length),
        "plan",
        ("beta is that of planning for K = 2 and delta/2",
         equal(setting(r"\beta=", **LETTERS), planning(d, H, 2, N, delta / 2))),
        *batch(version, c, shares, setting, text),
        *(in_the_setting(text) if text is setting else ()),
    ], scope="all d, H >= 1, 0 < epsilon, delta < 1, 0 < nu <= nu_min, all linear rewards in [0, 1], all N from the "
             "stated one on; first state fixed or of known law")


PLANNING = printed("res-concentration-reward-free").function(r"\beta=", "d", "H", "K", "N", r"\delta")
SETTING = printed("res-theorem-r")


@claim("res-theorem-r", plants=3,
       false={"C = 2e12": {"batch": Rational(2 * 10**12)},
              "c_i = 100": {"iterations": Rational(100)},
              "the three events at delta, delta/2 and delta/2: 3/2 delta together":
                  lambda: {"shares": dict.fromkeys(("regressions", "planning", "batches"), Rational(1, 2))}})
def theorem_r_with_constants(text, planning=PLANNING, **changed):
    """Every constant, c_i, c', C and the resolution: Coverage, stopping, blow-up and exponents, then the logarithms,
    for the norm as reward."""
    return explicit("relative", text, text, planning, changed)


@claim("res-squared-reward", plants=3,
       false={"the event with c = 12, one class short": {"event": 12},
              "C = 8e11": {"batch": Rational(8 * 10**11)}})
def squared_reward_with_constants(text, setting=SETTING, planning=PLANNING, **changed):
    """Every constant, c_i, c' and C: The same chain for the squared norm; one class of functions more."""
    return explicit("squared", text, setting, planning, changed)


@claim("res-spectral-error", plants=3,
       false={"c' = 24": {"bonus": Rational(24)},
              "C = 2e11": {"batch": Rational(2 * 10**11)}})
def spectral_error_with_constants(text, setting=SETTING, planning=PLANNING, **changed):
    """Every constant, c' and C: The same chain with the covariance as a matrix; values stay in [-1/100, 101/100]
    without a clip."""
    return explicit("spectral", text, setting, planning, changed)


# --- the program's N ---------------------------------------------------------------------------------------------

def stated_size(version: str, d: int, horizon: int, epsilon: float, delta: float, nu: float) -> float:
    """N as the statement has it."""
    return float(text_of(CLAIMS[version])(r"N\ge", d=d, H=horizon, epsilon=epsilon, delta=delta, nu=nu))
