"""Table 1 as points: the printed orders of the nine rows, as exponents that a script evaluates."""

from __future__ import annotations

from functools import cache

import sympy

from derl.theory.comparison import table1

SYMBOLS = {"d": table1.d, "H": table1.H, "epsilon": table1.epsilon, "nu": table1.nu, "A": table1.actions}


@cache
def orders() -> dict:
    """Rows with their total of trajectories and their deployments: sums of products of powers and one logarithm.

    Simplified MOFFLE has a coefficient of its own, eta_min; it is drawn at the same value as nu_min.
    """
    return {"rows": [{"method": row.method, "source": row.source, "policy": row.policy, "reward_free": row.reward_free,
                      "trajectories": terms(total(row)), "deployments": terms(row.deployments)}
                     for row in table1.ROWS]}


def total(row: table1.Row) -> sympy.Expr:
    """Trajectories over all deployments: the printed ones, or K N where the row prints N (the last one)."""
    return table1.derived(row.claim) if row.claim == "tab-row-arbitrary" else row.trajectories


def terms(expression: sympy.Expr) -> list[dict[str, float]]:
    """The products of a sum: the power of each symbol, and under "log" the argument of the logarithm."""
    nu, epsilon = table1.nu, table1.epsilon
    least = sympy.Min(epsilon**2 * nu, nu**5)
    parts = expression.subs(table1.eta, nu)
    if parts.has(sympy.Min):  # 1/min(a, b) is at most 1/a + 1/b and at least half of it: an order is not changed
        parts = sympy.expand(parts * least * (1 / (epsilon**2 * nu) + 1 / nu**5))
    return [product(part) for part in sympy.Add.make_args(sympy.expand(parts, log=False))]


def product(part: sympy.Expr) -> dict[str, float]:
    logs = list(part.atoms(sympy.log))
    powers = (part / sympy.prod(logs)).as_powers_dict()
    found = {name: int(powers[symbol]) for name, symbol in SYMBOLS.items() if powers.get(symbol)}
    return found | ({"log": {name: int(power) for name, symbol in SYMBOLS.items()
                             if (power := logs[0].args[0].as_powers_dict().get(symbol))}} if logs else {})
