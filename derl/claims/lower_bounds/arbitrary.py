"""These checks establish Equation (6), Claim 1 and Claim 2, that is, how far one deployment reaches.

Policies are path-dependent throughout, so Remark B.1 is not needed. Each claim is taken step by step for all d, L, N
and K, and by optimal play over all adaptive algorithms in small games. Claim 2 is read with E_k(j) as "level j is
reached in the first k deployments"; the other reading is refuted.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy

from derl.claims import Evidence, claim, printed, steps
from derl.exact.compared import at_most, every, exactly
from derl.exact.symbolic import at_least, equal, nonnegative, same_operator
from derl.theory.lower_bounds import first_deployment_reach
from derl.theory.lower_bounds.search_game import claim_two_slack, matched, sequences

BEFORE = r"P_{\mathcal M,\psi}(E_{k-1}^\complement(L'))"
CLAIM_ONE = r"P_{\mathcal M,\psi}(E_1(L))\le"
CLAIM_TWO = r"P_{\mathcal M,\psi}(E_k^\complement(L'+L))\ge"
SHARP = r"P(F_k(m+L))\ge", {"P(F_{k-1}(m))": 1}
STEP = ((2, 3, 1, 2, 2, 2), (2, 3, 2, 2, 2, 2), (2, 3, 1, 3, 2, 2), (3, 2, 2, 2, 2, 1), (2, 4, 2, 2, 2, 3),
        (2, 4, 2, 2, 3, 2))


ALL_PATHS = (r"\sum_{i_1,\dots,i_{L-1},s_L}N\,p(s_0,i_1,0)\,p(i_1,i_2,1)\cdots p(i_{L-1},s_L,L-1)")


@claim("eq-sum-of-paths", false={"action probabilities that sum to 9/10": {"last_sums_to": sympy.Rational(9, 10)}})
def path_probabilities_sum_to_one(text, last_sums_to=1):
    """Induction on the length, all path-dependent policies: Sums the last digit out for symbolic d; and expands all
    paths for d = 2, 3 with free conditionals."""
    i, d = sympy.symbols("i d", integer=True, positive=True)
    q, N = sympy.symbols("q N", positive=True)
    p = sympy.IndexedBase("p")
    inner = sympy.Sum(p[i], (i, 1, d))
    step = sympy.factor_terms(sympy.Sum(q * p[i], (i, 1, d))).subs(inner, last_sums_to)
    outcomes = ["last digit",
                ("summing out the last digit leaves the probability of the prefix", same_operator(step, q))]
    for digits, length in ((2, 3), (3, 2)):
        def law(path, digits=digits):
            value = sympy.Integer(1)
            for k, digit in enumerate(path):
                free = [sympy.Symbol(f"p{path[:k]}{j}") for j in range(digits - 1)]
                value *= free[digit] if digit < digits - 1 else last_sums_to - sum(free)
            return value
        total = sympy.expand(N * sum(law(path) for path in product(range(digits), repeat=length)))
        outcomes += ["small cases",
                     (f"all paths, d = {digits}, {length} digits",
                      exactly(*text.sides(f"{ALL_PATHS}=", {ALL_PATHS: total}, N=N)))]
    return steps(outcomes, "all d, all lengths, every path-dependent policy")


def _union_and_tangent():
    """Steps shared by both claims: the union bound, and Bernoulli's inequality as the tangent bound."""
    N, q, x, u, miss = sympy.symbols("N q x u m", positive=True)  # m: (1-q)^N, (1+x)^N, (1-u)^(N-1)
    union = (((N + 1) * q - 1 + (1 - q) * miss) - (N * q - 1 + miss)) - q * (1 - miss)
    bernoulli = ((1 + x) * miss - 1 - (N + 1) * x) - (1 + x) * (miss - 1 - N * x) - N * x**2
    tangent = (1 - u) * miss * (1 + N * ((1 - q) / (1 - u) - 1)) - ((1 - u) * miss - N * miss * (q - u))
    return [
        "N trajectories",
        ("1-(1-q)^N <= Nq: from N to N+1 the slack grows by q(1-(1-q)^N)", same_operator(union, 0)),
        "Bernoulli",
        ("Bernoulli: the slack of N+1 is (1+x) times that of N, plus N x^2", same_operator(bernoulli, 0)),
        ("Bernoulli is the tangent bound", equal(tangent, 0)),
    ]


