"""These checks establish Theorem C.6 with fewer samples, in the five steps (a) to (e), and its trade-off curve.

The algorithm is the repaired one, with rewards in [0, 1], epsilon <= H, any c > 1 and K = floor(c d H) + 1; a layer is
finished when Delta_k < s epsilon h_k/H (first step) or s epsilon. Exponents of d, H and epsilon are computed for c ->
oo.
"""

from __future__ import annotations

import sympy
from sympy import Rational, log

from derl.claims import Evidence, check, control, steps
from derl.claims.layerwise.concentration import class_and_net
from derl.claims.layerwise.direct_exploration import block_count
from derl.claims.layerwise.symbols import HALF, H, c, d, e, expanded_log, exponent
from derl.theory.exact.compared import every, exactly
from derl.theory.exact.quotients import remembered
from derl.theory.exact.symbolic import at_least, below, equal, nonnegative_from

N, x, y, z = sympy.symbols("N x y z", positive=True)
r, s, t = sympy.symbols("r s t", nonnegative=True)
share = sympy.Symbol("share", positive=True)


def level(layers: int):
    """x, with beta in the leading order d H: layers = 2 for a count per layer, 1 for one count of all layers."""
    return (share * e / (2 * d * H)) ** 2 / H**layers


@remembered
def powers(size, growing=c):
    """Powers of d, H and 1/epsilon in a product of powers, as c -> oo."""
    found, signs = expanded_log(size), ((d, 1), (H, 1), (e, -1))
    return tuple(sign * sympy.limit(exponent(found, base), growing, sympy.oo) for base, sign in signs)


def count_size(layers: int):
    """N that the count of violations requires: (c/x^c)^{1/(c-1)} per layer, (c H/x^c)^{1/(c-1)} for all layers."""
    return (c * (1 if layers == 2 else H) * level(layers) ** (-c)) ** (1 / (c - 1))


def hoeffding_size(beta):
    """Hoeffding's condition without its logarithm."""
    return 2 * beta**2 * H**2 / ((1 - share) ** 2 * e**2)


def chernoff_size(beta):
    """The multiplicative condition without its logarithm."""
    return 4 * beta * H / ((1 - share) ** 2 * e)


@check("res-fewer-samples-a", method="symbolic", arithmetic="exact", covers="everything",
       gap="none",
       title="The sharp lemma in every layer")
def sharp_lemma_per_layer(layers=2) -> Evidence:
    """The level of a violation, the batch size, Hoeffding's condition, and the exponents as c_K grows."""
    beta, logarithm = sympy.symbols("beta logarithm", positive=True)
    size = hoeffding_size(beta) * logarithm
    deviation = 2 * beta * H * sympy.sqrt(logarithm / (2 * N))
    return steps([
        "violation",
        ("at s = 1/2, x = epsilon^2/(16 H^2 beta^2)",
         equal((share * e / (2 * H * beta)).subs(share, HALF) ** 2, e**2 / (16 * H**2 * beta**2))),
        "count",
        ("N = (c/x^c)^{1/(c-1)} makes (N x)^c = c N",
         equal((c - 1) * log(N) + c * log(x), log(c) + sympy.expand_log(c * log(N * x) - log(c * N)))),
        ("beta >= dH, as (9/4) log 2 > 1", below(1, Rational(9, 4) * log(2))),
        "test",
        ("s epsilon + deviation = epsilon at Hoeffding's N",
         equal(deviation.subs(N, size) ** 2, ((1 - share) * e) ** 2)),
        "order",
        ("N ~ d^2 H^4/epsilon^2, so dH N ~ d^3 H^5/epsilon^2",
         every(exactly(powers(count_size(layers)), (2, 4, 2)), exactly(powers(d * H * count_size(layers)), (3, 5, 2)))),
        ("Hoeffding's condition is of the same order", exactly(powers(hoeffding_size(d * H)), (2, 4, 2))),
        "count",
        ("x <= (H/(2 H dH))^2 <= 1/(4 d^2) <= 1/d",
         at_least(1 / (1 + s), 1 / (4 * (1 + s) ** 2 * (1 + t) ** 2), s, t)),
    ], "all d, H, c_K > 1, 0 < epsilon <= H, 0 < delta < 1, 0 < s < 1")


