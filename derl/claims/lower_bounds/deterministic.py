"""These checks concern Theorem B.2, the lower bound for deterministic policies: where it fails, its repair, its game.

The game is that of `chain`, with m = (d-1)(H-1) arms on the printed template and m = (D-3)(T-1) on the compact bandit.
All adaptive algorithms of small games are tried, and a dynamic programme gives optimal play for finite N.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import permutations
from math import ceil

import sympy

from derl.claims import Evidence, claim, printed, steps
from derl.claims.lower_bounds.chain import BIAS, GAMES, every_algorithm
from derl.exact.compared import at_most, bookkeeping, every, exactly
from derl.exact.quotients import simplified
from derl.exact.symbolic import at_least, by_sign, equal, nonnegative, same_operator
from derl.mdp import instances
from derl.theory.lower_bounds import (
    arms_served,
    bandit_failure,
    bandit_game,
    deployments_for_failure,
    exact_failure_deterministic,
    template_arms,
)

TENTH = Fraction(1, 10)
SMALL_SIZES = ((2, 2), (2, 3), (3, 2))  # every (d, H) with d, H >= 2 and at most two arms
BEYOND = sympy.Symbol("t", positive=True)  # how far the bias is beyond its bound


@claim("thm-lower-deterministic", method="exhaustive",
       gap="the instances of the printed proof only: for two arms others carry it, {claim}`res-two-unknown-arms`",
       refutes=True,
       false={"d = 2, H = 4: three arms": {"sizes": ((2, 4),)}})
def few_arms_are_found(text, sizes=SMALL_SIZES, N=8):
    """Two arms, one deployment, eight trajectories: Largest exact minimax failure on the printed instances at the
    largest K that the text excludes."""
    worst = max(bandit_game.bayes_failure(template_arms(d, H), int(text("K>", d=d, H=H)), N, BIAS) for d, H in sizes)
    claimed = text(r"P(\hat\pi\ne\pi^*)\ge")
    return Evidence(worst, Fraction(99, 100) * claimed, "upper", f"(d, H) in {sizes}, N = {N}, bias {BIAS}",
                    detail=f"less than {claimed} by more than one part in a hundred, on the class of instances that "
                           "the proof names; d = 2, H = 2 has one arm only")


def mixture_of_lower_bound(text, beyond, failure):
    """The parts "mixture", "best success" and "two good arms" of `lower_bound_in_steps`."""
    m, K, q, epsilon = sympy.symbols("m K q epsilon", positive=True)
    least = sympy.Symbol("v", nonnegative=True)
    weight = sympy.symbols("w1:4", nonnegative=True)
    slack = sympy.symbols("z1:4", nonnegative=True)
    mixture = sum(w * (least + z) for w, z in zip(weight, slack, strict=True)) - least * sum(weight)
    recursion = 1 / m + (m - 1) / m * (1 - failure(K - 1, m - 1))
    bias = text.relation("b", after="With bias", b=sympy.Symbol("b"), epsilon=epsilon)
    miss = bias.right + (beyond if bias.sign == ">" else -beyond) * epsilon
    loss = (text("b>", after=r"is not $\epsilon$-optimal; with", epsilon=epsilon) + beyond * epsilon) * (1 - q)
    return [
        "mixture",
        ("a mixture of algorithms is no better than the best",
         nonnegative(sympy.expand(mixture), *weight, *slack, least)),
        "best success",
        ("V(m, 0) = 1/m, the success of the output alone", equal(1 - failure(0, m), 1 / m)),
        ("V(m, K) = 1/m + (m-1)/m V(m-1, K-1) for a new arm", equal(recursion, 1 - failure(K, m))),
        ("an old arm or none is no better", nonnegative(simplified(failure(K - 1, m) - failure(K, m)), m)),
        "two good arms",
        ("with this bias a miss, q = 0, loses more than epsilon", by_sign(miss, epsilon)),
        ("with this bias two arms cannot both have q >= 1 - epsilon/bias",
         by_sign(sympy.solve(loss - epsilon, q)[0], sympy.Rational(1, 2))),
    ]


def numbers_of_lower_bound(text, failure):
    """The part "numbers" of `lower_bound_in_steps`."""
    m, x, y, s, t = sympy.symbols("m x y s t", positive=True)
    tenth, room = text("", after="This is at least"), text(r"K\le", after="This is at least", m=m)
    half, fewest = text.function(r"K\le", "m", after="and for"), int(text.range("m").low)
    even, odd = fewest + fewest % 2 + 2 * t, fewest + 1 - fewest % 2 + 2 * t
    D, T = text.range("D").low + x, text.range("T").low + y
    arms = text.function("m=", "D", "T", after="on the template, or")
    return [
        "numbers",
        (f"failure at least {tenth} while K is at most {room}", at_least(failure(room - s, m), tenth, m, s)),
        (f"the same for even m >= {even.subs(t, 0)}, K at most {half(m)}",
         at_least(failure(half(even) - s, even), tenth, t, s)),
        (f"the same for odd m >= {odd.subs(t, 0)}, K at most {half(m)}, rounded down",
         at_least(failure(half(odd) - sympy.Rational(1, 2) - s, odd), tenth, t, s)),
        ("arms of the compact bandit: " + text.shown("(D-3)(T-1)"), at_least(*text.sides(r"m=...\ge", D=D, T=T), x, y)),
        ("D >= 8: K <= (D-1)(T-1)/2 is in this range",
         at_least(room.subs(m, arms(D + 4, T)), (D + 3) * (T - 1) / 2, x, y)),
        ("arms of the template: d - 1 in each of the layers 1, ..., H - 1",
         equal(text("m=", after="Let", d=D, H=T), sympy.summation(D - 1, (sympy.Symbol("h"), 1, T - 1)))),
    ]


@claim("thm-lower-deterministic-repaired", plants=3, false={"a bias at its bound, not beyond it": {"beyond": 0}})
def lower_bound_in_steps(text, beyond=BEYOND):
    """Yao, the recursion, the output, and where 1/10 begins: Every step of the proof in the text, for all m, K, N,
    epsilon and bias."""
    failure = text.function("", "K", "m", after="with probability at least")
    return steps([*mixture_of_lower_bound(text, beyond, failure), *numbers_of_lower_bound(text, failure)],
                 "all m, K, N; deterministic outputs for bias > epsilon, any outputs for bias > 2 epsilon")


@cache  # held against the true bound and against planted ones
def successes() -> list:
    """m, K and the average success over the arms, for every algorithm."""
    return list(every_algorithm(lambda tree, m, K, N: (m, K, sum(
        bandit_game.success_probability(tree, i, BIAS, N) for i in range(1, m + 1)) / m), (*GAMES, (3, 2, 1))))


@claim("thm-lower-deterministic-repaired", method="exhaustive",
       covers="every algorithm for (m, K, N) in the listed games", gap="small games", tier="full", plants=3)
def failure_of_every_algorithm(failure=printed("thm-lower-deterministic-repaired").function(
                                   "", "K", "m", after="with probability at least")):
    """Average failure of every adaptive algorithm: Smallest average failure minus that of the text over all
    algorithms."""
    bound = {(m, K): failure(K, m) for m, K in {(m, K) for m, K, _ in successes()}}
    margins = [1 - success - bound[m, K] for m, K, success in successes()]
    return Evidence(min(margins), 0, "lower", f"all {len(margins)} algorithms, bias {BIAS}")


@claim("res-exact-deterministic-game", false={"a variance of twice N p (1-p), which is not at most N/4": {"spread": 2}})
def sweep_attains_the_value(text, spread=1):
    """The lower bound is attained as N grows: The sweep's failure for revealing pulls, Chebyshev's bound on a test, and
    both on exact small cases."""
    m, K, N, b, p = sympy.symbols("m K N b p", positive=True)
    delta = sympy.Symbol("delta", positive=True)
    least = text.function("", "K", "m", after="in the worst case is at least")
    most = text.function("", "K", "m", "N", "b", after="and at most")
    variance = spread * N * p * (1 - p)  # of the number of heads
    outcomes = [
        "order of the arms",
        ("hidden after the first K+1 of a random order", equal((m - K - 1) / m, least(K, m))),
        "Chebyshev",
        ("variance at most 1/4 per flip", same_operator(N / 4, variance + N * (p - sympy.Rational(1, 2)) ** 2)),
        ("K tests, each of which errs with the probability of Chebyshev: " + text.shown("", after="and at most"),
         equal(least(K, m) + K * (N / 4) / (N * b / 2) ** 2, most(K, m, N, b))),
        "order of the arms",
        (f"{text.shown('K', after='requires')}, {text.shown('K', after='and every')}: failure delta at the bound",
         every(equal(least(text(sign, after=words, delta=delta, m=m), m), delta)
               for sign, words in ((r"K\ge", "requires"), ("K>", "and every")))),
    ]
    for arms in range(1, 6):
        orders = list(permutations(range(arms)))
        for k in range(ceil(text("K<", m=arms))):
            rates = {Fraction(sum(bandit_game.sweep_failure(arms, k, order, hidden) for order in orders), len(orders))
                     for hidden in range(arms)}
            outcomes += ["order of the arms", (f"all orders, m = {arms}, K = {k}", every(
                exactly(rates, {least(k, arms)}), exactly(bandit_failure(arms, k), least(k, arms))))]
    for flips in (4, 16, 64):
        error = bandit_game.test_error(flips, BIAS)
        outcomes += ["Chebyshev", (f"test error at N = {flips}", at_most(error, most(1, 5, flips, BIAS) - least(1, 5)))]
    return steps(outcomes, "all m, K, every bias; orders for m <= 5")


@claim("res-exact-deterministic-game", method="exhaustive", covers="m <= 5, K <= 3, N up to 16, bias 2/5",
       gap="finite N: between the two bounds for all N")
def optimal_play_for_finite_batches(least=printed("res-exact-deterministic-game").function(
                                        "", "K", "m", after="in the worst case is at least")):
    """Bayes-optimal play for finite N: The dynamic programme lies between the limit of the text and the sweep's bound,
    and does not increase with N."""
    outcomes = []
    for m, K, sizes in ((2, 1, (1, 4, 8, 16)), (4, 2, (1, 4, 8, 16)), (5, 3, (1, 4, 8)), (5, 1, (1, 8, 16))):
        limit = least(K, m)
        values = [bandit_game.bayes_failure(m, K, N, BIAS) for N in sizes]
        upper = [limit + K * bandit_game.test_error(N, BIAS) for N in sizes]
        outcomes += [(f"m={m} K={K}: at least the limit", min(values) >= limit),
                     (f"m={m} K={K}: at most the sweep", all(v <= u for v, u in zip(values, upper, strict=True))),
                     (f"m={m} K={K}: monotone in N", values == sorted(values, reverse=True))]
    return steps(outcomes, "exact rationals; every adaptive choice of arms")


@claim("res-exact-deterministic-game", method="exhaustive", covers="closed forms at sample points", gap="sample points",
       false={"one half instead of 1/10": {"share": Fraction(1, 2)}})
def deployments_for_one_tenth(enough=printed("res-exact-deterministic-game").function(r"K\ge", r"\delta", "m"),
                              share=TENTH):
    """How many deployments a failure below 1/10 takes: Smallest K with exact failure at most 1/10 on the template,
    against the bound of the text and the library's."""
    agree = 0
    sizes = [(d, H) for d in (2, 3, 5, 10) for H in (2, 3, 11, 101)]
    for d, H in sizes:
        m = template_arms(d, H)
        needed = next(K for K in range(m + 1) if exact_failure_deterministic(d, H, K) <= TENTH)
        agree += needed == deployments_for_failure(m, share) == max(0, ceil(enough(share, m)))
    return Evidence(agree, len(sizes), "identity", "16 pairs (d, H)")


