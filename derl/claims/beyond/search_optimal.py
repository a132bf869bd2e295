"""These checks establish for every d that uniform search which never repeats a wrong digit at the frontier is optimal.

In the state (m, e), m digits are left and e of the d values at the frontier are ruled out. The symbolic steps take the
value of a batch node by node, the best law of paths, and an exchange of paths that shows concavity in e. Batches,
tables and exchanges of small games are enumerated.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache, lru_cache
from itertools import combinations_with_replacement, product
from math import comb

import numpy as np
import sympy

from derl.claims import Evidence, claim, steps
from derl.exact.compared import every, exactly
from derl.exact.symbolic import at_least, equal, same_operator
from derl.theory.beyond import renewal

TABLES = ((2, 4, 3, 4), (3, 4, 1, 5), (3, 4, 2, 4), (3, 5, 3, 4), (3, 4, 10, 4), (4, 4, 5, 4), (5, 4, 1, 6),
          (5, 4, 3, 6), (5, 3, 40, 4), (6, 3, 6, 5), (7, 3, 4, 6))
BATCHES = ((2, 3, 0, 2), (3, 2, 0, 2), (3, 2, 1, 3), (3, 3, 1, 2), (4, 2, 1, 2))


def nodes(kept) -> list[tuple[str, bool]]:
    """What a batch is worth, node by node, and the best law."""
    p, b, k, d, hk, hn, h0 = sympy.symbols("p b k d h_k h_n h_0", positive=True)
    u, v, w, x, r = sympy.symbols("u v w x r", nonnegative=True)
    q = sympy.Symbol("q", positive=True)
    values = sympy.symbols("f0:6")
    bernstein = []
    for N in range(1, 6):
        mean = sum(sympy.binomial(N, n) * q**n * (1 - q) ** (N - n) * values[n] for n in range(N + 1))
        step = sum(sympy.binomial(N - 1, n) * q**n * (1 - q) ** (N - 1 - n) * (values[n + 1] - values[n])
                   for n in range(N))
        bernstein.append(same_operator(sympy.diff(mean, q), kept * N * step))
    return [
        "concave increments",
        ("increments of psi: [b - (h(k) - h(k+1))]/d",
         equal((hn - h0 + (k + 1) * b) / d - (hk - h0 + k * b) / d, (b - (hk - hn)) / d)),
        "uniform children",
        ("one of two boxes or both: r^m + (1-r)^m is least at 1/2", every(
            at_least((1 + r) ** m + (1 - r) ** m, 2, r) for m in range(1, 9))),
        "difference of f",
        ("f(n+1) - f(n) = E (1 - k/d)(psi(k+1) - psi(k)): falls with k, as both factors do",
         at_least((u + v) * (w + x), u * w, u, v, w, x)),
        ("d/dq E f(Bin(N, q)) = N E [f(n+1) - f(n)], n from Bin(N-1, q)", every(bernstein)),
    ]


def exchange(moved) -> list[tuple[str, bool]]:
    """From D+2 and D candidates to D+1 and D+1."""
    D = sympy.Symbol("D", positive=True)
    u, k, s, b, g, c = sympy.symbols("u k s b g c", nonnegative=True)
    return [
        "exchange",
        ("a candidate of the first game after the exchange: 1/(D+2) + 1/((D+2) D)",
         equal(1 / (D + 2) + moved / ((D + 2) * D), (1 - 1 / (D + 2)) / D)),
        ("and that is the mean of 1/(D+2) and 1/D", equal((1 - 1 / (D + 2)) / D, (1 / (D + 2) + 1 / D) / 2)),
        ("(D+2) b + D b = 2 (D+1) b", equal((D + 2) * b + D * b, 2 * (D + 1) * b)),
        "unvisited candidates",
        ("u (kappa(u) - kappa(u-1)) rises with u: kappa convex and increasing",
         at_least((u + 1) * (k + s), u * k, u, k, s)),
        "next deployment",
        ("D = 0: 2 H(1) = 2b + 2 g(1) >= 2b - kappa + 2 g(1/2) for g(1/2) <= g(1)",
         at_least(2 * b + 2 * (g + s), 2 * b - c + 2 * g, b, g, s, c)),
    ]


@claim("res-search-optimal",
       false={"twice the derivative": {"kept": 2},
              "paths that are not exchanged": {"moved": 0},
              "every path exchanged twice": {"moved": 2}})
def optimal_search_in_steps(kept=1, moved=1):
    """By nodes, the best law, the exchange: Every computation of the induction."""
    return steps([*nodes(kept), *exchange(moved),
                  "start",
                  ("W_0 = 0 for m >= 1: h = 0 is concave", exactly(renewal.values(3, 2, 1, 0)[0][1:].tolist(),
                                                                    [[0] * 4] * 2))], "all d >= 2, n, N, K")


@claim("res-search-optimal", method="exhaustive", covers=f"every batch, (d, m, e, N) in {BATCHES}", gap="small games",
       false={"a thousandth more": {"scale": Fraction(1001, 1000)},
              "the values of one deployment more": {"ahead": 1}})
def batches_by_nodes(scale=1, ahead=0):
    """The value of a batch by nodes against the rules of the game: All multisets of paths, paths that are known to be
    wrong included; 0 and 1 deployments are left after it."""
    result = []
    for d, m, e, N in BATCHES:
        tables = renewal.values(d, m, 2, 2)
        for batch in combinations_with_replacement(list(product(range(d), repeat=m)), N):
            for k in range(2):
                result.append(exactly(renewal.batch_value(d, tables[k], m, e, batch),
                                      scale * renewal.decomposition(d, tables[k + ahead], m, e, batch)))
    return steps([(f"{len(result)} batches", every(result))], "exact rationals")


@claim("res-search-optimal", method="exhaustive", covers=f"(d, n, N, K) in {TABLES}", gap="the sizes",
       false={"the value of the state with one digit less ruled out": {"memory": 1},
              "(d-e)^2 W in the place of (d-e) W": {"bend": 1}})
def tables_are_concave(memory=0, bend=0):
    """Concavity of h in exact tables: Smallest 2h(e+1) - h(e) - h(e+2); `memory` digits forgotten, `bend` another
    weight."""
    worst = None
    for d, n, N, K in TABLES:
        for table in renewal.values(d, n, N, K):
            for m in range(1, n + 1):
                h = [(d - e) ** (1 + bend) * table[m, max(0, e - memory)] for e in range(d)] + [Fraction(0)]
                for e in range(d - 1):
                    second = 2 * h[e + 1] - h[e] - h[e + 2]
                    worst = second if worst is None else min(worst, second)
    return Evidence(worst, 0, "lower", f"{len(TABLES)} games, all states")


@cache
def empties(boxes: int, balls: int) -> tuple[Fraction, ...]:
    """P(U = u), u = 0..boxes, for balls thrown into boxes."""
    return tuple(comb(boxes, u) * sum((-1) ** j * comb(boxes - u, j) * Fraction(boxes - u - j, boxes) ** balls
                                      for j in range(boxes - u + 1)) if boxes else Fraction(1)
                 for u in range(boxes + 1))


@lru_cache(2**8)  # paths are placed in many ways, and matter by their number
def mean(kappa, boxes: int, balls: int, more: int = 0) -> Fraction:
    """E kappa(more + U)."""
    return sum(p * kappa(more + u) for u, p in enumerate(empties(boxes, balls)))


@claim("res-search-optimal", method="exhaustive", covers="D <= 5, N <= 7, kappa(u) = max(u - t, 0)",
       gap="small numbers",
       false={"a concave kappa: what is not tried is worth less and less": {"kink": -1},
              "one per cent more after it": {"gain": Fraction(101, 100)}})
def exchange_by_cases(kink=1, gain=Fraction(1)):
    """The exchange, path by path; what kappa loses: For all numbers of paths at x and y: kappa before the exchange is
    at least kappa after it; `kink` is its sign."""
    result = []
    for D, N, t in product(range(1, 6), range(1, 8), range(5)):
        def kappa(u, t=t):
            return Fraction(max(u - t, 0) if kink > 0 else min(u, t))

        for at_x, at_y in product(range(N + 1), repeat=2):
            if at_x + at_y <= N:
                y, rest = int(at_y == 0), N - at_x - at_y
                x = int(at_x == 0)
                before = mean(kappa, D, rest, x + y) + mean(kappa, D, N)
                after = mean(kappa, D, rest + at_x, y) + mean(kappa, D, N - at_x, x)
                result.append(before >= gain * after)
    return Evidence(sum(result), len(result), "identity", "all numbers of paths at the two candidates")


@claim("res-search-optimal", method="stress", covers="laws of paths that are not uniform", gap="random laws",
       false={"uniform search worth a tenth less": {"bonus": Fraction(1, 10)}})
def no_better_law(rounds=6, bonus=Fraction(0)):
    """No better law of paths found: Value of random rational laws, sparse ones and those on wrong paths included, minus
    that of uniform search."""
    rng, worst = np.random.default_rng(np.random.SeedSequence(31)), Fraction(-1)
    for d, m, e, N in BATCHES:
        tables, paths = renewal.values(d, m, N, 2), list(product(range(d), repeat=m))
        for table, following in zip(tables, tables[1:], strict=False):
            for _ in range(rounds):
                weights = rng.choice([0, 1, 1, 2, 7], size=len(paths))
                if not weights.sum():
                    continue
                law = {path: Fraction(int(w), int(weights.sum())) for path, w in zip(paths, weights, strict=True)}
                worst = max(worst, renewal.law_value(d, table, m, e, law, N) + bonus - following[m, e])
    return Evidence(worst, 0, "upper", f"{2 * rounds} laws in each of {len(BATCHES)} states, seed 31")
