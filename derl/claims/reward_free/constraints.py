"""These checks concern Equations (16), (17) and (18) of Theorem D.4, and the row of Table 1.

They work with L = log(Hd/(delta epsilon)), beta = c_beta d H sqrt L and the level x = epsilon^2/(16 H^2 (2H+1)^2
beta^2). That (16) implies (19) with one constant is refuted at c_K = 2^{8C}, d = H = 1; that the printed size is enough
all the same is established, with a smaller trade-off in the analysis.
"""

from __future__ import annotations

import sympy
from sympy import Rational, log

from derl.claims import Evidence, check, control, steps
from derl.claims.reward_free.symbols import (
    BETA,
    LEVEL,
    H,
    L,
    a,
    c,
    c_beta,
    d,
    eps,
    exponents,
    g,
    log_from_lemma,
    log_printed,
    s,
    t,
    u,
)
from derl.theory.exact.compared import at_most, every, exactly, less_than
from derl.theory.exact.symbolic import (
    at_least,
    below,
    equal,
    exceeds,
    nonnegative_from,
    positive,
    same_operator,
)

NINTH = Rational(1, 9)  # c_beta from which the first deployment violates in every layer

# --- Equation (17) -----------------------------------------------------------------------------------------------

@check("eq-violation-reward-free", method="symbolic", arithmetic="exact", covers="everything",
       gap="none",
       title="From the threshold to the mean square")
def threshold_becomes_a_level(denominator=16) -> Evidence:
    """mean(b)^2 <= mean(b^2), and the square of epsilon/((4H+2) H 2 beta) is the printed level."""
    horizon, beta, mean, other = 1 + t, *sympy.symbols("beta mean other", positive=True)
    share = eps / ((4 * horizon + 2) * horizon) / (2 * beta)
    level = eps**2 / (denominator * horizon**2 * (2 * horizon + 1) ** 2 * beta**2)
    both = (mean + other) / 2  # two values; the general identity is E b^2 - (E b)^2 = E (b - E b)^2
    b, m, h = sympy.symbols("b m h")
    return steps([
        "mean square",
        ("(b - m)^2 = b^2 - 2 m b + m^2, so E(b - m)^2 = E b^2 - m^2 for m = E b",
         same_operator((b - m) ** 2 + 2 * m * b, b**2 + m**2)),
        ("two values: the gap is a square",
         same_operator((mean**2 + other**2) / 2, both**2 + ((mean - other) / 2) ** 2)),
        ("h max - sum >= 0 stays true with one layer more: the largest is at least the average",
         same_operator((h + 1) * m + s + t, h * m + m + s + t)),
        "level",
        ("square of the share = the printed level", equal(share**2, level)),
    ], scope="all H >= 1, epsilon, beta > 0, any batch")


control(threshold_becomes_a_level, "4 instead of 16", {"denominator": 4})


# --- Equation (18) -----------------------------------------------------------------------------------------------

@check("eq-batch-constraint-reward-free", method="symbolic", arithmetic="exact", covers="everything",
       gap="none",
       title="Exponents from the lemma, and an explicit constant")
def printed_size_satisfies_the_lemma(power_of_horizon=6, power=4, least=2, smallest=2) -> Evidence:
    """The exponents of Lemma 4.2 at level x are the printed ones; c = (144 c_beta^2 + 2)^4 is enough."""
    trade_off, small = smallest + t, s / (a + least) / (1 + s)  # c_K >= 2; 0 <= L < 1/(a + 2)
    return steps([
        "condition",
        ("exponents of H, d, epsilon and the logarithm",
         exactly(exponents(log_from_lemma()), exponents(log_printed(power_of_horizon)))),
        ("2H + 1 <= 3H", at_least(3 * (1 + t), 2 * (1 + t) + 1, t)),
        ("1/x = 16 g^2 c_beta^2 H^6 d^2 L/epsilon^2",
         equal(1 / LEVEL, 16 * g**2 * c_beta**2 * H**6 * d**2 * L / eps**2)),
        ("16 g^2 <= 144 for g <= 3", at_least(144, 16 * (3 / (1 + t)) ** 2, t)),
        "large L",
        ("a (a + 2) <= (a + 2)^2", at_least((u + 2) ** 2, u * (u + 2), u)),
        ("2 c_K <= power (c_K - 1) for c_K >= 2", at_least(power * (trade_off - 1), 2 * trade_off, t)),
        "small L",
        ("L < 1/(a+2): (1 - L)^2 > a L", exceeds((1 - small) ** 2, a * small, s, a)),
        ("epsilon >= e^{-L} >= 1 - L = 1/(1 + t): log(1 + t) >= t/(1 + t)",
         nonnegative_from(log(1 + t) - t / (1 + t), t, 0)),
    ], scope="all d, H >= 1, c_K >= 2, c_beta > 0, 0 < epsilon, delta < 1, with c = (144 c_beta^2 + 2)^4")


