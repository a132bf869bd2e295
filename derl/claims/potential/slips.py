"""These checks refute four small slips in the proofs of Lemma C.3 and Lemma 4.2.

Each evaluates one counterexample exactly: a quadratic form below zero, a denominator that vanishes at equality, the
exponents p = 5/4 and c_K = 3/2, and a logarithm without the horizon.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy

from derl.claims import Evidence, check, control, printed, steps


@check("text-bridge-not-symmetric", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="A quadratic form below zero")
def bridge_matrix_is_not_above_the_identity(symmetric=False,
                                            said=printed("text-bridge-not-symmetric", says=["for all"])) -> Evidence:
    """x^T (Y - I) x for A = diag(1, 100), X = 1 1^T, x = (1, -2), with Y - I = A^{-1} X or A^{-1/2} X A^{-1/2}."""
    root, ones, x = sympy.diag(1, sympy.Rational(1, 10)), sympy.ones(2), sympy.Matrix([1, -2])
    inverse, product = (root, ones * root) if symmetric else (root * root, ones)
    pieces = {r"x^\top": x.T, "A^{-1}": inverse, "X": product, "x": x}
    form, least = said.sides(r"x^\top A^{-1}Xx\ge", pieces)
    above, identity = said.sides(r"I+A^{-1}X\succeq", pieces | {"I": sympy.eye(2)})
    same = (x.T * (above - identity) * x)[0] == form[0]
    return Evidence(form[0] - least if same else 1, Fraction(-49, 50), "upper", "d = 2, one pair of matrices")


control(bridge_matrix_is_not_above_the_identity, "A^{-1/2} X A^{-1/2}", {"symmetric": True}, variant="corrected")


@check("text-division-at-equality", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="The denominator at equality")
def denominator_vanishes(times=1, said=printed("text-division-at-equality")) -> Evidence:
    """d = H = 1, c_K = 2, K = 3, N = 4, and epsilon such that N epsilon is `times` d log(1 + KN/d)."""
    sizes = {"d": sympy.Integer(1), "K": 3, "N": 4}
    least = sympy.log(1 + sympy.Rational(sizes["K"] * sizes["N"], 1)) / sizes["N"]
    epsilon = times * least
    allowed = said.range(r"\epsilon")
    return steps([
        ("0 < epsilon < 1", allowed.low < epsilon < allowed.high),
        ("the condition of the text holds for larger epsilon, and is an equality at log(13)/4",
         epsilon >= least and sizes["N"] == said(r"N\ge", epsilon=least, **sizes)),
        ("log(N epsilon / (d log(1 + KN/d))) = 0", sympy.simplify(
            said("", after="one may divide by", epsilon=epsilon, **sizes)) == 0),
    ], "d = H = 1, c_K = 2, N = 4, epsilon = log(13)/4")


control(denominator_vanishes, "N epsilon strictly above d log(1 + KN/d)",
        {"times": sympy.Rational(3, 2)}, variant="corrected")


@check("text-c-k-at-least-two", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="Exponents between 1 and 2")
def exponents_below_two(least=printed("text-c-k-at-least-two")(r"c_K\ge"), said=printed("text-c-k-at-least-two")
                        ) -> Evidence:
    """Counts pairs 1 < p <= c_K with c_K below the bound, in steps of a quarter; none has p <= 1."""
    quarters = [Fraction(k, 4) for k in range(1, 13)]
    pairs = [(p, c) for p, c in product(quarters, quarters) if p in said.range("p", c_K=c) and c < least]
    return Evidence(sum(1 < p <= c for p, c in pairs), len(pairs) or 1, "identity",
                    "p and c_K multiples of 1/4 up to 3", detail="p = 5/4, c_K = 3/2")


control(exponents_below_two, "c_K > 1 instead of c_K >= 2", {"least": 1}, variant="corrected")


@check("text-first-entry", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="The arguments of the two logarithms")
def first_entry_loses_the_horizon(inside=1, d=1, H=2, said=printed("text-first-entry", says=["first"])) -> Evidence:
    """dH/epsilon, which line 909 requires, against the argument of line 920, which would have to be as large."""
    sizes = {"c_1": 1, "d": sympy.Integer(d), "H": H, "epsilon": sympy.Rational(1, 2)}
    stated, required = (sympy.exp(said("", after=words, **sizes) * sizes["epsilon"] / d)
                        for words in ("(As printed.)", "is at least the"))
    return Evidence(required, stated * inside + 1, "lower", "d = 1, H = 2, epsilon = 1/2")


control(first_entry_loses_the_horizon, "H inside, as in line 909", {"inside": 2}, variant="corrected")
control(first_entry_loses_the_horizon, "one layer, where the horizon is 1", {"H": 1})
