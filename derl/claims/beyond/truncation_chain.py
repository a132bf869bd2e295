"""These checks bound the mass that the cuts of a block lose, and the error of the estimates of later blocks.

Everything is deterministic, on the event of `truncation_event`. The steps bound mean squares: a kept pair has |phi| <=
kappa_+, so a mass of tau without a bound contributes tau kappa_+^2 only.
"""

from __future__ import annotations

import sympy
from sympy import log

from derl.claims import Evidence, check, control, steps
from derl.theory.exact.compared import every
from derl.theory.exact.symbolic import at_least, equal, nonnegative_from, same_operator

s, t, u, v, X = sympy.symbols("s t u v X", nonnegative=True)
tau, k2, Y, beta, H, j = sympy.symbols("tau k2 Y beta H j", positive=True)
d = 2 + t
QUARTER = sympy.Rational(1, 4)


@check("res-cut-block", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="From the law in front to the mass that is lost")
def block_in_steps(share=QUARTER, geometric=2, rounding=sympy.Rational(1, 2), second=sympy.Rational(7, 4),
                   lost=2, longest=1, power=2, mass=1) -> Evidence:
    """Y <= share tau kappa^2; the designs of a block; kept and cut pairs, A within rounding kappa^2."""
    y, kept, left = share * tau * k2, (1 + rounding) * k2, (1 - rounding) * k2

    def total(x):
        """d^2 + ... + d^{L+1} in closed form, where x = d^{L-1}."""
        return d**power * (d * x - 1) / (d - 1)

    return steps([
        "rounding",
        ("kept: |phi|^2 <= kappa^2 + kappa^2/2; cut: more than kappa^2 - kappa^2/2",
         every(at_least(sympy.Rational(3, 2) * k2, kept, k2), at_least(left, k2 / 2, k2))),
        "powers",
        ("(1 + 1/H)^H <= e: log(1 + s) <= s", nonnegative_from(s - log(1 + s), s, 0)),
        ("the powers: j + 2 <= H for L = j + 1 + s, s >= 0, and H = L + 1 + t, t >= 0",
         at_least((j + 1 + s) + longest + t, j + 2, j, s, t)),
        ("d^2 + ... + d^{L+1} <= 2 d^{L+1} for d >= 2: with X = d^{L-1} the difference times (d-1)/d^2",
         at_least(geometric * X * (d - 1) - d * X + 1, 0, t, X)),
        ("that sum is d^2 (d X - 1)/(d - 1): for one layer, X = 1, and one layer more adds d^{L+2} = d^3 X",
         every(equal(total(1), d**2), equal(total(d * X) - total(X), d**3 * X))),
        "second moment",
        ("second moment: Y + (3/2) tau kappa^2 <= (7/4) tau kappa^2",
         at_least(second * tau * k2, y + kept * tau, tau, k2)),
        "probability",
        ("lost: tau + (2/kappa^2) 2Y <= 2 tau", at_least(lost * tau, tau + geometric * y / left, tau)),
        ("a law below c law_mix plus mass tau loses at most c times as much, plus tau: with f = 1 - u <= 1",
         at_least(tau, mass * tau / (1 + u), tau, u)),
    ], scope="all d >= 2, H >= 2, 1 <= L < H, tau, kappa, Y <= tau kappa^2/4")


control(block_in_steps, "Y <= tau kappa^2/3", {"share": sympy.Rational(1, 3)}, witness="7/3 tau > 2 tau")
control(block_in_steps, "blocks of H layers", {"longest": 0}, witness="H = L = j + 1: j + 2 > H")
control(block_in_steps, "d^2 + ... + d^{L+1} <= d^{L+1}", {"geometric": 1}, witness="d = 2, L = 2: 4 + 8 > 8")
control(block_in_steps, "the sum begins with d^3", {"power": 3}, witness="d = 2, L = 1: 8 for 4")
control(block_in_steps, "mass 2 tau left over", {"mass": 2}, witness="u = 0: tau < 2 tau")


@check("res-cut-estimates", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Telescope, size of the values, error")
def estimates_in_steps(top=2, room=3, error=7, moment=sympy.Rational(7, 4), first=17, horizon=1,
                       estimated=True) -> Evidence:
    """E = sqrt(error) beta H kappa sqrt tau; values in [-top, top], so errors of top beta; tau <= 1/room.

    Second moments of at most moment tau kappa^2, N >= first d^2/(tau kappa^2), errors of H^horizon E with rewards.
    """
    T, T_hat, V, V_hat = sympy.symbols("T T_hat V V_hat", commutative=False)
    wide = 4 * sympy.Rational(3, 2) / room  # (2 H beta kappa_+)^2 = wide/cut^2 at tau = 1/room
    m = sympy.Symbol("m", nonnegative=True)
    second, square = moment * tau * k2, error * beta**2 * H**2 * k2 * tau  # the square: E^2
    return steps([
        "telescope",
        ("T^ V^ - T V = (T^ - T) V^ + T (V^ - V)",
         same_operator(T_hat * V_hat - T * V, (T_hat - T) * (V_hat if estimated else V) + T * (V_hat - V))),
        "size",
        ("(2 H beta kappa_+)^2 <= 1: kappa^2 = tau/(36 d beta^2 H^2)", at_least(36 * d, wide, t)),
        ("and for tau/(14400 d^4 beta^2 H^2)", at_least(14400 * d**4, wide, t)),
        ("m layers add at most 2 beta kappa_+ each: 1 + 2 H beta kappa_+ <= 2 at m = H",
         at_least(top, 1 + m / (m + s + 1) + 0 * s, m, s)),
        "mean of the norm",
        ("mean of the norm: E (y - m)^2 = E y^2 - m^2", same_operator(v + u**2 + u**2, 2 * u * u + v)),
        ("E^2 = (2 beta H)^2 (7/4) tau kappa^2 = 7 beta^2 H^2 kappa^2 tau",
         at_least(square, (top * beta * H)**2 * second, beta, H, k2, tau)),
        ("layer 0: 1/(1+N) <= (3/2) tau kappa^2 where N = 17 d^2/(tau kappa^2)",
         at_least(sympy.Rational(3, 2) * tau * k2, 1 / (first * d**2 / (tau * k2)), tau, k2, t)),
        "rewards",
        ("rewards: values up to 2H, so (2H beta H)^2 (7/4) tau kappa^2 = (H E)^2",
         at_least(((1 + s)**horizon)**2 * square, ((1 + s) * top * beta * H)**2 * second, beta, H, k2, tau, s)),
    ], scope="all d >= 2, H >= 2, tau <= 1/3")


control(estimates_in_steps, "errors of beta in place of 2 beta", {"top": 1}, witness="values of 1 + 1/2 exceed 1")
