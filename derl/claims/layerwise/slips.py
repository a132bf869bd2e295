"""This check refutes that beta in the input line of Algorithm 1 is a real number for all epsilon, delta > 0.

The argument of its logarithm, dH/(delta epsilon), has to be at least 1. Theorem 4.1 allows every epsilon, delta > 0.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from derl.claims import Evidence, claim


@claim("text-beta-undefined", method="exhaustive", refutes=True,
       as_corrected={"epsilon and delta below 1": {"epsilon": Fraction(19, 20), "delta": Fraction(19, 20)}})
def logarithm_may_be_negative(text, epsilon=Fraction(2), delta=Fraction(1), d=1, H=1):
    """The argument of the logarithm: dH/(delta epsilon), which has to be at least 1, from the square of the printed
    beta."""
    one = sympy.Integer(1)
    beta = text(r"\beta=", c_beta=one, d=d * one, H=H * one, epsilon=sympy.Rational(epsilon),
                delta=sympy.Rational(delta))
    inside = sympy.exp((beta / (d * H)) ** 2)
    allowed = inside.is_Rational and epsilon in text.range(r"\epsilon") and delta in text.range(r"\delta")
    return Evidence(Fraction(int(inside.p), int(inside.q)) if allowed else 1, Fraction(9, 10), "upper",
                    "d = H = 1, epsilon = 2, delta = 1")
