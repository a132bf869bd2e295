"""These checks establish the lower bound for arbitrary policies without H in the logarithm, and its match from above.

With l = ceil(log_d N), the steps bound one deployment, the sum of all, and a coin with probability 1/d. Optimal play in
small games and programmes in 288 games are compared with both bounds.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import sympy

from derl.claims import Evidence, check, control, steps
from derl.claims.lower_bounds.search import mean_value
from derl.theory.exact.compared import at_most, every, exactly, less_than
from derl.theory.exact.symbolic import at_least, equal, nonnegative, nonnegative_from, same_operator
from derl.theory.lower_bounds import failure_without_horizon_log, largest_pace, mean_bound_without_horizon_log
from derl.theory.lower_bounds.search_game import best_success, optimise
from derl.theory.lower_bounds.search_programme import success_curve

# (d, n, N, K)
PLAYED = ((2, 3, 1, 2), (2, 4, 1, 2), (2, 4, 1, 3), (2, 3, 2, 2), (2, 4, 2, 2), (3, 3, 1, 3), (3, 2, 2, 2))
CHAINS = tuple(product((2, 3, 5, 10), (1, 4, 12), (1, 2, 3, 7, 10, 64), (1, 2, 4, 8)))
ALONE = tuple(product((2, 3, 5, 10), (1, 4, 12), (1,), (1, 2, 4, 8)))  # one trajectory


def _pace(level, d):
    return level + d / (d - 1)


@check("res-arbitrary-without-horizon-log", method="symbolic", arithmetic="exact", covers="everything",
       gap="none",
       title="One deployment, the sum, the coin, Markov")
def bound_in_steps(pace=_pace, first_free=1) -> Evidence:
    """Every step of the text for all d, H, N and K; the identity for the coin as polynomials for K, m <= 6."""
    d, N, s, t, u, K, n = sympy.symbols("d N s t u K n", positive=True)
    level = sympy.Symbol("l", nonnegative=True)
    mean = sympy.Symbol("mean", positive=True)
    series = sympy.solve(sympy.Eq(mean, (1 + mean) / d), mean)[0]  # E G = (1/d)(1 + E G)
    total = K * (level + series) + (K - 1)  # the frontier digit is free from the second deployment on
    tails, slack, rises = (sympy.symbols(f"{name}1:4", nonnegative=True) for name in "abc")
    larger = [a + b for a, b in zip(tails, slack, strict=True)]
    claimed = (K * pace(level, d) - first_free) / n
    p, outcomes = sympy.Symbol("p"), []
    table = {(0, m): sympy.Integer(0) for m in range(1, 7)} | {(k, 0): sympy.Integer(1) for k in range(7)}
    for k, m in product(range(1, 7), range(1, 7)):  # first flip: heads, one less to go; tails, one coin less
        table[k, m] = sympy.expand(p * table[k, m - 1] + (1 - p) * table[k - 1, m])
        flips = m + k - 1
        binomial = sum(sympy.binomial(flips, j) * p**j * (1 - p) ** (flips - j) for j in range(m, flips + 1))
        outcomes.append(exactly(sympy.expand(binomial), table[k, m]))
    size = 2 + t
    return steps([
        "one gain",
        ("N/d^(l+j) <= d^-j, as d^l >= N", at_least(1, N / (N + s), N, s)),
        "mean and Markov",
        ("E G = 1/(d-1)", equal(series, 1 / (d - 1))),
        "larger tails",
        ("larger tails give a larger expected value",
         at_least(mean_value(larger, rises), mean_value(tails, rises), *slack, *rises)),
        "mean and Markov",
        ("at most K(l + d/(d-1)) - 1 digits on average",
         nonnegative(sympy.simplify((K * pace(level, d) - first_free - total).subs(d, size)), K, level, t)),
        "coin",
        ("heads before the K-th tail, K, m <= 6", every(outcomes)),
        "mean and Markov",
        ("1/2 for K <= (n+2)/(2 pace)", equal(claimed.subs(K, (n + 2) / (2 * pace(level, d))), sympy.Rational(1, 2))),
        ("and less for smaller K", equal(sympy.diff(claimed, K), pace(level, d) / n)),
        ("n = H-1: (n+2)/2 = (H+1)/2", same_operator((n + 2) / 2, (n + 1 + 1) / 2)),
        ("d/(d-1) <= 2 and (d-1)/d >= 1/2",
         every(at_least(2, size / (size - 1), t), at_least((size - 1) / size, sympy.Rational(1, 2), t))),
    ], "all d >= 2, H >= 2, N >= 1, K, every algorithm; trajectories of one deployment may depend on one another")


control(bound_in_steps, "the digit at the frontier costs as much as the others",
        {"pace": lambda level, d: level + 1 / (d - 1)})
control(bound_in_steps, "two digits less, not one", {"first_free": 2})


@check("res-arbitrary-without-horizon-log", method="exhaustive", arithmetic="exact",
       covers=f"every algorithm for (d, n, N, K) in {PLAYED}", gap="small games",
       title="Optimal play against both bounds")
def optimal_play_stays_below(extra=0, rate=Fraction(1)) -> Evidence:
    """Every batch after every history: success against the coin, digits on average against K pace - 1."""
    outcomes, tight = [], 0
    for game in PLAYED:
        d, n, N, K = game
        unmatched = 1 - best_success(*game)
        outcomes.append((f"unmatched {game}", unmatched >= failure_without_horizon_log(d, n + extra, N, K)))
        digits = optimise(d, n, N, K, lambda fronts: Fraction(max(fronts)), max)
        outcomes.append((f"digits on average {game}", digits <= rate * K * largest_pace(d, N) - 1))
        tight += unmatched == failure_without_horizon_log(d, n, N, K)
    return steps(outcomes, f"{len(PLAYED)} games, exact rationals", detail=f"equality in {tight} of them")


control(optimal_play_stays_below, "one digit more", {"extra": 1})
control(optimal_play_stays_below, "three quarters of the pace", {"rate": Fraction(3, 4)})


@check("res-arbitrary-without-horizon-log", method="exhaustive", arithmetic="exact", covers="288 games by programme",
       gap="the listed sizes", title="Against the programme that bounds every algorithm")
def programme_stays_below(extra=0) -> Evidence:
    """P(unmatched) of the revealed search against the coin bound, and that against Markov's; equality for N = 1."""
    worst, order, same = [], [], []
    for d, n, N, K in CHAINS:
        unmatched = 1 - success_curve(d, n, N, K, "reveal", True)[-1]
        coin = failure_without_horizon_log(d, n + extra, N, K)
        worst.append(unmatched >= coin)
        order.append(coin >= mean_bound_without_horizon_log(d, n + extra, N, K))
        if N == 1:
            same.append(unmatched == coin)
    return steps([("the coin bound is below the exact value", all(worst)), ("Markov's bound is below it", all(order)),
                  ("one trajectory per deployment: equal", all(same))], f"{len(CHAINS)} games, {len(ALONE)} with N = 1")


