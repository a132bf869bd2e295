r"""Table 1: the nine printed rows as formulas, and what K N is for the three rows of the paper's own algorithms.

A row holds trajectories and deployments without logarithms of d, H, 1/epsilon (the printed O-tilde); logarithms that
are printed are kept. `derived` computes the totals of the paper's algorithms from their theorems instead of typing
them.

Source: Table 1 (`table:DE_SE_trade_off_comparison`), Theorems C.6, D.4 and E.9.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy

d, H, epsilon, nu, eta, actions = sympy.symbols("d H epsilon nu_min eta_min A", positive=True)
c_K = sympy.Symbol("c_K", positive=True)


@dataclass(frozen=True)
class Row:
    """One row.

    Attributes
    ----------
    claim : str
        Id of the statement.
    method, source : str
        Name, and where the numbers come from.
    reward_free : bool
    policy : str
        "deterministic" or "stochastic": what is deployed.
    trajectories, deployments : sympy expressions
        As printed; for a sum that stands in a minimum, the printed form.
    line : int
        Line of the paper's source.
    """

    claim: str
    method: str
    source: str
    reward_free: bool
    policy: str
    trajectories: sympy.Expr
    deployments: sympy.Expr
    line: int


ROWS = (
    Row("tab-row-lsvi-ucb", "LSVI-UCB", "Jin et al. 2019", False, "deterministic", d**3 * H**4 / epsilon**2,
        d**3 * H**4 / epsilon**2, 496),
    Row("tab-row-reward-free-lsvi", "reward-free LSVI-UCB", "Wang et al. 2020", True, "deterministic",
        d**3 * H**6 / epsilon**2, d**3 * H**6 / epsilon**2, 499),
    Row("tab-row-francis", "FRANCIS", "Zanette et al. 2020", True, "deterministic", d**3 * H**5 / epsilon**2,
        d**3 * H**5 / epsilon**2, 502),
    Row("tab-row-gao", "low-switching LSVI-UCB", "Gao et al. 2021", False, "deterministic", d**3 * H**4 / epsilon**2,
        d * H * sympy.log(d * H / epsilon), 505),
    Row("tab-row-olive", "Q-type OLIVE", "Jiang et al. 2017, Jin et al. 2021", False, "deterministic",
        d**3 * H**6 / epsilon**2, d * H * sympy.log(1 / epsilon), 508),
    Row("tab-row-moffle", "simplified MOFFLE", "Modi et al. 2021", True, "stochastic",
        d**8 * H**7 * actions**13 / sympy.Min(epsilon**2 * eta, eta**5), H * d**3 * actions**4 / eta**2, 512),
    Row("tab-row-layerwise", "Algorithm 1", "Theorem C.6", False, "deterministic", d**4 * H**5 / epsilon**2, d * H,
        515),
    Row("tab-row-reward-free", "Algorithms 3 and 4", "Theorem D.4", True, "deterministic",
        d**4 * H**7 / epsilon**2, d * H, 517),
    Row("tab-row-arbitrary", "Algorithm 2", "Theorem E.9", True, "stochastic",
        d**3 * H**4 / (epsilon**2 * nu**2) + d**7 * H**2 / nu**14, H, 519),
)


def row(claim: str) -> Row:
    """The row with this id."""
    return next(found for found in ROWS if found.claim == claim)


def sample_size(claim: str, trade_off=c_K) -> sympy.Expr:
    """N of the theorem for one of the paper's own rows, without constants and logarithms; K is not in it.

    Raises
    ------
    KeyError
        For a row that the paper quotes.
    """
    k = trade_off
    power = {"tab-row-layerwise": 4, "tab-row-reward-free": 6}.get(claim)
    if power:
        return (k * H ** (power * k + 1) * d ** (3 * k) / epsilon ** (2 * k)) ** (1 / (k - 1))
    return {"tab-row-arbitrary": H**4 * d**3 / (epsilon**2 * nu**2) + H**2 * d**7 / nu**14}[claim]


def limit_in_trade_off(size: sympy.Expr) -> sympy.Expr:
    """The limit of a product of powers as c_K grows, exponent by exponent."""
    logarithm = sympy.expand(sympy.expand_log(sympy.log(size), force=True))
    bases = [base for base in (d, H, epsilon, nu) if size.has(base)]
    rest = logarithm - sum(logarithm.coeff(sympy.log(base)) * sympy.log(base) for base in bases)
    powers = [base ** sympy.limit(sympy.simplify(logarithm.coeff(sympy.log(base))), c_K, sympy.oo) for base in bases]
    return sympy.exp(sympy.limit(sympy.expand(rest), c_K, sympy.oo)) * sympy.prod(powers)


def derived(claim: str) -> sympy.Expr:
    """Deployments times batch size: dH times the limit of N for deterministic policies, H times N for Algorithm 2."""
    size = sample_size(claim)
    return sympy.expand(H * size) if claim == "tab-row-arbitrary" else d * H * limit_in_trade_off(size)


def at_trade_off(claim: str, trade_off) -> dict[str, sympy.Expr]:
    """Exponents of d, H and 1/epsilon in c_K d H N at a fixed c_K."""
    size = d * H * sample_size(claim, sympy.sympify(trade_off))
    logarithm = sympy.expand(sympy.expand_log(sympy.log(size), force=True))
    return {"d": logarithm.coeff(sympy.log(d)), "H": logarithm.coeff(sympy.log(H)),
            "1/epsilon": -logarithm.coeff(sympy.log(epsilon))}
