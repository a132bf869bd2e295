"""These checks concern the sizes K and N in Section 4.1 and in the proof of Theorem C.6.

They work with the logarithm of the printed N in c_K, H, d, epsilon and L = log(Hd/(delta epsilon)), with beta = c_beta
d H sqrt(L). Three printed sentences are refuted: that N decreases in c_K for all parameters, the order in (12), and one
constant for all c_K. The repaired Theorem C.6 has another argument, which `constants` checks.
"""

from __future__ import annotations

from fractions import Fraction

import sympy
from sympy import Rational, log

from derl.claims import Evidence, claim, printed, steps
from derl.claims.layerwise.symbols import DELTA, H, L, b, c, d, e, expanded_log, exponent, log_size, number
from derl.exact.compared import every, exactly
from derl.exact.logarithms import enclosure
from derl.exact.symbolic import at_least, below, by_sign, equal, nonnegative_from
from derl.printed import BEGINNING
from derl.theory import constants

s, t, u = sympy.symbols("s t u", nonnegative=True)


# --- K and N -----------------------------------------------------------------------------------------------------

def rounded_down(real, whole) -> Evidence:
    """Whether the second of two printed forms of K is the largest whole number up to the first, as the library has it.

    Parameters
    ----------
    real, whole : callable
        (d, H, c_K) -> K.
    """
    factors = (Fraction(3, 2), Fraction(2), Fraction(7, 3), Fraction(101, 10))
    sizes = [(dim, horizon, k) for dim in (1, 3, 7) for horizon in (1, 4) for k in factors]
    return steps([("floor(c_K d H + 1) = floor(c_K d H) + 1", equal(sympy.floor(real(d, H, c)), whole(d, H, c))),
                  ("deployments_layerwise on a grid of fractions",
                   exactly([constants.deployments_layerwise(*size) for size in sizes],
                           [int(sympy.floor(real(*size))) for size in sizes]))], "all real c_K d H")


@claim("eq-deployments")
def largest_whole_number_allowed(real=printed("eq-deployments").function("K=", "d", "H", "c_K", after=BEGINNING),
                                 whole=printed("eq-deployments").function(
                                     "K=", "d", "H", "c_K", after="is not a whole number,")):
    """K as a whole number: The largest whole number up to c_K d H + 1 is floor(c_K d H) + 1, and that is what the code
    uses."""
    return rounded_down(real, whole)


@claim("eq-deployments-detailed")
def whole_number_of_the_detailed_version(text):
    """K as a whole number: The same for Equation (8)."""
    return rounded_down(text.function("K=", "d", "H", "c_K"),
                        lambda d, H, c_K: text("", after="read as", d=d, H=H, c_K=c_K))


@claim("ineq-k-over-h")
def strictly_below_k_over_h(text):
    """The difference is 1/H: (c_K d H + 1)/H - c_K d = 1/H > 0."""
    violations, share = text.sides("c_Kd<", c_K=c, d=d, H=H, K=text("K=", c_K=c, d=d, H=H))
    gap = sympy.simplify(share - violations)
    return steps([("the difference is 1/H", equal(gap, text("", after="difference is", H=H))),
                  ("which is positive", by_sign(gap))], "all c_K, d, H > 0")


def order(inside):
    """What O(.) and the like hide: nothing."""
    return inside


def powers(size):
    """The powers of H, d and 1/epsilon in a product of powers."""
    result = expanded_log(size)
    return exponent(result, H), exponent(result, d), -exponent(result, e)


