"""These checks take the numbers of the theorems about arbitrary policies in the words of Definition 2.1.

The theorems themselves are proved in Coq. The lower bound is that of the combination lock with d-2 actions and H-1
digits; locks with a random first state give the class of the upper bound hard instances too.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from derl.claims import claim, printed, steps
from derl.exact.compared import at_most, every, exactly
from derl.exact.symbolic import equal
from derl.mdp import instances

ROUNDED = r"\lceil\log_dNH\rceil"
HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)  # the probabilities of the first states


def ranges(text, letters: str, **where) -> list:
    """The least values that a text allows some letters."""
    return [text.range(letter, **where).low for letter in letters]


@claim("res-hidden-code-complexity", covers="the probability, the condition on K, the logarithm and the ranges",
       gap="the law of a learner with a seed: Coq proves it",
       false={"one deployment more": {"more": 1}})
def hidden_code_of_the_lock(text, lock=printed("thm-lower-arbitrary-repaired"), more=0):
    """The numbers against the combination lock: Dimension D + 2 and T + 1 layers give the numbers of a lock with D
    actions and T digits; `more` is added to K."""
    D, T, K, L, N = sympy.symbols("D T K L N", positive=True)
    ours, least = text.sides("1-...<", after="with probability at most", d=D + 2, H=T + 1, K=K)
    failure, constant = lock.sides(r"\frac{d-1}...>", d=D, H=T, K=K + more)
    epsilons, rewards = text.range(r"\epsilon"), text.interval(after="and rewards in")
    arrays = instances.lock(2, 3, (0, 1, 0), Fraction(1, 8), exact=True)
    return steps([
        ("the probability is 1 minus the failure on the lock", equal(ours, 1 - failure)),
        ("and below 1 minus the constant of the lock", equal(least, 1 - constant)),
        ("K up to (H - 2)/l is K up to the bound of the lock",
         equal(text(r"K\le", l=L, H=T + 1), lock.function(r"K\le", ROUNDED, "H")(L, T))),
        ("l is the logarithm of N times the number of digits, to the base of the number of actions",
         equal(text("l=", d=D + 2, H=T + 1, N=N), sympy.ceiling(sympy.log(N * T) / sympy.log(D)))),
        ("d, H and N begin where those of the lock do", every(
            exactly(ranges(text, "dH"), [2 + lock.range("d").low, 1 + lock.range("H").low]),
            exactly(text.range("N").low, lock.range("N").low))),
        ("epsilon has the range of the lock", exactly(
            (epsilons.low, epsilons.high), (lock.range(r"\epsilon").low, lock.range(r"\epsilon").high))),
        ("dimension, layers and rewards of the arrays", every(
            exactly(arrays.dim, text.range("d").low), exactly(arrays.horizon, 1 + 3),
            exactly(min(arrays.rewards().ravel()), rewards.low), at_most(max(arrays.rewards().ravel()), rewards.high),
            exactly(rewards.high, 1))),
    ], "all d >= 4, H >= 3, N >= 1, 0 < epsilon < 1/4, K l <= H - 2")


@claim("res-arbitrary-complexity", covers="both bounds, N, and the ranges",
       gap="the two theorems that the bounds come from, which Coq proves",
       false={"K l >= H, which K l <= H - 2 does not give": {"missed": 1}})
def bounds_for_arbitrary_policies(text, code=printed("res-hidden-code-complexity"),
                                  first=printed("res-deterministic-complexity"), missed=0):
    """Both bounds against their theorems: The least K that the lower bound leaves, and N and K of Algorithm 1; `missed`
    is added to the lower bound."""
    d, H, L, N, eps, delta = sympy.symbols("d H l N epsilon delta", positive=True)
    named = {"d": d, "H": H, "epsilon": eps, "delta": delta}
    low = text.sides(r"\frac...\le", {"K^*": 0}, after="we have", l=L, H=H)[0]
    failing, epsilons = text(r"\delta\le", numbers=sympy.Rational), text.range(r"\epsilon")
    constant = code.sides("1-...<", after="with probability at most", d=d, H=H, K=N, numbers=sympy.Rational)[1]
    return steps([
        ("K l >= H - 1 is what K l <= H - 2 leaves",
         equal(low * L, code(r"K\le", l=L, H=H) * L + 1 + missed)),
        ("l is that of the lower bound", equal(*(each("l=", d=d, H=H, N=N) for each in (text, code)))),
        ("the probability 1 - delta excludes it up to the largest delta",
         every(equal(text("", after="with probability at least", delta=failing), constant),
               exactly(text.range(r"\delta").low, 0))),
        ("the upper bound and N are those of Algorithm 1 at c_K = 2", every(
            equal(*(each(r"K^*\le", after=words, d=d, H=H) for each, words in
                    ((text, "we have"), (first, "exists, and")))),
            equal(*(each(r"N\ge", **named) for each in (text, first))))),
        ("d, H and epsilon have the ranges of the lower bound", every(
            exactly(ranges(text, "dH"), ranges(code, "dH")),
            exactly((epsilons.low, epsilons.high), (code.range(r"\epsilon").low, code.range(r"\epsilon").high)))),
    ], "all d >= 4, H >= 3, 0 < epsilon < 1/4, 0 < delta <= 1/(2e)")


@claim("res-reached-complexity", covers="N, the ranges of both parts, and both bounds",
       gap="the two theorems that the bounds come from and the reachability of the locks, which Coq proves",
       false={"the gate with probability 1/4, the other states with 3/8: epsilon is smaller": {
                  "start": QUARTER, "absorbed": Fraction(3, 8)}})
def bounds_of_the_reached_class(text, run=printed("res-arbitrary-whole-run"),
                                code=printed("res-hidden-code-complexity"), whole=printed("res-arbitrary-complexity"),
                                start=HALF, absorbed=QUARTER):
    """Both bounds against their theorems, and the random first state: N of Theorem R; epsilon and nu at the
    probabilities `start` of the gate and `absorbed` of the other states."""
    d, H, L, N, tau, eps, delta, nu = sympy.symbols("d H l N tau epsilon delta nu", positive=True)
    named = {"d": d, "H": H, "epsilon": eps, "delta": delta, "nu": nu, "tau": tau}
    first, second = {"after": "For all"}, {"after": "If in addition"}
    ends = [(one.low, one.high) for one in (text.range(letter, **first) for letter in (r"\epsilon", r"\delta", r"\nu"))]
    low, other = (each.sides(r"\frac...\le", {"K^*": 0}, after="we have", l=L, H=H)[0] for each in (text, whole))
    return [
        ("N, tau and the ranges of the first part are those of Theorem R", every(
            equal(text(r"N\ge", **named), run(r"N\ge", **named)), equal(text(r"\tau=", nu=nu), run(r"\tau=", nu=nu)),
            exactly(ends, [(0, 1)] * 3), exactly(text.range("H", **first).low, run.range("H").low))),
        ("H deployments, as many as layers", equal(text(r"K^*\le", after="we have", H=H), H)),
        ("the lower bound and its l are those for all linear MDPs", every(
            equal(low, other), equal(*(each("l=", d=d, H=H, N=N) for each in (text, whole))))),
        ("returns of the lock count with the probability of the gate: epsilon falls with it",
         exactly(text(r"\epsilon<", **second), start * code.range(r"\epsilon").high)),
        ("the largest nu: one of d axes has 1/d of a direction, and each is reached with the least of them",
         equal(text(r"\nu\le", **second, d=d) ** 2, min(start, absorbed) / d)),
        ("delta, d and H have the ranges of the lower bound", every(
            equal(*(each(r"\delta\le", numbers=sympy.Rational, **more) for each, more in
                    ((text, second), (whole, {})))),
            exactly(ranges(text, "dH", **second), ranges(code, "dH")))),
    ]
