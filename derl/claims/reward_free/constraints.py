"""These checks concern Equations (16), (17) and (18) of Theorem D.4, and the row of Table 1.

They work with L = log(Hd/(delta epsilon)), beta = c_beta d H sqrt L and the level x = epsilon^2/(16 H^2 (2H+1)^2
beta^2). That (16) implies (19) with one constant is refuted at c_K = 2^{8C}, d = H = 1; that the printed size is enough
all the same is established, with a smaller trade-off in the analysis.
"""

from __future__ import annotations

import sympy
from sympy import Rational, log

from derl.claims import claim, printed, steps
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
from derl.exact.compared import at_most, every, exactly, less_than
from derl.exact.symbolic import (
    at_least,
    below,
    equal,
    exceeds,
    nonnegative_from,
    positive,
    same_operator,
)
from derl.printed import BEGINNING

SECOND = r"\log\frac{2(kdH+1)}\delta"
MEAN_SQUARE = r"\frac1N\sum_n\|\phi(s_h^{kn},a_h^{kn})\|^2_{(\Lambda_h^k)^{-1}}"


# --- Equation (17) -----------------------------------------------------------------------------------------------

@claim("eq-violation-reward-free", false={"a statistic beta E sum b, without the factor 2": {"spread": 1}})
def threshold_becomes_a_level(text, spread=2):
    """From the threshold to the mean square: mean(b)^2 <= mean(b^2), and the square of epsilon/((4H+2) H 2 beta) is the
    printed level."""
    horizon, beta, mean, other = 1 + t, *sympy.symbols("beta mean other", positive=True)
    layer = sympy.Symbol("h_k", positive=True)
    share = text(r"\Delta_k\ge", {"h_k": layer}, epsilon=eps, H=horizon) / (spread * beta * layer)
    level = text(rf"{MEAN_SQUARE}\ge", epsilon=eps, H=horizon, beta=beta)
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


# --- Equation (18) -----------------------------------------------------------------------------------------------

@claim("eq-batch-constraint-reward-free",
       false={"smallest c_K = 3/2: the constant has the power 6": {"smallest": Rational(3, 2)}})
def printed_size_satisfies_the_lemma(text, smallest=None):
    """Exponents from the lemma, and an explicit constant: The exponents of Lemma 4.2 at level x are the printed ones;
    the constant of the text is enough."""
    smallest = text(r"c_K\ge") if smallest is None else smallest
    room, power = text("c=", c_beta=sympy.sqrt(a) / 12).as_base_exp()  # 144 c_beta^2 = a: (a + 2)^4
    trade_off, small = smallest + t, s / room / (1 + s)  # c_K >= 2; 0 <= L < 1/(a + 2)
    return steps([
        "condition",
        ("exponents of H, d, epsilon and the logarithm",
         exactly(exponents(log_from_lemma()), exponents(log_printed(text)))),
        ("2H + 1 <= 3H", at_least(3 * (1 + t), 2 * (1 + t) + 1, t)),
        ("1/x = 16 g^2 c_beta^2 H^6 d^2 L/epsilon^2",
         exactly(1 / LEVEL, 16 * g**2 * c_beta**2 * H**6 * d**2 * L / eps**2)),
        ("16 g^2 <= 144 for g <= 3", at_least(144, 16 * (3 / (1 + t)) ** 2, t)),
        "large L",
        ("a (a + 2) <= (a + 2)^2", at_least(room.subs(a, u) ** 2, u * room.subs(a, u), u)),
        ("2 c_K <= power (c_K - 1) for c_K >= 2", at_least(power * (trade_off - 1), 2 * trade_off, t)),
        "small L",
        ("L < 1/(a+2): (1 - L)^2 > a L", exceeds((1 - small) ** 2, a * small, s, a)),
        ("epsilon >= e^{-L} >= 1 - L = 1/(1 + t): log(1 + t) >= t/(1 + t)",
         nonnegative_from(log(1 + t) - t / (1 + t), t, 0)),
    ], scope="all d, H >= 1, c_K >= 2, c_beta > 0, 0 < epsilon, delta < 1, with c = (144 c_beta^2 + 2)^4")


