"""These checks establish Lemmas C.2 and C.3: norms and determinants, and the bridge between trace and determinant.

Symbolic steps work on the eigenvalues l_i >= 0 of A^{-1/2} Phi A^{-1/2}, with rho = det(A + Phi)/det A. Lemma C.3 is
derived twice, as printed and through the sharper bound rho - 1. Small integer matrices are enumerated, and badly scaled
batches are tried in float64.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import sympy
from sympy import log

from derl.claims import Evidence, claim, printed, steps
from derl.exact.compared import every, exactly
from derl.exact.logarithms import enclosure
from derl.exact.symbolic import at_least, nonnegative_from, same_operator
from derl.theory.potential import bridge

SEED = 20220801
ROUNDING = 1e-9  # relative error granted to float64 kernels at condition numbers up to 1e8

# t, r, l, q, s: nonnegative reals; S, A, B, X: matrices of any size
t, r, l, q, s = sympy.symbols("t r l q s", nonnegative=True)  # noqa: E741
S, A, B, X = sympy.symbols("S A B X", commutative=False)


# --- Lemma C.2 ---------------------------------------------------------------------------------------------------

@claim("lem-norm-det", false={"A >= B weakened to A > 0: eigenvalues t, not 1 + t": {"eigenvalue": lambda t: t}})
def largest_eigenvalue_at_most_the_product(text, eigenvalue=lambda t: 1 + t):
    """The largest eigenvalue is at most the product: After whitening by B, a factor of a product of numbers >= 1 is at
    most the product."""
    others = 1 + q  # product of the other eigenvalues, >= 1 by the induction step
    det_B = sympy.Symbol("det_B", positive=True)
    product = text(r"\|x\|_A^2\le", {r"\|x\|_B^2": 1, r"\det A": others * eigenvalue(t) * det_B, r"\det B": det_B})
    return steps([
        "square root",
        ("A - B = S (M - I) S, so A >= B makes M >= I", same_operator(S * (S**-1 * A * S**-1 - 1) * S, A - S * S)),
        "product",
        ("one more factor keeps a product >= 1", at_least(others * eigenvalue(t), 1, q, t)),
        ("each factor is at most the product", at_least(product, eigenvalue(t), q, t)),
    ], scope="all d, all A >= B > 0, all x; eigenvalues m = 1 + t with t >= 0, induction over their number")


@claim("lem-norm-det", method="exhaustive", covers="d = 2, small integer matrices", gap="d = 2 only")
def small_integer_pairs(text):
    """Every pair of small integer matrices: det(A)/det(B) B - A is positive semi-definite for every pair A >= B > 0 of
    small integer 2 x 2 matrices."""
    definite = [(a, b, c) for a, b, c in product(range(1, 6), range(-4, 5), range(1, 6)) if a * c > b * b]
    steps_up = [(a, b, c) for a, b, c in product(range(4), range(-3, 4), range(4)) if a * c >= b * b]
    pairs = list(product(definite, steps_up))
    above = np.array([Fraction((a + u) * (c + w) - (b + v) ** 2) for (a, b, c), (u, v, w) in pairs])
    below = np.array([Fraction(a * c - b * b) for (a, b, c), _ in pairs])
    ratios = text(r"\|x\|_A^2\le", {r"\|x\|_B^2": 1, r"\det A": above, r"\det B": below})
    wrong = 0
    for ((a, b, c), (u, v, w)), ratio in zip(pairs, ratios, strict=True):
        x, y, z = ratio * a - a - u, ratio * b - b - v, ratio * c - c - w
        wrong += not (x >= 0 and z >= 0 and x * z >= y * y)
    return Evidence(wrong, 0, "upper", f"{len(pairs)} pairs, d = 2, entries of B up to 5")


# --- the inequality inside the proof of Lemma C.3 ----------------------------------------------------------------

@claim("eq-trace-logdet")
def both_sides_per_eigenvalue(text):
    """Eigenvalue by eigenvalue: 1 - 1/y <= log y <= y - 1 for y >= 1, and Y = I + A^{-1} X has the eigenvalues of a
    symmetric matrix >= I."""
    y = sympy.Symbol("y", positive=True)
    one_by_one = {"tr": lambda part: part, "I": sympy.Integer(1), "Y": y}  # one eigenvalue of Y
    lower, middle = text.sides(r"\operatorname{tr}(I-Y^{-1})\le", {r"\det Y": y}, **one_by_one)
    upper, least = text(r"\log\det Y\le", **one_by_one), text(r"Y\succeq", I=sympy.Integer(1))
    return steps([
        "logarithm",
        ("1 - 1/y <= log y for y >= 1", nonnegative_from(middle - lower, y, least)),
        ("log y <= y - 1 for y >= 1", nonnegative_from(upper - middle, y, least)),
        "similar matrices",
        ("I + A^{-1} X is similar to I + S^{-1} X S^{-1}, A = S S",
         same_operator(S**-1 * (1 + S**-1 * X * S**-1) * S, 1 + S**-2 * X)),
    ], scope="all d, all Y similar to a symmetric matrix >= I; summed over eigenvalues")


@claim("eq-trace-logdet", method="exhaustive", covers="what Y >= I has to mean", gap="two matrices",
       false={"Y symmetric (Y = I): the inequality holds": {"skew": 0}})
def symmetry_is_needed(skew=1):
    """Symmetry cannot simply be dropped: For Y = [[1, 1], [-1, 1]], x^T Y x = |x|^2 and yet both sides fail; nor is I +
    A^{-1} X >= I in this sense."""
    Y = sympy.Matrix([[1, skew], [-skew, 1]])
    low, high = enclosure(Fraction(int(Y.det())))
    example = sympy.eye(2) + sympy.diag(1, 2).inv() * sympy.ones(2, 2)
    return steps([
        ("the symmetric part of Y is I", (Y + Y.T) / 2 == sympy.eye(2)),
        ("log det Y > tr(Y - I)", low > Fraction(int((Y - sympy.eye(2)).trace()))),
        ("tr(I - Y^{-1}) > log det Y", Fraction(str((sympy.eye(2) - Y.inv()).trace())) > high),
        ("A = diag(1, 2), X = ones: Y = I + A^{-1} X has an indefinite symmetric part minus I",
         ((example + example.T) / 2 - sympy.eye(2)).det() < 0),
    ], scope="Y = [[1, 1], [-1, 1]]; A = diag(1, 2) with X = [[1, 1], [1, 1]]")


# --- Lemma C.3 and the sharper bridge ----------------------------------------------------------------------------

@claim("res-sharp-bridge", covers="both bounds in numbers, equality for rank one", gap="the induction",
       false={"bound scaled by 0.99": {"upper": lambda rho: (rho - 1) * sympy.Rational(99, 100)},
              "rho log rho replaced by log rho": {"looser": log}})
def product_minus_sum(text, upper=printed("res-sharp-bridge").function(r"\operatorname{tr}(A^{-1}\Phi)\le", r"\rho"),
                      looser=printed("res-sharp-bridge").function(r"\operatorname{tr}(A^{-1}\Phi)\le...\le", r"\rho")):
    """Both bounds, and where the left one is attained: rho = 1 + t + r for the trace t, equality for Phi = ones, and
    rho - 1 <= rho log rho."""
    rho, before = sympy.Symbol("rho", positive=True), sympy.diag(1, 2)
    return steps([
        ("no eigenvalue: rho = 1, t = r = 0", exactly(upper(sympy.Integer(1)), 0)),
        ("t <= rho - 1", at_least(upper(1 + t + r), t, t, r)),
        ("rank 1: rho - 1 is the trace for A = diag(1, 2) and Phi = ones", exactly(upper(text(r"\rho=", {
            r"\det(A+\Phi)": (before + sympy.ones(2)).det(), r"\det A": before.det()})),
            (before.inv() * sympy.ones(2)).trace())),
        ("rho - 1 <= rho log rho", nonnegative_from(looser(rho) - upper(rho), rho, 1)),
    ], scope="all rho = 1 + t + r, and one pair of matrices")


@claim("lem-trace-det",
       false={"rho log rho replaced by log rho": {"bound": log},
              "99/100 of rho log rho": {"bound": lambda rho: sympy.Rational(99, 100) * rho * log(rho)}})
def trace_at_most_rho_log_rho(text,
                              bound=printed("lem-trace-det").function(r"\operatorname{tr}(A_{(k-1)N}^{-1}\Phi_{k-1})\le",
                                                                      r"\rho")):
    """The printed proof and a shorter one: tr(A^{-1} Phi) <= rho tr((A + Phi)^{-1} Phi) <= rho log rho; and again
    through t <= rho - 1."""
    start = text("A_0=", {"I": sympy.eye(2)})
    one, before = sympy.Matrix([[1, 1], [1, 1]]) / 9, start + sympy.diag(1, 0)
    batch = text(r"\Phi_{k-1}=", {r"\phi_t\phi_t^\top": one}, k=2, N=3)  # three times the same feature
    after = text("A_{kN}=", {"A_{(k-1)N}": before, r"\Phi_{k-1}": batch})
    ratio = text(r"\rho=", {r"\det A_{kN}": after.det(), r"\det A_{(k-1)N}": before.det()})
    rho, y = sympy.symbols("rho y", positive=True)
    Y = sympy.Symbol("Y", commutative=False)
    return steps([
        "new matrix",
        ("A + X = A (I + A^{-1} X)", same_operator(A * (1 + A**-1 * X), A + X)),
        ("Y^{-1} (Y - I) = I - Y^{-1}", same_operator(Y**-1 * (Y - 1), 1 - Y**-1)),
        ("tr(I - Y^{-1}) <= log det Y, per eigenvalue", nonnegative_from(log(y) - 1 + 1 / y, y, 1)),
        "old matrix",
        ("A + Phi >= A, so (A + Phi)^{-1} <= A^{-1}, per eigenvalue", at_least(1, 1 / (1 + l), l)),
        ("the factor rho: a product of numbers >= 1 is at least each of them",
         at_least((1 + q) * (1 + l), 1 + l, q, l)),
        ("N features of the second batch, I and I + diag(1, 0) before it: rho = 1 + tr(A^{-1} Phi) for equal features",
         every(exactly([start, batch], [sympy.eye(2), 3 * one]), exactly(ratio, 1 + (before.inv() * batch).trace()))),
        "second proof",
        ("a second way: t <= rho - 1 <= bound", nonnegative_from(bound(rho) - (rho - 1), rho, 1)),
    ], scope="all d, all A > 0, all Phi >= 0, Phi = 0 included (rho = 1, both sides 0)")


def _batches(rng, n: int, d: int):
    """n pairs A = I + past, Phi, with weights from 1e-6 to 1e8 and ranks from 1 to d."""
    past = rng.normal(size=(n, d, d)) * 10 ** rng.uniform(-3, 4, size=(n, d, 1))
    now = rng.normal(size=(n, d, d)) * 10 ** rng.uniform(-3, 4, size=(n, d, 1))
    now *= (np.arange(d) < rng.integers(1, d + 1, size=(n, 1)))[:, :, None]
    return np.eye(d) + np.swapaxes(past, 1, 2) @ past, np.swapaxes(now, 1, 2) @ now


@claim("lem-trace-det", method="stress", arithmetic="float64", covers="random A and Phi up to d = 10", gap="a sample",
       false={"bound scaled by 0.99": {"factor": 0.99}})
def printed_bridge_under_stress(factor=1.0):
    """Badly scaled batches: Largest tr(A^{-1} Phi)/(rho log rho) over random A and Phi with weights from 1e-6 to
    1e8."""
    worst, dimensions = 0.0, (1, 2, 3, 5, 10)
    for d in dimensions:
        both = bridge(*_batches(np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(1, d))), 2000, d))
        worst = max(worst, float((both.trace / (factor * both.paper)).max()))
    return Evidence(worst, 1.0, "upper", f"{2000 * len(dimensions)} pairs, d in 1, 2, 3, 5, 10, seed {SEED}", ROUNDING)
