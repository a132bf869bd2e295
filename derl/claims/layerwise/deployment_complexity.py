"""These checks concern the sizes K and N in Section 4.1 and in the proof of Theorem C.6.

They work with the logarithm of the printed N in c_K, H, d, epsilon and L = log(Hd/(delta epsilon)), with beta = c_beta
d H sqrt(L). Three printed sentences are refuted: that N decreases in c_K for all parameters, the order in (12), and one
constant for all c_K. The repaired Theorem C.6 has another argument, which `constants` checks.
"""

from __future__ import annotations

from fractions import Fraction

import sympy
from sympy import Rational, log

from derl.claims import Evidence, check, control, steps
from derl.claims.layerwise.symbols import H, L, b, c, d, e, expanded_log, exponent, printed_log_size
from derl.theory import constants
from derl.theory.exact.compared import every, exactly
from derl.theory.exact.logarithms import enclosure
from derl.theory.exact.symbolic import at_least, below, by_sign, equal, nonnegative_from

n, s, t, u = sympy.symbols("n s t u", nonnegative=True)


# --- K and N -----------------------------------------------------------------------------------------------------

@check("eq-deployments-detailed", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="K as a whole number")
@check("eq-deployments", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="K as a whole number")
def largest_whole_number_allowed(rounding=sympy.floor) -> Evidence:
    """The largest whole number up to c_K d H + 1 is floor(c_K d H) + 1, and that is what the code uses."""
    y = sympy.Symbol("y", real=True)
    factors = (Fraction(3, 2), Fraction(2), Fraction(7, 3), Fraction(101, 10))
    agree = all(constants.deployments_layerwise(dim, horizon, k) == rounding(Rational(k * dim * horizon)) + 1
                for dim in (1, 3, 7) for horizon in (1, 4) for k in factors)
    return steps([("floor(y + 1) = floor(y) + 1", equal(sympy.floor(y + 1), rounding(y) + 1)),
                  ("deployments_layerwise on a grid of fractions", agree)], "all real c_K d H")


control(largest_whole_number_allowed, "rounded up", {"rounding": sympy.ceiling})


@check("ineq-k-over-h", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="The difference is 1/H")
def strictly_below_k_over_h(extra=1) -> Evidence:
    """(c_K d H + 1)/H - c_K d = 1/H > 0."""
    gap = sympy.simplify((c * d * H + extra) / H - c * d)
    return steps([("the difference is 1/H", equal(gap, 1 / H)),
                  ("which is positive", by_sign(gap))], "all c_K, d, H > 0")


control(strictly_below_k_over_h, "K = c_K d H", {"extra": 0})


