"""These checks establish the regression with bounded predictions, and one deployment for all rewards and confidences.

The confidence is added to the dimension because two laws are compared by Gaussian averages, not direction by direction.
"""

from __future__ import annotations

from fractions import Fraction as F
from itertools import product
from math import comb, exp

import numpy as np
import sympy

from derl.claims import Evidence, claim, printed, steps
from derl.claims.beyond.hypotheses import hypotheses
from derl.exact.compared import at_most, every, exactly
from derl.exact.symbolic import at_least, below, equal, nonnegative_from, same_fraction

s, t, u, q = sympy.symbols("s t u q", nonnegative=True)
d, n, R, g, N, H, delta, epsilon = sympy.symbols("d n R g N H delta epsilon", positive=True)
NETS = F(353, 100)  # alpha + beta <= 3.53 d + t
LAWS = ((F(1, 2), F(1, 2)), (F(1, 9), F(8, 9)), (F(1, 4), F(1, 4)), (F(1, 30), F(1, 3)))  # masses of two axes
SAMPLES = (3, 12, 40)


def to_the_law(width, curve) -> list:
    """From the sample to the law: the divergence of two Gaussian laws, and e^-y below its chord."""
    a, x, z = sympy.symbols("a x z", positive=True)
    return [
        "from the sample to the law",
        ("1 - y <= e^-y for 1 - y = 1/(1 + q): q/(1 + q) <= log(1 + q)", nonnegative_from(
            sympy.log(1 + q) - q / (1 + q), q, 0)),
        ("the divergence of two Gaussian laws with covariance 16/A: x^2 A/(2 16)", equal(
            ((z - x) ** 2 - z**2).subs(z, x) * -1 / (2 * width / a), x**2 * a / 32)),
        "both means",
        ("e^-y <= 1 - (3/4) y at 0 and at 1/2, where it is log(8/5) <= 1/2; and e^-y is convex", every(
            equal(sympy.exp(-q).subs(q, 0), 1), below(sympy.log(1 / (1 - curve / 2)), F(1, 2)),
            equal(sympy.diff(sympy.exp(-q), q, 2), sympy.exp(-q)))),
    ]


@claim("res-bounded-regression",
       false={"half of 2 y^2 + 2 z^2": {"split": 1},
              "3 2^j links": {"links": 3},
              "a mean of 2": {"mean": 2},
              "a covariance of 8/A": {"width": 8},
              "1 - e^-y >= 4 y/5": {"curve": F(4, 5)},
              "nine tenths of the bound": {"sizes": F(9, 10)}})
