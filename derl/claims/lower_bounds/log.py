"""These checks establish the lower bound for arbitrary policies without H in the logarithm, and its match from above.

With l = ceil(log_d N), the steps bound one deployment, the sum of all, and a coin with probability 1/d. Optimal play in
small games and programmes in 288 games are compared with both bounds.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import comb

import sympy

from derl.claims import claim, steps
from derl.claims.lower_bounds.search import mean_value
from derl.exact.compared import at_most, every, exactly, less_than
from derl.exact.symbolic import at_least, by_sign, equal, nonnegative, nonnegative_from
from derl.theory.lower_bounds import failure_without_horizon_log, largest_pace
from derl.theory.lower_bounds import mean_bound_without_horizon_log as markov
from derl.theory.lower_bounds.search_game import best_success, optimise
from derl.theory.lower_bounds.search_programme import success_curve

# (d, n, N, K)
COIN = r"P\bigl(\mathrm{Bin}(m+K-1,\tfrac1d)<m\bigr)"
PLAYED = ((2, 3, 1, 2), (2, 4, 1, 2), (2, 4, 1, 3), (2, 3, 2, 2), (2, 4, 2, 2), (3, 3, 1, 3), (3, 2, 2, 2))
CHAINS = tuple(product((2, 3, 5, 10), (1, 4, 12), (1, 2, 3, 7, 10, 64), (1, 2, 4, 8)))
ALONE = tuple(product((2, 3, 5, 10), (1, 4, 12), (1,), (1, 2, 4, 8)))  # one trajectory


def heads_before_tails():
    """The m-th head comes before the K-th tail: the recursion against the binomial sum, K, m <= 6."""
    p, outcomes = sympy.Symbol("p"), []
    table = {(0, m): sympy.Integer(0) for m in range(1, 7)} | {(k, 0): sympy.Integer(1) for k in range(7)}
    for k, m in product(range(1, 7), range(1, 7)):  # first flip: heads, one less to go; tails, one coin less
        table[k, m] = sympy.expand(p * table[k, m - 1] + (1 - p) * table[k - 1, m])
        flips = m + k - 1
        binomial = sum(sympy.binomial(flips, j) * p**j * (1 - p) ** (flips - j) for j in range(m, flips + 1))
        outcomes.append(exactly(sympy.expand(binomial), table[k, m]))
    return outcomes


@claim("res-arbitrary-without-horizon-log", false={"no digit is free, not even with K = 1": {"free": 0}})
def bound_in_steps(text, free=1):
    """One deployment, the sum, the coin, Markov: Every step for all d, H, N, K; the coin as polynomials, K, m <= 6."""
    d, N, s, t, K, n, mean, q, epsilon = sympy.symbols("d N s t K n mean q epsilon", positive=True)
    size, level = text.range("d").low + t, sympy.Symbol("l", nonnegative=True)
    series = sympy.solve(sympy.Eq(mean, (1 + mean) / d), mean)[0]  # E G = (1/d)(1 + E G)
    total = K * (level + series) + (K - free)  # the frontier digit is free from the second deployment on
    tails, slack, rises = (sympy.symbols(f"{name}1:4", nonnegative=True) for name in "abc")
    larger = [a + b for a, b in zip(tails, slack, strict=True)]
    letters = {"d": d, r"\ell": level, "K": K, "H": n + 1}
    seen, bound = text.sides(r"\tfrac...\ge", {COIN: 1}, **letters)
    claimed, largest = sympy.simplify(1 - bound / seen), text(r"K\le", **letters)  # of n = H - 1 digits, on average
    half, quarter = text.sides(r"\frac...\ge", after="This probability is at least", d=size)
    bias, y = text.range("b", epsilon=epsilon), 1 + s  # log_d N from 1 on
    twice = sympy.solve((bias.low + t) * (1 - q) - epsilon, q)[0]
    order = text("", {r"\log_dN": y, r"\Omega": lambda inside: inside}, after="deployment complexity is", H=n + 1)
    return steps([
        "one gain",
        ("N/d^(l+j) <= d^-j, as d^l >= N", at_least(1, N / (N + s), N, s)),
        "larger tails",
        ("larger tails give a larger expected value",
         at_least(mean_value(larger, rises), mean_value(tails, rises), *slack, *rises)),
        "mean and Markov",
        ("at most K(l + d/(d-1)) - 1 digits on average",
         nonnegative(sympy.simplify((n * claimed - total).subs(d, size)), K, level, t)),
        "coin",
        ("heads before the K-th tail, K, m <= 6", every(heads_before_tails())),
        "mean and Markov",
        ("at the largest K of the text: " + text.shown(r"\frac...\ge", after="This probability is at least"), every(
            equal(bound.subs(K, largest).subs(d, size), half), at_least(half, quarter, t))),
        ("and more for smaller K", by_sign(sympy.factor(sympy.diff(claimed, K).subs(d, size)))),
        ("without a deployment", every(
            equal(text("", after="With $K=0$ the probability is at least", d=d), seen),
            exactly(_tails(3, int(text("K=", after="With")), 2), 1))),
        ("with this bias, at most 1/2, one output serves one digit",
         every(by_sign(twice, sympy.Rational(1, 2)), exactly(bias.high, Fraction(1, 2)))),
        ("the largest K is at least a sixth of the order: l <= log_d N + 1, d/(d-1) <= 2",
         at_least(largest.subs({level: y + 1, d: 2}), order / 6, s, n)),
    ], "all d >= 2, H >= 2, N >= 1, K, every algorithm; trajectories of one deployment may depend on one another")


@claim("res-arbitrary-without-horizon-log", method="exhaustive", covers=f"every algorithm for (d, n, N, K) in {PLAYED}",
       gap="small games",
       false={"one digit more": {"extra": 1},
              "three quarters of the pace": {"rate": Fraction(3, 4)}})
def optimal_play_stays_below(extra=0, rate=Fraction(1)):
    """Optimal play against both bounds: Every batch after every history: success against the coin, digits on average
    against K pace - 1."""
    outcomes, tight = [], 0
    for game in PLAYED:
        d, n, N, K = game
        unmatched = 1 - best_success(*game)
        outcomes.append((f"unmatched {game}", unmatched >= failure_without_horizon_log(d, n + extra, N, K)))
        digits = optimise(d, n, N, K, lambda fronts: Fraction(max(fronts)), max)
        outcomes.append((f"digits on average {game}", digits <= rate * K * largest_pace(d, N) - 1))
        tight += unmatched == failure_without_horizon_log(d, n, N, K)
    return steps(outcomes, f"{len(PLAYED)} games, exact rationals", detail=f"equality in {tight} of them")


def _tails(m: int, K: int, d: int) -> Fraction:
    """P(Bin(m + K - 1, 1/d) < m); 0 where m < 1, for which the text claims nothing."""
    flips = m + K - 1
    return Fraction(sum(comb(flips, heads) * (d - 1) ** (flips - heads) for heads in range(m)), d**max(0, flips))


@claim("res-arbitrary-without-horizon-log", method="exhaustive", covers="288 games by programme",
       gap="the listed sizes", plants=3,
       false={"one digit more": {"extra": 1}})
def programme_stays_below(text, extra=0):
    """Against the programme that bounds every algorithm: P(unmatched) of the revealed search against the coin bound,
    and that against Markov's; equality for N = 1."""
    worst, order, same, library = [], [], [], []
    for d, n, N, K in CHAINS:
        unmatched = 1 - success_curve(d, n, N, K, "reveal", True)[-1]
        ell = text(r"\ell=", d=d, N=N)
        coin = _tails(int(text("m=", d=d, H=n + 1 + extra, K=K, ell=ell)), K, d)
        library.append(coin == failure_without_horizon_log(d, n + extra, N, K))
        worst.append(unmatched >= coin)
        seen, bound = text.sides(r"\tfrac...\ge", {COIN: coin}, d=d, H=n + 1, K=K, ell=ell)
        last_digit = Fraction(d - 1, d)
        order.append(seen == last_digit * coin >= bound == last_digit * markov(d, n, N, K) or bound < 0)
        if N == 1:
            same.append(unmatched == coin)
        if (d, N) == tuple(text(key, after="So the deployment complexity") for key in ("d=", "N=")):
            digits = text("", after="not matching the first", H=n + 1)
            same.append(digits == n and unmatched == text("", {r"P(\mathrm{Bin}<m)": coin}, after="N=1$ the"))
        least = int(text("m=", d=d, H=n + 1, K=K, ell=ell)) >= text(r"m=...\ge") and N >= text(r"N\ge")
        library.append(least == (coin > 0) or extra > 0)
        library.append(K >= text.range("K", after="Let an algorithm make").low)
    return steps([("the coin bound is below the exact value", all(worst)), ("Markov's bound is below it", all(order)),
                  ("one trajectory per deployment: equal", all(same)),
                  ("the library computes this bound", all(library))],
                 f"{len(CHAINS)} games, {len(ALONE)} with N = 1")


