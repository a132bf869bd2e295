"""These checks establish which factor the conversion from regret to one policy needs (Appendix A): nine, and no less.

With a regret of c iota sqrt(d^3 H^4 K~) and K~ = f c^2 iota^2 d^3 H^4/epsilon^2, the factor is f. For smaller f gaps
are constructed in three ranges.
"""

from __future__ import annotations

import sympy
from sympy import Rational

from derl.claims import claim, steps
from derl.exact.compared import at_most, every, less_than
from derl.exact.symbolic import at_least, equal, exceeds, positive
from derl.theory.comparison.table1 import H, d, epsilon

c, iota = sympy.symbols("c iota", positive=True)
t = sympy.Symbol("t", nonnegative=True)
LARGEST = Rational(4, 5)  # x up to which q <= 1


@claim("res-reduction-factor",
       false={"f <= 9/25: all gaps 17/10 epsilon": ({"capped": Rational(17, 10)}, "f = 9/25: the mean is 5/3 epsilon"),
              "f <= 9/25: all gaps epsilon": ({"capped": Rational(1)}, "epsilon is allowed")})
def nine_and_no_less(text, capped=Rational(3, 2)):
    """Nine is enough, and nothing less is: A factor suffices for all gaps; below another one some fail, at last
    `capped` epsilon; epsilon <= 3H/5."""
    letters = {"c": c, "iota": iota, "d": d, "H": H}
    factor, needed, accuracy = Rational(text(r"f\ge")), Rational(text("f<")), Rational(text(r"\epsilon\le", H=1))
    episodes = text(r"\tilde K=", f=factor, epsilon=epsilon, **letters)
    mean = text("", {r"\tilde K": episodes}, after="Let the regret be at most", **letters) / episodes
    failing = 1 - Rational(text("", after="has, with probability at least"))
    x = LARGEST / (1 + t)  # from 4/5 down to 0
    level = sympy.sqrt(needed)
    share = (2 - x) / (2 * level * (1 - x))
    return steps([
        "upper bound",
        ("the mean gap is epsilon/sqrt f", equal(mean, epsilon / sympy.sqrt(factor))),
        ("Markov: P(gap > epsilon) <= 1/sqrt f <= 1/3", at_most(1 / sympy.sqrt(factor), failing)),
        "below nine",
        ("below: a share q above 1/3, squared ...", exceeds(share**2, Rational(1, 9), t)),
        ("... has a gap above epsilon", positive(1 / (level * (1 - x)) / share - 1, t)),
        ("q <= 1 up to x = 4/5", at_least(1, share**2, t)),
        "rounding up",
        ("q + 1/K~ <= mean/epsilon where K~ >= 6 (1-x)/x",
         equal(share + x / (2 * level * (1 - x)), 1 / (level * (1 - x)))),
        "below nine",
        ("that gap is at most 5/3 epsilon, so at most H", every(at_least(Rational(5, 3), 2 / (2 - x), t),
                                                           at_most(Rational(5, 3) * accuracy, 1))),
        "small factors",
        ("f <= 9/25, f = (9/25)/(1+t): 3/2 epsilon is at most the mean, squared",
         at_least((1 + t) / (needed * (1 - LARGEST)**2), capped**2, t)),
        ("and above epsilon, at most H", every(less_than(1, capped), at_most(capped * accuracy, 1))),
    ], "all d, H, c iota, 0 < epsilon <= 3H/5, all f > 0; below f = 9 for K~ >= 6 (1-x)/x, where x < 4/5")
