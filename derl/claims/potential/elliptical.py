"""These checks refute Lemma C.1 for small lam, and establish its best constant and where the printed one holds.

The counterexample has d = T = 1 and lam = 1/10. With x = 1/lam the best constant is x/log(1 + x), and the printed bound
holds exactly for lam >= lam_0 = 1/log 2 - 1.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import sympy
from sympy import log

from derl.claims import Evidence, check, control, printed, steps
from derl.theory.exact.compared import every
from derl.theory.exact.symbolic import at_least, below, equal, nonnegative_from, same_operator
from derl.theory.potential.elliptical import elliptical_bound, elliptical_sum

SEED = 20220802
ROUNDING = 1e-9  # relative error granted to the float64 kernel
LAM_0 = 1 / log(2) - 1
SUM = r"\sum_{t=1}^T\operatorname{tr}(X_tM_{t-1}^{-1})\le"

t, r, s = sympy.symbols("t r s", nonnegative=True)


@check("lem-elliptical-potential", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="d = T = 1, lam = 1/10")
def small_regularisation_breaks_it(lam=Fraction(1, 10),
                                   said=printed("lem-elliptical-potential", says=["positive"])) -> Evidence:
    """For d = T = 1 and X_1 = 1 the sum is 1/lam; the printed bound (1 + 1/lam) log 2 is smaller."""
    largest = said(r"\operatorname{tr}X_t\le")  # X_1
    bound = said(SUM, d=1, T=1, lambda_=sympy.Rational(lam))
    upper = Fraction(int(sympy.ceiling(sympy.re(bound) * 2**32)), 2**32)
    allowed = lam in said.range(r"\lambda")
    first = said("M_0=", {"I": 1}, lambda_=lam)
    return Evidence(largest / first if allowed else 0, upper, "lower",
                    f"d = T = 1, X_1 = (1), lam = {lam}; log 2 rounded up to a fraction")


control(small_regularisation_breaks_it, "lam = 1, where the printed bound is true", {"lam": Fraction(1)})
control(small_regularisation_breaks_it, "lam = 4427/10000, just above 1/log 2 - 1, where the bound is true",
        {"lam": Fraction(4427, 10000)})


@check("res-elliptical-potential", method="symbolic", arithmetic="exact", covers="everything",
       gap="none",
       title="Best constant, and where the printed one is true")
def best_constant_and_threshold(said=printed("res-elliptical-potential", says=["for all", "if and only if"]),
                                lemma=printed("lem-elliptical-potential"), part=1) -> Evidence:
    """The corrected bound for every lam > 0 with its case of equality; the printed one exactly for lam >= lam_0.

    `part` multiplies the corrected bound.
    """
    x, u, y, d, T = sympy.symbols("x u y d T", positive=True)
    lam_0, digits = said(r"\lambda\ge", numbers=sympy.Rational), said(r"\lambda\ge...=", numbers=sympy.Rational)
    half = sympy.Rational(1, 20000)  # of the last digit

    def corrected(*values):
        return part * said(SUM, **dict(zip(("d", "T", "lambda_"), values, strict=True)))

    means = log(y) - (y - 1)
    growth = (1 + u) * log(1 + u) / u  # g(u): the derivative of log(1+xu)/log(1+u) has the sign of g(u) - g(xu)
    slope = sympy.diff(log(1 + x * u) / log(1 + u), u) * log(1 + u) ** 2
    factor = x * u / ((1 + x * u) * (1 + u))
    edge = 1 / lam_0
    return steps([
        "one step",
        ("M >= lam I makes tr(X M^{-1}) <= tr X/lam, per eigenvalue", at_least(1 / u, 1 / (u + s), u, s)),
        ("s/log(1+s) increases", nonnegative_from(log(1 + s) - s / (1 + s), s, 0)),
        ("1 + t <= rho", at_least(1 + t + r, 1 + t, t, r)),
        "sum",
        ("det <= (trace/d)^d: log y <= y - 1 at y = eigenvalue/mean",
         every(nonnegative_from(-means, y, 1), nonnegative_from(-means.subs(y, 1 / (1 + s)), s, 0))),
        ("the bound: c(x) = x/log(1+x) times d log(trace/(d lam)) with trace d lam + T",
         equal(corrected(d, T, 1 / x), x / log(1 + x) * d * log((d / x + T) / (d / x)))),
        ("equality for T = d, X_t = e_t e_t^T: d x = c(x) d log(1+x)", 
         equal(corrected(d, said("T=", d=d), 1 / (said.range(r"\lambda", after="for every").low + x)), d * x)),
        "necessary",
        ("x = 1/lam_0 solves x = (1+x) log 2",
         equal(lemma(SUM, d=sympy.Integer(1), T=sympy.Integer(1), lambda_=lam_0), edge)),
        ("the digits of lam_0", every(below((1 + digits - half) * log(2), 1), below(1, (1 + digits + half) * log(2)))),
        ("(1+x) log 2 - x decreases in x, so at d = T = 1 lam < lam_0 fails and lam >= lam_0 does not",
         every(same_operator(sympy.diff((1 + x) * log(2) - x, x) + 1, log(2)), below(log(2), 1))),
        "sufficient",
        ("u <= 1: log(1+u)/u decreases", nonnegative_from(log(1 + s) - s / (1 + s), s, 0)),
        ("u >= 1: the slope is (g(u) - g(xu)) times a positive factor",
         equal(slope, factor * (growth - growth.subs(u, x * u)))),
        ("g increases",
         every(equal(sympy.diff(growth, u) * u**2 + log(1 + u), u), nonnegative_from(s - log(1 + s), s, 0))),
        ("x <= 1: c(x) <= 1 + x", nonnegative_from(log(1 + s) - s / (1 + s), s, 0)),
    ], scope="all d, T, all lam > 0, all X_t >= 0 of trace at most 1; threshold lam_0 = 1/log 2 - 1")


control(best_constant_and_threshold, "constant lowered to 9/10 of x/log(1+x)", {"part": sympy.Rational(9, 10)})


@check("res-elliptical-potential", method="stress", arithmetic="float64", gap="a sample",
       covers="random sequences up to d = 6, T = 24", title="Random and orthonormal sequences")
def elliptical_sums_under_stress(version="repaired") -> Evidence:
    """Largest sum/bound over random and orthonormal sequences; the printed bound too, for lam >= lam_0."""
    worst, n_sequences = 0.0, 0
    for d, lam in product((1, 2, 3, 6), (1e-6, 1e-3, 0.1, 0.4427, 1.0, 10.0, 1e3)):
        rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(d, round(1e6 * lam))))
        rows = rng.normal(size=(200, 4 * d, d))
        rows /= np.linalg.norm(rows, axis=-1, keepdims=True)
        rows[: 100, : d] = np.linalg.qr(rng.normal(size=(100, d, d)))[0]  # half of them start orthonormally
        for T in (1, d, 4 * d):
            total = elliptical_sum(rows[:, :T], lam, kind="copies")
            bounds = {elliptical_bound(d, T, lam, version)}
            if lam >= float(LAM_0):
                bounds.add(elliptical_bound(d, T, lam, "as-printed"))
            worst, n_sequences = max(worst, float(total.max()) / min(bounds)), n_sequences + len(rows)
    return Evidence(worst, 1.0, "upper", f"{n_sequences} sequences, lam from 1e-6 to 1e3, seed {SEED}", ROUNDING)


control(elliptical_sums_under_stress, "the printed bound for every lam", {"version": "as-printed"})