@claim("res-bias",
       false={"three quarters of the least q are enough for the second arm": {"needed": sympy.Rational(3, 4)}})
def arms_served_by_one_output(text, needed=1):
    """Arms that one output serves: The least q of an epsilon-optimal output, how many arms can have it, and where that
    is two or all of them.

    `needed` is how much of a second arm has to fit, so that the output serves two.
    """
    epsilon, t, q, c, b = sympy.symbols("epsilon t q c b", positive=True)
    value = text.function(r"J(\pi)=", "c", "b", r"q(\pi)")
    least = sympy.solve(value(c, b, 1) - value(c, b, q) - epsilon, q)[0]
    two = text(r"b\le", after="two arms iff", epsilon=epsilon)
    every_arm = text(r"b\le", after="all of them if", epsilon=epsilon)
    failing = text("b>", epsilon=epsilon)
    eighth, arms = Fraction(1, 8), text.function("", "b", r"\epsilon", after="optimal for at most")

    def room(bias):  # what is left of 1 when one arm, and `needed` of a second one, have the least q
        return 1 - (1 + needed) * least.subs(b, bias)

    return steps([
        "deterministic outputs",
        (text.shown(r"b\le", after="two arms iff") + ": two arms fit, and no two above", every(
            equal(room(two), 0), by_sign(0, room(two + t)))),
        "mixed outputs",
        ("r arms fit iff r is at most " + text.shown("", after="optimal for at most"),
         equal(least * arms(b, epsilon).args[0], 1)),
        (text.shown(r"b\le", after="all of them if") + ": every policy is good for every arm", every(
            equal(least.subs(b, every_arm), 0), bookkeeping(arms_served(eighth, eighth) is None))),
        "deterministic outputs",
        (text.shown("b>") + ": a policy without the arm loses more than epsilon, and not at the bound", every(
            by_sign((value(c, b, 1) - value(c, b, 0) - epsilon).subs(b, failing + t)),
            equal((value(c, b, 1) - value(c, b, 0)).subs(b, failing), epsilon))),
        *((f"b = {times} epsilon: {arms(times, 1)} arms", every(
            exactly(arms_served(eighth, times * eighth), arms(times, 1)),
            exactly(arms(times, 1), max(r for r in range(1, 9) if r * (1 - 1 / times) <= 1))))
          for times in (Fraction(2), Fraction(3), Fraction(3, 2), Fraction(5, 3))),
    ], "all epsilon, all biases in (epsilon, 1/2]")