# --- Equation (16) -----------------------------------------------------------------------------------------------

@claim("eq-batch-size-reward-free", refutes=True,
       false={"log(c_K Hd/(delta epsilon)) in (16)": {"with_trade_off": True}})
def printed_size_misses_hoeffding(text, other=printed("eq-hoeffding-size-reward-free"), with_trade_off=False):
    """Hoeffding's condition outgrows the printed size as c_K grows: (16) is below (19) for every absolute constant C
    (rounded up to a whole number) at c_K = 2^{8C}, d = H = 1.

    epsilon = delta = 1/2, c_beta = 1 and L = log 4 = 2 log 2.
    """
    constant, two = 1 + s, sympy.Symbol("two", positive=True)  # C, and log 2
    logarithm = (8 * constant + 2) * two if with_trade_off else 2 * two  # log(c_K Hd/(delta epsilon)), or L
    at = {d: 1, H: 1, eps: Rational(1, 2), c_beta: 1}
    power = sympy.expand_log(((c - 1) * log_printed(text)).subs(at), force=True)  # log of ((16)/C)^{c_K - 1}
    claimed = (c - 1) * log(4 * L**2) + log(4 * c * L**2)
    hoeffding = other(r"N\ge", {r"\log\frac K\delta": 1}, beta=BETA, H=H, epsilon=eps).subs(at)
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


def smaller_tradeoff_of_printed_size_is_enough_after_all(text, size, fewer, constant):
    """The parts "smaller trade-off" and "second condition" of `printed_size_is_enough_after_all`."""

    def trade_off(logarithm):  # c*, where c_K is larger
        return text("k=", {"c_K": sympy.oo}, L=logarithm) - fewer * logarithm

    p, q, r, z = *sympy.symbols("p q r", nonnegative=True), sympy.Symbol("z", positive=True)
    factored = log(H**6 * d**3 / eps**2 * L**2) + log(c * H**7 * d**3 / eps**2 * L**2) / (c - 1)
    first_two = Rational(69, 100)  # below log 2, where L starts
    return [
        "smaller trade-off",
        ("log (16) = log(H^6 d^3 L^2/epsilon^2) + log(c_K M)/(c_K - 1), M = H^7 d^3 L^2/epsilon^2",
         equal(sympy.expand_log(log_printed(size) - factored, force=True), 0)),
        ("7 log H + 3 log d + 2 log(1/epsilon) <= 7 L",
         at_least(7 * (p + q + r + s), 7 * p + 3 * q + 2 * r, p, q, r, s)),
        ("2 log L <= 2 L, so log M <= 9 L", nonnegative_from(z - log(z), z, 1)),
        ("c* - 1 >= 9 L >= log M, so M^{1/(c*-1)} <= e < 3",
         every(at_least(trade_off(t) - 1, 9 * t, t), below(1, log(3)))),
        ("c*^{1/(c*-1)} <= 3: (c - 1) log 3 >= log c from c = 2 on",
         every(below(Rational(109, 100), log(3)), below(log(2), Rational(109, 100)),
               at_least(Rational(109, 100), 1 / (2 + t), t))),
        "second condition",
        ("log(8 + 40 L) <= 6 L from L = 69/100 on: tangent at 36",
         every(below(log(36), Rational(18, 5)),
               at_least(6 * (first_two + t), Rational(18, 5) + (4 * trade_off(first_two + t) - 36) / 36, t))),
        ("log(2K/delta) <= log(4 c* dH/delta) <= 7 L and 8 * 9 * 7 c_beta^2 = 7a/2 <= 9 (a + 2)^4/2",
         every(at_least(constant(u) / 2, Rational(7, 2) * u, u),
               equal(text("a=", c_beta=c_beta), 144 * c_beta**2),
               equal(text(r"N\ge", {SECOND: 1}, beta=BETA, H=H, epsilon=eps).subs(2 * H + 1, 3 * H),
                     72 * c_beta**2 * H**6 * d**2 * L / eps**2))),
        ("c_K M >= 2 log(2)^2 > 1/2, so the last factor is at least 1/2", less_than(Rational(1, 2), 2 * first_two**2)),
        "smaller trade-off",
        ("c_K > c*: c_K M >= (2 + 10 log 2) log(2)^2 > 1", less_than(1, trade_off(first_two) * first_two**2)),
    ]


