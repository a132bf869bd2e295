"""These checks refute Lemma C.1 for small lam, and establish its best constant and where the printed one holds.

The counterexample has d = T = 1 and lam = 1/10. With x = 1/lam the best constant is x/log(1 + x), and the printed bound
holds exactly for lam >= lam_0 = 1/log 2 - 1.
"""

from __future__ import annotations

from fractions import Fraction

import sympy
from sympy import log

from derl.claims import Evidence, claim, printed
from derl.exact.compared import every
from derl.exact.symbolic import below, equal

SUM = r"\sum_{t=1}^T\operatorname{tr}(X_tM_{t-1}^{-1})\le"


@claim("lem-elliptical-potential", method="exhaustive", refutes=True,
       false={"lam = 1, where the printed bound is true": {"lam": Fraction(1)},
              "lam = 4427/10000, just above 1/log 2 - 1, where the bound is true": {"lam": Fraction(4427, 10000)}})
def small_regularisation_breaks_it(text, lam=Fraction(1, 10)):
    """d = T = 1, lam = 1/10: For d = T = 1 and X_1 = 1 the sum is 1/lam; the printed bound (1 + 1/lam) log 2 is
    smaller."""
    largest = text(r"\operatorname{tr}X_t\le")  # X_1
    bound = text(SUM, d=1, T=1, lambda_=sympy.Rational(lam))
    upper = Fraction(int(sympy.ceiling(sympy.re(bound) * 2**32)), 2**32)
    allowed = lam in text.range(r"\lambda")
    first = text("M_0=", {"I": 1}, lambda_=lam)
    return Evidence(largest / first if allowed else 0, upper, "lower",
                    f"d = T = 1, X_1 = (1), lam = {lam}; log 2 rounded up to a fraction")


@claim("res-elliptical-potential", covers="the bound where it is attained, and the threshold", gap="equality for T = d",
       false={"constant lowered to 9/10 of x/log(1+x)": {"part": sympy.Rational(9, 10)}})
def constant_is_attained(text, lemma=printed("lem-elliptical-potential"), part=1):
    """The best constant is attained, and the threshold: X_t = e_t e_t' for t <= T = d give 1/lam each, every lam > 0;
    the printed bound is attained at d = T = 1 and lam_0."""
    x, d, T = sympy.symbols("x d T", positive=True)
    lam_0, digits = text(r"\lambda\ge", numbers=sympy.Rational), text(r"\lambda\ge...=", numbers=sympy.Rational)
    half, lowest = sympy.Rational(1, 20000), text.range(r"\lambda", after="for every").low  # half of the last digit
    return [
        "attained",
        ("T = d: the sum d/lam is the bound", equal(
            part * text(SUM, d=d, T=text("T=", d=d), lambda_=1 / (lowest + x)), d * x)),
        ("other T: x/log(1+x) times d log(trace/(d lam))", equal(
            text(SUM, d=d, T=T, lambda_=1 / x), x / log(1 + x) * d * log((d / x + T) / (d / x)))),
        "threshold",
        ("the printed bound at d = T = 1 and lam_0 is 1/lam_0", equal(
            lemma(SUM, d=sympy.Integer(1), T=sympy.Integer(1), lambda_=lam_0), 1 / lam_0)),
        ("the digits of lam_0", every(below((1 + digits - half) * log(2), 1), below(1, (1 + digits + half) * log(2)))),
    ]