@check("text-exponents", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Exponents read off the printed size")
def exponents_of_the_printed_size(horizon_power=4) -> Evidence:
    """Coefficients of log H, log d, log epsilon at c_K = 2 and 6, and all limits as c_K grows."""
    size = printed_log_size() + (horizon_power - 4) * c * log(H) / (c - 1)
    at = {k: tuple(exponent(size, base).subs(c, k) for base in (H, d, e)) for k in (2, 6)}
    limits = tuple(sympy.limit(exponent(size, base), c, sympy.oo) for base in (H, d, e, L))
    return steps([("c_K = 2: H^9 d^6 epsilon^-4", exactly(at[2], (9, 6, -4))),
                  ("c_K = 6: H^5 d^{18/5} epsilon^{-12/5}", exactly(at[6], (5, Rational(18, 5), Rational(-12, 5)))),
                  ("c_K -> oo: H^4 d^3 epsilon^-2 L^2", exactly(limits, (4, 3, -2, 2))),
                  ("c_K^{1/(c_K - 1)} -> 1", exactly(sympy.limit(log(c) / (c - 1), c, sympy.oo), 0))],
                 "all d, H, epsilon, delta")


control(exponents_of_the_printed_size, "H^{5 c_K + 1} instead of H^{4 c_K + 1}", {"horizon_power": 5})


@check("text-exponents", method="exhaustive", arithmetic="exact", covers="c_K = 2", gap="c_K = 2",
       title="The power of the logarithm that O leaves out")
def logarithm_in_the_size(power=4) -> Evidence:
    """Exponent of L = log(Hd/(delta epsilon)) in N at c_K = 2."""
    return Evidence(exponent(printed_log_size(), L).subs(c, 2), power, "identity", "c_K = 2")


control(logarithm_in_the_size, "no logarithm, as in O(H^9 d^6 epsilon^-4)", {"power": 0}, variant="printed")
control(logarithm_in_the_size, "the fifth power", {"power": 5})


@check("text-n-decreasing", method="exhaustive", arithmetic="exact", covers="everything", gap="none",
       refutes=True, title="N grows from c_K = 2 to c_K = 3")
def size_can_increase(level=Fraction(9, 10)) -> Evidence:
    """At d = H = 1 and epsilon = delta: N(3)^2/N(2)^2 = 3 epsilon^2/(4 L^2), from below."""
    squares = [sympy.exp(2 * printed_log_size(sympy.Integer(k)).subs({d: 1, H: 1})) for k in (3, 2)]
    if sympy.simplify(squares[0] / squares[1] - 3 * e**2 / (4 * L**2)) != 0:
        return Evidence(0, 1, "lower", "the ratio of the printed sizes is another one")
    logarithm = enclosure(1 / level**2)[1]
    return Evidence(3 * level**2 / (4 * logarithm**2), Fraction(101, 100), "lower",
                    f"d = H = 1, epsilon = delta = {level}, c_K = 2 and 3; the absolute constant cancels")


control(size_can_increase, "epsilon = delta = 1/10, where N decreases", {"level": Fraction(1, 10)})


@check("res-n-decreasing", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Sign of the derivative")
def sign_of_the_derivative(least=2) -> Evidence:
    """Differentiates log N in c_K; the part that does not depend on d, H, epsilon, delta is never positive."""
    claimed = (1 - 1 / c - log(c) - expanded_log(H**5 * d**3 * L**2 / e**2)) / (c - 1) ** 2
    enough = below(1, least**3 * log(least) ** 2)
    return steps([
        ("the derivative", equal(sympy.diff(printed_log_size(), c), claimed)),
        ("1 - 1/c - log c <= 0 for c >= 1", nonnegative_from(log(c) - 1 + 1 / c, c, 1)),
        ("dH >= 2, epsilon <= 1: H^5 d^3 L^2 >= 8 log(2)^2 > 1 >= epsilon^2", enough),
    ], "all c_K > 1; all d, H, epsilon, delta with H^5 d^3 L^2 >= epsilon^2")


control(sign_of_the_derivative, "dH = 1 instead of dH >= 2", {"least": 1})


# --- (10) and (12) -----------------------------------------------------------------------------------------------

@check("eq-n-constraint-1", method="symbolic", arithmetic="exact", covers="everything",
       gap="none",
       title="Printed size against Lemma 4.2, every constant explicit")
def printed_size_covers_the_lemma(log_power=2, least=2, c_beta=1) -> Evidence:
    """With c = (16 c_beta^2 (log_2(16 c_beta^2) + 6))^2 the printed size is at least that of Lemma 4.2 with c = 1."""
    lH, ld, le, lb, C, r = sympy.symbols("lH ld le lb C r", nonnegative=True)  # logarithms
    beta_square = b * d**2 * H**2 * L
    x = e**2 / (16 * H**2 * beta_square)
    needed = sympy.expand(expanded_log(c * H * d**c * x ** (-c) * t**c) / (c - 1))  # t = log(Hd/x)
    ratio = needed - printed_log_size() + (2 - log_power) * c * log(L) / (c - 1)
    in_logs = expanded_log(H * d / x).subs({log(H): lH, log(d): ld, log(e): -le, log(b): lb, log(L): u})
    beta_in_logs = log(16) + 3 * lH + ld + 2 * r + 2 * le  # log(Hd/x), with r = log beta
    return steps([
        "ratio",
        ("the ratio is (16 c_beta^2 log(Hd/x)/L)^{c/(c-1)}",
         equal(ratio, c / (c - 1) * (expanded_log(16 * b * t / L)))),
        "first inequality",
        ("log(Hd/x) <= log(16 c_beta^2) + 5 log(Hd/epsilon) + log L",
         at_least(expanded_log(16) + lb + 5 * (lH + ld + le) + u, in_logs, lH, ld, le, lb, u)),
        ("log L <= L", every(nonnegative_from(s - log(s), s, 1), nonnegative_from(log(1 + s) - s / (1 + s), s, 0))),
        ("C <= (C/log 2) L for L = (1 + s) log 2", at_least(C * (1 + s), C, C, s)),
        ("c/(c - 1) <= 2 for c >= 2, and the base is at least 1",
         every(at_least(2 * (1 + s), 2 + s, s), below(1, 16 * c_beta**2 * 6 * log(least)))),
        "second inequality",
        ("Hd beta/epsilon >= 4 sqrt(log 2) > 3.3, and log 16 <= 3 log 3.3",
         every(below(Rational(33, 10) ** 2, 16 * c_beta**2 * log(least)), below(log(16), 3 * log(Rational(33, 10))))),
        ("log(Hd/x) <= 6 log(Hd beta/epsilon)",
         at_least(3 * (lH + ld + r + le) + log(16), beta_in_logs, lH, ld, r, le)),
        ("log(Hd beta/epsilon) <= log(Hd/x)", at_least(beta_in_logs, log(16) + lH + ld + r + le, lH, ld, r, le)),
    ], "dH >= 2, 0 < epsilon <= 1, 0 < delta < 1, c_K >= 2, c_beta >= 1; beta = c_beta d H sqrt(L)")


control(printed_size_covers_the_lemma, "log^{c_K} instead of log^{2 c_K}", {"log_power": 1})
control(printed_size_covers_the_lemma, "least dH = 1: the logarithm may be 0", {"least": 1})
control(printed_size_covers_the_lemma, "c_beta = 1/2: Hd beta/epsilon may be below 2", {"c_beta": Rational(1, 2)})


@check("eq-n-constraint-2", method="symbolic", arithmetic="exact", covers="the O-term", gap="none", refutes=True,
       title="The ratio to the O-term is unbounded")
def order_is_wrong(towards_zero="epsilon") -> Evidence:
    """d = H = 1, c_K = 2, K = 3, delta = 1/2: L log(K/delta)/log(K/delta)^2 grows beyond all bounds as epsilon -> 0."""
    delta = sympy.Symbol("delta", positive=True)
    ratio = log(1 / (delta * e)) / log(3 / delta)
    along = ratio.subs(delta, Rational(1, 2)) if towards_zero == "epsilon" else ratio.subs(e, Rational(1, 2))
    limit = sympy.limit(along, e if towards_zero == "epsilon" else delta, 0, "+")
    return Evidence(int(limit == sympy.oo), 1, "identity", "8 beta^2 H^2/epsilon^2 log(K/delta) over d^2 H^4/epsilon^2 "
                    "log^2(K/delta), up to 8 c_beta^2", detail=f"limit {limit}")


control(order_is_wrong, "delta -> 0 with epsilon fixed, where the ratio stays bounded", {"towards_zero": "delta"})


@check("res-n-constraint-2", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="The deviation is at most epsilon/2")
def deviation_at_most_half(factor=8) -> Evidence:
    """The deviation is epsilon/2 at N = (8 beta^2 H^2/epsilon^2) log(K/delta) and decreases in N; beta is put in."""
    beta, logarithm, N = sympy.symbols("beta logarithm N", positive=True)
    deviation = 2 * beta * H * sympy.sqrt(logarithm / (2 * N))
    size = factor * beta**2 * H**2 / e**2 * logarithm
    return steps([("equality at the bound", equal(deviation.subs(N, size), e / 2)),
                  ("decreasing in N", by_sign(0, sympy.simplify(sympy.diff(deviation, N)))),
                  ("with beta = c_beta d H sqrt(L)",
                   equal(size.subs(beta, sympy.sqrt(b * L) * d * H), 8 * b * d**2 * H**4 / e**2 * L * logarithm))],
                 "all d, H, epsilon, K, delta")


control(deviation_at_most_half, "2 beta^2 H^2/epsilon^2 log(K/delta)", {"factor": 2})


@check("text-combined-n", method="symbolic", arithmetic="exact", covers="the absolute constant", gap="none",
       refutes=True, title="Condition (12) grows with c_K, the printed N does not")
def no_constant_for_all_trade_offs(grows=True) -> Evidence:
    """Limits as c_K -> oo at d = H = 1, epsilon = delta = 1/10: the printed N/c, and log(K/delta) in (12)."""
    at = {d: 1, H: 1, e: Rational(1, 10), L: log(100)}
    size = sympy.limit(printed_log_size().subs(at), c, sympy.oo)
    deployments = c + 1 if grows else sympy.Integer(3)
    condition = sympy.limit(log(10 * deployments), c, sympy.oo)
    confirmed = bool(size.is_finite) and condition == sympy.oo
    return Evidence(int(confirmed), 1, "identity", "d = H = 1, epsilon = delta = 1/10, every absolute constant c",
                    detail=f"log N/c -> {sympy.simplify(size)}, log(K/delta) -> {condition}")


control(no_constant_for_all_trade_offs, "K = 3 instead of c_K + 1", {"grows": False})