SEARCHES = ((2, 12, 2), (2, 24, 8), (3, 12, 5), (5, 12, 130), (10, 12, 10))  # (d, n, N)
LOG, WITHIN = r"\log_dN", r"\bigl\lceil n/\lfloor\log_dN\rfloor\bigr\rceil"
ENOUGH = r"\Bigl\lceil\frac n{\lfloor\log_dN\rfloor}\Bigr\rceil"


@cache  # held against the true rate and against planted ones
def _success(d: int, n: int, N: int, K: int) -> Fraction:
    return success_curve(d, n, N, K, exact=True)[-1]


def lower_side_of_rate(text, share):
    """The part "lower bound" of `rate_from_above`."""
    s, t = sympy.symbols("s t", nonnegative=True)
    x, n = sympy.symbols("x n", positive=True)
    y, size = 1 + s, 2 + t  # log_d N >= 1, d >= 2
    below = text.sides(r"\frac{n+1}...<", {LOG: y, "K^*": n}, n=n)[0]
    return [
        "lower bound",
        ("the lower side of the text: l + d/(d-1) <= 4 log_d N, as l <= log_d N + 1",
         at_least((n + 1) / (2 * (y + 1 + size / (size - 1))), below, s, t, n)),
        ("(n-1) digits are missed with probability 1/2 up to K = (n+1)/(2 pace)",
         equal(1, ((n + 1) / (2 * x) * x - 1) / (n - 1) + Fraction(1, 2))),
        (f"(1/2)(d-1)/d >= 1/4 > {share}",
         every(at_least((size - 1) / size / 2, sympy.Rational(1, 4), t), less_than(share, Fraction(1, 4)))),
    ]


