"""This check encloses the constant of dH for deterministic policies between 1 - delta and 1.

Below is the compact bandit of dimension d with H layers, above is Algorithm 1, repaired. The upper end is right for
every fixed delta, by other instances (`res-deterministic-exact`).
"""

from __future__ import annotations

from fractions import Fraction
from math import floor

import sympy

from derl.claims import claim, steps
from derl.exact.compared import at_most, every, exactly, less_than
from derl.exact.symbolic import equal
from derl.theory.constants import deployments_layerwise
from derl.theory.lower_bounds import bandit_failure, compact_arms, deployments_for_failure

TENTH = Fraction(1, 10)
SIZES = ((4, 2), (5, 3), (10, 10), (40, 25), (1000, 1000))


def least_deployments(d: int, H: int, delta: Fraction) -> int:
    """No algorithm with fewer deployments fails with probability at most delta on all compact bandits."""
    return deployments_for_failure(compact_arms(d, H), delta)


def lower_bound_of_bounds_over_dh(text, bounds, delta, lower, upper):
    """The parts "lower bound" and "upper bound" of `bounds_over_dh`."""
    d, H, t = sympy.symbols("d H t", positive=True)
    arms = bounds(d=d, H=H, delta=0)[0] + 1
    least_d, least_H = (text.range(name).low for name in ("d", "H"))
    rewards = text.interval(after="layers and rewards in")
    return [
        "lower bound",
        ("K = (1-delta) m - 1 - t fails with probability delta + t/m",
         equal(1, ((lower - t) + 1) / arms + delta + t / arms)),
        ("m = 1 arm for the smallest d and H; rewards 0 and 1 of the arms are allowed",
         every(exactly(arms.subs({d: least_d, H: least_H}), 1), exactly(compact_arms(int(least_d), int(least_H)), 1),
               exactly((rewards.low, rewards.high), (0, 1)))),
        "upper bound",
        ("c dH = dH + 1/2 at c = 1 + 1/(2dH), and its floor is dH; one deployment more",
         every(equal((1 + 1 / (2 * d * H)) * d * H + sympy.Rational(1, 2), upper),
               equal(text("", {"o": lambda one: one / (d * H)}, after="It determines $K^*$ as", d=d, H=H), upper))),
    ]


def limits_of_bounds_over_dh(text, factor, bounds, delta, lower, upper):
    """The part "limits" of `bounds_over_dh`."""
    d, H = sympy.symbols("d H", positive=True)
    ends = text.range(r"\delta")
    tenth = text(r"\delta=", numbers=Fraction)
    shares = [text("", {"K^*": bound}, after="So", d=d, H=H) for bound in (lower, factor * (upper - 1) + 1)]
    between = [text("", after="lies between", skip=skip, delta=delta, numbers=sympy.Rational) for skip in (0, 1)]
    limits = [sympy.limit(sympy.limit(share, d, sympy.oo), H, sympy.oo) for share in shares]
    ratio = sympy.simplify(limits[1] / limits[0])
    return [
        "limits",
        ("the limits are 1 - delta and 1",
         every(*(equal(limit, bound) for limit, bound in zip(limits, between, strict=True)))),
        ("every delta of a probability: 1 - delta falls from 1 to 0",
         exactly(tuple(text("", after="lies between", delta=end) for end in (ends.low, ends.high)), (1, 0))),
        ("their ratio is 1/(1-delta), 10/9 at delta = 1/10",
         every(equal(ratio, text("", after="up to a factor", delta=delta)),
               exactly(ratio.subs(sympy.Symbol("delta", nonnegative=True), sympy.Rational(tenth)),
                       text("", after="which is", numbers=sympy.Rational)),
               exactly(tenth, TENTH))),
        *((f"the program, d = {a}, H = {b}: {least_deployments(a, b, tenth)} to {a * b + 1}",
           every(exactly(deployments_layerwise(a, b, 1 + 1 / (2 * a * b)), bounds(d=a, H=b, delta=tenth)[1]),
                 at_most(bounds(d=a, H=b, delta=tenth)[0], least_deployments(a, b, tenth)),
                 exactly(least_deployments(a, b, tenth), 0) if least_deployments(a, b, tenth) == 0 else
                 less_than(tenth, bandit_failure(compact_arms(a, b), least_deployments(a, b, tenth) - 1)),
                 exactly(floor((1 + Fraction(1, 2 * a * b)) * a * b), a * b))) for a, b in SIZES),
    ]


@claim("res-deterministic-constant", plants=6,
       false={"delta = 0 in the lower bound: the ratio is 1 where it is 10/9 at delta = 1/10": {"confidence": 0},
              "2dH + 1 deployments: the limit is 2": {"factor": 2}})
def bounds_over_dh(text, factor=1, confidence=None):
    """Both bounds over dH, and their limits: Failure above delta below the lower bound, the whole number at c = 1 +
    1/(2dH), limits; the program's numbers.

    `factor` multiplies dH in the upper bound, and `confidence` is put for delta in the lower one.
    """
    d, H = sympy.symbols("d H", positive=True)
    delta = sympy.Symbol("delta", nonnegative=True) if confidence is None else sympy.Rational(confidence)

    def bounds(**letters):
        """Both sides of the printed chain."""
        chosen = {"K^*": 0, r"\delta": delta} | {name.replace("delta", r"\delta"): one for name, one in letters.items()}
        return text.sides(r"...\le", chosen, after="Then")[0], text(r"K^*\le", chosen)

    lower, upper = bounds(d=d, H=H)
    return steps([*lower_bound_of_bounds_over_dh(text, bounds, delta, lower, upper),
                  *limits_of_bounds_over_dh(text, factor, bounds, delta, lower, upper)],
                 "all d >= 4, H >= 2, 0 <= delta < 1")