@claim("text-exponents")
def exponents_of_the_printed_size(text, theorem=printed("thm-layerwise")):
    """Exponents read off the printed size: Coefficients of log H, log d, log epsilon at c_K = 2 and 6, and all limits
    as c_K grows."""
    constant = sympy.Symbol("constant", positive=True)
    size = log_size(theorem, constant=constant)
    values = {"H": H, "d": d, "epsilon": e}
    small, large = (text("c_K=", after=words) for words in ("Up to logarithms", " and $O("))
    at = {k: sympy.exp(size.subs(c, Rational(k))) for k in (small, large)}
    limit = expanded_log(text(r"\lim_{c_K\to\infty}N=", c=constant, delta=DELTA, **values))
    return steps([("the smaller c_K: H^9 d^6 epsilon^-4",
                   exactly(powers(at[small]), powers(text("N=", O=order, **values)))),
                  ("the larger c_K: H^5 d^{18/5} epsilon^{-12/5}",
                   exactly(powers(at[large]), powers(text("", after="=2$ and", O=order, **values)))),
                  ("c_K -> oo: H^4 d^3 epsilon^-2 L^2, and the constant",
                   exactly(tuple(sympy.limit(exponent(size, base), c, sympy.oo) for base in (H, d, e, L, constant)),
                           tuple(exponent(limit, base) for base in (H, d, e, L, constant)))),
                  ("c_K^{1/(c_K - 1)} -> 1", exactly(sympy.limit(log(c) / (c - 1), c, sympy.oo), 0))],
                 "all d, H, epsilon, delta")


@claim("text-exponents", method="exhaustive", covers="c_K = 2", gap="c_K = 2",
       as_printed={"no logarithm, as in O(H^9 d^6 epsilon^-4)": {"factor": 1}})
def logarithm_in_the_size(factor=printed("text-exponents", "corrected")(
                              "", after="has the factor", H=H, d=d, epsilon=e, delta=DELTA),
                          trade_off=printed("text-exponents", "corrected")("c_K="), theorem=printed("thm-layerwise")):
    """The power of the logarithm that O leaves out: Exponent of L = log(Hd/(delta epsilon)) in N at c_K = 2."""
    return Evidence(exponent(log_size(theorem), L).subs(c, Rational(trade_off)),
                    exponent(expanded_log(sympy.sympify(factor)), L), "identity", "c_K = 2")


@claim("text-n-decreasing", method="exhaustive", refutes=True,
       words="its N is that of Theorem 4.1, which the check evaluates",
       false={"epsilon = delta = 1/10, where N decreases": {"level": Fraction(1, 10)}})
def size_can_increase(level=printed("text-n-decreasing", "corrected")(r"\epsilon=\delta="),
                      corner=printed("text-n-decreasing", "corrected")("d=H="),
                      factor=printed("text-n-decreasing", "corrected")("", after="factor of"),
                      theorem=printed("thm-layerwise")):
    """N grows from c_K = 2 to c_K = 3: At d = H = 1 and epsilon = delta: N(3)^2/N(2)^2 = 3 epsilon^2/(4 L^2), from
    below."""
    squares = [sympy.exp(2 * log_size(theorem, sympy.Integer(k)).subs({d: corner, H: corner})) for k in (3, 2)]
    if sympy.simplify(squares[0] / squares[1] - 3 * e**2 / (4 * L**2)) != 0:
        return Evidence(0, 1, "lower", "the ratio of the printed sizes is another one")
    if not 0 < level < 1:
        return Evidence(0, 1, "lower", "epsilon and delta lie between 0 and 1")
    low, high = (3 * level**2 / (4 * end**2) for end in reversed(enclosure(corner**2 / level**2)))
    half = Fraction(1, 20)  # of the last digit that is printed
    return Evidence(low if high < (factor + half) ** 2 else 0, (factor - half) ** 2, "lower",
                    f"d = H = 1, epsilon = delta = {level}, c_K = 2 and 3; the absolute constant cancels")