control(sharp_lemma_per_layer, "H instead of H^2 in x", {"layers": 1})


@check("res-fewer-samples-b", method="symbolic", arithmetic="exact", covers="everything",
       gap="none",
       title="One count for all layers")
def one_count_for_all_layers(blocks=H) -> Evidence:
    """The block count and the finished layers give K; the count gains a factor H, Hoeffding's condition does not."""
    k, m = sympy.symbols("k m", nonnegative=True)
    return steps([
        *block_count(blocks),
        ("k + H - 1 = m <= dH z* gives k + H = m + 1 deployments",
         exactly(sympy.expand((k + H) - (m + 1)).subs(k, m - H + 1), 0)),
        "determinant",
        ("beta >= dH, as (9/4) log 2 > 1", below(1, Rational(9, 4) * log(2))),
        ("Delta_1 >= 2 beta/sqrt d >= 2 sqrt(d) H >= 2 epsilon, for sqrt d = 1 + s", at_least(2 * (1 + s), 2, s)),
        ("x <= 1/d: (epsilon/(2dH))^2/H <= 1/(4 d^2)", at_least(1 / (1 + s), 1 / (4 * (1 + s) ** 2), s)),
        "order",
        ("the count asks for d^2 H^3/epsilon^2", exactly(powers(count_size(1)), (2, 3, 2))),
        ("Hoeffding's condition stays at d^2 H^4/epsilon^2", exactly(powers(hoeffding_size(d * H)), (2, 4, 2))),
    ], "all d, H, N, c_K > 1, 0 < epsilon <= H, 0 < delta < 1, 0 < s < 1")


control(one_count_for_all_layers, "the trace of twice as many blocks", {"blocks": 2 * H})


@check("res-fewer-samples-c", method="symbolic", arithmetic="exact", covers="everything",
       gap="none",
       title="The multiplicative condition is of lower order")
def multiplicative_condition(test=chernoff_size) -> Evidence:
    """Exponents of both conditions: the count decides, and dH N ~ d^3 H^4/epsilon^2, as for LSVI-UCB."""
    online = sympy.Symbol("online", positive=True)  # episodes of LSVI-UCB: average regret sqrt(d^3 H^4/K) = epsilon
    needed = sympy.solve(sympy.Eq(d**3 * H**4 / online, e**2), online)[0]
    return steps([
        ("Chernoff's condition asks for d H^2/epsilon", exactly(powers(test(d * H)), (1, 2, 1))),
        ("a factor epsilon/(dH) <= 1 below the count's d^2 H^3/epsilon^2",
         equal((d * H**2 / e) / (d**2 * H**3 / e**2), e / (d * H))),
        ("dH N ~ d^3 H^4/epsilon^2",
         every(exactly(powers(d * H * count_size(1)), (3, 4, 2)), exactly((3, 4, 2), powers(needed)))),
    ], "all d, H, c_K > 1, 0 < epsilon <= H, 0 < delta < 1, 0 < s < 1")


control(multiplicative_condition, "Hoeffding's condition", {"test": hoeffding_size})


@check("res-fewer-samples-d", method="symbolic", arithmetic="exact", covers="everything",
       gap="none",
       title="The net of the class of value functions")
