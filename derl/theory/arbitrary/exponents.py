"""The exponents of N in the theorems about Algorithm 2, read off from the constraints that the algorithm runs with."""

from __future__ import annotations

from fractions import Fraction

import sympy

from derl.theory.arbitrary.rules import VersionRule, batch_bound, iteration_scale, xi_bounds

d, H, eps, nu, L = sympy.symbols("d H epsilon nu L", positive=True)
SYMBOLS = {"d": d, "H": H, "epsilon": eps, "nu": nu, "L": L}


def exponents(rule: VersionRule, binding: str, inside=None) -> dict[str, Fraction]:
    """Powers of d, H, epsilon, nu and L in N, where the named bound on xi is the binding one.

    Parameters
    ----------
    inside : expression or None
        Used for i in the bounds on xi, in place of i_max L.
    """
    i = iteration_scale(rule, d, nu) * L
    beta_prime, beta = d * sympy.sqrt(L), d * H * sympy.sqrt(L)
    xi = xi_bounds(rule, d, nu, i if inside is None else inside, beta_prime, beta, eps)[binding]
    powers = sympy.powsimp(batch_bound(rule, H, nu, i, sympy.sympify(xi)), force=True).as_powers_dict()
    return {name: Fraction(str(powers.get(symbol, 0))) for name, symbol in SYMBOLS.items()}
