"""These checks establish reward-free exploration with fewer samples, by one count of violations for all layers.

Algorithm 3 has the test Delta_k < epsilon/(4H+2) in every layer, and a multiplicative bound replaces Hoeffding's
inequality. Exponents are computed by expanding logarithms, and the computed sizes are tried on a grid.
"""

from __future__ import annotations

import math

import sympy
from sympy import Rational, log, sqrt

from derl.claims import Evidence, claim, printed, steps
from derl.claims.reward_free.symbols import H, K, L, N, c, d, delta, eps, exponents, g
from derl.exact.compared import every, exactly
from derl.exact.symbolic import (
    below,
    by_sign,
    equal,
    nonnegative_from,
    same_operator,
    tangent,
)
from derl.printed.text import BEGINNING
from derl.theory.foundations.setting import Setting
from derl.theory.reward_free.samples import batch_size_reward_free, log_conditions

BETA = 2 * d * H * sqrt(L)
GRID = ((1, 1, 0.5, 1.5), (3, 2, 0.2, 2), (7, 10, 0.1, 6), (10, 10, 0.1, 6), (50, 30, 0.01, 20))  # d, H, epsilon, c_K

COUNT, TEST = r"\bigl(c_KHx^{-c_K}\bigr)^{\frac1{c_K-1}}", r"\log\tfrac{2K}\delta"

m, r, s, t = sympy.symbols("m r s t", nonnegative=True)
a, b, x, y = sympy.symbols("a b x y", positive=True)


def violation_level(text):
    """The square of the share over H, minus x, with beta a symbol."""
    beta, horizon = sympy.Symbol("beta", positive=True), 1 + t
    share = text("", after="the threshold in Algorithm 3 be", epsilon=eps, H=horizon) / (2 * beta)
    return sympy.simplify(share**2 / horizon - text("x=", epsilon=eps, H=horizon, beta=beta))


def one_potential(rows, log_first_condition) -> list[tuple[str, bool]]:
    """At most c_K dH violations, for any c_K = 1 + b > 1."""
    power = 1 + b
    superadditive = (1 + y) ** power - 1 - y**power
    k = d * H * x  # x = k/(dH) here
    return [
        ("(sum of m terms)^2 <= m times the sum of squares: one term more",
         same_operator((m + 1) * (r + y**2) + s**2 + 2 * s * y, (s + y) ** 2 + m * r + r + m * y**2)),
        ("and r - 2sy + m y^2 >= 0: m times it is a square plus m r - s^2",
         same_operator(m * (r - 2 * s * y + m * y**2) + s**2, (m * y - s) ** 2 + m * r)),
        "one potential",
        *tangent(),
        ("tr A/D = 1 + x H N at k = x dH", equal((d * H + rows(k)) / (d * H), 1 + x * H * N)),
        ("(1 + y)^c - 1 - y^c vanishes at 0", exactly(superadditive.subs(y, 0), 0)),
        ("and increases: c ((1 + y)^b - y^b)", equal(sympy.diff(superadditive, y), power * ((1 + y) ** b - y**b))),
        ("(N x)^c = c H N at the smallest N",
         equal(sympy.expand_log(c * (log_first_condition(x) + log(x)) - log(c) - log(H) - log_first_condition(x),
                                force=True), 0)),
    ]


def chernoff(text, mean_part) -> list[tuple[str, bool]]:
    """P(mean <= m/2) <= exp(-N m/(8R)) for X in [0, R] with E X >= m, and what condition (2) makes of it."""
    beta, horizon = sympy.Symbol("beta", positive=True), 1 + t
    mean, reach = mean_part * eps / (2 * horizon + 1), 2 * beta * horizon
    size = text(r"N\ge", {COUNT: -sympy.oo}, beta=beta, H=horizon, epsilon=eps, K=K, delta=delta)
    z = sympy.Symbol("z", positive=True)
    return [
        "test",
        ("2^{-s} is convex", by_sign(sympy.diff(2 ** (-z), z, 2) / 2 ** (-z))),
        ("and equals 1 - s/2 at s = 0 and s = 1",
         every(exactly((2 ** (-z) - (1 - z / 2)).subs(z, end), 0) for end in (0, 1))),
        ("1 - z <= e^{-z}: log(1 + s) >= s/(1 + s)", nonnegative_from(log(1 + s) - s / (1 + s), s, 0)),
        ("(1 - log 2)/2 >= 1/8", below(log(2), Rational(3, 4))),
        ("exp(-N m/(8 R)) = delta/(2K) at the smallest N",
         equal(sympy.exp(-size * mean / (8 * reach)), delta / (2 * K))),
        ("the threshold is m/2", equal(mean / 2, text("", after="the threshold in Algorithm 3 be", epsilon=eps,
                                                      H=horizon))),
    ]


