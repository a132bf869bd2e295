"""These checks refute four small slips in the proofs of Lemma C.3 and Lemma 4.2.

Each evaluates one counterexample exactly: a quadratic form below zero, a denominator that vanishes at equality, the
exponents p = 5/4 and c_K = 3/2, and a logarithm without the horizon.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy

from derl.claims import Evidence, check, control, steps


@check("text-bridge-not-symmetric", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="A quadratic form below zero")
def bridge_matrix_is_not_above_the_identity(symmetric=False) -> Evidence:
    """x^T (Y - I) x for A = diag(1, 100), X = 1 1^T, x = (1, -2), with Y - I = A^{-1} X or A^{-1/2} X A^{-1/2}."""
    root, ones, x = sympy.diag(1, sympy.Rational(1, 10)), sympy.ones(2), sympy.Matrix([1, -2])
    middle = root * ones * root if symmetric else root * root * ones
    return Evidence((x.T * middle * x)[0], Fraction(-49, 50), "upper", "d = 2, one pair of matrices")


control(bridge_matrix_is_not_above_the_identity, "A^{-1/2} X A^{-1/2}", {"symmetric": True}, variant="corrected")


@check("text-division-at-equality", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="The denominator at equality")
def denominator_vanishes(times=1) -> Evidence:
    """d = H = 1, c_K = 2, K = 3, N = 4, and epsilon such that N epsilon is `times` d log(1 + KN/d)."""
    d, K, N = 1, 3, 4
    level = d * sympy.log(1 + sympy.Rational(K * N, d))
    epsilon = times * level / N
    return steps([
        ("0 < epsilon < 1", 0 < epsilon < 1),
        ("the condition of the text", N * epsilon >= level),
        ("log(N epsilon / (d log(1 + KN/d))) = 0", sympy.log(sympy.simplify(N * epsilon / level)) == 0),
    ], "d = H = 1, c_K = 2, N = 4, epsilon = log(13)/4")


control(denominator_vanishes, "N epsilon strictly above d log(1 + KN/d)",
        {"times": sympy.Rational(3, 2)}, variant="corrected")


@check("text-c-k-at-least-two", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="Exponents between 1 and 2")
def exponents_below_two(least=2) -> Evidence:
    """Counts pairs 1 < p <= c_K with c_K below the bound, in steps of a quarter."""
    quarters = [Fraction(k, 4) for k in range(1, 13)]
    pairs = [(p, c) for p, c in product(quarters, quarters) if 1 < p <= c < least]
    return Evidence(len(pairs), 1, "lower", "p and c_K multiples of 1/4 up to 3", detail="p = 5/4, c_K = 3/2")


control(exponents_below_two, "c_K > 1 instead of c_K >= 2", {"least": 1}, variant="corrected")


@check("text-first-entry", method="exhaustive", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="The arguments of the two logarithms")
def first_entry_loses_the_horizon(inside=1, d=1, H=2) -> Evidence:
    """dH/epsilon, which line 909 requires, against the argument of line 920, which would have to be as large."""
    epsilon = Fraction(1, 2)
    return Evidence(d * H / epsilon, d * inside / epsilon + 1, "lower", "d = 1, H = 2, epsilon = 1/2")


control(first_entry_loses_the_horizon, "H inside, as in line 909", {"inside": 2}, variant="corrected")
control(first_entry_loses_the_horizon, "one layer, where the horizon is 1", {"H": 1})
