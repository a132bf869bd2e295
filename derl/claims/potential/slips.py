"""These checks refute four small slips in the proofs of Lemma C.3 and Lemma 4.2.

Each evaluates one counterexample exactly: a quadratic form below zero, a denominator that vanishes at equality, the
exponents p = 5/4 and c_K = 3/2, and a logarithm without the horizon.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy

from derl.claims import Evidence, claim, printed, steps


@claim("text-bridge-not-symmetric", method="exhaustive", refutes=True,
       as_corrected={"A^{-1/2} X A^{-1/2}": {"symmetric": True}})
def bridge_matrix_is_not_above_the_identity(text, symmetric=False):
    """A quadratic form below zero: x^T (Y - I) x for A = diag(1, 100), X = 1 1^T, x = (1, -2), with Y - I = A^{-1} X or
    A^{-1/2} X A^{-1/2}."""
    root, ones, x = sympy.diag(1, sympy.Rational(1, 10)), sympy.ones(2), sympy.Matrix([1, -2])
    inverse, product = (root, ones * root) if symmetric else (root * root, ones)
    pieces = {r"x^\top": x.T, "A^{-1}": inverse, "X": product, "x": x}
    least, form = text.relation(r"x^\top A^{-1}Xx", pieces).ordered
    above, identity = text.sides(r"I+A^{-1}X\succeq", pieces | {"I": sympy.eye(2)})
    same = (x.T * (above - identity) * x)[0] == form[0]
    return Evidence(form[0] - least if same else 1, Fraction(-49, 50), "upper", "d = 2, one pair of matrices")


@claim("text-division-at-equality", method="exhaustive", refutes=True,
       as_corrected={"N epsilon strictly above d log(1 + KN/d)": {"times": sympy.Rational(3, 2)}})
def denominator_vanishes(text, times=1):
    """The denominator at equality: d = H = 1, c_K = 2, K = 3, N = 4, and epsilon such that N epsilon is `times` d log(1
    + KN/d)."""
    sizes = {"d": sympy.Integer(1), "K": 3, "N": 4}
    least = sympy.log(1 + sympy.Rational(sizes["K"] * sizes["N"], 1)) / sizes["N"]
    epsilon = times * least
    allowed = text.range(r"\epsilon")
    return steps([
        ("0 < epsilon < 1", allowed.low < epsilon < allowed.high),
        ("the condition of the text holds for larger epsilon, and is an equality at log(13)/4",
         epsilon >= least and sizes["N"] == text(r"N\ge", epsilon=least, **sizes)),
        ("log(N epsilon / (d log(1 + KN/d))) = 0", sympy.simplify(
            text("", after="one may divide by", epsilon=epsilon, **sizes)) == 0),
    ], "d = H = 1, c_K = 2, N = 4, epsilon = log(13)/4")


@claim("text-c-k-at-least-two", method="exhaustive", refutes=True,
       as_corrected={"c_K > 1 instead of c_K >= 2": {"least": 1}})
def exponents_below_two(text, least=printed("text-c-k-at-least-two")(r"c_K\ge")):
    """Exponents between 1 and 2: Counts pairs 1 < p <= c_K with c_K below the bound, in steps of a quarter; none has p
    <= 1."""
    quarters = [Fraction(k, 4) for k in range(1, 13)]
    pairs = [(p, c) for p, c in product(quarters, quarters) if p in text.range("p", c_K=c) and c < least]
    return Evidence(sum(1 < p <= c for p, c in pairs), len(pairs) or 1, "identity",
                    "p and c_K multiples of 1/4 up to 3", detail="p = 5/4, c_K = 3/2")


@claim("text-first-entry", method="exhaustive", refutes=True,
       false={"one layer, where the horizon is 1": {"H": 1}},
       as_corrected={"H inside, as in line 909": {"inside": 2}})
def first_entry_loses_the_horizon(text, inside=1, d=1, H=2):
    """The arguments of the two logarithms: dH/epsilon, which line 909 requires, against the argument of line 920, which
    would have to be as large."""
    sizes = {"c_1": 1, "d": sympy.Integer(d), "H": H, "epsilon": sympy.Rational(1, 2)}
    stated, required = (sympy.exp(text("", after=words, **sizes) * sizes["epsilon"] / d)
                        for words in ("(As printed.)", "is at least the"))
    return Evidence(required, stated * inside + 1, "lower", "d = 1, H = 2, epsilon = 1/2")
