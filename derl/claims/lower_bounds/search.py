"""These checks establish the lower bound without the factor 2, and how close algorithms for the search game come to it.

Three searches are compared: "reveal" is told the digit at the frontier and bounds every algorithm, "exclude" remembers
the wrong digits there, and "forget" does not. Small games are solved by optimal play, and one with ten thousand layers
by programmes.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import sympy

from derl.claims import Evidence, claim, printed, steps
from derl.claims.lower_bounds.lock import CEILING, constant_of
from derl.exact.compared import at_most, every, exactly
from derl.exact.symbolic import at_least, equal
from derl.theory.lower_bounds import (
    ceil_log,
    exact_success_arbitrary,
    improved_deployments_arbitrary,
    paper_deployments_arbitrary,
)
from derl.theory.lower_bounds.search_game import best_success, sequences, two_deployment_success
from derl.theory.lower_bounds.search_programme import success_curve

SEED = 20220802
BINARY = [(n, N, K) for n in (2, 4, 6) for N in (1, 2, 5) for K in (1, 2, 4)]
SINGLE = ((2, 4, 1, 2), (2, 4, 1, 3), (3, 2, 1, 2), (3, 3, 1, 3), (4, 2, 1, 3))  # N = 1: every algorithm tried
MARGIN = 0.04  # of a success probability
AT_THE_BOUND = ((2, 6, 1, 1), (2, 8, 1, 2))  # (d, H, N, K) with K = (H-2)/ceil(log_d NH)


@claim("res-arbitrary-no-factor-two", covers="the formulas: K, the probability and its constant, and twice the K",
       gap="the probability: Coq proves the whole",
       false={"two levels taken before the first deployment": {"free_levels": 2}})
def bound_without_the_factor(text, other=printed("thm-lower-arbitrary"), free_levels=1):
    """K L levels after the first one: With L = ceil(log_d NH), for all d and H; then the constant, and the K of the
    paper."""
    layers, L = sympy.symbols("H L", positive=True)
    room, h = sympy.symbols("t h", nonnegative=True)
    most, H = text.function(r"K\le", CEILING, "H"), text.range("H").low + h
    return [("1 + K L <= H-1", at_least(H - 1, free_levels + most(L, H) * L, L, h)),
            *constant_of(text, 1 - 1 / layers, text.range("d").low + room, room),
            ("twice the K of the text", equal(most(L, layers), 2 * other("K>", {CEILING: L}, H=layers)))]


@claim("res-arbitrary-no-factor-two", method="exhaustive", covers="(d, H, N, K) in two games", gap="small games",
       false={"two deployments more than the bound allows": {"games": ((2, 6, 1, 3),)}})
def optimal_play_at_the_bound(text, games=AT_THE_BOUND):
    """Optimal play at the K of the bound: P(level H-1 never reached) under optimal play, over (1-1/H)^K, at the largest
    K of the bound."""
    bounds = [[text.sides(r"\frac{d-1}...>", d=d, H=H, K=k)[0] for k in (K, 0)] for d, H, N, K in games]
    ratios = [(1 - best_success(d, H - 2, N, K)) / (bound / first)
              for (d, H, N, K), (bound, first) in zip(games, bounds, strict=True)]
    return Evidence(min(ratios), 1, "lower", f"(d, H, N, K) in {games}; every batch after every history",
                    detail=f"K of the bound: {[improved_deployments_arbitrary(*game[:3]) for game in games]}")


def mean_value(tails, rises):
    """E v(A) for P(A >= a) = tails[a-1], a = 1..n, v(0) = 0 and v(a) - v(a-1) = rises[a-1], value by value."""
    ends = (1, *tails, 0)
    return sum((ends[a] - ends[a + 1]) * sum(rises[:a]) for a in range(len(tails) + 1))


def _advances(d: int, most: int, N: int) -> list:
    """P(one deployment of uniform search gains at least a digits) for a = 0, ..., most, by the programme.

    A search for a digits that is not over after one deployment has gained less than a.
    """
    return [Fraction(1)] + [success_curve(d, digits, N, 1, "forget", True)[-1] for digits in range(1, most + 1)]


@claim("res-search-upper", false={"a tangent of twice the slope": {"convex": 2}})
def reveal_bounds_every_algorithm(advance=printed("res-search-upper").function("", "d", "a", "N", after="probability"),
                                  convex=1):
    """Tangent bound, monotonicity, induction: One step of the induction: the advance is dominated for every a, the
    value is monotone in the known digits."""
    N, q, u, miss = sympy.symbols("N q u m", positive=True)
    tangent = (1 - u) * miss * (1 + convex * N * ((1 - q) / (1 - u) - 1)) - ((1 - u) * miss - N * miss * (q - u))
    tails = sympy.symbols("t1:4", nonnegative=True)  # P(advance >= a), own law, below the uniform one by slack z
    slack = sympy.symbols("z1:4", nonnegative=True)
    rises = sympy.symbols("r1:4", nonnegative=True)  # increase of the value per extra known digit
    own, uniform = (mean_value(law, rises) for law in (tails, [t + z for t, z in zip(tails, slack, strict=True)]))
    outcomes = ["one trajectory",
                ("tangent bound from Bernoulli", equal(tangent, 0)),
                "comparison",
                ("larger tails give a larger expected value",
                 at_least(uniform, own, *tails, *slack, *rises))]
    outcomes += ["one step", ("the chain advances with the probability of the text", every(
        exactly(law[digits], advance(d, digits, size)) for d, size in ((2, 1), (2, 4), (3, 2), (5, 3))
        for law in (_advances(d, 3, size),) for digits in (1, 2, 3)))]
    for d, n, N_, K in ((3, 4, 2, 3), (2, 5, 3, 3)):
        rest = [success_curve(d, n - f, N_, K, "reveal", True)[-1] for f in range(n)]
        outcomes += ["monotone value",
                     (f"the value rises with the known digits, d = {d}", exactly(rest, sorted(rest)))]
    for d, n, N_, K in SINGLE:
        outcomes += ["comparison",
                     (f"at least optimal play, d = {d}, n = {n}, N = 1, K = {K}",
                         at_most(best_success(d, n, N_, K), success_curve(d, n, N_, K, "reveal", True)[-1]))]
    return steps(outcomes, "every d, n, N, K and every algorithm that deploys policies")


@claim("res-search-exact", false={"the excluded digit tried again": {"left": 2}})
def binary_search_is_solved(digits=printed("res-search-exact")("d="), left=1):
    """With two digits, excluding one reveals the other: The two transition kernels agree for symbolic N, and the curves
    in rationals."""
    N, p = sympy.symbols("N p", positive=True)  # p = 2^-a, the probability of meeting a node a digits further
    a = sympy.Symbol("a", integer=True, positive=True)
    known_digit = sympy.Rational(1, left) / 2 ** (a - 1)
    outcomes = [
                "known digit",
                ("with the digit known: one further for free", equal(known_digit, 2 ** (-(a - 1))))]
    same = every(exactly(success_curve(int(digits), *game, "exclude", True),
                         success_curve(int(digits), *game, "reveal", True)) for game in BINARY)
    outcomes += ["curves",
                 (f"curves agree in {len(BINARY)} games", same)]
    return steps(outcomes, "d = 2, all n, N, K")


@claim("res-search-exact", method="exhaustive", covers=f"N = 1, (d, n, N, K) in {SINGLE}", gap="small games",
       false={"plain uniform search": {"memory": "forget"}})
def exclusion_is_optimal_for_single_paths(memory="exclude"):
    """One trajectory per deployment; exclusion is optimal play: Largest difference between optimal play and uniform
    search with exclusion."""
    gaps = [abs(best_success(*game) - success_curve(*game, memory, True)[-1]) for game in SINGLE]
    return Evidence(max(gaps), 0, "identity", "every path after every history, exact rationals")


@claim("res-search-exact", method="stress", arithmetic="float64", covers="two deployments of N independent paths",
       gap="random policies", tier="full",
       false={"one per cent less": {"scale": 0.99}})
def no_better_first_policy_found(scale=1.0):
    """Looking for a better first policy: Largest success over random first policies, second policy optimal, minus that
    of exclusion."""
    rng = np.random.default_rng(SEED)
    worst = -np.inf
    for d, n, N in ((3, 2, 2), (3, 2, 3), (4, 2, 2), (2, 3, 2), (3, 3, 2)):
        size = len(sequences(d, n))
        sharpness = 10.0 ** rng.uniform(-1, 3, size=(4000, 1))
        laws = rng.standard_gamma(np.broadcast_to(sharpness, (4000, size))) + 1e-12
        result = two_deployment_success(d, n, N, laws / laws.sum(axis=1, keepdims=True)).max()
        worst = max(worst, result - scale * float(success_curve(d, n, N, 2, "exclude")[-1]))
    return Evidence(worst, 0, "upper", f"5 games, 4000 Dirichlet policies each, seed {SEED}", tolerance=1e-12)


@claim("res-forgetting-costs", method="exhaustive", false={"exclusion of the wrong digit": {"memory": "exclude"}})
def forgetting_is_not_optimal(text, memory="forget"):
    """5/16 against 1/2: Optimal play and plain uniform search with three digits, that is H = 5."""
    d, N, K = (int(text(f"{letter}=")) for letter in "dNK")
    best, plain = text("", after="the best algorithm with"), text("", after="succeeds with probability")
    return steps([(f"optimal play: {best}", exactly(best_success(d, 3, N, K), best)),
                  (f"plain uniform search: {plain}", exactly(exact_success_arbitrary(d, 5, N, K, memory), plain))],
                 "every path after every history, exact rationals")


def _crosses(memory: str, K: int, d: int, horizon: int, N: int, half: float) -> bool:
    """Whether success first exceeds a half at K, with a margin on both sides (the programme errs by < 1e-12)."""
    curve = success_curve(d, horizon - 2, N, K, memory)
    return bool(curve[K - 1] < half - MARGIN and curve[K] > half + MARGIN)


@claim("res-deployments-at-scale", method="run", arithmetic="float64", covers="all but uniform search with exclusion",
       gap="the number 335 is left to the full tier",
       false={"a hundred layers fewer": {"fewer": 100}})
def bounds_at_scale(text, fewer=0):
    """Ten thousand layers; the bounds and two programmes: Integer bounds, the upper bound for all algorithms, and plain
    uniform search."""
    d, H, N = (int(text(f"{letter}=")) for letter in "dHN")
    horizon, half = H - fewer, float(text("", after="of success is below"))
    excluded, improved, every_algorithm = (int(text(r"K\le", after=words)) for words in (
        "Theorem B.3 excludes", "without the factor 2", "of success is below"))
    plain = int(text("K=", after="plain uniform search at"))
    return steps([
        ("ceil(log_d NH) = 34", ceil_log(d, N * horizon) == 34),
        (f"bound of the paper: K > {excluded}", paper_deployments_arbitrary(d, horizon, N) == excluded),
        (f"bound without the factor 2: K > {improved}", improved_deployments_arbitrary(d, horizon, N) == improved),
        (f"success 1/2 takes every algorithm more than {every_algorithm}",
         _crosses("reveal", every_algorithm + 1, d, horizon, N, half)),
        (f"plain uniform search: {plain}", _crosses("forget", plain, d, horizon, N, half)),
    ], "one size; float64")


@claim("res-deployments-at-scale", method="run", arithmetic="float64", tier="full", plants=3,
       false={"without exclusion": {"memory": "forget"}})
def exclusion_at_scale(text, memory="exclude"):
    """Ten thousand layers; with exclusion: Success with one deployment fewer, and with the K of the text, against
    1/2."""
    d, H, N, K = (int(text(f"{letter}=", after=words)) for letter, words in (
        ("d", ""), ("H", ""), ("N", ""), ("K", "exclusion reaches")))
    success, half = success_curve(d, H - 2, N, K, memory), float(text("", after="of success is below"))
    return Evidence(min(half - success[K - 1], success[K] - half), 0, "lower", "one size; float64",
                    detail=f"{success[K - 1]:.3f} with {K - 1} deployments, {success[K]:.3f} with {K}")
