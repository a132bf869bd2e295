"""These checks establish that deterministic policies need dH deployments for every failure probability below 1.

The instances are `instances.needle_gates`. Symbolic steps take what an output has to name, the posterior of the number
of needles and the budget of duds. Places of needles, adaptive strategies and policies are enumerated in small games.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import sympy
from sympy import Rational, log

from derl.claims import Evidence, claim, steps
from derl.exact.compared import at_most, every, exactly, less_than
from derl.exact.quotients import simplified
from derl.exact.symbolic import at_least, below, by_sign, equal, nonnegative_from
from derl.mdp import exact, instances
from derl.theory.beyond import gates
from derl.theory.lower_bounds import compact_arms

HALF = Fraction(1, 2)
GAMES = tuple((t, n, s) for t, n, s in ((1, 3, 1), (1, 4, 2), (1, 6, 3), (1, 5, 4), (2, 2, 1), (2, 3, 2), (2, 4, 3),
                                        (3, 2, 2)))
RATIOS = (HALF, Fraction(3, 4), Fraction(9, 10))


def recognition(shift, tail) -> list[tuple[str, bool]]:
    """The posterior of the number of needles."""
    n, x, f, J = sympy.symbols("n x f J", positive=True)
    theta, q = sympy.symbols("theta q", positive=True)
    m, a, u, w = sympy.symbols("m a u w", nonnegative=True)
    left = n - x - f  # arms nobody has asked for
    geometric = (1 - theta) * (1 - (theta * q) ** m) / (1 - theta * q) + tail * (theta * q) ** m
    over = theta * (theta * q) ** m * (1 - q)
    p, r = 1 / (1 + u), 1 / (1 + w)  # theta and q in (0, 1]
    return [
        "recognition",
        ("from J to J+1 the likelihood changes by (u-k)/(n-J), u = n-x-f, k = J-f: (n-x-J)/(n-J)",
         equal((left - (J - f)) / (n - J), (n - x - J) / (n - J))),
        ("(n-x-J)/(n-J) >= 1 - x/(n-s+1): n - J = n - s + 1 + a for J = s - 1 - a",
         at_least(x / (n + shift), x / (n + a), x, n, a)),
        "prior",
        ("the tail of the geometric law is theta^{s-1}",
         equal(1 - (1 - theta) * (1 - theta ** m) / (1 - theta), theta ** m)),
        "posterior",
        ("(sum + tail)(1 - theta q) - (1 - theta) = theta^{m+1} q^m (1 - q)",
         equal(simplified(geometric * (1 - theta * q) - (1 - theta)), over)),
        ("and that is not negative", at_least(p * r * (1 - r), 0, u, w)),
    ]


def separation(reward, margin) -> list[tuple[str, bool]]:
    """What an epsilon-optimal output has to name."""
    y, u, k = sympy.symbols("y u k", positive=True)
    V, q, rho = sympy.symbols("V q rho", positive=True)
    s, t = sympy.symbols("s t", nonnegative=True)
    return [
        "lower level",
        ("a lower level costs the factor rho: loss of at least (1-q)(1-rho)V*",
         equal(V - (q * V + (1 - q) * rho * V), (1 - q) * (1 - rho) * V)),
        "best arms",
        ("t(s-1) <= ts - 1", at_least((1 + t) * (1 + s) - 1, (1 + t) * s, s, t)),
        ("(1 - 1/z)^{z-1} >= 1/e: log(1 + y) <= y at y = 1/(z-1)", nonnegative_from(y - log(1 + y), y, 0)),
        ("(z-1) log(1 + 1/(z-1)) <= (z-1)/(z-1) = 1", equal(k * (1 / k), 1)),
        ("R/(e ts) > 2 epsilon for R >= 11/2 epsilon ts: e < 11/4", below(1, log(Rational(reward) / 2))),
        ("loss <= epsilon and (1-rho)V* = (2+u) epsilon: 1 - q <= 1/(2+u) < 1/2",
         by_sign(Rational(1, 2), 1 / (margin + u))),
    ]


def budget(text, guesses) -> list[tuple[str, bool]]:
    """The product over the stages, and the share eta."""
    t, K, nu, e, z, d, T, c = sympy.symbols("t K nu e z d T s", positive=True)
    s, w = sympy.symbols("s w", nonnegative=True)
    x, y = sympy.symbols("x y", nonnegative=True)
    most = text(r"K\le", eta=e, t=t, d=d, T=T, s=c)
    return [
        "all stages",
        ("K deployments and t names: the mean of x_i/(n-s+1) is at most (K+t)/(t(n-s+1)), 1 - eta at the printed K",
         equal((most + guesses * t) / ((d - 3) * T - c + 1) / t, 1 - e)),
        ("two stages: a product is at most the square of the mean",
         equal(((x + y) / 2) ** 2 - x * y, ((x - y) / 2) ** 2)),
        "numbers",
        ("(1 - eta/2)^t <= exp(-eta t/2): log(1-x) <= -x", nonnegative_from(log(1 + s) - s / (1 + s), s, 0)),
    ]


def printed_numbers(text, d, horizon, epsilon, delta, eta) -> dict:
    """t, s, R, T as they are printed."""
    t = text("t=", eta=eta, delta=delta)
    s = text("s=", t=t, delta=delta)
    rewards = text("R=", epsilon=epsilon, t=t, s=s)
    return {"t": t, "s": s, "R": rewards, "T": text("T=", H=horizon, R=rewards, t=t)}


def numbers_fit(text, size) -> list:
    """They are large enough, and the least or the largest that are so."""
    d, horizon, epsilon, delta, eta = size
    result = printed_numbers(text, *size)
    t, s, rewards, layers = result.values()
    half = (1 - delta) / 2
    return [below(log(Rational(1 / half)), Rational(eta * t / 2)), below(Rational(eta * (t - 1) / 2), log(Rational(
        1 / half))), less_than(t / 2 ** (s - 1), half), at_most(half, t / 2 ** (s - 2)),
        at_most(Fraction(11, 4) * 2 * epsilon * t * s, rewards), at_most(t * layers + rewards, horizon),
        less_than(horizon, t * (layers + 1) + rewards), at_most(text(r"(d-3)T\ge", s=s), (d - 3) * layers),
        at_most(text(r"T=...\ge"), layers)]


@claim("res-deterministic-exact", plants=3,
       false={"R = 5 epsilon ts: 5/2 < e": {"reward": 5},
              "a margin of 19/10 epsilon": {"margin": Rational(19, 10)},
              "n - s + 2 in the place of n - s + 1": {"shift": 1},
              "the law cut off at s without the rest: half of it": {"tail": Rational(1, 2)},
              "no names: an output that looks at no dud": {"guesses": 0},
              "two names a stage: twice the budget": {"guesses": 2}})
def needles_in_series(text, reward=Fraction(11, 2), margin=2, shift=0, tail=1, guesses=1):
    """Separation, recognition, the budget of duds, and the limit: All steps, and the numbers of the statement at six
    sizes."""
    d, H, eta, c, t, s = sympy.symbols("d H eta c t s", positive=True)
    lower = text(r"K\le", eta=eta, t=t, d=d, T=(H - c) / t, s=s)
    left, share = text.sides(r"\frac{K^*}{dH}\to", {"K^*": lower}, d=d, H=H)
    limit = sympy.limit(sympy.limit(sympy.limit(left, d, sympy.oo), H, sympy.oo), eta, 0)
    sizes = ((100, 100, Fraction(1, 1000), HALF, Fraction(1, 4)), (1000, 1000, Fraction(1, 10), Fraction(1, 10),
             Fraction(1, 10)), (10**4, 10**4, Fraction(1, 10), Fraction(1, 10), Fraction(1, 20)),
             (10**4, 10**4, Fraction(1, 10), Fraction(9, 10), Fraction(1, 20)),
             (10**6, 10**6, Fraction(1, 10), Fraction(1, 10), Fraction(1, 100)),
             (10**6, 10**6, Fraction(1, 10), text(r"\delta="), Fraction(1, 20)))
    result = [(size, printed_numbers(text, *size)) for size in sizes]
    counts = [math.floor(text(r"K\le", d=size[0], eta=size[4], **numbers)) for size, numbers in result]
    return steps([
        *separation(reward, margin), *recognition(shift, tail), *budget(text, guesses),
        "limit",
        ("with t, s and R fixed, tT + R <= H < t(T+1) + R: the limit over dH is 1", exactly(limit, share)),
        ("dH + 1 deployments are enough, and (dH + 1)/(dH) tends to 1", exactly(
            sympy.limit(sympy.limit(1 + 1 / (d * H), d, sympy.oo), H, sympy.oo), 1)),
        "numbers",
        *((f"d = H = {size[0]}, delta = {size[3]}, eta = {size[4]}: t, s, R and T are large enough, and no larger than "
           "needed", every(numbers_fit(text, size))) for size in sizes),
        *((f"d = H = {size[0]}, delta = {size[3]}, eta = {size[4]}: K = {most} fails with probability above delta",
           less_than(gates.success_bound(int(there["t"]), (size[0] - 3) * int(there["T"]), int(there["s"]), HALF,
                                         most + int(there["t"])), 1 - size[3]))
          for (size, there), most in zip(result, counts, strict=True)),
        ("at the last four sizes more than the compact bandit excludes", every(
            less_than((1 - size[3]) * compact_arms(*size[:2]) - 1, most)
            for size, most in zip(sizes[2:], counts[2:], strict=True))),
    ], "all d >= 4, H, epsilon > 0, 0 <= delta < 1, 0 < eta < 1, every N")


def placements(arms: int, levels: int, theta: Fraction, duds: int, result: tuple[int, ...]) -> dict[int, Fraction]:
    """P(J | seen) by listing all places of the needles: the first arms asked are the found ones, then the duds."""
    weights = {}
    for J, p in gates.level_law(levels, theta).items():
        total = good = 0
        for places in permutations(range(arms), J):  # places[l-1]: where level l is
            total += 1
            good += (all(level <= J and places[level - 1] == at for at, level in enumerate(result))
                     and not any(len(result) <= at < len(result) + duds for at in places))
        weights[J] = p * Fraction(good, total)
    scale = sum(weights.values())
    return {J: w / scale for J, w in weights.items()} if scale else {}


@claim("res-deterministic-exact", method="exhaustive", covers="the posterior, all places", gap="up to five arms",
       false={"one dud less than were seen": {"lost": 1}})
def posterior_by_listing(lost=0):
    """All places of the needles against the formula of the posterior: Every number of duds and every set of needles
    found, n <= 5, s <= 3."""
    result = []
    for arms, levels in ((3, 2), (4, 3), (5, 3)):
        for seen in ((), (1,), (2,), (1, 2), (3,), (1, 3), (2, 3), (1, 2, 3)):
            for duds in range(arms - len(seen) + 1):
                listed = placements(arms, levels, Fraction(2, 3), duds, seen)
                named = gates.posterior(arms, levels, Fraction(2, 3), max(0, duds - lost), max(seen, default=0))
                if listed:
                    result.append(exactly({j: p for j, p in listed.items() if p},
                                          {j: p for j, p in named.items() if p}))
    return steps([(f"{len(result)} situations", every(result))], "exact rationals")


@claim("res-deterministic-exact", method="exhaustive", covers=f"every strategy for {GAMES}", gap="small games",
       false={"one quarter of the bound": {"scale": Fraction(1, 4)},
              "a bound of one half, as large as at delta = 1/2": {"scale": Fraction(1, 2), "spent": 3}})
def best_play_stays_below(scale=Fraction(1), spent=0):
    """The best adaptive order of questions against the bound: Success of optimal play over the bound, the largest ratio
    below 1."""
    worst, bounded = Fraction(0), []
    for t, n, s in GAMES:
        for theta in RATIOS:
            for duds in range(t * n + 1):
                played = gates.best_success(t, n, s, theta, duds + spent)
                claimed = scale * gates.success_bound(t, n, s, theta, duds)
                bounded.append(played <= claimed)
                worst = max(worst, played / claimed if claimed < 1 else 0)
    return Evidence(sum(bounded), len(bounded), "identity", f"{len(bounded)} games, exact rationals",
                    detail=f"largest success over a bound below 1: {float(worst):.3f}")


@claim("res-deterministic-exact", method="exhaustive", covers="three instances, every policy", gap="small instances",
       false={"every stage passes one in a hundred fewer": {"waste": Fraction(99, 100)}})
def values_on_the_arrays(waste=1):
    """Every deterministic policy on the arrays of three instances: V = R times the product over the stages, 0 for a
    dud; Assumption 1 is checked when an instance is built."""
    result = []
    for d, layers, needles, levels, rewards in ((3, 2, [[(0, 1), (1, 2)]], 3, 2), (3, 1, [[(0, 2)], [(0, 1)]], 2, 3),
                                                (3, 2, [[(0, 2), (1, 1)], [(1, 2)]], 2, 1)):
        mdp = instances.needle_gates(d, layers, needles, levels, rewards, exact=True)
        ratio = 1 - Fraction(1, len(needles) * levels)
        through = [{arm: ratio ** (levels - at) for at, arm in enumerate(stage, 1)} for stage in needles]
        stages = len(needles) * layers
        for actions in product(range(d), repeat=stages):
            value = Fraction(rewards)
            for i, known in enumerate(through):
                pulled = next(((h, actions[i * layers + h]) for h in range(layers) if actions[i * layers + h]), None)
                value *= known.get(pulled, 0) * waste
            policy = np.zeros((mdp.horizon, 3), int)
            policy[:stages, 0] = actions
            result.append(exactly(exact.evaluate(mdp, policy).value, value))
    return steps([(f"{len(result)} policies", every(result))], "exact rationals; dimension d + 2")