@claim("res-n-decreasing")
def sign_of_the_derivative(text, theorem=printed("thm-layerwise")):
    """Sign of the derivative: Differentiates log N in c_K; the part that does not depend on d, H, epsilon, delta is
    never positive."""
    values = {"c_K": c, "H": H, "d": d, "epsilon": e}
    claimed = sympy.expand_log(text(r"\frac{d\log N}{dc_K}=", L=L, **values), force=True)
    left, right = text.sides(r"H^5d^3L^2\ge", L=L, **values)
    growing = 1 - 1 / c - log(c)
    level, least = Rational(text(r"\epsilon\le")), text(r"dH\ge", numbers=Rational)
    logarithm = number(log(least / level), False)
    corners = [{H: least, d: 1, e: level, L: logarithm}, {H: 1, d: least, e: level, L: logarithm}]
    return steps([
        ("L", equal(text("L=", delta=DELTA, **values), L)),
        ("the derivative", equal(sympy.diff(log_size(theorem), c), claimed)),
        ("its numerator is 1 - 1/c - log c and the logarithm of the condition",
         equal(claimed * (c - 1) ** 2, growing - expanded_log(left / right))),
        ("1 - 1/c - log c <= 0 for c >= 1", nonnegative_from(-growing, c, Rational(text("c_K>")))),
        ("the condition at dH = 2, epsilon = 1: H^5 d^3 L^2 >= 8 log(2)^2 > 1",
         every(*(below(right.subs(corner), left.subs(corner)) for corner in corners))),
    ], "all c_K > 1; all d, H, epsilon, delta with H^5 d^3 L^2 >= epsilon^2")


# --- (10) and (12) -----------------------------------------------------------------------------------------------

def ratio_of_printed_size_covers_the_lemma(text, asked, c_beta, level, logarithm):
    """The parts "ratio" and "first inequality" of `printed_size_covers_the_lemma`."""
    lH, ld, le, lb, C = sympy.symbols("lH ld le lb C", nonnegative=True)
    X, beta = sympy.symbols("X beta", positive=True)
    values = {"c_K": c, "H": H, "d": d, "epsilon": e}
    printed_beta = text(r"\beta=", c_beta=sympy.sqrt(b), delta=DELTA, **values)
    x = level.subs(beta, printed_beta)
    A = number(H * d / x * e**2 / (H**5 * d**3 * L * b)) * b  # 16 c_beta^2
    in_logs = expanded_log(H * d / x).subs({log(H): lH, log(d): ld, log(e): -le, log(b): lb, log(L): u})
    trade_off = 2 + s  # c_K
    return [
        "ratio",
        ("the ratio is (16 c_beta^2 log(Hd/x)/L)^{c/(c-1)}",
         equal(expanded_log(asked.subs(X, x)) - log_size(text), c / (c - 1) * expanded_log(A * t / L))),
        "first inequality",
        ("log(Hd/x) <= log(16 c_beta^2) + 5 log(Hd/epsilon) + log L",
         at_least(expanded_log(A).subs(log(b), lb) + 5 * (lH + ld + le) + u, in_logs, lH, ld, le, lb, u)),
        ("log L <= L", every(nonnegative_from(s - log(s), s, 1), nonnegative_from(log(1 + s) - s / (1 + s), s, 0))),
        ("C <= (C/log 2) L for L = (1 + s) log 2", at_least(C * (1 + s), C, C, s)),
        ("c/(c - 1) <= 2 for c >= 2, and the base is at least 1",
         every(at_least(2 * (trade_off - 1), trade_off, s),
               below(1, A.subs(b, c_beta**2) * 6 * logarithm))),
        ("the printed c is at least (A (log(A)/log 2 + 6))^2, A = 16 c_beta^2",
         nonnegative_from(sympy.expand(text("c=", c_beta=sympy.sqrt(b))
                                       - (A * (log(A) / logarithm + 6)) ** 2), b, c_beta**2)),
    ]


