"""These checks refute three slips in Algorithm 2 and in Step 1 of its proof.

They are the powers of H with one bonus for both uses, a set of equal transitions, and a detour at the end of the loop,
each evaluated exactly on the smallest case.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from derl.claims import Evidence, check, control, printed


@check("err-one-bonus", method="symbolic", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="The power of H in the second term of N")
def one_bonus_costs_two_powers_of_the_horizon(said=printed("err-one-bonus"), constraint=printed("eq-xi"),
                                              batch=printed("ineq-induction-batch"), power=1) -> Evidence:
    """Degree in H of the bound on N at the largest xi of (30), where the bonus is d H^power up to logarithms."""
    H, d, nu, i = sympy.symbols("H d nu i", positive=True)
    letters = {r"\nu_{\min}": nu, r"i_{\max}": i}
    xi = constraint(r"\xi\le", {**letters, r"\beta'": d * H**power}, d=d)
    size = batch(r"N\ge", {**letters, r"\xi": xi}, H=H)
    claimed = said("", after="a second term of $N$ with", H=H)
    return Evidence(sympy.degree(sympy.expand(size), H), sympy.degree(claimed, H) + 1, "lower",
                    "all d, H, nu, i; logarithms set aside")


control(one_bonus_costs_two_powers_of_the_horizon, "beta' of order d for SolveOptQ", {"power": 0}, variant="corrected")


@check("err-data-as-set", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="N equal transitions in a set")
def equal_samples_are_lost(said=printed("err-data-as-set", says=["No", "grows"]), keep=False, N=10_000) -> Evidence:
    """One state, one action, feature 1, value 1: the squared error of the regression against the squared bonus."""
    samples = N if keep else len({("s", "a", 0, "s") for _ in range(N)})
    w = Fraction(samples, 1 + N)
    bonus = said("", {r"\|\phi\|_{\Sigma_h^{-1}}": sympy.sqrt(sympy.Rational(1, 1 + N))}, after="is at most")
    return Evidence((1 - w) ** 2, bonus**2, "lower", f"N = {N}", detail=f"w = {w}; the value is 1")


control(equal_samples_are_lost, "a list", {"keep": True}, variant="corrected")
control(equal_samples_are_lost, "one sample, which is not lost", {"N": 1})


@check("ineq-break-detour", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="The value of the policy where the loop stops")
def value_at_the_break_is_above_an_eighth(said=printed("ineq-break-detour", says=["last"]), without=0) -> Evidence:
    """Two unit vectors, nu^2 = 1/2, exact covariances: V^2 at the break against the square of what is left for V."""
    nu_squared, n = Fraction(1, 2), 0
    rest, whole = said.sides(r"V^{\bar\pi_{h,i+1}}+\frac{\nu_{\min}^2}4+\frac{\nu_{\min}^2}8\le",
                             {r"V^{\bar\pi_{h,i+1}}": 0, r"\nu_{\min}^2": nu_squared})
    while Fraction(1, 2 + n) > (3 * nu_squared / 8) ** 2:  # each direction n times
        n += 1
    return Evidence(Fraction(1, 2 + n), (whole - rest + without * nu_squared) ** 2, "lower",
                    "H = 1, d = 2, phi = e_k, nu^2 = 1/2", detail=f"stopped with {n} of each")


control(value_at_the_break_is_above_an_eighth, "V <= 3 nu^2/8, enough without the detour",
        {"without": Fraction(1, 4)}, variant="corrected")
