"""These checks concern Step 3 in the proof of Theorem E.9: beta' once N is known, and the probability of failure.

The printed probability omits an event that the plan needs; with (2/3) delta for each of three events the sum is delta.
"""

from __future__ import annotations

import sympy
from sympy import Rational, log

from derl.claims import Evidence, check, control, printed, steps
from derl.theory.exact.compared import at_most, every, exactly
from derl.theory.exact.symbolic import at_least, below, equal

HALF = Rational(1, 2)

s, t, u = sympy.symbols("s t u", nonnegative=True)


@check("text-success-probability", method="symbolic", arithmetic="exact", covers="everything", gap="none", refutes=True,
       title="Three events, half of delta each")
def failures_exceed_delta(planning=HALF, bernstein=HALF / 2,
                          said=printed("text-success-probability", says=["hold together",
                                                                         "with probability at least"])) -> Evidence:
    """Failure probabilities in units of delta: Theorem E.4, Step 2, and Lemma D.1, on which the plan rests."""
    return Evidence(HALF + bernstein + planning, Rational(5, 4), "lower",
                    "all delta; Step 2 uses delta/4 of its delta/2",
                    detail="printed: 1/2 + 1/2 = 1, without the event of the planning phase")


control(failures_exceed_delta, "a plan that cannot fail", {"planning": 0})
control(failures_exceed_delta, "no failure of the matrices", {"bernstein": 0})


@check("res-success-probability", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Every event at (2/3) delta")
def failures_fit(said=printed("res-success-probability", says=["at least"]), times=1) -> Evidence:
    """Theorem E.4, Step 2 and planning with `share` delta instead of delta; logarithms grow by log(3/2)."""
    share = times * said("", after="are each used with", delta=Rational(1))
    growth = said("", after="logarithms grow by", numbers=Rational)
    return steps([
        "three events",
        ("three times share/2 is at most 1", at_most(3 * share / 2, 1)),
        "second step",
        ("with delta/4 in Step 2 (4/5) delta is enough", exactly(Rational(4, 5) * (HALF + HALF / 2 + HALF), 1)),
        ("log(8dH/((2/3) delta)) - log(8dH/delta) = log(3/2)", equal(log(1 / share), growth)),
        ("which is less than 1/2", below(growth, HALF)),
    ], scope="all d, H, delta")


control(failures_fit, "every event at delta, as printed", {"times": Rational(3, 2)})


@check("text-bonus-scale", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="From log(dHN/(epsilon_0 delta)) to log(dH/(epsilon delta nu))")
def logarithms_are_of_the_same_order(said=printed("text-bonus-scale"), powers=17) -> Evidence:
    """log(dHN^2/delta) <= 2 log(dHN/delta), and log(dHN/delta) <= log(2c) + 17 L for the N of the theorem."""
    x, y = 1 + s, 1 + t  # dH/(epsilon delta) and 1/nu
    degree = 14 + 2 + 1  # the bracket, L^2, and dH/delta
    return steps([
        "resolution",
        ("dHN^2/delta <= (dHN/delta)^2", at_least((1 + s) ** 2 * (1 + t) ** 2, (1 + s) * (1 + t) ** 2, s, t)),
        "powers",
        ("H^4 d^3/(eps^2 nu^2) <= y^14", every(at_least(x**10, 1, s), at_least(y**12, 1, t))),
        ("H^2 d^7/nu^14 <= y^14", at_least(x**7, 1, s)),
        ("L <= y: log z <= z - 1", equal(sympy.diff(u - log(1 + u), u), u / (1 + u))),
        "logarithm",
        ("log(dHN/delta) <= log(2c) + (14 + 2 + 1) L", at_most(degree, powers)),
        ("L >= log 2 > 1/2: log(2c) <= 2 log(2c) L", below(Rational(1, 2), log(said(r"dH\ge", numbers=Rational)))),
    ], scope="all d, H with dH >= 2, all 0 < epsilon, delta < 1, 0 < nu <= 1, c >= 1")


control(logarithms_are_of_the_same_order, "log(2c) + 16 L", {"powers": 16})