def first_condition_of_printed_size_is_enough_after_all(text, other, constant):
    """The parts "first condition" and "deployments" of `printed_size_is_enough_after_all`."""
    least, smallest = text(r"c_\beta\ge"), text(r"c_K\ge")
    first_two = Rational(69, 100)  # below log 2, where L starts
    return [
        "first condition",
        *((f"(18): {name}", truth)
          for name, truth in printed_size_satisfies_the_lemma(smallest=smallest).outcomes),
        ("3 * 3 times the constant of (18)",
         equal(constant(a), 9 * other("c=", c_beta=sympy.sqrt(a) / 12))),
        "deployments",
        ("x <= epsilon^2/(144 c_beta^2 d^2 L) <= 1/d: the first deployment violates",
         at_least(144 * least**2 * (1 + s) * (first_two + t), 1, s, t)),
    ]


@claim("res-batch-size-reward-free", false={"c* = 2 + 8 L": {"fewer": 2}})
def printed_size_is_enough_after_all(text, size=printed("eq-batch-size-reward-free"),
                                     other=printed("eq-batch-constraint-reward-free"), fewer=0):
    """With a smaller trade-off in the analysis, the printed size is enough: For c_K > c* = 2 + 10 L the analysis runs
    with c*; C = 9 (144 c_beta^2 + 2)^4 covers both conditions."""
    constant = text.function("c=", "a")
    return steps([*smaller_tradeoff_of_printed_size_is_enough_after_all(text, size, fewer, constant),
                  *first_condition_of_printed_size_is_enough_after_all(text, other, constant)],
                 scope="all d, H >= 1, c_K >= 2, c_beta >= 1/9, 0 < epsilon, delta < 1 with Hd/(delta epsilon) >= 2")


# --- the row of Table 1 -------------------------------------------------------------------------------------------

@claim("tab-row-reward-free", false={"d batches and not dH": {"batches": d}})
def row_of_the_table(text, size=printed("eq-batch-size-reward-free"), batches=d * H):
    """dH times the limit of N: dH times the limit of N as c_K grows, from (16): exponents of H, d, epsilon; within 1/10
    at c_K = 100."""
    row = text("", after=BEGINNING, d=d, H=H, epsilon=eps, **{r"\tilde O": lambda inside: inside})
    claimed = tuple(exponents(log(row))[name] for name in ("H", "d", "epsilon"))
    result = exponents(log_printed(size) + log(batches))
    limits = [sympy.limit(result[name], c, sympy.oo) for name in ("H", "d", "epsilon")]
    pairs = list(zip(("H", "d", "epsilon"), limits, strict=True))
    at_hundred = [abs(result[name].subs(c, 100) - limit) for name, limit in pairs]
    from_constraints = exponents(log_from_lemma() + log(batches))
    return steps([
        *((f"limit of the exponent of {name}", exactly(limit, wanted))
          for (name, limit), wanted in zip(pairs, claimed, strict=True)),
        ("the same from the lemma at level x", exactly(from_constraints, result)),
        ("c_K = 100: all within 1/10 of the limit", every(at_most(gap, Rational(1, 10)) for gap in at_hundred)),
        ("no finite c_K attains the limit",
         every(exactly(len(sympy.solve(result[name] - limit, c)), 0) for name, limit in pairs)),
        ("c_K^{1/(c_K - 1)} -> 1, so N has a limit", exactly(sympy.limit(log(c) / (c - 1), c, sympy.oo), 0)),
    ], scope="all c_K > 1; logarithms and constants left out, as in the table")
