"""These checks concern Theorem B.2, the lower bound for deterministic policies: where it fails, its repair, its game.

The game is that of `chain`, with m = (d-1)(H-1) arms on the printed template and m = (D-3)(T-1) on the compact bandit.
All adaptive algorithms of small games are tried, and a dynamic programme gives optimal play for finite N.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import permutations

import sympy

from derl.claims import Evidence, check, control, steps
from derl.claims.lower_bounds.chain import BIAS, GAMES, every_algorithm
from derl.theory.exact.compared import at_most, bookkeeping, exactly
from derl.theory.exact.quotients import simplified
from derl.theory.exact.symbolic import at_least, by_sign, equal, nonnegative, same_operator
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
NINE_TENTHS = Fraction(9, 10)
BEYOND = sympy.Symbol("t", positive=True)  # bias/epsilon - 2


@check("thm-lower-deterministic", method="exhaustive", arithmetic="exact", covers="everything", refutes=True,
       gap="the instances of the printed proof only: for two arms others carry it, {claim}`res-two-unknown-arms`",
       title="Two arms, one deployment, eight trajectories")
def few_arms_are_found(sizes=SMALL_SIZES, N=8) -> Evidence:
    """Largest exact minimax failure with K = floor(m/2) on the printed instances; it should be at least 1/10."""
    worst = max(bandit_game.bayes_failure(template_arms(d, H), template_arms(d, H) // 2, N, BIAS) for d, H in sizes)
    return Evidence(worst, Fraction(99, 1000), "upper", f"(d, H) in {sizes}, N = {N}, bias {BIAS}",
                    detail="the class of instances that the proof names; d = 2, H = 2 has one arm only")


control(few_arms_are_found, "d = 2, H = 4: three arms", {"sizes": ((2, 4),)})


@check("thm-lower-deterministic-repaired", method="symbolic", arithmetic="exact", covers="everything",
       gap="none",
       title="Yao, the recursion, the output, and where 1/10 begins")
def lower_bound_in_steps(bonus=1, share=NINE_TENTHS, beyond_twice=BEYOND, smallest=(4, 2), even=4) -> Evidence:
    """Every step of the proof in the text, for all m, K, N, epsilon and bias."""
    share = sympy.Rational(share)
    m, K, x, y, s, t = sympy.symbols("m K x y s t", positive=True)
    weight = sympy.symbols("w1:4", nonnegative=True)
    slack = sympy.symbols("z1:4", nonnegative=True)
    least = sympy.Symbol("v", nonnegative=True)
    mixture = sum(w * (least + z) for w, z in zip(weight, slack, strict=True)) - least * sum(weight)
    value = (K + bonus) / m
    recursion = 1 / m + (m - 1) / m * ((K - 1 + bonus) / (m - 1)) - value
    D, T = smallest[0] + x, smallest[1] + y
    q, epsilon = sympy.symbols("q epsilon", positive=True)
    loss = (2 + beyond_twice) * epsilon * (1 - q)
    return steps([
        "mixture",
        ("a mixture of algorithms is no better than the best",
         nonnegative(sympy.expand(mixture), *weight, *slack, least)),
        "best success",
        ("V(m, 0) = 1/m", equal(value.subs(K, 0), 1 / m)),
        ("V(m, K) = 1/m + (m-1)/m V(m-1, K-1) for a new arm", equal(recursion, 0)),
        ("an old arm or none is no better", nonnegative(simplified(value - value.subs(K, K - 1)), m)),
        "two good arms",
        ("bias > 2 epsilon: two arms cannot both have q >= 1 - epsilon/bias",
         by_sign(sympy.solve(loss - epsilon, q)[0], sympy.Rational(1, 2))),
        "numbers",
        ("failure >= 1/10 while K <= 9m/10 - 1",
         nonnegative(sympy.expand((1 - value).subs(K, share * m - 1 - s) - sympy.Rational(1, 10)) * m, m, s)),
        ("failure >= 1/10 for even m >= 4, K = m/2",
         nonnegative(simplified((1 - value).subs(K, m / 2).subs(m, even + t) - sympy.Rational(1, 10)), t)),
        ("failure >= 1/10 for odd m >= 3, K = (m-1)/2",
         nonnegative(simplified((1 - value).subs(K, (m - 1) / 2).subs(m, 3 + t) - sympy.Rational(1, 10)), t)),
        ("(D-3)(T-1) >= DT/8", at_least(8 * (D - 3) * (T - 1), D * T, x, y)),
        ("D >= 8: K <= (D-1)(T-1)/2 is below 9m/10 - 1",
         at_least(share * (D + 1) * (T - 1), 1 + (D + 3) * (T - 1) / 2, x, y)),
    ], "all m, K, N; deterministic outputs for bias > epsilon, any outputs for bias > 2 epsilon")


control(lower_bound_in_steps, "the output is a free deployment: success (K+2)/m", {"bonus": 2})
control(lower_bound_in_steps, "failure 1/10 up to K = 19m/20 - 1", {"share": Fraction(19, 20)})
control(lower_bound_in_steps, "bias 2 epsilon with stochastic outputs", {"beyond_twice": 0})
control(lower_bound_in_steps, "smallest size D = 3, T = 2: no arm is left", {"smallest": (3, 2)})
control(lower_bound_in_steps, "smallest size D = 4, T = 1: no arm is left", {"smallest": (4, 1)})
control(lower_bound_in_steps, "even m = 2, K = 1: the arm is always found", {"even": 2})


@cache  # held against the true bound and against planted ones
def successes() -> list:
    """m, K and the average success over the arms, for every algorithm."""
    return list(every_algorithm(lambda tree, m, K, N: (m, K, sum(
        bandit_game.success_probability(tree, i, BIAS, N) for i in range(1, m + 1)) / m), (*GAMES, (3, 2, 1))))


@check("thm-lower-deterministic-repaired", method="exhaustive", arithmetic="exact",
       covers="every algorithm for (m, K, N) in the listed games", gap="small games", tier="full",
       title="Average failure of every adaptive algorithm")
def failure_of_every_algorithm(bonus=1) -> Evidence:
    """Smallest average failure minus 1-(K+1)/m over all algorithms."""
    margins = [Fraction(K + bonus, m) - success for m, K, success in successes()]
    return Evidence(min(margins), 0, "lower", f"all {len(margins)} algorithms, bias {BIAS}")


control(failure_of_every_algorithm, "success at most K/m", {"bonus": 0})


@check("res-exact-deterministic-game", method="symbolic", arithmetic="exact", covers="everything",
       gap="none",
       title="The lower bound is attained as N grows")
def sweep_attains_the_value(bonus=1, tests=1) -> Evidence:
    """The sweep's failure for revealing pulls, Chebyshev's bound on a test, and both on exact small cases."""
    m, K, N, b, p = sympy.symbols("m K N b p", positive=True)
    variance = N * p * (1 - p)  # of the number of heads
    chebyshev = sympy.simplify((N / 4) / (N * b / 2) ** 2 - tests / (N * b**2))
    outcomes = [
        "order of the arms",
        ("hidden after the first K+1 of a random order", equal((m - K - 1) / m + (K + bonus) / m, 1)),
        "Chebyshev",
        ("variance at most 1/4 per flip", same_operator(N / 4, variance + N * (p - sympy.Rational(1, 2)) ** 2)),
        ("Chebyshev: a test errs with probability at most 1/(N b^2)", exactly(chebyshev, 0)),
    ]
    for arms in range(1, 6):
        orders = list(permutations(range(arms)))
        for k in range(arms + 1):
            rates = {Fraction(sum(bandit_game.sweep_failure(arms, k, order, hidden) for order in orders), len(orders))
                     for hidden in range(arms)}
            outcomes += ["order of the arms",
                         (f"all orders, m = {arms}, K = {k}", exactly(rates, {bandit_failure(arms, k, bonus)}))]
    for flips in (4, 16, 64):
        error = bandit_game.test_error(flips, BIAS)
        outcomes += ["Chebyshev",
                     (f"test error at N = {flips}", at_most(error, tests / (flips * BIAS**2)))]
    return steps(outcomes, "all m, K, every bias; orders for m <= 5")


control(sweep_attains_the_value, "success (K+2)/m: two guesses", {"bonus": 2})
control(sweep_attains_the_value, "test error 1/(40 N b^2)", {"tests": Fraction(1, 40)})


@check("res-exact-deterministic-game", method="exhaustive", arithmetic="exact",
       covers="m <= 5, K <= 3, N up to 16, bias 2/5", gap="finite N: between the two bounds for all N",
       title="Bayes-optimal play for finite N")
def optimal_play_for_finite_batches(bonus=1) -> Evidence:
    """The dynamic programme lies between 1-(K+1)/m and the sweep's bound, and does not increase with N."""
    outcomes = []
    for m, K, sizes in ((2, 1, (1, 4, 8, 16)), (4, 2, (1, 4, 8, 16)), (5, 3, (1, 4, 8)), (5, 1, (1, 8, 16))):
        limit = bandit_failure(m, K, bonus)
        values = [bandit_game.bayes_failure(m, K, N, BIAS) for N in sizes]
        upper = [limit + K * bandit_game.test_error(N, BIAS) for N in sizes]
        outcomes += [(f"m={m} K={K}: at least the limit", min(values) >= limit),
                     (f"m={m} K={K}: at most the sweep", all(v <= u for v, u in zip(values, upper, strict=True))),
                     (f"m={m} K={K}: monotone in N", values == sorted(values, reverse=True))]
    return steps(outcomes, "exact rationals; every adaptive choice of arms")