def second_inequality_of_printed_size_covers_the_lemma(asked, c_beta, final, largest, least, level, logarithm):
    """The part "second inequality" of `printed_size_covers_the_lemma`."""
    lH, ld, le, r = sympy.symbols("lH ld le r", nonnegative=True)
    X, beta = sympy.symbols("X beta", positive=True)
    beta_in_logs = expanded_log(H * d / level).subs({log(H): lH, log(d): ld, log(e): -le, log(beta): r})  # log(Hd/x)
    shortest = least**4 * c_beta**2 * logarithm / largest**2  # (Hd beta/epsilon)^2 = c_beta^2 (dH)^4 L/epsilon^2
    return [
        "second inequality",
        ("the right side over what the lemma asks for is (log(Hd beta/epsilon)/(16 log(Hd/x)))^{c/(c-1)}",
         equal(expanded_log(final) - expanded_log(asked.subs(X, level)),
               c / (c - 1) * expanded_log(u / (t * number(e**2 / (level * H**2 * beta**2)))))),
        ("Hd beta/epsilon >= 4 sqrt(log 2) > 3.3, and log 16 <= 3 log 3.3",
         every(below(Rational(33, 10) ** 2, shortest), below(4 * log(2), 3 * log(Rational(33, 10))))),
        ("log(Hd/x) <= 6 log(Hd beta/epsilon)",
         at_least(3 * (lH + ld + r + le) + 4 * log(2), beta_in_logs, lH, ld, r, le)),
        ("log(Hd beta/epsilon) <= log(Hd/x)", at_least(beta_in_logs, 4 * log(2) + lH + ld + r + le, lH, ld, r, le)),
    ]


@claim("eq-n-constraint-1")
def printed_size_covers_the_lemma(text, lemma=printed("lem-batched-potential")):
    """Printed size against Lemma 4.2, every constant explicit: With c = (16 c_beta^2 (log_2(16 c_beta^2) + 6))^2 the
    printed size is at least that of Lemma 4.2 with c = 1."""
    X, beta = sympy.symbols("X beta", positive=True)
    values = {"c_K": c, "H": H, "d": d, "epsilon": e}
    level = text("", after="at the level", H=H, epsilon=e, beta=beta)
    asked = lemma(r"N\ge", c=sympy.Integer(1), c_K=c, H=H, d=d, epsilon=X).subs(log(H * d / X), t)  # t = log(Hd/x)
    final = text(r"N\ge...\ge", {"c'": sympy.Integer(1)}, beta=beta, **values)
    final = final.subs(log(H * d * beta / e), u)  # u = log(Hd beta/epsilon)
    least = text(r"dH\ge", numbers=Rational)
    largest, c_beta = Rational(text(r"\epsilon\le")), Rational(text(r"c_\beta\ge"))
    logarithm = number(log(least / largest), False)  # L is at least
    return steps([*ratio_of_printed_size_covers_the_lemma(text, asked, c_beta, level, logarithm),
                  *second_inequality_of_printed_size_covers_the_lemma(asked, c_beta, final, largest, least, level,
                                                                      logarithm)],
                 "dH >= 2, 0 < epsilon <= 1, 0 < delta < 1, c_K >= 2, c_beta >= 1; beta = c_beta d H sqrt(L)")


@claim("eq-n-constraint-2", covers="the O-term", refutes=True,
       false={"delta -> 0 with epsilon fixed, where the ratio stays bounded": {"towards_zero": "delta"}})