def bounded_in_steps(text, split=2, links=6, mean=1, width=16, curve=F(3, 4), sizes=1,
                     noise=printed("res-designed-regression")):
    """The minimizer, nets, the chain, from the sample to the law, both means, the sum: Each constant of the proof, and
    their sum against the printed one."""
    a, b, m, weights = sympy.symbols("a b m y", positive=True)
    tail, two, k = sympy.Symbol("t0", positive=True), sympy.log(2), sympy.Symbol("k", integer=True, nonnegative=True)
    one = noise("b=", d=d, t=tail, lambda_=sympy.Integer(0))
    alpha, beta = d * (two / 2 + sympy.log(6)) + tail + two, (d + 1) * two
    level = tail + d * (sympy.log(links) + k * two) + (k + 1) * two
    scale, stated = F(1, 8), text(r"x^\top\Lambda x\le", R=R, d=d, t=tail, n=n)
    norm = split * (16 * (NETS * d + tail) + d)  # |x|_S^2
    return steps([
        "minimizer",
        ("|x|^2 <= |x| (y + z): |x| <= y + z, and (y + z)^2 <= 2 y^2 + 2 z^2", equal(
            split * (a**2 + b**2) - (a + b) ** 2, (a - b) ** 2)),
        "nets",
        ("(1 + 2 2^j)/2^j <= 3 for 2^j = 1 + u", at_least(3, (1 + 2 * (1 + u)) / (1 + u), u)),
        ("links: 3 2^(j+1) = 6 2^j", equal(3 * 2 ** (k + 1), links * 2**k)),
        ("the noise of an interval of length r: r sqrt(d log(2)/2 + t)", equal(one, sympy.sqrt(d * two / 2 + tail))),
        ("d log(2)/2 + t' = alpha + beta j", equal(sympy.expand(d * two / 2 + level - alpha - beta * k), 0)),
        "chain",
        ("the sum of 2^(-1-j) j: partial sums 1 - (m + 2)/2^(m+1), from m - 1 to m; they tend to 1", same_fraction(
            (1 - (m + 2) * weights / 2) - (1 - (m + 1) * weights), mean * m * weights / 2)),
        ("alpha + beta = d log(12 sqrt 2) + t + log 4, and log 4 <= d log 2 for d = 2 + s", every(
            equal(sympy.expand_log(alpha + beta - d * (sympy.log(12) + two / 2) - tail - 2 * two, force=True), 0),
            at_least((2 + s) / 2, 1, s))),
        ("log(12 sqrt 2) + log 2 <= 3.53", below(sympy.log(12) + F(3, 2) * two, NETS)),
        *to_the_law(width, curve),
        "together",
        ("both sides times 16: (3/2 - 1/2) n x'Lambda x, 2 (phi'x)^2, 32 |phi|^2, |x|^2/2, 16 t", every(
            equal(16 * (F(3, 4) * scale - F(1, 32)), 1), equal(16 * scale * width, 32), equal(16 * scale, 2),
            equal(16 * F(1, 32), F(1, 2)))),
        ("n a/(1 + n a) <= 1 per eigenvalue", at_least(1, n * a / (1 + n * a), n, a)),
        ("the sum: 2 |x|^2 + 32 (7183/10^4 + 1) d + 48 t, e < 2.7183", at_least(
            sizes * n * stated.subs(R, 2), 2 * norm + 32 * (F(17183, 10000) * d + tail) + 16 * tail, d, tail)),
        ("the printed bound is R^2/4 times that for R = 2", equal(stated, R**2 / 4 * stated.subs(R, 2))),
        ("d >= 2 and n >= 1", exactly([text.range(letter).low for letter in "dn"], [2, 1])),
        ("three events of probability e^-t", equal(1 - text("", after="with probability at least", t=tail),
                                                   3 * sympy.exp(-tail))),
    ], "every d >= 2, n, R, t, law of the features, and function of the class")


@claim("res-bounded-regression", method="exhaustive", arithmetic="float64",
       covers=f"{len(LAWS)} laws of two axes, n = 3, 12, 40, all samples, t = 1/10, ..., 4", gap="small laws; float64",
       false={"a twentieth of the bound": {"share": 0.05}})
def sample_against_law(text, share=1.0, often=1.0):
    """The step from the sample to the law: how often it fails, enumerated: P(some |phi'x| <= 2 has n x'Lx > 2 sum
    (phi_i'x)^2 + |x|^2/2 + 32 sum |phi_i|^2 + 16 t) e^t, at most 1."""
    worst = 0.0
    for masses, size in product(LAWS, SAMPLES):
        excess, chances = [], []
        p = [float(one) for one in masses]
        for seen in product(range(size + 1), repeat=2):
            rest = size - sum(seen)
            if rest < 0 or rest and sum(masses) == 1:
                continue
            chances.append(comb(size, seen[0]) * comb(size - seen[0], seen[1]) * p[0] ** seen[0] * p[1] ** seen[1]
                           * max(0.0, 1 - sum(p)) ** rest)
            gain = sum(4 * max(0.0, size * mass - share * (2 * k + 0.5)) - share * 32 * k / (1 + size * mass)
                       for mass, k in zip(p, seen, strict=True))
            excess.append(gain)
        for level in np.arange(0.1, 4.01, 0.1):
            failed = sum(chance for chance, gain in zip(chances, excess, strict=True) if gain > 16 * share * level)
            worst = max(worst, failed * exp(level) / often)
    return Evidence(worst, 1.0, "upper", "all samples of two axes; a third direction has features of length 0")


