"""These checks bound the mass that the cuts of a block lose, and the error of the estimates of later blocks.

Everything is deterministic, on the event of `truncation_event`. The steps bound mean squares: a kept pair has |phi| <=
kappa_+, so a mass of tau without a bound contributes tau kappa_+^2 only.
"""

from __future__ import annotations

import sympy
from sympy import log

from derl.claims import claim, printed, steps
from derl.claims.beyond.hypotheses import hypotheses
from derl.exact.compared import every
from derl.exact.symbolic import at_least, equal, nonnegative_from, same_operator

s, t, u, v, X = sympy.symbols("s t u v X", nonnegative=True)
tau, k2, Y, beta, H, j = sympy.symbols("tau k2 Y beta H j", positive=True)
d = 2 + t


@claim("res-cut-block",
       false={"blocks of H layers": ({"longest": 0}, "H = L = j + 1: j + 2 > H"),
              "the sum begins with d^3": ({"power": 3}, "d = 2, L = 1: 8 for 4"),
              "mass 2 tau left over": ({"mass": 2}, "u = 0: tau < 2 tau"),
              "d^2 + ... + d^{L+1} <= 19/10 d^{L+1}": {"geometric": sympy.Rational(19, 10)},
              "a cut rounded by 51/100 kappa^2": {"rounding": sympy.Rational(51, 100)}})
def block_in_steps(text, geometric=2, rounding=sympy.Rational(1, 2), longest=1, power=2, mass=1):
    """From the law in front to the mass that is lost: Y within its limit; the designs of a block; kept and cut pairs, A
    within rounding kappa^2."""
    scale = {"tau": tau, "kappa": sympy.sqrt(k2)}
    y, kept, left = text(r"Y=...\le", **scale), (1 + rounding) * k2, (1 - rounding) * k2
    c, D, e, mean = sympy.symbols("c D e y", positive=True)
    leverage = text(r"\max_a\phi_a^\top V^+\phi_a\le", H=H, d=d)
    law = text.function(r"\nu_\pi(g)\le", r"\bar\nu(g)", "D", r"\tau")
    second = text(r"...\le", after="Then for every policy", **scale)
    lost = text(r"...\Bigl(1-\prod_{t\in\text{block}}w_t\Bigr)\Bigr]\le", **scale)

    def total(x):
        """d^2 + ... + d^{L+1} in closed form, where x = d^{L-1}."""
        return d**power * (d * x - 1) / (d - 1)

    return steps([
        "rounding",
        hypotheses(text, (r"all }g\text{ with values in }",)),
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
        ("Y is c e d^(j+2) y at j = L - 1, where D and j + 1 designs give c ((1 + 1/H) d)^(j+2) y", every(
            equal(text("Y=", c=c, d=d, e=e, L=j + 1, y=text(r"\operatorname{tr}(\Sigma_h^{-1}\Lambda_h)\le", y=mean)),
                  c * e * d ** (j + 2) * mean),
            equal(leverage, (1 + 1 / H) * d), equal(text(r"D\le", c=c, H=H, d=d), c * leverage))),
        "second moment",
        ("second moment: Y + (3/2) tau kappa^2 <= (7/4) tau kappa^2",
         at_least(second, kept * law(y / kept / D, D, tau), tau, k2)),
        "probability",
        ("lost: tau + (2/kappa^2) 2Y <= 2 tau", at_least(lost, law(geometric * y / left / D, D, tau), tau)),
        ("a law below c law_mix plus mass tau loses at most c times as much, plus tau: with f = 1 - u <= 1",
         at_least(tau, mass * tau / (1 + u), tau, u)),
    ], scope="all d >= 2, H >= 2, 1 <= L < H, tau, kappa, Y <= tau kappa^2/4")


@claim("res-cut-estimates", plants=4,
       false={"values of at most 199/100": {"top": sympy.Rational(199, 100)},
              "a telescope with the true value twice": {"estimated": False}})
def estimates_in_steps(text, top=2, estimated=True, block=printed("res-cut-block")):
    """Telescope, size of the values, error: Values in [-top, top], so errors of top beta; with rewards those are of H
    E."""
    scale = {"tau": tau, "kappa": sympy.sqrt(k2)}
    T, T_hat, V, V_hat = sympy.symbols("T T_hat V V_hat", commutative=False)
    high, plain = text.range(r"\tau").high, {"tau": sympy.Symbol("T", positive=True), "beta": beta, "H": H, "d": d}
    cuts = [4 * H**2 * beta**2 * sympy.Rational(3, 2) * result**2 / plain["tau"] * high for result in (
        text(r"\kappa=", **plain), text("", after="$ or", **plain))]  # (2 H beta kappa_+)^2 where tau is largest
    m, at = sympy.Symbol("m", nonnegative=True), r"x_\pi^\top u"
    error = text(r"|e_\pi^\top u-x_\pi^\top u|\le", E=Y)
    second = block(r"...\le", after="Then for every policy", **scale)
    assumed, square = text("", after="be at most", **scale), text("E=", beta=beta, H=H, **scale) ** 2
    return steps([
        "telescope",
        hypotheses(text, ("For rewards in",)),
        ("T^ V^ - T V = (T^ - T) V^ + T (V^ - V)",
         same_operator(T_hat * V_hat - T * V, (T_hat - T) * (V_hat if estimated else V) + T * (V_hat - V))),
        "size",
        ("(2 H beta kappa_+)^2 <= 1: kappa^2 = tau/(36 d beta^2 H^2)", at_least(1, sympy.simplify(cuts[0]), t)),
        ("and for tau/(14400 d^4 beta^2 H^2)", at_least(1, sympy.simplify(cuts[1]), t)),
        ("m layers add at most 2 beta kappa_+ each: 1 + 2 H beta kappa_+ <= 2 at m = H",
         at_least(top, text(r"|\phi_{h_0-1}^\top u|\le") + m / (m + s + 1) + 0 * s, m, s)),
        "mean of the norm",
        ("E^2 = (2 beta H)^2 (7/4) tau kappa^2 = 7 beta^2 H^2 kappa^2 tau",
         at_least(square, (top * beta * H)**2 * second, beta, H, k2, tau)),
        ("the second moments are those of the blocks", equal(assumed, second)),
        ("layer 0: 1/(1+N) <= (3/2) tau kappa^2 where N = 17 d^2/(tau kappa^2)",
         at_least(sympy.Rational(3, 2) * tau * k2, 1 / text(r"N\ge", d=d, **scale), tau, k2, t)),
        "rewards",
        ("rewards: values up to 2H, so (2H beta H)^2 (7/4) tau kappa^2 = (H E)^2",
         at_least(text("", after="the error is", H=1 + s, E=1)**2 * square,
                  ((1 + s) * top * beta * H)**2 * second, beta, H, k2, tau, s)),
        "telescope",
        ("V^ is at most E below x'u, and above it by E and 2 eta for each layer that is rounded", every(
            equal(text(r"\hat V_0\ge", {at: X}, E=Y), X - error),
            equal(text(r"\hat V_0\le", {at: X}, E=Y, H=H, eta=j), X + error + H * 2 * j))),
    ], scope="all d >= 2, H >= 2, tau <= 1/3")