def order_is_wrong(text, towards_zero="epsilon", bonus=printed("text-beta-undefined"),
                   deployments=printed("eq-deployments"), hoeffding=printed("eq-hoeffding-bonus")):
    """The ratio to the O-term is unbounded: The O-term has the right powers of d, H and epsilon, and lacks a logarithm
    that grows as epsilon -> 0.

    At d = H = 1, c_K = 2, K = 3, delta = 1/2 the ratio is L log(K/delta)/log(K/delta)^2 up to 8 c_beta^2.
    """
    delta, one = sympy.Symbol("delta", positive=True), sympy.Integer(1)
    beta, logarithm = sympy.symbols("beta logarithm", positive=True)  # log(K/delta)
    values = {"d": d, "H": H, "epsilon": e, "delta": delta, "K": delta * sympy.exp(logarithm)}
    size, claimed = text(r"N\ge", beta=beta, **values), text(r"N\ge...=", O=order, **values)
    deviation = hoeffding(r"\mathbb E...\le", {r"\Delta_k": 0}, beta=beta, N=size, **values)
    ratio = sympy.powsimp(size / claimed).subs(beta, bonus(r"\beta=", c_beta=one, **values))
    K = deployments("K=", after=BEGINNING, c_K=2 * one, d=one, H=one)
    along = ratio.subs({logarithm: log(K / delta), d: 1, H: 1})
    along = along.subs(delta, Rational(1, 2)) if towards_zero == "epsilon" else along.subs(e, Rational(1, 2))
    limit = sympy.limit(along, e if towards_zero == "epsilon" else delta, 0, "+")
    return steps([
        ("the deviation in (11) at this N", equal(deviation, text("", after="at most", epsilon=e))),
        ("the powers of d, H, epsilon and of log(K/delta) in the O-term, with beta = dH log^{1/2}(K/delta)",
         equal(size.subs(beta, d * H * sympy.sqrt(logarithm)) / claimed, 8)),
        ("the ratio at d = H = 1 has no limit", exactly(limit, sympy.oo)),
    ], "c_beta = 1; d = H = 1, c_K = 2, K = 3, delta = 1/2 for the limit")


@claim("res-n-constraint-2")
def deviation_at_most_half(text):
    """The deviation is at most epsilon/2: The deviation is epsilon/2 at N = (8 beta^2 H^2/epsilon^2) log(K/delta) and
    decreases in N; beta is put in."""
    beta, logarithm, N = sympy.symbols("beta logarithm N", positive=True)  # log(K/delta)
    values = {"d": d, "H": H, "epsilon": e, "delta": DELTA, "K": DELTA * sympy.exp(logarithm), "beta": beta}
    deviation, most = text.sides(r"2\beta H\sqrt{\frac1{2N}\log\frac K\delta}\le", N=N, **values)
    size, put_in = (text(begins, c_beta=sympy.sqrt(b), **values) for begins in (r"N\ge", r"N\ge...="))
    return steps([("equality at the bound", equal(deviation.subs(N, size), most)),
                  ("decreasing in N", by_sign(0, sympy.simplify(sympy.diff(deviation, N)))),
                  ("with beta = c_beta d H sqrt(L)", equal(size.subs(beta, sympy.sqrt(b * L) * d * H), put_in))],
                 "all d, H, epsilon, K, delta")


@claim("text-combined-n", covers="the absolute constant", refutes=True,
       words="its N and condition (12) are those of Theorem 4.1 and of the line before, which the check evaluates",
       false={"K = 3 instead of c_K + 1": {"grows": False}})
def no_constant_for_all_trade_offs(grows=True, theorem=printed("thm-layerwise"), deployments=printed("eq-deployments"),
                                   condition=printed("eq-n-constraint-2")):
    """Condition (12) grows with c_K, the printed N does not: Limits as c_K -> oo at d = H = 1, epsilon = delta = 1/10:
    the printed N/c, and log(K/delta) in (12)."""
    one, tenth = sympy.Integer(1), Rational(1, 10)
    size = sympy.limit(log_size(theorem).subs({d: 1, H: 1, e: tenth, L: log(100)}), c, sympy.oo)
    K = deployments("K=", after=BEGINNING, c_K=c if grows else 2 * one, d=one, H=one)
    asked = sympy.limit(condition(r"N\ge", K=K, beta=one, H=one, epsilon=tenth, delta=tenth), c, sympy.oo)
    confirmed = bool(size.is_finite) and asked == sympy.oo
    return Evidence(int(confirmed), 1, "identity", "d = H = 1, epsilon = delta = 1/10, every absolute constant c",
                    detail=f"log N/c -> {sympy.simplify(size)}, (12) over beta^2 -> {asked}")
