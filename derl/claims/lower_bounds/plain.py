"""These checks establish the plain lock, which has one feature less and a reward of 1 instead of a bias.

It has states g and u, with u absorbing; at g the right digit stays and a wrong one leads to u; one more layer pays 1 at
g. The rate for stationary dynamics is computed on a grid with all roundings.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import sympy

from derl.claims import Evidence, claim, printed, steps
from derl.exact.compared import every, exactly, less_than
from derl.exact.symbolic import at_least, by_sign, nonnegative
from derl.mdp import ExactMDP, exact
from derl.theory.lower_bounds import ceil_log
from derl.theory.lower_bounds.feature_rank import common_rank


def plain_lock(d: int, digits, last=1) -> ExactMDP:
    """States g, u; n digits, n + 1 layers, d + 1 features; reward `last` at g in the last layer, nothing else."""
    n = len(digits)
    phi = np.zeros((n + 1, 2, d, d + 1), dtype=object)
    phi[:, 0, :, :d] = np.eye(d, dtype=int)
    phi[:, 1, :, d] = 1
    mu = np.zeros((n + 1, d + 1, 2), dtype=object)
    mu[..., 1] = 1
    for h, digit in enumerate(digits):
        mu[h, digit] = 1, 0
    theta = np.zeros((n + 1, d + 1), dtype=object)
    theta[n, :d] = last
    return ExactMDP(phi, mu, theta, np.array([1, 0], dtype=object))


def codes_share_their_features(dimension, common, last):
    """On arrays: values of all codes and policies, one feature map, and the rank of all codes together."""
    outcomes = []
    for d, n in ((2, 3), (3, 2)):
        codes = list(product(range(d), repeat=n))
        locks = {code: plain_lock(d, code, last) for code in codes}
        policies = {code: np.broadcast_to(np.array([*code, 0])[:, None], (n + 1, 2)) for code in codes}
        outcomes += ["values",
                     (f"1 for the code, 0 for all others, d = {d}, n = {n}",
                      every(exactly(exact.evaluate(locks[code], policies[other]).value, code == other)
                            for code, other in product(codes, codes))),
                     "features",
                     (f"one feature map, d = {d}", every(every(
                         exactly(lock.phi, locks[codes[0]].phi), exactly(lock.dim, dimension(d)))
                         for lock in locks.values()))]
    for d in (2, 3, 4, 5):
        members = [plain_lock(d, (digit, 0)) for digit in (range(d) if common else (0,))]
        rank = common_rank(member.transitions()[0] for member in members)
        outcomes += ["rank", (f"rank of all codes together, d = {d}", exactly(rank, dimension(d)))]
    return outcomes


@claim("res-plain-lock", plants=3,
       false={"the code is known: fewer features would do": {"common": False},
              "a last layer with the reward 1/2": {"last": Fraction(1, 2)}})
def plain_lock_hides_its_code(text, common=True, last=1):
    """Values, features, rank: The backward step; every code against every deterministic policy; the rank of the stacked
    transitions."""
    q, value, epsilon, t = sympy.symbols("q V epsilon t", positive=True)
    loss = 1 - q
    sizes, layers = text.range("d"), text("", after="hidden digits,", n=1)
    older = text(r"\epsilon<", after="instead of")
    actions, smaller = text("", after="hold on these locks with", D=4), text("", after="In Corollary 3.3 the constant")
    below, again = text(r"\epsilon<", after="so for"), text(r"\epsilon<", after="in dimension $D$, and for")
    dimension, share = text.function("", "d", after="common feature map of dimension"), text("", after="becomes")
    served = sympy.solve(sympy.Eq(loss, epsilon), q)[0]  # an epsilon-optimal output plays the code at least so often
    outcomes = [
        "values",
        ("the arrays have the least number of actions of the text, and one layer more than digits",
         every(exactly(plain_lock(int(sizes.low), (0,)).phi.shape[0], layers),
               exactly(plain_lock(int(actions), (0,)).dim, 4),
               exactly(plain_lock(int(sizes.low), (0, 1)).phi.shape[2], 2))),
        ("both constants are larger than those of the other lock", every(
            less_than(older, Fraction(below)), less_than(smaller, share))),
        ("V_h(g) = q V_{h+1}(g), V(u) = 0, V_{n+1}(g) = 1: the product",
         exactly(sympy.expand(q * (q * value)), q**2 * value)),
        (f"epsilon < {below}: one output serves one code, and two at this epsilon", every(
            by_sign(sympy.simplify((served - sympy.Rational(1, 2)).subs(epsilon, sympy.Rational(below) / (1 + t)))),
            exactly(served.subs(epsilon, sympy.Rational(again)), sympy.Rational(1, 2)))),
    ]
    outcomes += codes_share_their_features(dimension, common, last)
    D = sympy.Symbol("D")
    x, width, more = sympy.symbols("x width more", nonnegative=True)
    outcomes += [
        "stationary dynamics",
        ("log_{D-1} <= (3/2) log_{D+1} for D >= 4: (D-1)^3 >= (D+1)^2",
         nonnegative(sympy.expand(((D - 1) ** 3 - (D + 1) ** 2).subs(D, 4 + x)), x)),
        (f"(T-2)/(2L) >= {share} min/L - 1, with T >= (2/3) min, L >= 1",
         at_least((2 * width / 3 - 2) / (2 * (1 + more)) + 1, sympy.Rational(share) * width / (1 + more), width, more)),
    ]
    return steps(outcomes, "every d, n and code; epsilon < 1/2; arrays satisfy Assumption 1 exactly")


@claim("res-plain-lock", method="exhaustive", covers="rates for stationary dynamics, rounded", gap="a grid of sizes")
def stationary_rate(share=printed("res-plain-lock")("", after="becomes")):
    """Corollary 3.3 with the plain lock; 1/3 instead of 2/9: K of Claim 2 on the plain lock of floor(max(4, d/H))
    features and floor(min(H, d/4)) layers, all roundings."""
    worst = []
    for d, H, N in product((8, 9, 16, 33, 64, 100, 1000), (2, 3, 4, 7, 25, 200), (1, 10, 1000, 10**9)):
        base, width = max(Fraction(4), Fraction(d, H)), min(Fraction(H), Fraction(d, 4))
        D, T = int(base), int(width)
        length = next(c for c in range(1, 200) if base**c >= N * H)
        digits = max(1, ceil_log(D - 1, N * max(1, T - 1)))  # levels per deployment
        worst.append(Fraction(max(0, T - 2), digits) - (share * width / length - 1))
    return Evidence(min(worst), 0, "lower", f"{len(worst)} sizes (d, H, N); K >= {share} min{{H, d/4}}/L - 1")