@claim("claim-first-deployment")
def first_deployment_in_steps(bound=printed("claim-first-deployment") .function(CLAIM_ONE, "N", "d", "L")):
    """Union bound over trajectories, average over codes: The steps of the text for all d, L, N."""
    d, L, N, total = sympy.symbols("d L N S", positive=True)
    average = N * total / d ** (L - 1)
    return steps([
        *_union_and_tangent(),
        "average over codes",
        ("mean of N q_c over d^(L-1) codes, sum q_c <= 1",
         equal(average.subs(total, 1), bound(N, d, L))),
    ], "all d, L, N, every policy, Markov or not; one of several trajectories may depend on another")


@claim("res-first-deployment-sharp", method="exhaustive", covers="uniform actions at four sizes", gap="four sizes")
def sharp_first_deployment(bound=printed("res-first-deployment-sharp") .function(CLAIM_ONE, "N", "d", "L")):
    """Uniform actions attain the bound: The value for uniform actions by listing all outcomes of N paths."""
    for d, L, N in ((2, 3, 2), (3, 2, 3), (2, 2, 4), (3, 3, 2)):
        paths = sequences(d, L - 1)
        hits = sum(any(path == paths[0] for path in batch) for batch in product(paths, repeat=N))
        yield f"d = {d}, L = {L}, N = {N}", every(exactly(Fraction(hits, len(paths) ** N), bound(N, d, L)),
                                                  exactly(first_deployment_reach(d, L, N), bound(N, d, L)))


@claim("claim-frontier-step", false={"a history that shows one digit after the frontier": {"known": 1}})
def frontier_step_in_steps(claimed=printed("claim-frontier-step") .function(CLAIM_TWO, "d", "N", "L", BEFORE), known=0):
    """Fresh digits, union bound, average over histories: The steps of the text; `known` is how many of the L digits
    after the frontier a history may show."""
    d, L, N, before, v = sympy.symbols("d L N P v", positive=True)
    hits = before * N / d ** (L - known)  # P(E_k(L'+L), E_{k-1}^c(L')), summed over histories
    shown_at_most = (1 - N / d**L) * before
    gain = sympy.simplify((shown_at_most - claimed(d, N, L, before)) * d**L).subs(d, 1 + v)
    outcomes = [*_union_and_tangent(),
                "average over histories",
                ("P(E_k^c) >= P(E_{k-1}^c)(1 - N/d^L)", equal(before, hits + shown_at_most)),
                ("1 - N/d^L is at least the factor of the text", nonnegative(gain, N, v, before))]
    for size, n in ((2, 4), (3, 3)):
        codes, shown = sequences(size, n), True
        for shared in range(1, n):
            for code, other, path in product(codes, codes, codes):
                if code[:shared] == other[:shared] and matched(path, code) < shared + known:
                    shown &= matched(path, code) == matched(path, other)
        outcomes += ["fresh digits",
                     (f"observations do not show the fresh digits, d = {size}, {n} digits", shown)]
    return steps(outcomes, "all d, L, L', N, k, every adaptive algorithm; E_k(j): reached in the first k deployments")


def _smallest_slack(games, factor, **reading):
    """Smallest slack over the games and the game where it is met."""
    return min((claim_two_slack(*game, factor(game[0], game[2], game[5]), **reading), game) for game in games)


@claim("claim-frontier-step", method="exhaustive", covers=f"(d, n, N, k, L', L) in {STEP}", gap="small games",
       as_printed={"E_k(j) as printed: level j is reached by the k-th deployment": {
                       "games": ((2, 3, 1, 4, 2, 2),), "alone": True}})
def frontier_step_of_every_algorithm(factor=printed("claim-frontier-step").function(
                                         CLAIM_TWO, "d", "N", "L", given={BEFORE: 1}), games=STEP, alone=False):
    """Every adaptive algorithm, by optimal play: Smallest P(E_k^c(L'+L)) - factor P(E_{k-1}^c(L')) over all adaptive
    algorithms; `alone`: in deployment k only."""
    slack, game = _smallest_slack(games, factor, alone=alone)
    return Evidence(slack, 0, "lower", "every batch of N paths after every history", detail=f"at {game}")