@claim("res-reward-free-samples", plants=6,
       false={"a batch of trace N in dimension dH": {"rows": lambda k: k * N},
              "a mean of half as much": {"mean_part": Rational(1, 2)}})
def fewer_samples_suffice(text, rows=lambda k: k * N * H, mean_part=1, event=printed("res-concentration-reward-free"),
                          rate=printed("tab-row-reward-free"), counted=printed("res-fewer-samples-a")):
    """Violations in dimension dH, Chernoff, and the order of dH N: The two conditions from their constraints, then
    exponents by expanding logarithms, none of them typed in."""
    named = {"d": d, "H": H, "K": K, "N": N, "delta": delta}
    grown, factor = text(r"c_K\to", {r"\infty": sympy.oo}), text("", after="up to logarithms,", d=d, H=H, N=1)
    def log_first_condition(level):
        size = text(r"N\ge", {TEST: -sympy.oo}, c_K=c, H=H, x=level, beta=1, epsilon=1)
        return sympy.expand_log(log(size), force=True)

    level = text("x=", epsilon=eps, H=H, beta=BETA).subs(2 * H + 1, g * H)
    result = exponents(log_first_condition(level) + log(factor))
    limits = {name: sympy.limit(result[name], c, grown) for name in ("H", "d", "epsilon")}
    test = text(r"N\ge", {COUNT: -sympy.oo, TEST: 1}, H=H, epsilon=eps, beta=BETA)
    second = exponents(log(test.subs(2 * H + 1, g * H)))
    order = exponents(log(text("", after="is of order", d=d, H=H, epsilon=eps)))
    return steps([
        "violation",
        ("the level is the square of the share over H", exactly(violation_level(text), 0)),
        ("beta is that of the event", equal(text(r"\beta=", **named), event(r"\beta=", **named))),
        ("K: the violations, and a deployment that finishes each layer; for every c_K of the count",
         every(exactly(text("K=", c_K=c, d=d, H=H), sympy.floor(c * d * H) + H),
               exactly(text.range("c_K").low, counted.range("c_K").low))),
        *one_potential(rows, log_first_condition),
        *chernoff(text, mean_part),
        "order",
        ("order of dH N as c_K grows: " + text.shown("", after="is of order"),
         exactly(limits, {name: order[name] for name in limits})),
        ("the paper's order", exactly(*(exponents(log(each("", {r"\tilde O": lambda size: size}, after=after, d=d, H=H,
                                                           epsilon=eps)))
                                        for each, after in ((text, "In the paper it is"), (rate, BEGINNING))))),
        ("condition (2) is of lower order: d H^3/epsilon",
         exactly(second, {"H": 3, "d": 1, "epsilon": -1, "L": Rational(1, 2)})),
    ], scope="all d, H >= 1, c_K > 1, epsilon, delta; the rest of the proof is that of the repaired Theorem D.4")


@claim("res-reward-free-samples", method="stress", arithmetic="float64", covers="the formulas as computed",
       gap="a grid of d, H, epsilon, c_K",
       false={"log N one per cent smaller": {"shrink": 0.99}})
def computed_sizes_satisfy_the_conditions(shrink=1.0):
    """The computed batch sizes satisfy their own conditions: Smallest log N - (what conditions (1) and (2) require at
    this N), versions explicit, sharp and flat."""
    worst, cases = math.inf, 0
    for dim, horizon, epsilon, c_K in GRID:
        for version in ("explicit", "sharp", "flat"):
            log_n = math.log(batch_size_reward_free(dim, horizon, epsilon, 0.1, c_K, version=version)) * shrink
            asked = max(log_conditions(Setting(dim, horizon, epsilon, 0.1), c_K, log_n, version))
            worst, cases = min(worst, log_n - asked), cases + 1
    return Evidence(worst, 0.0, "lower", f"{cases} parameter sets", 1e-9)
