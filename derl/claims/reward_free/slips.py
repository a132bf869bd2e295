"""This check refutes that zeta counts Equation (9) in the proof of Theorem D.4.

A deployment of Algorithm 3 that does not finish its layer satisfies (17), whose level is lower, and need not satisfy
(9).
"""

from __future__ import annotations

from fractions import Fraction

from derl.claims import claim, printed, steps

BEFORE = 575  # deployments with one and the same feature, before the one that is looked at


@claim("text-counted-event", method="exhaustive", refutes=True,
       words="it names Equation (9), which the check evaluates",
       false={"after one deployment more, when the layer is finished": {"before": BEFORE + 1}},
       as_corrected={"the event of Equation (17), with 2H+1": {"factor": 3}})
def deployment_escapes_the_count(factor=1, before=BEFORE, violation=printed("eq-violation")):
    """A deployment that stays and is not counted: d = H = N = 1, beta = 1, epsilon = 1/2, feature 1: the level of the
    counted event is eps^2/(16 factor^2).

    After 575 deployments the norm is 1/24, so Delta = 1/12 does not finish the layer, and 1/576 is below 1/64.
    """
    epsilon, beta, H = Fraction(1, 2), 1, 1
    square = Fraction(1, 1 + before)  # |phi|^2 in the inverse of Lambda
    threshold = epsilon / ((4 * H + 2) * H)
    return steps([
        ("the layer is not finished", (2 * beta) ** 2 * square >= threshold**2),
        ("the event is not counted",
         square < violation(r"\frac1N...\ge", H=H, beta=beta, epsilon=epsilon) / factor**2),
    ], "d = H = N = 1, beta = 1, epsilon = 1/2, the 576th deployment")