@claim("res-frontier-step-sharp", false={"probabilities q_v of the values played that sum to 2": {"played_at_most": 2}})
def fresh_digits_in_steps(text, played_at_most=1):
    """Averaged over the values of L fresh digits: The mean with a symbolic index, the histories, the power."""
    size, j = sympy.symbols("D j", integer=True, positive=True)  # D = d^L
    L, K = sympy.symbols("L K", positive=True)
    N, d, before, factor = sympy.symbols("N d P f", positive=True)
    slack, v = sympy.symbols("s v", nonnegative=True)
    played = sympy.IndexedBase("q")  # q_v, of sum at most 1
    total = sympy.Sum(played[j], (j, 1, size))
    mean = sympy.factor_terms(sympy.Sum(N * played[j] / size, (j, 1, size))).subs(total, played_at_most / (1 + slack))
    named = {"N": N, "d": d, "L": L}
    matched_at_most = 1 - text(r"P(F_1(L))\ge", **named).subs(d**L, size)
    left = text(SHARP[0], {"P(F_{k-1}(m))": before}, **named).subs(d**L, size)
    with_this, with_that = (text("", after=words, **named).subs(d**L, size) for words in (
        "So Claim 2 holds with", "instead of"))
    other = text.function(*SHARP[:1], "d", "N", "L", given=SHARP[1])
    known, digits = text.sides(r"m+L\le", m=1, L=2, n=3)  # the game below
    few = text(r"N\le", d=d, L=L).subs(d**L, size)
    return steps([
        "equality",
        ("the game with equality is one of the text: digits and trajectories",
         every(at_most(text.range("m").low, 1), at_most(known, digits), at_most(2, text(r"N\le", d=2, L=2)))),
        "printed factor",
        ("the power is not negative up to this N", at_least(
            (1 - matched_at_most).subs(N, few / (1 + slack)), 0, slack, size)),
        "fresh digits",
        ("mean over D = d^L values of N q_v, sum q_v <= 1: at most N/D",
         at_least(sympy.together((matched_at_most - mean).subs(d, 1 + v)), 0, N, size, slack, v)),
        "one deployment",
        ("P(F_k(m+L)) >= P(F_{k-1}(m)) - (N/D) P(F_{k-1}(m))",
         same_operator(before, before * matched_at_most + left)),
        "printed factor",
        ("N/d^L, which is at most N/d^(L-1)", every(
            exactly(with_this, matched_at_most), at_least(with_that.subs(d, 1 + v), with_this, N, size, v))),
        ("P_k >= f^k and P_{k+1} >= f P_k give P_{k+1} >= f^(k+1)",
         at_least(factor * (before + slack) + v, factor * before, factor, before, slack, v)),
        (text.shown(r"P(F_K(KL))\ge"), equal(text(r"P(F_K(KL))\ge", K=K, **named), other(d, N, L)**K)),
        "equality",
        ("equality: d = 2, three digits, N = 2, k = 2, m = 1, L = 2",
         exactly(claim_two_slack(2, 3, 2, 2, 2, 2, other(2, 2, 2)), 0)),
    ], "all d >= 2, L, m, k, N, every adaptive algorithm that sees how many leading digits are right")


@claim("res-frontier-step-sharp", method="exhaustive", covers=f"(d, n, N, k, L', L) in {STEP}", gap="small games")
def frontier_step_with_exponent(factor=printed("res-frontier-step-sharp").function(
                                    SHARP[0], "d", "N", "L", given=SHARP[1])):
    """Exponent L in place of L-1, and no better: Smallest slack with the factor of the text; it is 0 in some game, so
    the exponent is the right one."""
    slack, game = _smallest_slack(STEP, factor)
    return Evidence(slack, 0, "identity", "every batch of N paths after every history", detail=f"at {game}")


@claim("claim-frontier-step-alone", method="exhaustive", refutes=True,
       words="its inequality is that of Claim 2, which the check evaluates",
       false={"E_k(j) read as: in the first k deployments": {"alone": False}})
def frontier_step_of_one_deployment(factor=printed("claim-frontier-step").function(
                                        CLAIM_TWO, "d", "N", "L", given={BEFORE: 1}), alone=True):
    """Learn, deploy something else, play the code: Optimal play against the claim, d = 2, N = 1, L = L' = 2, k = 4 (H
    >= 6): slack below 0."""
    slack = claim_two_slack(2, 3, 1, 4, 2, 2, factor(2, 1, 2), alone)
    return Evidence(slack, Fraction(-3, 8), "upper", "d = 2, N = 1, L = L' = 2, k = 4")
