"""These checks refute three slips in Algorithm 2 and in Step 1 of its proof.

They are the powers of H with one bonus for both uses, a set of equal transitions, and a detour at the end of the loop,
each evaluated exactly on the smallest case.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from derl.claims import Evidence, claim, printed


@claim("err-one-bonus", refutes=True, as_corrected={"beta' of order d for SolveOptQ": {"power": 0}})
def one_bonus_costs_two_powers_of_the_horizon(text, constraint=printed("eq-xi"), batch=printed("ineq-induction-batch"),
                                              power=1):
    """The power of H in the second term of N: Degree in H of the bound on N at the largest xi of (30), where the bonus
    is d H^power up to logarithms."""
    H, d, nu, i = sympy.symbols("H d nu i", positive=True)
    letters = {r"\nu_{\min}": nu, r"i_{\max}": i}
    xi = constraint(r"\xi\le", {**letters, r"\beta'": d * H**power}, d=d)
    size = batch(r"N\ge", {**letters, r"\xi": xi}, H=H)
    claimed = text("", after="a second term of $N$ with", H=H)
    return Evidence(sympy.degree(sympy.expand(size), H), sympy.degree(claimed, H) + 1, "lower",
                    "all d, H, nu, i; logarithms set aside")


@claim("err-data-as-set", method="exhaustive", refutes=True,
       false={"one sample, which is not lost": {"N": 1}},
       as_corrected={"a list": {"keep": True}})
def equal_samples_are_lost(text, keep=False, N=10_000):
    """N equal transitions in a set: One state, one action, feature 1, value 1: the squared error of the regression
    against the squared bonus."""
    samples = N if keep else len({("s", "a", 0, "s") for _ in range(N)})
    w = Fraction(samples, 1 + N)
    bonus = text("", {r"\|\phi\|_{\Sigma_h^{-1}}": sympy.sqrt(sympy.Rational(1, 1 + N))}, after="is at most")
    return Evidence((1 - w) ** 2, bonus**2, "lower", f"N = {N}", detail=f"w = {w}; the value is 1")


@claim("ineq-break-detour", method="exhaustive", refutes=True,
       as_corrected={"V <= 3 nu^2/8, enough without the detour": {"without": Fraction(1, 4)}})
def value_at_the_break_is_above_an_eighth(text, without=0):
    """The value of the policy where the loop stops: Two unit vectors, nu^2 = 1/2, exact covariances: V^2 at the break
    against the square of what is left for V."""
    nu_squared, n = Fraction(1, 2), 0
    rest, whole = text.relation(r"V^{\bar\pi_{h,i+1}}+\frac{\nu_{\min}^2}4+\frac{\nu_{\min}^2}8",
                                {r"V^{\bar\pi_{h,i+1}}": 0, r"\nu_{\min}^2": nu_squared}).ordered
    while Fraction(1, 2 + n) > (3 * nu_squared / 8) ** 2:  # each direction n times
        n += 1
    return Evidence(Fraction(1, 2 + n), (whole - rest + without * nu_squared) ** 2, "lower",
                    "H = 1, d = 2, phi = e_k, nu^2 = 1/2", detail=f"stopped with {n} of each")