control(programme_stays_below, "one digit more", {"extra": 1})


SEARCHES = ((2, 12, 2), (2, 24, 8), (3, 12, 5), (5, 12, 130), (10, 12, 10))  # (d, n, N)
SHARE = Fraction(1, 5)  # of failure; e/(e-1) < 8/5, so 8 times the number of good deployments is enough


@cache  # held against the true rate and against planted ones
def _success(d: int, n: int, N: int, K: int) -> Fraction:
    return success_curve(d, n, N, K, exact=True)[-1]


@check("res-search-rate", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="A good deployment, how many are needed, and how many are not enough")
def rate_from_above(reach=1, bias=None) -> Evidence:
    """1 - (1-x)^N >= 1 - 1/e for N x >= 1, the mean number of trials, Markov; the lower side; exact programmes.

    With a `bias` the last digit shows as on the biased lock, where success is at most (1 + 2 bias)^{KN}/d.
    """
    s, t, u, w = sympy.symbols("s t u w", nonnegative=True)
    N, x, n, eta, p, mean = sympy.symbols("N x n eta p mean", positive=True)
    trials = sympy.solve(sympy.Eq(mean, 1 + (1 - p) * mean), mean)[0]
    y, size, digits = 1 + s, 2 + t, 1 + u  # log_d N >= 1, d >= 2, floor(log_d N) >= 1
    ceiling = 1 if bias is None else (1 + 2 * bias) ** (16 * 3) / 3
    outcomes = [
        "uniform search",
        ("-log(1-x) >= x, with x = s/(1+s)", nonnegative_from(sympy.log(1 + s) - s / (1 + s), s, 0)),
        ("N x >= 1 for x = d^-r, N = d^r + t", at_least((N + t) / N, 1, N, t)),
        "all deployments",
        ("one success takes 1/p deployments on average", equal(trials, 1 / p)),
        ("mean over mean/eta: eta", equal((n / p) / (n / (p * eta)), eta)),
        "upper bound",
        ("e/(e-1) <= 8/5, as e >= 8/3",
         every(at_most(Fraction(8, 3) / (Fraction(8, 3) - 1), 8 * SHARE),
               at_most(Fraction(8, 3), sum(Fraction(1, k) for k in (1, 1, 2, 6))))),
        "lower bound",
        ("l + d/(d-1) <= 4 log_d N, as l <= log_d N + 1",
         at_least(4 * y, y + 1 + size / (size - 1), s, t)),
        ("(n-1) digits are missed with probability 1/2 up to K = (n+1)/(2 pace)",
         equal(1, ((n + 1) / (2 * x) * x - 1) / (n - 1) + Fraction(1, 2))),
        ("(1/2)(d-1)/d >= 1/4 > 1/5",
         every(at_least((size - 1) / size / 2, sympy.Rational(1, 4), t), less_than(SHARE, Fraction(1, 4)))),
        "rounding",
        ("n/floor(y) <= 2n/y: y <= floor(y) + 1 <= 2 floor(y)", at_least(2 * digits, digits + 1, u)),
        "biased locks",
        ("d = 3, two digits, N = 3, K = 16: no upper bound on success below 4/5", at_most(1 - SHARE, ceiling)),
    ]
    for d, digits, size in SEARCHES:
        r = max(k for k in range(20) if d**k <= size) * reach
        K = 8 * -(-digits // r)
        outcomes += ["upper bound",
                     (f"success at least 4/5: d = {d}, n = {digits}, N = {size}, K = {K}",
                         at_most(1 - SHARE, _success(d, digits, size, K)))]
    return steps(outcomes, "all d >= 2, n >= 1, N >= d; five sizes by exact programme")


control(rate_from_above, "six times the digits per deployment: d = 10, n = 12, N = 10, K = 16 gives 0.59", {"reach": 6})
control(rate_from_above, "the same with bias 1/1000: at d = 3, n = 2, N = 3 success is below 2/5",
        {"bias": Fraction(1, 1000)}, variant="printed")
