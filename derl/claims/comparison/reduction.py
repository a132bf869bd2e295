r"""Appendix A, from regret to one policy: which factor on the number of episodes the conversion needs.

With a regret of R = c iota sqrt(d^3 H^4 K~) and K~ = f c^2 iota^2 d^3 H^4/epsilon^2 the mean gap is epsilon/sqrt f.

**f = 9 is enough.** By Markov's inequality a uniform draw exceeds epsilon with probability at most 1/sqrt f = 1/3.

**Nothing less is.** For f = 9 (1 - x)^2 let a share q = (2 - x)/(6 (1 - x)) of the policies have the gap mean/q and the
others 0. The regret is what it is allowed to be, q > 1/3, and the gap is epsilon 2/(2 - x) > epsilon. q is at most 1
up to x = 4/5, where f = 9/25; with fewer episodes all policies may have the mean, which is above epsilon.

**As printed**, K~ = d^3 H^4/epsilon^2 with c iota = 1 is f = 1: nearly all policies may lose more than epsilon.
"""

from __future__ import annotations

from fractions import Fraction

import sympy
from sympy import Rational

from derl.claims import Evidence, check, control, steps
from derl.theory.comparison.table1 import H, d, epsilon
from derl.theory.exact.compared import at_most, every, exactly, less_than
from derl.theory.exact.symbolic import equal, exceeds, positive

c, iota = sympy.symbols("c iota", positive=True)
t = sympy.Symbol("t", nonnegative=True)
LARGEST = Rational(4, 5)  # x up to which q <= 1


@check("res-reduction-factor", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Nine is enough, and nothing less is")
def nine_and_no_less(factor=9, needed=9) -> Evidence:
    """`factor` suffices for every sequence of gaps; below `needed` there is one that fails."""
    episodes = factor * c**2 * iota**2 * d**3 * H**4 / epsilon**2
    mean = c * iota * sympy.sqrt(d**3 * H**4 / episodes)
    x = LARGEST / (1 + t)  # from 4/5 down to 0
    level = sympy.sqrt(needed)
    share = (2 - x) / (2 * level * (1 - x))
    return steps([
        ("the mean gap is epsilon/sqrt f", equal(mean, epsilon / sympy.sqrt(factor))),
        ("Markov: P(gap > epsilon) <= 1/sqrt f <= 1/3", at_most(1 / sympy.sqrt(factor), Rational(1, 3))),
        ("below: a share q above 1/3 ...", exceeds(share, Rational(1, 3), t)),
        ("... has a gap above epsilon", positive(1 / (level * (1 - x)) / share - 1, t)),
        ("q <= 1 at x = 4/5", at_most(share.subs(t, 0), 1)),
    ], "all d, H, epsilon, c iota; all f < 9 down to 9/25")


@control(of=nine_and_no_less, plants="a factor of 8 is enough")
def eight_is_enough():
    return {"factor": 8}


@control(of=nine_and_no_less, plants="a factor of 16 is needed")
def sixteen_is_needed():
    return {"needed": 16}


@check("res-reduction-factor", method="symbolic", arithmetic="exact", covers="one instance", gap="none",
       title="As printed: 511 of 512 policies may be worse than epsilon")
def printed_episodes(episodes=512, worse=511) -> Evidence:
    """d = H = 2, epsilon = 1/2, c iota = 1: the gaps of all episodes, added up."""
    half, size = Fraction(1, 2), 2**3 * 2**4
    regret = Fraction(episodes, 2)
    gaps = [regret / worse] * worse + [Fraction(0)] * (episodes - worse)
    return steps([
        ("K~ = d^3 H^4/epsilon^2", exactly(episodes, size / half**2)),
        ("regret = sqrt(d^3 H^4 K~)", exactly(regret**2, size * episodes)),
        ("that is what the gaps add up to", exactly(sum(gaps), regret)),
        ("no gap is above H, all but one are above epsilon", every(at_most(max(gaps), 2),
                                                                  exactly(sum(gap > half for gap in gaps), worse))),
        ("so a uniform draw is good with probability below 2/3",
         less_than(Fraction(sum(gap <= half for gap in gaps), episodes), Fraction(2, 3))),
    ], "d = H = 2, epsilon = 1/2")


@control(of=printed_episodes, plants="nine times as many episodes, with the same regret bound")
def with_the_factor():
    return {"episodes": 9 * 512, "worse": 9 * 512 - 1}


@control(of=printed_episodes, plants="all 512 policies worse than epsilon")
def all_of_them():
    return {"worse": 512}