@claim("res-hidden-arm-complexity", covers="the number of arms, the probability and the ranges",
       gap="the law of a learner with a seed: Coq proves it", plants=8,
       false={"one deployment more": {"more": 1}})
def hidden_arm_of_the_bandit(text, bandit=printed("res-compact-bandit"),
                             game=printed("thm-lower-deterministic-repaired"), more=0):
    """The numbers against the compact bandit: The probability is 1 minus the failure of the game with the arms of the
    bandit; `more` is added to K."""
    d, H, K = sympy.symbols("d H K", positive=True)
    arms = bandit("m=", D=d, T=H)
    failure = game("", after="with probability at least", K=K + more, m=arms)
    ranges = [*(text.range(letter).low for letter in "dH"),
              *(bandit.range(letter, after="common feature map of dimension").low for letter in "DT")]
    epsilons, rewards = text.range(r"\epsilon"), text.interval(after="and rewards in")
    bias = game("b>", after=r"is not $\epsilon$-optimal; with", epsilon=epsilons.high)  # for stochastic outputs
    mdp = instances.compact_bandit(3, 2, 0, BIAS, exact=True)
    return steps([
        ("the probability of the text is that of naming the arm of the bandit",
         equal(text("", after="optimal with probability at most", d=d, H=H, K=K), 1 - failure)),
        ("the dimensions and numbers of layers are those of the bandit, and N may be 0",
         every(exactly(ranges[:2], ranges[2:]), exactly(text.range("N").low, 0))),
        ("at the largest epsilon a bias that two arms need is 1/2, the largest there is",
         every(exactly(bias, Fraction(1, 2)), exactly(epsilons.low, 0))),
        ("rewards of the arrays lie in the interval", every(
            exactly(min(mdp.rewards().ravel()), rewards.low), at_most(max(mdp.rewards().ravel()), rewards.high),
            exactly(rewards.high, 1))),
    ], "all d >= 4, H >= 2, 0 < epsilon < 1/4, every K and N")


