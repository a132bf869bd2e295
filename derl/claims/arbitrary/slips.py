"""These checks refute three slips in Algorithm 2 and in Step 1 of its proof.

They are the powers of H with one bonus for both uses, a set of equal transitions, and a detour at the end of the loop,
each evaluated exactly on the smallest case.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from derl.claims import Evidence, check, control


@check("err-one-bonus", method="symbolic", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="The power of H in the second term of N")
def one_bonus_costs_two_powers_of_the_horizon(power=1) -> Evidence:
    """Degree in H of 16 H^2 nu^2 i/xi^2 with xi = nu^4/(32 i d b), b = d H^power up to logarithms; printed is 2."""
    H, d, nu, i = sympy.symbols("H d nu i", positive=True)
    xi = nu**4 / (32 * i * d * d * H**power)
    size = 16 * H**2 * nu**2 * i / xi**2
    return Evidence(sympy.degree(sympy.expand(size), H), 3, "lower", "all d, H, nu, i; logarithms set aside")


control(one_bonus_costs_two_powers_of_the_horizon, "beta' of order d for SolveOptQ", {"power": 0}, variant="corrected")


@check("err-data-as-set", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="N equal transitions in a set")
def equal_samples_are_lost(keep=False, N=10_000, bonus=10) -> Evidence:
    """One state, one action, feature 1, value 1: the squared error of the regression against the squared bonus."""
    samples = N if keep else len({("s", "a", 0, "s") for _ in range(N)})
    w = Fraction(samples, 1 + N)
    return Evidence((1 - w) ** 2, Fraction(bonus**2, 1 + N), "lower", f"N = {N}, beta' = {bonus}",
                    detail=f"w = {w}; the value is 1")


control(equal_samples_are_lost, "a list", {"keep": True}, variant="corrected")
control(equal_samples_are_lost, "one sample, which is not lost", {"N": 1})
control(equal_samples_are_lost, "a bonus as large as the error", {"bonus": 100})


@check("ineq-break-detour", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="The value of the policy where the loop stops")
def value_at_the_break_is_above_an_eighth(needed=Fraction(1, 8)) -> Evidence:
    """Two unit vectors, nu^2 = 1/2, exact covariances: V^2 at the break against (needed nu^2)^2."""
    nu_squared, n = Fraction(1, 2), 0
    while Fraction(1, 2 + n) > (3 * nu_squared / 8) ** 2:  # each direction n times
        n += 1
    return Evidence(Fraction(1, 2 + n), (needed * nu_squared) ** 2, "lower", "H = 1, d = 2, phi = e_k, nu^2 = 1/2",
                    detail=f"stopped with {n} of each")


control(value_at_the_break_is_above_an_eighth, "V <= 3 nu^2/8, enough without the detour",
        {"needed": Fraction(3, 8)}, variant="corrected")
