"""These checks follow the proof of Theorem B.2 line by line: Equations (4) and (5), and the chain that ends in 1/10.

The game has m arms, one of them biased. A deployment pulls one arm N times, and after K deployments an arm is named.
M_i is the instance with arm i biased, M_0 the one without. E_{k,i} says that arm i is among the first k choices; choice
K+1 is the output. Every algorithm of three small games is tried.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from derl.claims import Evidence, claim, steps
from derl.exact.compared import at_most, every
from derl.exact.symbolic import at_least, nonnegative, positive
from derl.theory.lower_bounds import bandit_game, template_arms
from derl.theory.lower_bounds.bandit_game import NO_ARM

BIAS = Fraction(2, 5)
GAMES = ((2, 2, 1), (3, 1, 1), (2, 1, 3))  # (m, K, N) small enough to try every algorithm


def every_algorithm(quantity, games):
    """quantity(tree, m, K, N) over every deterministic adaptive algorithm; arms 1..m and the choice of no arm."""
    for m, K, N in games:
        for tree in bandit_game.algorithms(tuple(range(m + 1)), K, N):
            yield quantity(tree, m, K, N)


def _first_choices(tree, arm, hidden, N, others):
    return bandit_game.first_choice_probabilities(tree, arm, hidden, BIAS, N, others)


@claim("eq-same-choice", method="exhaustive", covers=f"(m, K, N) in {GAMES}", gap="small games", tier="full",
       false={"in M_i the other arms are a little worse than in M_0": {"others": Fraction(-1, 10)}})
def first_choices_of_every_algorithm(others=Fraction(0)):
    """Every adaptive algorithm tried: Largest |P_i(choice k+1 = i, not before) - P_0(same)| over all algorithms, arms
    and k."""
    def difference(tree, m, K, N):
        return max(abs(p - q) for i in range(1, m + 1) for p, q in
                   zip(_first_choices(tree, i, i, N, others), _first_choices(tree, i, NO_ARM, N, others), strict=True))

    gaps = list(every_algorithm(difference, GAMES))
    return Evidence(max(gaps), 0, "identity", f"all {len(gaps)} algorithms, bias {BIAS}")


@claim("eq-same-behaviour", method="exhaustive", covers=f"(m, K, N) in {GAMES}", gap="small games", tier="full",
       false={"M_j for another arm j instead of M_i": {"hidden_of": lambda i, m: i % m + 1}})
def complements_of_every_algorithm(hidden_of=None):
    """Every adaptive algorithm tried: Largest |P_i(E_{k,i}^c) - P_0(E_{k,i}^c)| over all algorithms, arms and k."""
    def difference(tree, m, K, N):
        worst = Fraction(0)
        for i in range(1, m + 1):
            hidden = i if hidden_of is None else hidden_of(i, m)
            inside = _first_choices(tree, i, hidden, N, Fraction(0))
            outside = _first_choices(tree, i, NO_ARM, N, Fraction(0))
            for k in range(1, K + 2):
                worst = max(worst, abs(sum(inside[:k]) - sum(outside[:k])))
        return worst

    gaps = list(every_algorithm(difference, GAMES))
    return Evidence(max(gaps), 0, "identity", f"all {len(gaps)} algorithms, bias {BIAS}")


@claim("ineq-half", method="exhaustive",
       gap="true where K < (d-1)(H-1)/2, as the proof supposes; the theorem also speaks of K = (d-1)(H-1)/2",
       refutes=True,
       false={"K < (d-1)(H-1)/2 strictly": {"strictly_below": True},
              "many arms, of which one more choice is a small share": {"d": 10, "H": 10}})
def chain_exceeds_one_half(text, d=3, H=3, strictly_below=False):
    """(K+1)/|M| at K = (d-1)(H-1)/2: Left side minus right side at the largest K that the theorem allows."""
    m = template_arms(d, H)
    K = (m - 1) // 2 if strictly_below else int(text(r"K\le", d=d, H=H))
    left, right = text.sides(r"\frac...\le", {r"|\mathcal M|": m + 1}, K=K)
    return Evidence(left - right, Fraction(1, 10), "lower", f"d = {d}, H = {H}",
                    detail=f"m = {m}, K = {K}: {left} is above {right}")


DEPLOYED = r"\sum_iP_{M_0}(E_{K,i})"
GAINED = r"\sum_i\bigl[P_{M_i}(\psi(K+1)=\pi_i)-P_{M_0}(\psi(K+1)=\pi_i)\bigr]"


@claim("ineq-half-repaired", plants=3,
       false={"E_{K+1} instead of E_K: K+1 arms, and 3/5 at m = 4, K = 2": {"index": 1}})
def chain_with_the_right_index(text, index=0):
    """K/|M| <= 1/2, and the chain with E_K: One arm of the chain with free probabilities, the number of arms after K
    choices, and every small algorithm."""
    m, extra = sympy.symbols("m t", nonnegative=True)
    size = {r"|\mathcal M|": m + 1}
    K = text(r"K\le", size, after=r"\frac12$ for") - extra
    share, half = text.sides(r"\frac K...\le", size, K=K + index)
    arms = {K: text(rf"{DEPLOYED}\le", {DEPLOYED: 0}, K=K) for K in range(1, 4)}
    unseen, rest, fair, spare, known = sympy.symbols("b c a0 u D", nonnegative=True)
    named = sympy.Symbol("a", nonnegative=True)  # P_i(out = i, E_K); c: P_i(E_K, out elsewhere); a0: P_0(out = i, E_K)
    gain = (named + unseen) - (fair + unseen)  # b: P(out = i, E_K^c), the same in both by (5) with k = K
    seen = named + rest  # P_i(E_K) = P_0(E_K) by (4)

    def deployed(tree, m, K, N):
        return sum(sum(_first_choices(tree, i, NO_ARM, N, Fraction(0))[:K + index]) for i in range(1, m + 1)) - arms[K]

    def gained(tree, m, K, N):
        gain = sum(bandit_game.success_probability(tree, i, BIAS, N) - bandit_game.success_probability(tree, i, 0, N)
                   for i in range(1, m + 1))
        return gain, deployed(tree, m, K, N) + arms[K]

    pairs = set(every_algorithm(gained, GAMES))

    return steps([
        "half the arms",
        (text.shown(r"\frac K...\le") + " for these K", at_least(half, share, m, extra)),
        "one arm",
        ("one arm: P_i(out = i) - P_0(out = i) <= P_i(E_{K,i})",
         at_least(seen, gain, named, unseen, rest, fair)),
        "small games",
        ("sum_i P_0(E_{K,i}) <= K in every small game", at_most(max(every_algorithm(deployed, GAMES)), 0)),
        ("sum_i [P_i(out = i) - P_0(out = i)] <= sum_i P_0(E_{K,i}) in every small game",
         every(at_most(*text.sides(rf"{GAINED}\le", {GAINED: gain, DEPLOYED: among})) for gain, among in pairs)),
    ], f"all m, N and K <= m/2, every algorithm; and every deterministic algorithm with (m, K, N) in {GAMES}")


@claim("ineq-tenth",
       false={"9/10 as a bound that 2/|M| + 1/2 never attains": {"compare": positive},
              "a failure rate above 1/5: at |M| = 5 and K = 2 it is 1/5": {"most": sympy.Rational(79, 100)}})
def success_at_most_nine_tenths(text, compare=nonnegative, most=sympy.Rational(4, 5)):
    """Success over all instances at most 1/2 + 2/|M| <= 9/10: (1 + 1 + K)/|M| at the largest K of the text for all d
    and H, and its number for d and H in its range."""
    extra, x, y = sympy.symbols("t x y", nonnegative=True)
    average = text.function("", r"|\mathcal M|", after=r"$\mathcal M$ is at most")
    any_size, large = ([low + more for low, more in zip(lows, (x, y), strict=True)]
                       for lows in ((2, 2), (text.range("d").low, text.range("H").low)))

    def places(d, H):
        return (d - 1) * (H - 1) + 1  # with M_0

    success = (2 + text(r"K\le", d=any_size[0], H=any_size[1]) - extra) / places(*any_size)
    return steps([
        "success",
        ("success is at most " + text.shown("", after=r"$\mathcal M$ is at most"),
         at_least(average(places(*any_size)), success, x, y, extra)),
        "numbers",
        ("that is at most the number of the text",
         compare(sympy.together(text("", after="which is at most", numbers=sympy.Rational) - average(places(*large))),
                 x, y)),
        "higher",
        ("(2 + K)/|M| <= 4/5, so the failure rate is higher than 1/10",
         nonnegative(sympy.together(most - (2 + text(r"K\le", d=large[0], H=large[1])) / places(*large)), x, y)),
    ], "all m, all K <= m/2, all d, H >= 3")
