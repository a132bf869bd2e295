"""These checks establish the exchange law: K deployments of N trajectories suffice iff K log N is about H log d.

The lower bound comes from the plain locks, the upper bound from blocks of L = log_d(N/Q) layers; every inequality is
taken for d = 4 + s and all N of the statement.
"""

from __future__ import annotations

from fractions import Fraction as F

import sympy

from derl.claims import claim, printed, steps
from derl.claims.beyond.hypotheses import hypotheses
from derl.exact.compared import at_most, every, exactly
from derl.exact.symbolic import at_least, below, equal

s, t, u, v, w = sympy.symbols("s t u v w", nonnegative=True)


def plain_locks_of_law(text, geometric, one, halved, floors, power, pace, search, d, exponent, log_n):
    """The parts "plain locks", "lower bound", "polynomial", "logarithm" and "same form" of `law_in_steps`."""
    y, H = sympy.symbols("y H", positive=True)
    third, many = text.range(r"\delta").high, sympy.Symbol("L", positive=True)
    squares = sympy.symbols("q1:5", nonnegative=True)  # the largest, and by how much the others are smaller
    largest = sum(squares)
    others = sum(largest - one_of for one_of in squares[:3])
    plain = {"K^*(N)": 1, r"\lceil\log_{d-1}N\rceil": F(4, 3) * log_n + 1}
    sharp = text.sides("...<", plain, after="Then", H=1, d=4)[0]  # where (d-1)/(d-2) is largest
    return [
        "plain locks",
        hypotheses(text, ("known rewards in",), "-optimal with probability at least", least=(("d", 4), ("H", 3))),
        ("the largest of d squares is at least their mean (d = 4: c + others = 1)",
         at_least(largest, text.range(r"\nu^2", d=4).high * (largest + others), *squares)),
        "lower bound",
        ("d - 1 actions and H - 1 digits", equal(
            text.sides("...<", {"K^*(N)": 1, r"\lceil\log_{d-1}N\rceil": y}, after="Then", H=H, d=d)[0],
            search(r"K\le", {r"\ell": y}, H=H - 1, d=d - 1))),
        ("(1/2)(d-2)/(d-1) >= 1/3", at_least(F(1, 2) * (d - 2) / (d - 1), third, s)),
        "polynomial",
        ("(1 - 4^(-1/3))^-3 <= 20: c = 739/2000 has 4 (1-c)^3 >= 1, so 1 - 4^(-1/3) >= c, and 20 c^3 >= 1",
         every(at_most(1, 4 * (1 - F(739, 2000)) ** 3), at_most(1, geometric * F(739, 2000) ** 3))),
        ("8 (20)^2 = 3200", exactly(8 * 20**2, one)),
        "logarithm",
        ("log N = 2 log Q + w: log(N/Q) >= (1/2) log N", at_least(
            exponent * u + w - u, (exponent * u + w) / halved, u, w)),
        ("floor(y) >= y/2 for y >= 1: n <= y < n + 1, n >= 1", at_least(floors * (1 + u), (1 + u) + 1, u)),
        "same form",
        ("d^3 <= (d-1)^4 for d >= 4", at_least((d - 1) ** power[1], d ** power[0], s)),
        ("(d-1)/(d-2) <= 3/2", at_least(pace, (d - 1) / (d - 2), s)),
        ("2 ((4/3) x + 1 + 3/2) <= 4 x for x = log_d N >= 4", at_least(
            sharp, text.sides("...<", {"K^*(N)": 1, r"\log_dN": log_n}, after="So for", H=1)[0], t)),
        ("ceil(H/L) <= H/L + 1 with L >= (1/2) (1/2) log_d N", equal(
            text("...<K^*(N)\\le", {r"\log_dN": 4 * many}, after="So for", H=H), H / many + 1)),
    ]


