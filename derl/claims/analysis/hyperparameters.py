"""These checks concern Step 3 in the proof of Theorem E.9: beta' once N is known, and the probability of failure.

The printed probability omits an event that the plan needs; with (2/3) delta for each of three events the sum is delta.
"""

from __future__ import annotations

import sympy
from sympy import Rational, log

from derl.claims import Evidence, claim, steps
from derl.exact.compared import at_most, every, exactly
from derl.exact.symbolic import at_least, below, equal

HALF = Rational(1, 2)

s, t, u = sympy.symbols("s t u", nonnegative=True)


@claim("text-success-probability", refutes=True,
       false={"a plan that cannot fail": {"planning": 0},
              "no failure of the matrices": {"bernstein": 0}})
def failures_exceed_delta(text, planning=HALF, bernstein=HALF / 2):
    """Three events, half of delta each: Failure probabilities in units of delta: Theorem E.4, Step 2, and Lemma D.1, on
    which the plan rests."""
    allowed = 1 - text("", after="with probability at least", delta=sympy.Integer(1))  # in units of delta
    return Evidence(HALF + bernstein + planning, allowed * Rational(5, 4), "lower",
                    "all delta; Step 2 uses delta/4 of its delta/2",
                    detail="printed: 1/2 + 1/2 = 1, without the event of the planning phase")


@claim("res-success-probability", false={"every event at delta, as printed": {"times": Rational(3, 2)}})
def failures_fit(text, times=1):
    """Every event at (2/3) delta: Theorem E.4, Step 2 and planning with `share` delta instead of delta; logarithms grow
    by log(3/2)."""
    share = times * text("", after="are each used with", delta=Rational(1))
    growth = text("", after="logarithms grow by", numbers=Rational)
    return steps([
        "three events",
        ("three times share/2 is at most 1", at_most(3 * share / 2, 1)),
        "second step",
        ("with delta/4 in Step 2 (4/5) delta is enough", exactly(Rational(4, 5) * (HALF + HALF / 2 + HALF), 1)),
        ("log(8dH/((2/3) delta)) - log(8dH/delta) = log(3/2)", equal(log(1 / share), growth)),
        ("which is less than 1/2", below(growth, HALF)),
    ], scope="all d, H, delta")


@claim("text-bonus-scale", false={"log(2c) + 16 L": {"powers": 16}})
def logarithms_are_of_the_same_order(text, powers=17):
    """From log(dHN/(epsilon_0 delta)) to log(dH/(epsilon delta nu)): log(dHN^2/delta) <= 2 log(dHN/delta), and
    log(dHN/delta) <= log(2c) + 17 L for the N of the theorem."""
    x, y = 1 + s, 1 + t  # dH/(epsilon delta) and 1/nu
    w = sympy.Symbol("w", nonnegative=True)
    letters = {"c": 1, "d": sympy.Integer(1), "H": 1 + s, "delta": 1 / (1 + w), "N": 1 + t, "epsilon": 1 / (1 + t),
               r"\nu_{\min}": 1 / (1 + u)}
    batch, final = (sympy.exp(text(r"\beta'=", letters, after=words) ** 2) for words in ("in (26). Then", "so is"))
    degree = 14 + 2 + 1  # the bracket, L^2, and dH/delta
    return steps([
        "resolution",
        ("dHN/(epsilon_0 delta) <= (dHN/delta)^2", at_least(batch**2, batch / text(r"\epsilon_0=", letters), s, t, w)),
        "powers",
        ("H^4 d^3/(eps^2 nu^2) <= y^14", every(at_least(x**10, 1, s), at_least(y**12, 1, t))),
        ("H^2 d^7/nu^14 <= y^14", at_least(x**7, 1, s)),
        ("L <= y: log z <= z - 1", equal(sympy.diff(u - log(1 + u), u), u / (1 + u))),
        "logarithm",
        ("(dHN/delta)/N <= dH/(delta epsilon nu)", at_least(final, batch / (1 + t), s, t, u, w)),
        ("log(dHN/delta) <= log(2c) + (14 + 2 + 1) L", at_most(degree, powers)),
        ("L >= log 2 > 1/2: log(2c) <= 2 log(2c) L", below(Rational(1, 2), log(text(r"dH\ge", numbers=Rational)))),
    ], scope="all d, H with dH >= 2, all 0 < epsilon, delta < 1, 0 < nu <= 1, c >= 1")