def bonus_of_the_covering(radius=HALF, least=1) -> Evidence:
    """The covering argument of Lemma C.4 up to its bracket, for any u > 0; beta is any solution of bracket <= beta."""
    u, w = sympy.symbols("u w", positive=True)
    root, horizon, part = 1 + s, 1 + t, 1 / (1 + r)  # sqrt d, H, and s epsilon = part H
    beta = least * horizon * root + z  # at least H sqrt d
    eta = H * u / (2 * sympy.sqrt(N))
    return steps([
        *class_and_net(radius),
        ("4 |w|/eta = 4n/u", equal(4 * (H * sympy.sqrt(N) / 2) / eta, 4 * N / u)),
        ("4 beta sqrt(d)/eta = 8 beta sqrt(dn)/(Hu)",
         equal(4 * w * sympy.sqrt(d) / eta, 8 * w * sympy.sqrt(d * N) / (H * u))),
        ("(R^2/2)(log det/2 + rest) at R = H is H^2 (log det/2 + rest)/2",
         equal(H**2 / 2 * (x / 2 + y), H**2 * (x / 2 + y) / 2)),
        "first deployment",
        ("beta >= H sqrt d: the first deployment violates, 2 beta/sqrt d >= 2H > s epsilon",
         every(at_least(2 * beta / root, 2 * horizon, s, t, z), at_least(2 * horizon, part * horizon, t, r))),
        ("and x = (s epsilon/(2 beta))^2/H <= 1/(4dH) <= 1/d",
         every(at_least(1 / (4 * root**2 * horizon), (part * horizon / (2 * beta)) ** 2 / horizon, s, t, r, z),
               at_least(1 / root**2, 1 / (4 * root**2 * horizon), s, t))),
    ], "all d, H, K, N, delta, u > 0, 0 < epsilon <= H")


control(bonus_of_the_covering, "weights in a ball of half the radius", {"radius": Rational(1, 4)})
control(bonus_of_the_covering, "beta >= H sqrt(d)/4, too small for the first deployment", {"least": Rational(1, 4)})


@check("res-fewer-samples-e", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="What the share of the threshold does")
def share_of_the_threshold(half=HALF) -> Evidence:
    """Ratios of the two conditions at the share s and at 1/2."""
    count = expanded_log(count_size(1)) - expanded_log(count_size(1).subs(share, half))
    return steps([
        ("the count asks for (1/(2s))^{2c/(c-1)} times N", equal(count + 2 * c / (c - 1) * (log(2) + log(share)), 0)),
        ("Chernoff's condition for (1/(2(1-s)))^2 times N",
         equal(chernoff_size(d) / chernoff_size(d).subs(share, half), 1 / (4 * (1 - share) ** 2))),
    ], "all 0 < s < 1, c_K > 1")


control(share_of_the_threshold, "the paper's share taken as 1/3", {"half": Rational(1, 3)})


# --- the curve of K against N ------------------------------------------------------------------------------------

@check("res-tradeoff-layerwise", method="symbolic", arithmetic="exact", covers="everything",
       gap="none",
       title="Slopes of the curve for the whole algorithm")
def slopes_of_the_curve(power=1) -> Evidence:
    """z* decreases in N and stays above 1 + log(H/x)/log(1 + N x); N z* increases."""
    a, b, L = sympy.symbols("a b L", positive=True)  # a = H/x, b = log(1 + N x), L = log a
    at_z_1 = (1 + N * x) * a**power - 1 - (1 + power * L / b) * H * N  # as (1 + N x)^(L/b) = a
    slope = sympy.diff(z * log(1 + N * x) - log(1 + z * H * N), N)
    claimed = z * (x * (1 + z * H * N) - H * (1 + N * x)) / ((1 + N * x) * (1 + z * H * N))
    return steps([
        "lower bound",
        ("at z_1: a - 1 - (H N/b) log a", equal(at_z_1.subs(a, H / x) + 1 + H * N * L / b, H / x)),
        ("N/log(1 + N x) >= 1/x: log(1 + y) <= y", nonnegative_from(s - log(1 + s), s, 0)),
        ("a - 1 - a log a <= 0 for a >= 1", nonnegative_from(a * log(a) - a + 1, a, 1)),
        "slopes",
        ("the slope in N", equal(slope, claimed)),
        ("its sign, at (1 + N x)^{z-1} = (H/x)(1 + s)",
         at_least(x * (1 + N * x) * H / x * (1 + s), H * (1 + N * x), N, x, H, s)),
        ("log(1 + y)/y decreases", nonnegative_from(log(1 + s) - s / (1 + s), s, 0)),
    ], "all d, H, real N >= 1, 0 < x <= 1, beta fixed")


control(slopes_of_the_curve, "z* above 1 + 2 log(H/x)/log(1 + N x)", {"power": 2})