def sums_over_layers(slope, cap) -> list:
    """Below the closed form: the root of each layer, the sums over the layers, and the constant."""
    m, y, E, v = sympy.symbols("m y E v", positive=True)
    z, two = 1 / (1 + t), sympy.log(2)
    return [
        ("285 d + 112 (L + j log 2) <= 285 E + 78 j: 112 log 2 < 78, E = d + L", every(
            below(112 * two, 78), at_most(112, 285))),
        ("sqrt(285 E + 78 j) <= sqrt(285 E) (1 + 13 j/285), E >= 3", at_least(
            285 * E * (1 + F(slope, 285) * m) ** 2, 285 * E + 26 * m * E, E, m)),
        ("26 E >= 78: 2 + log 3 > 3", below(1, sympy.log(3))),
        ("the sum of j y^(j-1): closed form from m - 1 to m; what is missing to (1-y)^-2 is positive", every(
            same_fraction(_first(m, v * y, y) - _first(m - 1, v, y), m * v),
            at_least(1 / (1 - z) ** 2, _first(m, v, z), t, m, v))),
        ("the sum of j(j+1)/2 y^(j-1), likewise to (1-y)^-3", every(
            same_fraction(_second(m, v * y, y) - _second(m - 1, v, y), m * (m + 1) / 2 * v),
            at_least(1 / (1 - z) ** 3, _second(m, v, z), t, m, v))),
        ("1/(1 - 1/sqrt 2) = 2 + sqrt 2, and 285 times the square is at most 460: sqrt 2 < 1415/1000", every(
            equal(sympy.radsimp(1 / (1 - 1 / sympy.sqrt(2))), 2 + sympy.sqrt(2)), at_most(2, F(1415, 1000) ** 2),
            at_most(285 * (1 - F(slope, 285) + F(2 * slope, 285) * (2 + F(1415, 1000))) ** 2, cap))),
    ]


def below_the_junk_locks(text, overlap, lock) -> list:
    """Two biases: what they lose together, their affinity, and the printed number."""
    m, b = sympy.symbols("m b", positive=True)
    least = text(r"N\ge", after="on all junk locks", d=d, H=H, epsilon=epsilon, delta=delta)
    return [
        ("losses b (1-p) and b p add up to b > 2 epsilon", equal(b * (1 - m) + b * m, b)),
        ("the affinity of two coins, squared", equal(4 * (F(1, 2) + b) * (F(1, 2) - b), 1 - overlap * b**2)),
        ("-log(1-z) <= 1.151 z at z = 16 epsilon^2 <= 1/4", every(
            below(sympy.log(F(4, 3)), F(1151, 4000)),
            exactly(16 * text.range(r"\epsilon", after="From below").high ** 2, F(1, 4)),
            at_most(2 * text.range(r"\epsilon", after="From below").high, lock(r"|b|\le")))),
        ("16 1.151 <= 18.5, the printed number", every(
            at_most(16 * F(1151, 1000), F(185, 10)),
            equal(least, d ** (H - 1) * sympy.log(1 / (4 * delta)) / (F(185, 10) * epsilon**2)),
            exactly(text.range(r"\delta", after="From below").high, F(1, 4)))),
    ]


@claim("res-one-deployment-confidence",
       false={"the middle R/2 + 1/3": {"middle": F(1, 3)},
              "2 delta/3": {"union": 2},
              "one error in place of two": {"errors": 1},
              "a slope of 12/285": {"slope": 12},
              "450 in place of 460": {"cap": 450},
              "squared affinity 1 - 2 b^2": {"overlap": 2}})