@claim("res-search-rate",
       false={"six times the digits per deployment: d = 10, n = 12, N = 10, K = 16 gives 0.59": {"reach": 6}},
       as_printed={"the same with bias 1/1000: at d = 3, n = 2, N = 3 success is below 2/5": {
                       "bias": Fraction(1, 1000)}})
def rate_from_above(text, reach=1, bias=None):
    """A good deployment, how many are needed, and how many are not enough: Mean number of trials, Markov; the lower
    side; exact programmes; with a `bias` as on the biased lock, where success is at most (1 + 2 bias)^{KN}/d."""
    s, t, u, w = sympy.symbols("s t u w", nonnegative=True)
    N, x, n, eta, p, mean, good, e = sympy.symbols("N x n eta p mean G e", positive=True)
    size, whole = 2 + t, 1 + u  # log_d N >= 1, d >= 2, floor(log_d N) >= 1
    share = text("", after="fails with probability at most")
    within = text.function("", "e", r"\eta", WITHIN, after=r"at least $1-\eta$ within")
    enough, above = text.function(r"K^*\le", LOG, "n"), text.function(r"K^*\le...\le", LOG, "n")
    failing, bits, size_least = text.range(r"\eta"), text(r"\epsilon<"), text(r"N\ge", d=size)
    wanted = text("", after="digits with probability at least", eta=share)
    ceiling = 1 if bias is None else (1 + 2 * bias) ** (16 * 3) / 3
    return steps([
        "uniform search",
        ("-log(1-x) >= x, with x = s/(1+s)", nonnegative_from(sympy.log(1 + s) - s / (1 + s), s, 0)),
        ("N x >= 1 for x = d^-r, N = d^r + t", at_least((N + t) / N, 1, N, t)),
        "all deployments",
        ("mean over mean/eta: eta", equal(good / (1 - 1 / e) / within(e, eta, good), eta)),
        "upper bound",
        ("that is at most the bound for K* at this probability of failure, as e >= 8/3",
         every(at_most(within(Fraction(8, 3), share, 1), text(r"K^*\le", {ENOUGH: 1})),
               at_most(Fraction(8, 3), sum(Fraction(1, k) for k in (1, 1, 2, 6))))),
        *lower_side_of_rate(text, share),
        "all deployments",
        ("eta is any probability, N is at least d, and success is the rest",
         every(exactly((failing.low, failing.high), (0, 1)), equal(size_least, size), exactly(wanted, 1 - share),
               exactly(bits, Fraction(1, 2)))),
        "rounding",
        ("n/floor(y) <= 2n/y: y <= floor(y) + 1 <= 2 floor(y)", every(
            at_least(2 * whole, whole + 1, u),
            at_least(above(2 * whole, n), text(r"K^*\le", {ENOUGH: n / whole + 1}), n, u))),
        "biased locks",
        ("d = 3, two digits, N = 3, K = 16: no upper bound on success below 4/5", at_most(1 - share, ceiling)),
        "upper bound",
        *((f"success at least 4/5: d = {d}, n = {digits}, N = {size}, K = {K}",
           at_most(1 - share, _success(d, digits, size, K))) for d, digits, size in SEARCHES
          for K in (int(enough(max(k for k in range(20) if d**k <= size) * reach, digits)),)),
    ], "all d >= 2, n >= 1, N >= d; five sizes by exact programme")
