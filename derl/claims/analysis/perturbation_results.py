"""These checks establish results beyond Lemmas E.11 to E.14: relative perturbation, sharp eigenvalues, sharp blow-up.

A policy is a distribution of the feature phi with |phi| <= 1, and nu^2 = min_{|u|=1} max_pi E (phi^T u)^2. Coq states
the results whole; here are their cases of equality in one dimension.
"""

from __future__ import annotations

import sympy

from derl.claims import claim
from derl.exact.compared import every, exactly
from derl.exact.symbolic import at_least, equal

NINE_TENTHS, HALF = sympy.Rational(9, 10), sympy.Rational(1, 2)

s, t, v, x = sympy.symbols("s t v x", nonnegative=True)
b, c, lam = sympy.symbols("b c lam", positive=True)


# --- relative perturbation, eigenvalues, blow-up -----------------------------------------------------------------

@claim("res-relative-perturbation", covers="d = 1", gap="one dimension", plants=6,
       false={"a change of 10/9 of eta": {"share": 1 / NINE_TENTHS}})
def perturbation_in_one_dimension(text, share=1):
    """Equality for d = 1: A = a and Delta = -eta, eta, for every eta < a; the two factors for eta <= a/2."""
    eta = share * text(r"\|\Delta\|\le\eta<", a=b) / (1 + c)
    values = {r"\|\phi\|_{A^{-1}}": 1 / sympy.sqrt(b), r"\|\phi\|_{(A+\Delta)^{-1}}": 0, "A": b, r"\Delta": 0}
    given = values | {"a": b, r"\eta": eta / share}
    low, high = text.sides(r"...\preceq", given, after="Then")[0], text(r"A+\Delta\preceq", given)
    short, long = text.sides(r"...\le", given, after="Hence")[0], text(r"\|\phi\|_{(A+\Delta)^{-1}}\le", given)
    y = text(r"\eta\le", after="for", a=1) / (1 + v)  # eta/a
    least, most = (text("", after="a factor from", skip=skip, eta=y, a=1) for skip in (0, 1))
    return [("A - eta and A + eta", every(equal(low, b - eta), equal(high, b + eta), equal(text(
                r"\|\Delta\|\le", eta=eta), eta), exactly(text(r"A\succeq", {"I": 1}, a=b), b))),
            ("their norms", every(equal(short**2, 1 / (b + eta)), equal(long**2, 1 / (b - eta)))),
            ("1/sqrt(1-y) <= 1 + y for y <= 1/2: (1+y)^2 (1-y) >= 1", at_least(most**2 * (1 - y), 1, v)),
            ("1/sqrt(1+y) >= 1 - y: (1-y)^2 (1+y) <= 1", at_least(1, least**2 * (1 + y), v)),
            ("without a change the factor is 1", exactly(
                tuple(text("", after="a factor from", skip=skip, eta=0, a=1) for skip in (0, 1)), (1, 1)))]


@claim("res-sharp-eigenvalue", covers="d = 1", gap="one dimension",
       false={"nu^4/e^2 - (9/10) c": {"share": NINE_TENTHS}})
def eigenvalue_in_one_dimension(text, share=1):
    """Equality for d = 1: phi = r <= 1 and A = sigma, every c > 0; for r = 1 both bounds are equal to sigma."""
    sigma, r = sympy.Symbol("sigma", nonnegative=True), 1 / (1 + s)
    norm, square = (text(r"A\succeq", {"I": 1, r"\nu": r, key: value}, after=rf"\le {key}$, then", c=share * c)
                    for key, value in (("e", r / sympy.sqrt(c + sigma)), ("e_2", r**2 / (c + sigma))))
    return [("phi = 1", every(equal(norm.subs(s, 0), sigma), equal(square, sigma))),
            ("a shorter phi leaves room for the norm", at_least(sigma, norm, c, sigma, s)),
            ("for every A >= 0 and c > 0", every(exactly(text(r"A\succeq", after="u)^2$,"), 0),
                                                 exactly(text.range("c").low, 0)))]


@claim("res-sharp-blow-up", covers="d = 1", gap="one dimension", plants=6, false={"nc >= b/2 only": {"demand": HALF}})
def blow_up_in_one_dimension(text, demand=1):
    """Equality for d = 1: A = lam + t and nc >= b, every b, c > 0 and lam >= 0; for phi = 1 and t = 0 both bounds are
    equalities."""
    n = demand * (text(r"nc\ge", b=b) + s) / c
    where = {"I": 1, "A": lam + t, r"\lambda": lam}
    left, right = text.sides(r"bI+nA\succeq", where, b=b, c=c, n=n)
    outcomes = [("b + nx >= (b + n lam)/(c + lam) (c + x) at x = lam + t", at_least(left, right, b, c, lam, s, t)),
                ("for every c > 0 and lam >= 0", exactly((text.range("c").low, text.range(r"\lambda").low), (0, 0)))]
    for at, (key, power) in enumerate((("e", HALF), ("e_2", 1))):
        given = {r"\nu": 1, key: (c + lam) ** -power, "c": c}
        bound = r"\max_\pi\mathbb E_\pi\|\phi\|" + "^2" * at + r"_{(bI+nA)^{-1}}\le"
        outcomes += [
            (f"lam of {key}, which is at least 0", every(
                equal(text(r"\lambda=", given, after="lemma, and", skip=at), lam),
                exactly(text(r"\lambda=...\ge", after="lemma, and", skip=at), 0))),
            (f"the bound from {key}", equal(text(bound, given | {r"\lambda": lam}, b=b, n=x), (b + x * lam) ** -power))]
    return outcomes
