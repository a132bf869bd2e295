"""This check encloses the constant of dH for deterministic policies between 1 - delta and 1.

Below is the compact bandit of dimension d with H layers, above is Algorithm 1, repaired. The upper end is right for
every fixed delta, by other instances (`res-deterministic-exact`).
"""

from __future__ import annotations

from fractions import Fraction
from math import floor

import sympy

from derl.claims import Evidence, check, control, steps
from derl.theory.constants import deployments_layerwise
from derl.theory.exact.compared import at_most, every, exactly, less_than
from derl.theory.exact.symbolic import at_least, equal
from derl.theory.lower_bounds import bandit_failure, compact_arms, deployments_for_failure

TENTH = Fraction(1, 10)
SIZES = ((4, 2), (5, 3), (10, 10), (40, 25), (1000, 1000))


def least_deployments(d: int, H: int, delta: Fraction) -> int:
    """No algorithm with fewer deployments fails with probability at most delta on all compact bandits."""
    return deployments_for_failure(compact_arms(d, H), delta)


@check("res-deterministic-constant", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Both bounds over dH, and their limits")
def bounds_over_dh(factor=1, confidence=None) -> Evidence:
    """Failure above delta below the lower bound, the whole number at c = 1 + 1/(2dH), limits; the program's numbers."""
    d, H, t = sympy.symbols("d H t", positive=True)
    delta = sympy.Symbol("delta", nonnegative=True) if confidence is None else sympy.Rational(confidence)
    m = (d - 3) * (H - 1)
    lower, upper = ((1 - delta) * m - 1) / (d * H), factor + 1 / (d * H)
    x = sympy.Symbol("x", nonnegative=True)  # dH = 8 + x
    limits = [sympy.limit(sympy.limit(bound, d, sympy.oo), H, sympy.oo) for bound in (lower, upper)]
    ratio = sympy.simplify(limits[1] / limits[0])
    return steps([
        "lower bound",
        ("K = (1-delta) m - 1 - t fails with probability delta + t/m",
         equal(1, (((1 - delta) * m - 1 - t) + 1) / m + delta + t / m)),
        "upper bound",
        ("c dH = dH + 1/2 at c = 1 + 1/(2dH), and its floor is dH",
         every(equal((1 + 1 / (2 * d * H)) * d * H, d * H + sympy.Rational(1, 2)),
               at_least(1, sympy.Rational(1, 2), x))),
        "limits",
        ("limits 1 - delta and 1", limits == [sympy.expand(1 - delta), 1]
         or [sympy.simplify(a - b) for a, b in zip(limits, (1 - delta, 1), strict=True)] == [0, 0]),
        ("their ratio is 1/(1-delta), 10/9 at delta = 1/10",
         every(equal(ratio * (1 - delta), 1),
               exactly(ratio.subs(sympy.Symbol("delta", nonnegative=True), sympy.Rational(1, 10)),
                       sympy.Rational(10, 9)))),
        *((f"the program, d = {a}, H = {b}: {least_deployments(a, b, TENTH)} to {a * b + 1}",
           every(exactly(deployments_layerwise(a, b, 1 + 1 / (2 * a * b)), a * b + 1),
                 at_most((1 - TENTH) * compact_arms(a, b) - 1, least_deployments(a, b, TENTH)),
                 exactly(least_deployments(a, b, TENTH), 0) if least_deployments(a, b, TENTH) == 0 else
                 less_than(TENTH, bandit_failure(compact_arms(a, b), least_deployments(a, b, TENTH) - 1)),
                 exactly(floor((1 + Fraction(1, 2 * a * b)) * a * b), a * b))) for a, b in SIZES),
    ], "all d >= 4, H >= 2, 0 <= delta < 1")


control(bounds_over_dh, "delta = 0 in the lower bound: the ratio is 1 where it is 10/9 at delta = 1/10",
        {"confidence": 0})
control(bounds_over_dh, "2dH + 1 deployments: the limit is 2", {"factor": 2})