def confidence_in_steps(text, middle=F(1, 2), union=3, errors=2, slope=13, cap=460, overlap=4,
                        one=printed("res-bounded-regression"), lock=printed("res-junk-lock"),
                        lower=printed("res-one-deployment-lower")):
    """The class, failures, the loss, its closed form, the lower half: The sums over layers, and both constants."""
    a, m = sympy.symbols("a m", positive=True)
    j, v = sympy.Symbol("j", integer=True, positive=True), sympy.Symbol("v", positive=True)
    layer = one(r"x^\top\Lambda x\le", R=R, d=d, t=a, n=N)
    two, where = sympy.log(2), {"after": "is implied by"}
    return steps([
        "what is regressed",
        hypotheses(text, ("$r_h=\\theta_h^\\top\\phi$ in",), "With probability at least", "Let $\\epsilon>0$ and"),
        ("a reward in [0, 1] and a prediction in [0, R], less the middle (R+1)/2: at most (R+1)/2 in size", every(
            equal(1 + R - (R / 2 + middle), (R + 1) / 2), equal(0 - (R / 2 + middle), -(R + 1) / 2))),
        ("d, H >= 2", exactly([text.range(letter).low for letter in "dH"], [2, 2])),
        "failures",
        (text.shown("t_h="), equal(text("t_h=", H=H, h=H - j, delta=delta), sympy.log(3 / delta) + j * two)),
        ("3 e^-t_h = delta 2^-j, and the sum of 2^-j up to m is 1 - 2^-m", every(
            equal(sympy.simplify(union * sympy.exp(-sympy.log(3 / delta) - j * two)), delta * 2**-j),
            equal((1 - v / 2) - (1 - v), v / 2))),
        "loss",
        ("2 (g R^2 (285 d + 112 t)/(4 N))^(1/2) = R sqrt(g (285 d + 112 t)/N)", equal(
            errors * sympy.sqrt(g * layer), R * sympy.sqrt(g * (285 * d + 112 * a) / N))),
        (text.shown(r"N\ge", after="with $g$ of"), equal(text(
            r"N\ge", {r"\sum_{h=1}^{H-1}(H-h)\sqrt{g^h(285\,d+112\,t_h)}": m}, after="with $g$ of", epsilon=epsilon),
            m**2 / epsilon**2)),
        "closed form",
        *sums_over_layers(slope, cap),
        (text.shown(r"N\ge", **where), equal(
            text(r"N\ge", d=d, H=H, epsilon=epsilon, delta=delta, **where),
            cap * (1 - 1 / sympy.sqrt(d)) ** -4 * d ** (H - 1) * (d + sympy.log(3 / delta)) / epsilon**2)),
        "from below",
        *below_the_junk_locks(text, overlap, lock),
        "both halves",
        ("log(1/delta) <= 3 log(1/(4 delta)) from log(1/delta) = 3 log 2 on", at_least(
            3 * (3 + s - 2), 3 + s, s)),
        ("the lower half in d holds for delta = 1/8 and epsilon = 1/12", every(
            at_most(text.range(r"\epsilon", after="the number of trajectories").high,
                    lower.range(r"\epsilon", delta=F(1, 8), after="Let $d,H").high),
            exactly(text.range(r"\delta", after="the number of trajectories").high, F(1, 8)))),
    ], "every d, H >= 2, g, N, epsilon, delta, and linear reward")


def _first(m, power, y):
    """The sum of j y^(j-1) for j <= m, with power = y^m."""
    return (1 - (m + 1) * power + m * power * y) / (1 - y) ** 2


def _second(m, power, y):
    """The sum of j(j+1)/2 y^(j-1) for j <= m, with power = y^m."""
    return (2 - power * ((m + 1) * (m + 2) - 2 * m * (m + 2) * y + m * (m + 1) * y**2)) / (2 * (1 - y) ** 3)