control(optimal_play_for_finite_batches, "limit 1 - (K+2)/m, which play does not reach", {"bonus": 2})


@check("res-exact-deterministic-game", method="exhaustive", arithmetic="exact", covers="closed forms at sample points",
       gap="sample points", title="How many deployments a failure below 1/10 takes")
def deployments_for_one_tenth(share=TENTH) -> Evidence:
    """Smallest K with exact failure at most 1/10 on the template, against ceil(9m/10) - 1."""
    agree = 0
    sizes = [(d, H) for d in (2, 3, 5, 10) for H in (2, 3, 11, 101)]
    for d, H in sizes:
        m = template_arms(d, H)
        needed = next(K for K in range(m + 1) if exact_failure_deterministic(d, H, K) <= TENTH)
        agree += needed == deployments_for_failure(m, share)
    return Evidence(agree, len(sizes), "identity", "16 pairs (d, H)")


control(deployments_for_one_tenth, "one half instead of 1/10", {"share": Fraction(1, 2)})


@check("res-bias", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Arms that one output serves")
def arms_served_by_one_output(threshold=2) -> Evidence:
    """q >= 1 - epsilon/b for r arms needs r (1 - epsilon/b) <= 1, that is r <= b/(b - epsilon)."""
    epsilon, t, r = sympy.symbols("epsilon t r", positive=True)
    b = threshold * epsilon + t
    room = 1 - 2 * (1 - epsilon / b)  # of two arms; negative: no room
    eighth = Fraction(1, 8)
    return steps([
        "deterministic outputs",
        ("b > 2 epsilon: no two arms", by_sign(0, room)),
        "mixed outputs",
        ("r arms fit iff r <= b/(b - epsilon)",
         equal(1, r * (1 - epsilon / b) + (b - epsilon) / b * (b / (b - epsilon) - r))),
        ("b = epsilon: every policy is good for every arm", bookkeeping(arms_served(eighth, eighth) is None)),
        "deterministic outputs",
        ("b = 2 epsilon: two arms", exactly(arms_served(eighth, 2 * eighth), 2)),
        ("b = 3 epsilon: one arm", exactly(arms_served(eighth, 3 * eighth), 1)),
        ("b = 3 epsilon / 2: three arms", exactly(arms_served(eighth, 3 * eighth / 2), 3)),
    ], "all epsilon, all biases in (epsilon, 1/2]")


control(arms_served_by_one_output, "b > 3 epsilon / 2 suffices", {"threshold": sympy.Rational(3, 2)})
