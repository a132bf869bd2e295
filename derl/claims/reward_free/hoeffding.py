"""These checks concern Equation (19) of Theorem D.4, Hoeffding's step, and the number of deployments.

The printed order of (19) is refuted by a limit in epsilon. With log(K/delta) the union over deployments gives delta,
and with log(2K/delta) it gives delta/2.
"""

from __future__ import annotations

from fractions import Fraction

import sympy
from sympy import Rational, log, sqrt

from derl.claims import Evidence, check, control, steps
from derl.claims.reward_free.symbols import BETA, H, K, L, N, a, c, c_beta, d, delta, eps, g, s, t, u, v, w
from derl.theory.exact.compared import at_most
from derl.theory.exact.symbolic import at_least, equal, nonnegative, same_operator


def hoeffding_size(horizon, beta, factor=8):
    """N of Equation (19), with log(K/delta) as the symbol L."""
    return factor * beta**2 * horizon**2 * (2 * horizon + 1) ** 2 / eps**2 * L


@check("res-hoeffding-size-reward-free", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="The deviation at this N, and its order")
def hoeffding_size_gives_the_deviation(factor=8) -> Evidence:
    """2 beta H sqrt(l/(2N)) = epsilon/(4H+2) exactly, and N <= 72 c_beta^2 d^2 H^6 L l/epsilon^2."""
    horizon, beta = 1 + t, sympy.Symbol("beta", positive=True)
    square = (2 * beta * horizon) ** 2 * L / (2 * hoeffding_size(horizon, beta, factor))
    order = hoeffding_size(H, BETA, factor).subs(2 * H + 1, g * H)
    return steps([
        ("the deviation is epsilon/(4H+2)", equal(square, (eps / (4 * horizon + 2)) ** 2)),
        ("N = 8 g^2 c_beta^2 d^2 H^6 L l/epsilon^2",
         equal(order, 8 * g**2 * c_beta**2 * d**2 * H**6 * L**2 / eps**2)),
        ("8 g^2 <= 72", at_least(72, 8 * (3 / (1 + t)) ** 2, t)),
    ], scope="all d, H >= 1, beta, epsilon > 0; l = log(K/delta), or log(2K/delta)")


control(hoeffding_size_gives_the_deviation, "4 instead of 8", {"factor": 4})


@check("eq-hoeffding-size-reward-free", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="log(1/epsilon) is not O(log(K/delta))")
def order_loses_the_accuracy(fixed_beta=False) -> Evidence:
    """The limit of N over d^2 H^6 epsilon^{-2} log^2(K/delta) as epsilon = 2^{-m} -> 0: infinite, so no C will do.

    d = H = 1, c_beta = 1, K = 3, delta = 1/2: beta^2 = log(2/epsilon) = (m + 1) log 2, K/delta = 6.
    """
    m = sympy.Symbol("m", positive=True)
    beta_square = (2 if fixed_beta else m + 1) * log(2)
    size = hoeffding_size(sympy.Integer(1), sqrt(beta_square)).subs({L: log(6), eps: 2 ** (-m)})
    ratio = sympy.simplify(size / (2 ** (2 * m) * log(6) ** 2))
    limit = sympy.limit(ratio, m, sympy.oo)
    return Evidence(int(limit == sympy.oo), 1, "identity", "d = H = 1, K = 3, delta = 1/2, every constant",
                    detail=f"the ratio is {ratio} for epsilon = 2^(-m), its limit {limit}")


control(order_loses_the_accuracy, "beta without log(1/epsilon)", {"fixed_beta": True})


def failure_of_hoeffding(numerator: int) -> sympy.Expr:
    """K exp(-2 N e^2/R^2)/delta for e = R sqrt(log(numerator K/delta)/(2N)): failure over K deployments, over delta."""
    reach = sympy.Symbol("R", positive=True)
    deviation = reach * sqrt(log(numerator * K / delta) / (2 * N))
    return sympy.simplify(K * sympy.exp(-2 * N * deviation**2 / reach**2) / delta)


@check("ineq-hoeffding-reward-free", method="symbolic", arithmetic="exact", breaks_proof=True,
       covers="the deduction: what Hoeffding and the union bound give",
       gap="the bound is measured, not the event; with the theorem's N the inequality may hold with 1 - delta/2",
       title="What the union over K deployments gives")
def union_gives_delta(numerator=1) -> Evidence:
    """The failure probability that Hoeffding's inequality and the union bound give, in units of delta, against 1/2."""
    return Evidence(failure_of_hoeffding(numerator), Fraction(3, 4), "lower", "all K, N, delta, beta, H",
                    detail="log(K/delta): the bound is delta; together with the event of Lemma D.1, 3 delta/2")


control(union_gives_delta, "log(2K/delta): the union is then delta/2", {"numerator": 2}, variant="corrected")


@check("res-hoeffding-reward-free", method="symbolic", arithmetic="exact", covers="everything",
       gap="none",
       title="With log(2K/delta) the union is delta/2")
def union_gives_half_delta(numerator=2) -> Evidence:
    """K exp(-2 N e^2/R^2) = delta/2, and |phi|_{Lambda^{-1}} <= 1 makes R = 2 beta H the range."""
    norms_bounded = nonnegative(1 - 1 / (1 + t), t)
    return steps([("the union is at most delta/2", at_most(failure_of_hoeffding(numerator), Rational(1, 2))),
                  ("Lambda >= I, so b <= |phi| <= 1 and the sum over layers is at most 2 beta H", norms_bounded)],
                 "all K, N, delta, beta, H; trajectories of one deployment are independent given the past")


control(union_gives_half_delta, "the printed log(K/delta)", {"numerator": 1})


# --- number of deployments ----------------------------------------------------------------------------------------

@check("text-deployment-count-reward-free", method="symbolic", arithmetic="exact", covers="everything",
       gap="none",
       title="Each deployment that does not finish a layer violates")
def deployments_up_to_each_layer(first_counts_everywhere=True) -> Evidence:
    """k_h = finishing + working deployments; the violations are at least (k_h - h) + (h - 1)."""
    h, working, extra = 1 + s, 1 + t, u  # h layers; the first deployment works; extra violations
    violations = working + (h - 1 if first_counts_everywhere else 0) + extra
    deployments = h + working
    horizon, dim, beta2 = 1 + v, 1 + w, 4 * (1 + a) * (1 + v) ** 2  # beta^2/d^2 >= 4 H^2
    level = (horizon - s / (1 + s)) ** 2 / (16 * horizon**2 * (2 * horizon + 1) ** 2 * beta2 * dim**2)  # epsilon <= H
    return steps([
        "count",
        ("k_h <= sum zeta - (h - 1) + h", at_least(violations + 1, deployments, s, t, u)),
        ("sum zeta <= c_K d h gives k_h <= c_K d h + 1",
         at_least(violations + v + 1, deployments, s, t, u, v)),
        "first deployment",
        ("the first deployment violates in every layer: 1/d >= x", at_least(1 / dim, level, s, v, w, a)),
        "count",
        ("the printed K = c_K dH + 1 at h = H", same_operator(c * d * H + 1, c * d * H - (H - 1) + H)),
        "first deployment",
        ("the first does not finish: 2 beta/sqrt d >= 4H sqrt d > epsilon/((4H+2)H), for sqrt d = 1 + w",
         at_least(4 * horizon * (1 + w), 1 / (4 * horizon + 2), v, w)),
    ], scope="all h <= H, d >= 1, beta >= 2dH, epsilon <= H; at most c_K d violations per layer")


control(deployments_up_to_each_layer, "the first deployment violates in one layer only",
        {"first_counts_everywhere": False})
