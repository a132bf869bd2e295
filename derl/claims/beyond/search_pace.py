"""These checks establish the constant of the search game: the digits per deployment of optimal play in the long run.

Between deployments the number of digits that are ruled out at the frontier is a Markov chain. The steps take its
martingale, bounds of the pace, and the game with one trajectory; programmes are compared with the pace.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from derl.claims import claim, steps
from derl.exact.compared import at_most, every, exactly
from derl.exact.symbolic import at_least, equal
from derl.printed import BEGINNING
from derl.theory.beyond import renewal
from derl.theory.lower_bounds.search_game import best_success
from derl.theory.lower_bounds.search_programme import deployments_for_success, exclusion_kernel

SINGLE = ((2, 3, 3), (2, 5, 4), (3, 3, 4), (3, 4, 5), (4, 3, 6), (5, 4, 9), (10, 3, 15))  # d, n, K
ADVANCES = ((2, 1), (2, 5), (3, 4), (10, 7))  # d, N
TAIL = r"\sum_{a\ge1}P(A\ge a)"
PLAYED = ((2, 3, 2), (2, 4, 3), (3, 2, 3), (3, 3, 3))


def large_numbers_of_pace(text, gain, more, dim, mean, n, s):
    """The parts "large numbers" and "bounds" of `pace_in_steps`."""
    F, K, a, w, w2, c, level = sympy.symbols("F K a w w2 pace l")
    d, e = text("d=", after="after $n$. For") + s, Fraction(8, 3)  # e >= 8/3
    floor = {r"\lfloor\log_dN\rfloor": level, "c(d,N)": c}
    lower = text.sides("...\\le", floor, after=BEGINNING, skip=2)[0]
    upper = text(r"c(d,N)\le", floor, after=BEGINNING, skip=1)
    pace = {bound: text(r"\frac{K_p(n)}n\to", {"c(d,N)": bound}) for bound in (lower, upper)}
    ratios = [text.sides(r"K_p(n)\log_dN/n\to", {"K_p(n)": n * share, r"\log_dN": level}, n=n)
              for share in pace.values()]
    return [
        "large numbers",
        ("one deployment: (F + a - (K+1) pace + w') - (F - K pace + w) = a - pace + w' - w",
         equal((F + a - (K + 1) * c + w2) - (F - K * c + w), a - c + w2 - w)),
        ("and its mean is 0 where w + pace = E a + E w'", equal((a - gain * c + w2 - w).subs(w, a + w2 - c), 0)),
        "bounds",
        ("the law of an advance is that of the programme", every(exactly(
            [1 - exclusion_kernel(size, batch, 5, True)[0, :j].sum() for j in range(1, 5)],
            [text(r"P(A\ge a)=", d=size, N=batch, a=j) for j in range(1, 5)]) for size, batch in ADVANCES)),
        ("above: sum over j >= 1 of d^{1-j} = d/(d-1), and one digit more", every(
            equal(1 / (1 - 1 / dim), dim / (dim - 1)), at_least(upper - level, 1 + d / (d - 1), s))),
        ("below: sum over j >= 0 of exp(-2^j) <= sum over k >= 1 of e^{-k} = 1/(e-1) <= 1", every(
            at_most(lower - level, -1 / (e - 1)), at_most(e, sum(Fraction(1, k) for k in (1, 1, 2, 6))))),
        ("the revealed search gains one digit more than the forgetful one", equal(
            text(r"\mu=", {TAIL: mean}), more + mean)),
        ("the limit is that of both bounds", every(exactly(sympy.limit(left, level, sympy.oo), right)
                                                  for left, right in ratios)),
    ]


def one_trajectory_of_pace(text, wrong, dim):
    """The part "one trajectory" of `pace_in_steps`."""

    def matched(size, digits, deployments):  # P(U_1 + ... + U_n <= K - 1)
        first, last = (int(text("", after="uniform on", skip=at, d=size)) for at in (0, 2))
        ways = [1]
        for _ in range(digits):
            ways = [sum(ways[max(0, k - last):max(0, k - first + 1)]) for k in range(len(ways) + last)]
        return text("", {r"U_1+\dots+U_n\le": 1, "P": lambda most: Fraction(
            sum(ways[:max(0, int(most) + 1)]), (last - first + 1) ** digits)},
            after="deployments with probability at most", K=deployments + 1 - wrong)

    return [
        "one trajectory",
        ("the mean of U, so 2/(d-1) digits a deployment", equal(
            1 / text("", after="$N=1$ it is", d=dim),
            sum(text("", after="uniform on", skip=at, d=dim) for at in (0, 2)) / 2)),
        *((f"N = 1, d = {x}, n = {y}, K <= {z}: the bound is the value", exactly(
            [matched(x, y, k) for k in range(z + 1)], [table[y, 0] for table in renewal.values(x, y, 1, z)]))
          for x, y, z in SINGLE),
        ("and optimal play over all paths after all histories", every(exactly(
            matched(x, y, z), best_success(x, y, 1, z)) for x, y, z in PLAYED)),
    ]


@claim("res-search-constant", plants=4,
       false={"twice the pace in the martingale": {"gain": 2},
              "one wrong try more allowed: P(U_1 + ... + U_n <= K)": {"wrong": 0},
              "half the pace in the martingale": {"gain": Fraction(1, 2)},
              "one wrong try less allowed": {"wrong": 2},
              "the revealed search gains two digits more": {"more": 2}})
def pace_in_steps(text, gain=1, wrong=1, more=1):
    """The martingale, the bounds of the pace, one trajectory per deployment: Poisson's equation, the tails of an
    advance, and the value of the game with N = 1."""
    s, (mean, n, dim) = sympy.Symbol("s", nonnegative=True), sympy.symbols("mean n d", positive=True)
    return steps([*large_numbers_of_pace(text, gain, more, dim, mean, n, s), *one_trajectory_of_pace(text, wrong, dim)],
                 "all d >= 2, N; all n where N = 1")


@claim("res-search-constant", method="run", arithmetic="float64", covers="the pace against programmes",
       gap="float64, a few sizes", plants=2,
       false={"the search that is told the digit at the frontier": {"memory": "reveal"},
              "the search that forgets": {"memory": "forget"}})
def pace_against_programmes(text, memory="exclude", within=1.5):
    """Digits over pace against the least K with success one half: n/pace is near the least K, the pace within its
    bounds; it is mu for d = 2 and 2/(d-1) for N = 1."""
    near, inside, known = [], [], []
    two, one = int(text("d=", after="after $n$. For")), int(text("N=", after="the pace is"))
    for d, N, n in ((2, 16, 200), (3, 1, 100), (3, 10, 200), (5, 1000, 200), (10, 10**4, 198), (10, 10**12, 400)):
        pace, told = renewal.pace(d, N), renewal.revealed_pace(d, N)
        least = deployments_for_success(d, n, N, float(text.range("p").high / 2), memory)
        left, right = text.sides(r"\frac{K_p(n)}n\to", {"K_p(n)": least, "c(d,N)": pace}, n=n)
        allowed = text.range("c(d,N)", mu=told, after=BEGINNING)
        rounded = text.sides("...\\le", {"c(d,N)": pace}, after=BEGINNING, skip=2, d=d, N=N)[0]
        near.append(abs(left - right) * n <= within)
        inside.append(allowed.low <= pace <= allowed.high + 1e-9
                      and rounded <= pace <= text(r"c(d,N)\le", after=BEGINNING, skip=1, d=d, N=N))
        if N <= 1000:
            sums = sum(text(r"P(A\ge a)=", d=d, N=N, a=a) for a in range(1, 40))
            known.append(abs(text(r"\mu=", {TAIL: float(sums)}) - told) < 1e-9)
        if d == two:
            known.append(abs(pace - text("", after="For $d=2$ the pace is", mu=told)) < 1e-9)
        if N == one:
            known.append(abs(pace - text("", after="$N=1$ it is", d=d)) < 1e-9)
    size, batch, digits = (int(text(f"{letter}=", after="d-1$. At")) for letter in "dNn")
    large = [text.sides("n/c=", n=digits, c=renewal.pace(size, batch)),
             text.sides(r"n/\mu=", n=digits, mu=renewal.revealed_pace(size, batch))]
    return steps([(f"the least K is within {within} of n/pace", all(near)),
                  ("the pace is within its bounds", all(inside)),
                  ("d = 2: mu; N = 1: 2/(d-1); mu from an advance", all(known)),
                  ("the example, rounded to one digit", all(abs(left - right) < 0.1 for left, right in large))],
                 "six sizes, float64", detail=", ".join(f"{left:.2f}" for left, _ in large))
