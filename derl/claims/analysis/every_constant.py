"""These checks refute Lemmas E.7 and E.8 and Algorithm 6 with the printed clip, for every choice of the two constants.

Theorem E.4 has a constant c, Equation (26) a constant c'. The data are those of `derl.theory.analysis.steep_slopes`;
limits in H are symbolic, and for three pairs of constants the regressions themselves are computed.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import sympy
from sympy import Rational

from derl.claims import Evidence, claim, printed, steps
from derl.estimation.covariance import backward_pass
from derl.estimation.design import Design
from derl.exact.compared import at_most, every, exactly, less_than
from derl.exact.logarithms import enclosure
from derl.exact.matrices import ridge
from derl.exact.symbolic import at_least, equal
from derl.theory.analysis.covers import root_bounds
from derl.theory.analysis.steep_slopes import EXCESS, NOISE_SQUARE, START, Z, steep_slopes

CONSTANTS = ((Fraction(1), Fraction(1), 30), (Fraction(12), Fraction(24), 30), (Fraction(1, 2), Fraction(10**6), 60))
DELTA = Fraction(1, 10)
BIAS, LOSS, ALL = (r"|\phi^\top\hat w_t^\pi-P_t\hat V_{t+1}^\pi|", r"|V^\pi(s_1;\tilde R^{ij})-\hat V_1^\pi(s_1)|",
                   r"\max_{\pi'}\mathbb E_{\pi'}\sum_{t<h}\|\phi_t\|_{\Sigma_t^{-1}}")
NORM = r"\|\phi\|_{\Sigma_t^{-1}}"
BETA = r"\beta'"


def sums_of_the_data(N, n, frequency, excess, x_value, z_value) -> list:
    """Both components of sum phi V."""
    return [sum(sign**j * (Rational(4, 5) ** (1 - j)) * (1 / n) ** j * (
        (N * frequency + sign * excess * n) * z_value + (N / 2 - N * frequency - sign * excess * n) * x_value)
        for sign in (1, -1)) for j in (0, 1)]


@claim("alg-covariance", refutes=True, title="For every c and c'",
       false={"3/2 instead of 4: g = 9/10, values do not grow": {"excess": Rational(3, 2)}})
@claim("lem-policy-evaluation", refutes=True, title="For every c and c'")
@claim("lem-regression-bias", refutes=True, title="For every c and c'")
def slopes_multiply(excess=EXCESS, regression=printed("lem-regression-bias"),
                    evaluation=printed("lem-policy-evaluation"), algorithm=printed("alg-covariance")):
    """`steep_slopes` with `excess` n transitions too many: noise, recursion, both sides, the limit in H."""
    s, t, u, w = sympy.symbols("s t u w", nonnegative=True)
    H, n = sympy.symbols("H n", positive=True)
    beta = H ** Rational(5, 2)  # its order at most
    x_value, z_value = sympy.symbols("x_value z_value", real=True)
    N, N_there, frequency = n**2, (256 + s) ** 2, Rational(1, 8) / H  # n = 64 H k >= 256 for H >= 4; rho/2
    sums = sums_of_the_data(N, n, frequency, excess, x_value, z_value)
    slope = sympy.expand(sums[1] / 2)
    theta = Rational(16, 25) * N / (1 + Rational(16, 25) * N)
    growth = excess * (Rational(3, 5) - 1 / n)
    small, far = 1 / (1 + Rational(16, 25) * N_there), Rational(12, 25) + t  # 1 - theta, D
    ratios = (2 * 2**H / regression(rf"{BIAS}\le", {BETA: beta, NORM: Rational(1, 2)}),
              2**H / (2 * H) / evaluation(rf"{LOSS}\le", {BETA: beta}, xi=Rational(1, 3)),
              2**H / H / algorithm("", {BETA: beta, ALL: Rational(1, 4)}, after="the error is at most"))
    return steps([
        ("first component: sum phi_1 V = (4/5) N m, as expected", equal(
            sums[0], Rational(4, 5) * N * ((1 - 2 * frequency) * x_value + 2 * frequency * z_value))),
        ("second component of the noise: 8 (V(z) - V(x))", equal(sums[1], 8 * (z_value - x_value))),
        ("|G|^2 = 64 (V(z) - V(x))^2/2 <= 128 <= 144",
         every(exactly(Rational(64 * 4, 2), NOISE_SQUARE), at_most(NOISE_SQUARE, 144))),
        ("D_t = V_t(x) - V_t(z) = g D_{t+1}", equal(slope * (1 / n - Rational(3, 5)), growth * (x_value - z_value))),
        ("g >= 7/3 for n >= 256", at_least(growth.subs(n, 256 + s), Rational(7, 3), s)),
        ("no value exceeds 1: theta m - D/n <= 1 for m <= 1", at_least(1 + w, theta.subs(n, 1 + s) / (1 + t), s, t, w)),
        ("|m_t| <= 1/2 + D_t: |m_H| <= 37/50, and 1/2 + D + D (4/n + 12 rho/5) <= 1/2 + 2 D",
         every(at_most(Rational(37, 50), Rational(1, 2) + Rational(12, 25)),
               at_most(Rational(4, 256) + Rational(12, 80), 1))),
        ("E.7: (12/5) D - (1 - theta)(1/2 + D) >= 2 D",
         at_least(Rational(12, 5) * far, small * (Rational(1, 2) + far) + 2 * far, s, t)),
        ("|phi(z)|^2 = (16/25)/(1 + 16N/25) + 9/50 <= 1/4",
         at_least(Rational(1, 4), Rational(9, 50) + Rational(16, 25) * small, s)),
        ("E.8: V - theta m_2 >= 13/50 - 37/50 + theta (12/5) rho D, rho = 1/(4H)",
         at_least((1 - small) * Rational(12, 5) * far / (4 * (4 + u)), far / (2 * (4 + u)), s, t, u)),
        ("max_pi E sum |phi| <= H (rho/2 + 2/n) <= 1/4", at_most(Rational(1, 8) + Rational(2, 64), Rational(1, 4))),
        ("xi = (H/(H-1)) times that is at most 1/3 < 1/d", less_than(Rational(4, 3) / 4, Rational(1, 2))),
        ("beta'^2 is c'^2 d^2 log(dHN/(epsilon_0 delta)) <= C H^5, so the errors over their bounds have no bound",
         every(*(exactly(sympy.limit(ratio, H, sympy.oo), sympy.oo) for ratio in ratios))),
    ], "d = 2, every c, c' > 0, 0 < delta < 1, epsilon_0 = 1/(2d(N+1)), all H from some size on; N = (64 H k)^2, "
       "log N >= 36/c^2; data of positive probability")


@cache
def measured(horizon: int, k: int, version: str) -> tuple[Fraction, Fraction]:
    """Errors of E.7 (at z in layer 2, over |phi| from above) and of the entry (1, 2) at s_1, by the regressions."""
    data = steep_slopes(horizon, k)
    layers = [ridge(data.mdp.phi[h], n) for h, n in enumerate(data.counts)]
    designs, features = [Design(None, operator) for _, operator in layers], [phi[:, 0] for phi in data.mdp.phi]

    def value(layer: int, state: int) -> Fraction:
        there = np.array([Fraction(int(s == state)) for s in range(3)], dtype=object)
        return (1 + backward_pass(features[layer - 1:], designs[layer - 1:], there, version)[0, 1]) / 2

    following = np.array([value(3, state) for state in range(3)], dtype=object)
    P, (inverse, operator), phi = data.mdp.transitions()[1][Z, 0], layers[1], features[1][Z]
    bias = abs(phi @ (operator @ following) - P @ following) / root_bounds(phi @ inverse @ phi)[1]
    truth = (1 - Fraction(1, 4 * horizon)) * Fraction(37, 50) + Fraction(1, 4 * horizon) * Fraction(13, 50)
    return bias, abs(value(1, START) - truth)


@claim("alg-covariance", method="exhaustive", covers="three pairs of constants", refutes=True,
       title="The regressions themselves, for c and c' from 1/2 to a million",
       as_corrected={"values clipped to [0, 1]": {"version": "repaired"}})
@claim("lem-policy-evaluation", method="exhaustive", covers="three pairs of constants", refutes=True,
       title="The regressions themselves, for c and c' from 1/2 to a million")
@claim("lem-regression-bias", method="exhaustive", covers="three pairs of constants", refutes=True,
       title="The regressions themselves, for c and c' from 1/2 to a million")
def bounds_are_left(version="as-printed", regression=printed("lem-regression-bias"),
                    evaluation=printed("lem-policy-evaluation"), algorithm=printed("alg-covariance")):
    """Least of the errors over their bounds; the error of E.7 is divided by |phi|, and xi and the sum of the norms are
    replaced by 1/3, which is above both."""
    result = []
    for c, c_prime, horizon in CONSTANTS:
        k = 1
        while enclosure((64 * horizon * k) ** 2)[0] < 36 / c**2:
            k *= 2
        size = (64 * horizon * k) ** 2
        beta = root_bounds(4 * c_prime**2 * enclosure(2 * horizon * size * 4 * (size + 1) / DELTA)[1])[1]
        bias, loss = measured(horizon, k, version)
        result += [bias / regression(rf"{BIAS}\le", {BETA: beta, NORM: 1}),
                   loss / evaluation(rf"{LOSS}\le", {BETA: beta}, xi=Fraction(1, 3)),
                   2 * loss / algorithm("", {BETA: beta, ALL: Fraction(1, 3)}, after="the error is at most")]
    least = Fraction(int(1000 * min(result)), 1000)  # rounded down: the exact number has thousands of digits
    return Evidence(least, 2, "lower", "(c, c') = (1, 1), (12, 24), (1/2, 1e6); H = 30, 30, 60; exact",
                    detail=f"least ratio {float(least):.3g}")
