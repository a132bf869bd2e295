"""These checks establish Theorems 3.1 and 3.2 and Corollary 3.3 from the repaired theorems, with explicit constants.

They cover the count of arms and digits, the change of base in logarithms with its roundings, and the embedding of a
layered MDP into a stationary one. Line 250 is read with "at most O(log_d NH) levels", where the paper has Omega.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import sympy

from derl.claims import Evidence, claim, printed, steps
from derl.exact.compared import at_most, every, exactly, less_than
from derl.exact.symbolic import at_least, equal
from derl.mdp import ExactMDP, instances, planning
from derl.mdp.policies import uniform
from derl.printed import Text
from derl.theory.lower_bounds import ceil_log, compact_arms, template_arms

LEVELS = r"\lceil\log_d(NH)\rceil"
SIZES = tuple(product((4, 5, 7, 8, 9, 16, 33, 64, 100), (2, 3, 4, 7, 25, 200)))  # (d, H)
DEPLOYMENT_SIZES = tuple(product((2, 3, 10), (2, 5, 100), (1, 2, 7, 1000, 10**30)))  # (d, H, N)


def stationary_sizes(embedding: Text, d: int, H: int) -> tuple[int, int]:
    """(D, T): dimension and number of layers of the instance that is embedded, rounded down, from its statement."""
    return tuple(int(embedding(left, d=d, H=H)) for left in (r"\tilde d=", r"\tilde h="))


def _hidden_reward(D, hidden):
    """One layer, one state, D actions e_j, reward 1 for the hidden one."""
    unit = np.eye(D, dtype=int)
    return ExactMDP(unit[None, None], np.ones((1, D, 1), dtype=int), unit[None, hidden], np.ones(1, dtype=int))


@claim("thm-lower-deterministic-informal", false={"constant 1/3": {"divisor": 3}})
def deterministic_rate(text, divisor=8):
    """K >= (1-delta) DT/8 - 1: (D-3)(T-1) >= DT/8 for all D >= 4, T >= 2; T = 1 by hidden rewards; K from the exact
    failure."""
    x, y, delta, m, t = sympy.symbols("x y delta m t", nonnegative=True)
    D, T = text.range("d").low + x, 2 + y
    rate = text("K=", {r"\Omega": lambda order: order}, d=D, H=T)
    K = (1 - delta) * m - 1 - t
    failure = 1 - (K + 1) / m
    return steps([
        "two layers or more",
        ("(D-3)(T-1) >= DT/8", at_least(divisor * (D - 3) * (T - 1), rate, x, y)),
        "one layer",
        ("T = 1: D >= D/8", at_least(divisor * D, D, x)),
        "failure",
        ("K < (1-delta) m - 1 gives failure > delta", equal(failure, delta + t / m)),
        "one layer",
        ("T = 1: one hidden reward among D actions fits Assumption 1",
         every(exactly(_hidden_reward(4, j).rewards()[0, 0].tolist(), [k == j for k in range(4)]) for j in range(4))),
    ], "all D >= 4, all T >= 1, all delta, every N")


@claim("thm-lower-arbitrary-informal", false={"the base changed without a factor": {"power": 1}})
def arbitrary_rate(text, power=2):
    """K >= T/(2L) - 1: (D-2)^2 >= D changes the base of the logarithm at the cost of a factor 2; the ceiling is checked
    in integers."""
    x, c, t = sympy.symbols("x c t", nonnegative=True)
    D, L, T = text.range("d").low + x, 1 + c, 1 + t
    rate = text("K=", {r"\Omega": lambda order: order, r"\lceil\log_d(NH)\rceil": L}, H=T)
    outcomes = ["logarithms and ceilings",
                ("(D-2)^power >= D", at_least((D - 2) ** power, D, x)),
                "rate",
                ("(T-2)/(2L) >= T/(2L) - 1", at_least((T - 2) / (2 * L) + 1, rate / 2, t, c))]
    for dim, layers, N in product((4, 5, 8, 20), (2, 3, 50), (1, 10, 10**9)):
        outcomes += ["logarithms and ceilings",
                     (f"ceilings, D = {dim}, T = {layers}, N = {N}",
                         at_most(ceil_log(dim - 2, N * (layers - 1)), power * ceil_log(dim, N * layers)))]
    outcomes += ["rate",
                 ("ceil(log_d NH) is at least 1 at the smallest product", at_most(1, ceil_log(4, int(text(r"NH\ge")))))]
    return steps(outcomes, "all D >= 4, T >= 1, N >= 1, delta < 1/(2e), every algorithm")


@claim("thm-lower-arbitrary-informal", method="exhaustive", covers="the smallest product NH",
       gap="d up to 100; the ceiling grows with NH",
       as_printed={"any N and H: H = N = 1 divides by 0": {"product_from": 1}})
def denominator_is_not_zero(product_from=printed("thm-lower-arbitrary-informal")(r"NH\ge"),
                            dimension_from=printed("thm-lower-arbitrary-informal").range("d")):
    """The denominator is not 0: Least ceil(log_d NH) at the smallest product NH that is allowed, for d = 4, ...,
    100."""
    least = min(ceil_log(d, int(product_from)) for d in range(int(dimension_from.low), 101))
    return Evidence(least, 1, "lower", f"NH = {product_from}")


@claim("frontier-pace", as_printed={"Omega(log_d NH) levels, as printed": {"order": "Omega"}})
def frontier_moves_at_most(text, order="O"):
    """At most ceil(log_d NH) levels, except with probability 1/H: N/d^L <= 1/H at L = ceil(log_d NH), symbolically and
    in integers; repeating one code tells O from Omega."""
    H, N, s = sympy.symbols("H N s", positive=True)
    d, L = sympy.symbols("d L", positive=True)
    reach, bound = text.sides(r"N...\le", {LEVELS: L}, N=N, d=d, H=H)
    rare = text("", after="Except with probability at most", H=H)
    moved = text("", {LEVELS: L}, after="one deployment moves it by at most")
    idle = sympy.limit(1 / (sympy.log(N * H) / sympy.log(2)), N, sympy.oo)  # d = 2: one code N times gains one level
    outcomes = ["passing L levels",
                ("d^L = NH + s gives N/d^L at most the probability of the text", every(
                    at_least(rare, reach.subs(d**L, N * H + s), H, N, s), equal(rare, bound), equal(moved, L))),
                "repeated code",
                (f"a deployment of one code, over log_2 NH: {order}",
                 exactly(idle, 0) if order == "O" else less_than(0, idle))]
    for d, horizon, n in DEPLOYMENT_SIZES:
        most, least = text.sides(r"N...\le", {LEVELS: ceil_log(d, n * horizon)}, N=n, d=d, H=horizon)
        outcomes += ["passing L levels",
                     (f"d = {d}, H = {horizon}, N = {n}", at_most(most, least))]
    return steps(outcomes, "all d >= 2, H, N, k; with Claim 2")


@claim("stationary-embedding", method="run", arithmetic="float64", covers="three families",
       gap="three families, where all numbers are dyadic",
       false={"one layer more: dimension d(H+1) where the arrays have dH": {"layers": 1}})
def embedding_keeps_values(dimension=printed("stationary-embedding").function(
                               "", r"\tilde d", r"\tilde h", after="stationary one of dimension"), layers=0):
    """Values carry over, the dimension is D T: Values of the optimal and of the uniform policy before and after, and
    the dimension."""
    outcomes = []
    families = {"bandit": instances.compact_bandit(2, 3, 1, 0.25), "lock": instances.lock(2, 4, (1, 0, 1, 1), 0.25),
                "template": instances.hard_template(3, 3, 1, 1, 0, 0.25)}
    for name, mdp in families.items():
        flat = instances.stationary_embedding(mdp)
        same = all((flat.phi[0] == flat.phi[h]).all() and (flat.mu[0] == flat.mu[h]).all() for h in range(flat.horizon))
        values = [(planning.optimal(m).value, planning.evaluate(m, uniform(m)).value) for m in (mdp, flat)]
        outcomes += [(f"{name}: optimal value", values[0][0] == values[1][0]),
                     (f"{name}: value of the uniform policy", values[0][1] == values[1][1]),
                     (f"{name}: dimension", flat.dim == dimension(mdp.dim, mdp.horizon + layers)),
                     (f"{name}: one transition function", same)]
    return steps(outcomes, "three families")


def _itself(order):
    """What an order is of: the constants are those of the steps."""
    return order


@claim("cor-stationary",
       as_printed={"the template of the same dimension, as printed": {
                       "arms": lambda D, T: template_arms((D - 1) // 2, T)}})
def stationary_rates(text, rate=printed("cor-stationary", "becomes").function(r"K\ge", r"\delta", "d"),
                     share=printed("res-plain-lock")("", after="the constant"),
                     embedding=printed("stationary-embedding"), arms=compact_arms):
    """d/15 and (2/9) min/L, with all roundings: Floors bounded for all d and H, the products, and the change of base;
    every step on a grid of sizes as well."""
    n, r, x, y, size, delta = sympy.symbols("n r x y d delta", nonnegative=True)
    smallest, shortest, loss = text.range("d").low, text.range("H").low, 1 / (rate(0, 1) + 1)
    a, b = smallest + n, shortest + n  # integer parts; the reals are below a + 1, b + 1
    D, T = smallest + x, shortest + y
    outcomes = [
        "rounding down",
        ("floor(a) >= 4a/5 for a >= 4", at_least(5 * a, 4 * (a + 1), n)),
        ("floor(b) >= 2b/3 for b >= 2", at_least(3 * b, 2 * (b + 1), n)),
        "deterministic",
        ("(D-3)(T-1) >= DT/8", at_least(8 * (D - 3) * (T - 1), D * T, x, y)),
        ("(1/8)(4/5)(2/3) d arms are enough for the rate of the text", every(
            at_most(1 / loss, Fraction(1, 8) * Fraction(4, 5) * Fraction(2, 3)),
            equal(rate(delta, size), (1 - delta) * text("", after="complexity is", d=size, Omega=_itself) / loss - 1))),
        "arbitrary",
        ("(D-2)^3 >= D + 1", at_least((D - 2) ** 3, D + 1, x)),
        (f"(T-2)/(3L) >= {share} min/L - 1, with T >= (2/3) min, L >= 1",
         at_least((2 * r / 3 - 2) / (3 * (1 + y)) + 1, sympy.Rational(share) * r / (1 + y), r, y)),
    ]
    for d, H in SIZES:
        dim, layers = stationary_sizes(embedding, d, H)
        enough = every(at_most(4, dim), at_most(dim * layers, d),
                       at_most(d / loss if d >= 8 else 0, arms(dim, layers)))
        outcomes += ["grid of sizes",
                     (f"d = {d}, H = {H}", enough)]
        for N in (1, 1000) if layers >= 2 else ():
            order, rounded = text.sides(r"\Omega\bigl(...=", {r"\tilde\Omega": _itself}, Omega=_itself, d=d, H=H, N=N)
            length = max(1, min(Fraction(d, 4), Fraction(H)) / order)
            outcomes.append((f"ceilings, d = {d}, H = {H}, N = {N}", every(
                at_most(ceil_log(dim - 2, N * (layers - 1)), 3 * length), at_most(order, rounded))))
    return steps(outcomes, "all d >= 4, H >= 2, N >= 1; K >= (1-delta) d/15 - 1 and K >= (2/9) min{d/4, H}/L - 1")


@claim("res-template-without-arms", false={"dimension 5": {"spare": 1}})
def template_has_no_arm(text, embedding=printed("stationary-embedding"), spare=0):
    """No arm for d <= 4H: The largest d' of the text is 1, so (d'-1)(H'-1) = 0; on a grid, against the compact
    bandit."""
    features = {k: text.sides(r"2d'+1\le", {"d'": k}) for k in range(1, 9)}
    largest = max(k for k, (used, given) in features.items() if used <= given + spare)
    outcomes = [(text.shown("2d'+1") + " leaves " + text.shown("d'="), exactly(largest, text("d'=")))]
    for d, H in SIZES:
        if d in text.range("d", H=H):
            dim, layers = stationary_sizes(embedding, d, H)
            outcomes.append((f"d = {d}, H = {H}", every(
                exactly(dim, text(r"\max...=", d=d, H=H)), exactly(*text.sides(r"\max...=", d=d, H=H)),
                exactly(template_arms(largest, layers), 0),
                exactly(compact_arms(dim, layers), text("", after="layers has", T=layers)))))
    return steps(outcomes, "all 4 <= d <= 4H")