def constant_of_law(text, spread, dims, cap, a, d, r):
    """The parts "constant" and "large N" of `law_in_steps`."""
    y, eta, K, H = sympy.symbols("y eta K H", positive=True)

    def ratio(count):  # K log N/H where H is much larger than log N
        left, right = text.sides(r"K^*(N)\log_dN/H\to", {"K^*(N)": count, r"\log_dN": a}, H=H)
        long, longest = text.sides(r"H/\log_dN\to", {r"\log_dN": a, r"\infty": sympy.oo}, H=H)
        there = sympy.limit(left.subs(H, sympy.solve(long - r, H)[0]), r, longest)
        return exactly(sympy.limit(sympy.limit(there, a, sympy.oo), eta, 0), right)

    return [
        "constant",
        ("m = n - K(l+1) >= eta n for K <= (1-eta) n/(l+1)", equal(
            H - (1 - eta) * H * cap, eta * H)),
        ("K/((d-2) m) <= 1/(eta (d-2)) as K <= n and m >= eta n", at_least(
            1 / (eta * (2 + s)), (K / ((K + u) * eta * (2 + s))) * spread, K, u, eta, s)),
        ("the limit from below, with (1 - eta) n/(l + 1) deployments, l <= log_d N + 1",
         ratio((1 - eta) * (H - 1) / (a + 2))),
        "large N",
        ("N_L <= Q d^L: a size with S <= 20 d^L, and a rest, over d^L", at_least(
            text(r"N_L\le", Q=20 * K + y, d=d, L=2), 20 * K * d**2 + y, s, K, y)),
        order_of_both_bounds(text, "K^*", "So for"),
        ("the limit from above, with L = (1 - eta) log_d N", ratio(
            text("K^*(N)\\le", {r"\lceil\frac HL\rceil": H / ((1 - eta) * a) + 1}, after="Then"))),
        ("the blocks of L layers", exactly([text("K^*(N)\\le", after="Then", H=layers, L=3) for layers in (3, 4, 7)],
                                          [1, 2, 3])),
        ("Q <= N^eta: log_d(N/Q) >= (1-eta) log_d N", equal(y - eta * y * dims, (1 - eta) * y)),
    ]


@claim("res-exchange-law", plants=4,
       false={"a geometric factor of 10": {"geometric": 10},
              "400 in place of 3200": {"one": 400},
              "log(N/Q) >= log N": {"halved": 1},
              "floor(y) >= y/1.9": {"floors": F(19, 10)},
              "d^4 <= (d-1)^4": {"power": (4, 4)},
              "(d-1)/(d-2) <= 4/3": {"pace": F(4, 3)},
              "twice the spread of the geometric sum": {"spread": 2},
              "log_d Q twice as large": {"dims": 2},
              "twice the range of K": {"cap": 2}})
def law_in_steps(text, geometric=20, one=3200, halved=2, floors=2, power=(3, 4), pace=F(3, 2), spread=1, dims=1, cap=1,
                 search=printed("res-arbitrary-without-horizon-log")):
    """Members, both sides, the constant: Every inequality of the proof, for d = 4 + s and all N of the statement."""
    d = sympy.Rational(text.range("d").low) + s
    exponent, least = (sympy.expand_log(sympy.log(text(r"N\ge", after="So for", Q=first, d=second)) / sympy.log(base))
                       for first, second, base in ((sympy.Integer(5), 1, 5), (1, sympy.Integer(5), 5)))
    log_n, a, r = sympy.Rational(least) + t, *sympy.symbols("a r", positive=True)
    return steps([*plain_locks_of_law(text, geometric, one, halved, floors, power, pace, search, d, exponent, log_n),
                  *constant_of_law(text, spread, dims, cap, a, d, r)],
                 "every d >= 4, H >= 2, N; every algorithm below, block exploration above")


def order_of_both_bounds(text, count: str, words: str):
    """Step: both bounds with log_d N are within constants of the printed order; at least one deployment is made."""
    result, given = [], {r"\log_dN": 1, rf"{count}(N)": 1}
    for layers in (F(1, 5), 1, 7, 100):
        order = text(f"{count}=", {r"\Theta": lambda inside: inside, r"\log_dN": 1}, H=layers, after=words)
        low = text.sides("...<", given, after=words, H=layers)[0]
        high = text(rf"...<{count}(N)\le", given, after=words, H=layers)
        result += [at_most(order / 4, max(1, low)), at_most(max(1, low), order), at_most(high, 5 * order),
                   at_most(order, high)]
    return "both bounds are of the printed order", every(result)


def setting(text) -> list:
    """The least d and H, and what epsilon and delta are below."""
    return [*(text.range(letter).low for letter in "dH"),
            *(text.range(letter).high for letter in (r"\epsilon", r"\delta"))]