control(printed_size_satisfies_the_lemma, "H^{5 c_K + 1} instead of H^{6 c_K + 1}", {"power_of_horizon": 5})
control(printed_size_satisfies_the_lemma, "constant (a + 2)^3", {"power": 3})
control(printed_size_satisfies_the_lemma, "L < 1/(a + 3/2)", {"least": Rational(3, 2)})
control(printed_size_satisfies_the_lemma, "smallest c_K = 3/2: the constant has the power 6",
        {"smallest": Rational(3, 2)})


# --- Equation (16) -----------------------------------------------------------------------------------------------

@check("eq-batch-size-reward-free", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="Hoeffding's condition outgrows the printed size as c_K grows")
def printed_size_misses_hoeffding(with_trade_off=False) -> Evidence:
    """(16) is below (19) for every absolute constant C (rounded up to a whole number) at c_K = 2^{8C}, d = H = 1.

    epsilon = delta = 1/2, c_beta = 1 and L = log 4 = 2 log 2.
    """
    constant, two = 1 + s, sympy.Symbol("two", positive=True)  # C, and log 2
    logarithm = (8 * constant + 2) * two if with_trade_off else 2 * two  # log(c_K Hd/(delta epsilon)), or L
    at = {d: 1, H: 1, eps: Rational(1, 2), c_beta: 1}
    power = sympy.expand_log(((c - 1) * log_printed()).subs(at), force=True)  # log of ((16)/C)^{c_K - 1}
    claimed = (c - 1) * log(4 * L**2) + log(4 * c * L**2)
    hoeffding = (8 * BETA**2 * H**2 * (2 * H + 1) ** 2 / eps**2).subs(at)
    return steps([
        ("(16)/C = 4 L^2 (4 c_K L^2)^{1/(c_K-1)}",
         equal(sympy.expand_log(power - claimed, force=True), 0)),
        ("(19) = 288 L log(K/delta)", equal(hoeffding, 288 * L)),
        ("L^2 < 2, so 4 c_K L^2 <= 2^{8C+3}", below(4 * log(2) ** 2, 2)),
        ("2^{8C} - 1 >= 8C + 3 at C = 1", at_most(8 + 3, 2**8 - 1)),
        ("and from C to C + 1: 256 (8C + 4) >= 8C + 12",
         at_least(256 * (8 * constant + 4), 8 * constant + 12, s)),
        ("8 C L^2 < 288 L (8C + 1) log 2", positive(sympy.expand(
            (288 * 2 * two * (8 * constant + 1) * two - 8 * constant * logarithm**2) / two**2), s)),
    ], "d = H = 1, epsilon = delta = 1/2, c_beta = 1, every C >= 1 at c_K = 2^{8C}",
        detail="as c_K grows (16) tends to 4 C L^2, while (19) grows like log c_K")


control(printed_size_misses_hoeffding, "log(c_K Hd/(delta epsilon)) in (16)", {"with_trade_off": True})


@check("res-batch-size-reward-free", method="symbolic", arithmetic="exact", covers="everything",
       gap="none",
       title="With a smaller trade-off in the analysis, the printed size is enough")