# --- the deployment complexity -----------------------------------------------------------------------------------

@claim("res-deterministic-complexity", covers="the numbers: both bounds, the two multiples of dH, and N",
       gap="the two theorems that the bounds come from, which Coq proves", plants=6,
       false={"dH/8 <= K*, where the bound is 3 at d = 8, H = 2": {"parts": 2}})
def bounds_are_multiples_of_dh(text, run=printed("res-layerwise-whole-run"),
                               bandit=printed("res-deterministic-constant"), parts=1):
    """Both bounds as multiples of dH: The bounds against dH at the ends of the ranges, and N as that of Algorithm 1;
    `parts` multiplies 1/16."""
    x, y, w = sympy.symbols("x y w", nonnegative=True)
    D, T, eps, delta = sympy.symbols("D T epsilon delta", positive=True)
    d, H = text.range("d").low + x, text.range("H").low + y
    named = {"d": D, "H": T, "epsilon": eps, "delta": delta}
    low, least = text.range(r"\delta").high, text(r"dH\ge")
    failing, epsilons = text.range(r"\delta"), text.range(r"\epsilon")

    def bounds(after, **letters):
        """Lower and upper bound of K^* after some words."""
        return text.sides(r"...\le", {"K^*": 0}, after=after, **letters)[0], text(r"K^*\le", after=after, **letters)

    lower, upper = bounds("exists, and", d=d, H=H, delta=low)
    part, times = bounds("So", d=d, H=H)
    arms = lower + 1  # at the largest delta
    ours, others = (each.sides(r"...\le", {"K^*": 0}, after=words, d=D, H=T, delta=delta)[0] for each, words in
                    ((text, "exists, and"), (bandit, "Then")))
    part = parts * part
    return steps([
        ("K* is at least what the hidden arm asks for", equal(ours, others)),
        ("the lower bound plus 1 is at least dH/8", at_least(arms, d * H / 8, x, y)),
        ("which is 1 + dH/16 or more from dH = 16 on", every(
            exactly(least / 8, 1 + parts * text.sides(r"...\le", {"K^*": 0}, after="So", d=least, H=1)[0]),
            at_least((least + w) / 8, 1 + part.subs({x: 0, y: 0}) / (d * H).subs({x: 0, y: 0}) * (least + w), w))),
        ("2dH + 1 <= 3dH", at_least(times, upper, x, y)),
        ("K and N of Algorithm 1 at c_K = 2", every(
            exactly(text(r"K^*\le", after="exists, and", d=3, H=4), run("K=", c_K=2, d=3, H=4)),
            equal(text(r"N\ge", **named), run(r"N\ge", c_K=run.range("c_K").low, **named)))),
        ("the probability falls to 1/2, and epsilon is below 1/4 as on the bandit", every(
            exactly(text("", after="with probability at least", delta=low), 1 - low),
            exactly((failing.low, failing.high), (0, sympy.Rational(1, 2))),
            exactly((epsilons.low, epsilons.high), (0, bandit.range(r"\epsilon").high)))),
    ], "all d >= 6, H >= 2 with dH >= 16, 0 < delta <= 1/2")