@claim("res-law-without-reachability", plants=4,
       false={"log(N/Q) >= log N/1.9": {"halved": F(19, 10)},
              "N >= Q alone": {"taken": 2},
              "floor(y) >= y/1.9": {"floors": F(19, 10)},
              "ceil((H-1)/L) <= H/L": {"more": 0},
              "ceil((H-1)/L) <= (H - 201/100)/L + 1": {"rest": F(201, 100)}})
def all_linear_mdps_in_steps(text, halved=2, taken=1, floors=2, more=1, rest=0,
                             rate=printed("res-no-reachability-rate"), exchange=printed("res-exchange-law")):
    """Q, and the number of layers that N pays for: The Q of the statement against the closed form; L layers, H = 1 + L
    + u, K = H/(1 + v)."""
    L, x, ell, e = sympy.symbols("L x l epsilon", positive=True)
    H, d, log2 = 1 + L + u, sympy.Rational(text.range("d").low) + s, r"\log^2\frac{dH}{\epsilon\delta}"
    size = text("Q=", {log2: 1}, H=H, d=d, epsilon=e)
    closed = {"C": rate("C=", after="\\frac{dH}{\\epsilon\\delta},$$", numbers=sympy.Rational), log2: 1}
    needed = rate(r"N\ge", closed, L=L, d=d, p=2, K=H / (1 + v), H=H, epsilon=e)
    least = text.range("d").low * text.range("H").low / text.range(r"\epsilon").high / text.range(r"\delta").high
    ceil = r"\lceil\log_{d-1}N\rceil"
    lower = (exchange.sides("...<", {"K^*(N)": 1, ceil: x}, H=H, d=d, after="Then")[0],
             exchange.sides("...<", {"K^*(N)": 1, r"\log_dN": x}, H=H, after="So for")[0])
    return steps([
        "upper bound",
        hypotheses(text, ("known rewards in",), "-optimal with probability at least", least=(("d", 4), ("H", 3))),
        ("Q d^L is at least the closed form for a design: K <= H, L < H", at_least(
            sympy.powsimp(size, force=True), sympy.powsimp(needed * d**-L, force=True), L, e, s, u, v)),
        (text.shown(r"Q="), every(equal(text("Q=", H=H, d=d, epsilon=e, delta=x), size * sympy.log(d * H / (e * x))**2),
                                  equal(text(r"N\ge", after="the bounds", Q=x, d=d, L=L), x * d**L),
                                  equal(text(r"N\ge", after="hold. Moreover", Q=x), x**2))),
        "lower bound",
        ("log N = 2 log Q + w: log(N/Q) >= (1/2) log N", at_least(2 * u + w - u * taken, (2 * u + w) / halved, u, w)),
        ("floor(y) >= y/2 for y >= 1: n <= y < n + 1, n = 1 + u", at_least(floors * (1 + u), (1 + u) + 1, u)),
        ("ceil((H-1)/L) <= (H-1+L-1)/L <= H/L + 1", at_least(H + more * L - rest, H - 1 + L - 1, L, u)),
        ("Q >= d^4, so Q^2 >= dQ and Q^2 >= d^4: log(dH/(epsilon delta)) >= log 72 > 1", every(
            below(1, sympy.log(sympy.Rational(least))), at_least(size.subs(e, 1), d**4, L, s, u))),
        ("the setting and the lower bounds of the exchange law", every(
            exactly(setting(text), setting(exchange)),
            equal(lower[0], text.sides("...<", {r"K^\circ(N)": 1, ceil: x}, H=H, d=d, after="the bounds")[0]),
            equal(lower[1], text.sides("...<", {r"K^\circ(N)": 1, r"\log_dN": x}, H=H, after="hold. Moreover")[0]))),
        order_of_both_bounds(text, r"K^\circ", "hold. Moreover"),
        ("H/L + 1 with L >= (1/2) (1/2) log_d N", equal(
            text(r"...<K^\circ(N)\le", {r"\log_dN": 4 * ell}, after="hold. Moreover", H=x), x / ell + 1)),
        ("blocks of the layers before the last", exactly(
            [text(r"...<K^\circ(N)\le", after="the bounds", H=layers, L=3) for layers in (4, 5, 7, 8)], [1, 2, 2, 3])),
    ], "every d >= 4, H >= 3, N, epsilon, delta of the statement")