def printed_size_is_enough_after_all(slope=10, power=4, least=NINTH, smallest=2) -> Evidence:
    """For c_K > c* = 2 + 10 L the analysis runs with c*; C = 9 (144 c_beta^2 + 2)^4 covers both conditions."""
    p, q, r, z = *sympy.symbols("p q r", nonnegative=True), sympy.Symbol("z", positive=True)
    factored = log(H**6 * d**3 / eps**2 * L**2) + log(c * H**7 * d**3 / eps**2 * L**2) / (c - 1)
    first_two = Rational(69, 100)  # below log 2, where L starts
    return steps([
        "smaller trade-off",
        ("log (16) = log(H^6 d^3 L^2/epsilon^2) + log(c_K M)/(c_K - 1), M = H^7 d^3 L^2/epsilon^2",
         equal(sympy.expand_log(log_printed() - factored, force=True), 0)),
        ("7 log H + 3 log d + 2 log(1/epsilon) <= 7 L",
         at_least(7 * (p + q + r + s), 7 * p + 3 * q + 2 * r, p, q, r, s)),
        ("2 log L <= 2 L, so log M <= 9 L", nonnegative_from(z - log(z), z, 1)),
        ("c* - 1 >= 9 L >= log M, so M^{1/(c*-1)} <= e < 3",
         every(at_least(1 + slope * t, 9 * t, t), below(1, log(3)))),
        ("c*^{1/(c*-1)} <= 3: (c - 1) log 3 >= log c from c = 2 on",
         every(below(Rational(109, 100), log(3)), below(log(2), Rational(109, 100)),
               at_least(Rational(109, 100), 1 / (2 + t), t))),
        "second condition",
        ("log(8 + 40 L) <= 6 L from L = 69/100 on: tangent at 36",
         every(below(log(36), Rational(18, 5)),
               at_least(6 * (first_two + t), Rational(18, 5) + (8 + 40 * (first_two + t) - 36) / 36, t))),
        ("log(2K/delta) <= log(4 c* dH/delta) <= 7 L and 8 * 9 * 7 c_beta^2 = 7a/2 <= 9 (a + 2)^4/2",
         at_least(9 * (u + 2) ** power / 2, Rational(7, 2) * u, u)),
        ("c_K M >= 2 log(2)^2 > 1/2, so the last factor is at least 1/2", less_than(Rational(1, 2), 2 * first_two**2)),
        "smaller trade-off",
        ("c_K > c*: c_K M >= (2 + 10 log 2) log(2)^2 > 1", less_than(1, (2 + slope * first_two) * first_two**2)),
        "first condition",
        *((f"(18): {name}", truth)
          for name, truth in printed_size_satisfies_the_lemma(power=power, smallest=smallest).outcomes),
        "deployments",
        ("x <= epsilon^2/(144 c_beta^2 d^2 L) <= 1/d: the first deployment violates",
         at_least(144 * least**2 * (1 + s) * (first_two + t), 1, s, t)),
    ], scope="all d, H >= 1, c_K >= 2, c_beta >= 1/9, 0 < epsilon, delta < 1 with Hd/(delta epsilon) >= 2")


control(printed_size_is_enough_after_all, "c_beta = 1/10: x = 1.0017 > 1/d at d = H = 1, epsilon = 0.9999, L = log 2",
        {"least": Rational(1, 10)})
control(printed_size_is_enough_after_all, "c* = 2 + 8 L", {"slope": 8})
control(printed_size_is_enough_after_all, "constant with (a + 2)^3", {"power": 3})
control(printed_size_is_enough_after_all, "smallest c_K = 3/2: the constant has the power 6",
        {"smallest": Rational(3, 2)})


# --- the row of Table 1 -------------------------------------------------------------------------------------------

@check("tab-row-reward-free", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="dH times the limit of N")
def row_of_the_table(claimed=(7, 4, -2)) -> Evidence:
    """dH times the limit of N as c_K grows, from (16): exponents of H, d, epsilon; within 1/10 at c_K = 100."""
    found = exponents(log_printed() + log(d * H))
    limits = [sympy.limit(found[name], c, sympy.oo) for name in ("H", "d", "epsilon")]
    pairs = list(zip(("H", "d", "epsilon"), limits, strict=True))
    at_hundred = [abs(found[name].subs(c, 100) - limit) for name, limit in pairs]
    from_constraints = exponents(log_from_lemma() + log(d * H))
    return steps([
        *((f"limit of the exponent of {name}", exactly(limit, wanted))
          for (name, limit), wanted in zip(pairs, claimed, strict=True)),
        ("the same from the lemma at level x", exactly(from_constraints, found)),
        ("c_K = 100: all within 1/10 of the limit", every(at_most(gap, Rational(1, 10)) for gap in at_hundred)),
        ("no finite c_K attains the limit",
         every(exactly(len(sympy.solve(found[name] - limit, c)), 0) for name, limit in pairs)),
        ("c_K^{1/(c_K - 1)} -> 1, so N has a limit", exactly(sympy.limit(log(c) / (c - 1), c, sympy.oo), 0)),
    ], scope="all c_K > 1; logarithms and constants left out, as in the table")


control(row_of_the_table, "the row of Algorithm 1: d^4 H^5", {"claimed": (5, 4, -2)})
