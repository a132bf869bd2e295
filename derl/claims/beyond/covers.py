"""These checks establish covers of a layer: from second moments to laws, and from estimated means to laws.

With a least eigenvalue kappa of the second moments, next states are reached at kappa times the best rate. With a
spanner of estimated means the error is additive, and it is absorbed where the block begins, by reachability. Spanners
are also tried with errors directed against the search.
"""

from __future__ import annotations

from fractions import Fraction as R

import numpy as np
import sympy

from derl.algorithms.spanner import robust_spanner
from derl.claims import Evidence, claim, printed, steps
from derl.exact.compared import every, exactly
from derl.exact.symbolic import at_least, equal, exceeds, same_fraction
from derl.theory.beyond import exchange

SEED = 20261122
s, t, u, v, w, x = sympy.symbols("s t u v w x", nonnegative=True)


@claim("res-covered-law",
       false={"y >= 1/y^2": {"square": -2},
              "E u'phi <= 9/10": {"best": R(9, 10)},
              "E u'phi <= 1 for a law of mass 2": {"weight": 2, "best": R(999, 1000)}})
def law_from_moment(text, square=2, weight=1, best=1):
    """One unit vector per set, and the example without an eigenvalue: u'phi >= (u'phi)^2, averages of two values, the
    attaining law, and the two laws of the example."""
    y, z = 1 / (1 + s), 1 / (1 + t)  # two values of u'phi in [0, 1]
    p, length = 1 / (1 + w), sympy.Symbol("m", positive=True)
    allowed, example = text.range(r"\kappa"), text.range("m")
    kappa = allowed.high / (1 + v)
    root = sympy.sqrt(example.high) / (1 + x)  # sqrt(m)
    quadratic = root**2 / root**2 + (1 - root) ** 2 / (1 - root**2)
    seen = text(r"\mathbb E_D(\theta^\top\phi)^2\ge", kappa=kappa)  # E_D u'phi is at least that

    def law(own):
        return text(r"\mathrm{law}_\pi(s_{h+1})\le", {r"\mathrm{law}_D(s_{h+1})": own}, kappa=kappa)

    return steps([
        "event",
        ("y >= y^2 on [0, 1], averaged", at_least(p * y + (1 - p) * z, p * y**square + (1 - p) * z**square, s, t, w)),
        "measure",
        ("E_pi u'phi <= 1", at_least(best, p * y + weight * (1 - p) * z, s, t, w)),
        ("mu(B) 1 = kappa^-1 mu(B) kappa", equal(law(length * seen), length)),
        "second moments",
        ("(x'phi)^2 <= |x|^2 = kappa^-1 kappa |x|^2", equal(text(r"\mathbb E_\pi\phi\phi^\top\preceq", {
            r"\mathbb E_D\phi\phi^\top": seen * length}, kappa=kappa), length)),
        "attained",
        ("attained: probabilities kappa and 1 - kappa at e_1 and e_2 have least eigenvalue kappa", every(
            at_least(1 - kappa, seen, v), exactly(allowed.low, 0))),
        "example",
        ("without an eigenvalue: v'Lambda^-1 v = 1 + (1 - q)/(1 + q), q = sqrt(m)", every(
            same_fraction(quadratic, 1 + (1 - root) / (1 + root)), exactly([example.low, example.high], [0, 1]))),
        ("second moments: ratio at most 2", at_least(
            text(r"\Lambda'\preceq", {r"\Lambda": 1}), 1 + (1 - root) / (1 + root), x)),
        ("laws: ratio q/q^2 = m^(-1/2)", equal(
            root / root**2, text("", after="has probabilities of ratio", m=root**2))),
    ], "every policy, every law with least eigenvalue kappa on the span of what policies reach, every m in (0, 1)")


@claim("res-robust-spanner",
       false={"two vectors in each column": {"columns": 2},
              "Cramer's rule with a factor 2": {"cramer": 2}})
def spanner_in_steps(text, cramer=1, columns=1):
    """Cramer's rule, the length of the rows, coefficients and error: Determinants in dimensions 2 and 3, and the
    arithmetic of the constants for every d and gamma."""
    outcomes = []
    for d in (2, 3):
        M = sympy.Matrix(d, d, lambda i, j: sympy.Symbol(f"m{i}{j}"))
        new = sympy.Matrix(sympy.symbols(f"n0:{d}"))
        changed = M.copy()
        changed[:, 1] = new
        row = (M.adjugate() / M.det())[1, :]
        outcomes += ["search",
                     (f"det M' = (y_i'x) det M, d = {d}",
                         same_fraction(changed.det() * cramer, (row * new)[0] * M.det()))]
    q, gamma = sympy.symbols("q gamma", positive=True)  # q = sqrt(d)
    least, coefficient = text("", after="exceeds"), text(r"|c_i|\le")  # of |y'x| where a column is replaced
    tau = text(r"\tau\le", gamma=gamma, d=q**2) / (1 + s)
    dummy = text("m_i=", {"e_i": 1}, gamma=gamma)
    rows = q * least / dummy  # d coordinates, each of at most this times the length of a dummy column
    short = text(r"\theta^\top x'\le", {r"\theta^\top\hat x": 0, r"\tau": tau}, d=q**2)
    off = text(r"\|\hat x-x\|\le", d=q**2, tau=tau)
    outcomes += [
        ("2^R gamma^d <= 1 gives R <= d log2(1/gamma)", equal(
            text("", after="ends after at most", d=q, gamma=gamma), q * sympy.log(1 / dummy) / sympy.log(least))),
        ("gamma and dummy columns are shorter than 1", exactly([text.range(r"\gamma").low, text.range(r"\gamma").high],
                                                               [0, 1])),
        "rows",
        ("rows: d coordinates of at most 2/gamma", equal(q**2 * (2 / gamma) ** 2, rows**2)),
        "coefficients",
        ("coefficients: 2 + (2 sqrt(d)/gamma) 3 sqrt(d) tau <= 3",
         at_least(coefficient, least + rows * short, s, q, gamma)),
        "error",
        ("error: 3 d sqrt(d) tau + 3 sqrt(d) gamma <= (27/8) sqrt(d) gamma",
         at_least(text(r"\|e\|\le", d=q**2, gamma=gamma), columns * coefficient * q**2 * off + coefficient * q * dummy,
                  s, q, gamma)),
        ("the program searches with this accuracy", equal(tau * (1 + s), gamma / (exchange.ACCURACY * q**2))),
    ]
    return steps(outcomes, "every d, gamma, accuracy of at most gamma/(8d), every set in the unit ball")


@claim("res-robust-spanner", method="stress", arithmetic="float64", covers="random sets and planted errors",
       gap="a sample",
       false={"coefficients of at most 3/2": {"coefficient": 1.5}})
def spanner_under_attack(coefficient=3.0):
    """Random sets, errors that lie against the search: Largest |c_i| over sets whose means are estimated with errors of
    the largest size allowed, towards the row."""
    rng, worst = np.random.default_rng(SEED), 0.0
    for d, flat in ((2, 1.0), (3, 1e-2), (4, 1e-3), (5, 1e-1)):
        for gamma in (1e-1, 1e-3):
            cloud = rng.standard_normal((400, d)) * np.geomspace(1, flat, d)
            cloud /= np.maximum(1, np.linalg.norm(cloud, axis=1))[:, None] * 1.01
            tau = gamma / (exchange.ACCURACY * d)

            def oracle(direction, cloud=cloud, tau=tau):
                scores = cloud @ direction
                chosen = int(np.flatnonzero(scores >= scores.max() - 2 * tau)[0])  # a poor one
                mean = cloud[chosen] - tau * direction  # and it looks worse than it is
                return chosen, mean / max(1.0, np.linalg.norm(mean))

            result = robust_spanner(oracle, d, gamma)
            worst = max(worst, np.abs(np.linalg.solve(result.columns, cloud.T)).max())
    return Evidence(worst, coefficient, "upper", f"8 sets of 400 points, seed {SEED}", tolerance=1e-9)


@claim("res-block-cover",
       false={"total variation nu^2/3": {"half": R(1, 3)},
              "a mass of 1/3 would do": {"mass": R(1, 3)}})
def cover_in_steps(text, half=R(1, 2), mass=1, spanner=printed("res-robust-spanner"),
                   chain=printed("res-design-chain").function(r"\mathbb E_\pi\phi_{h_0+j}\phi_{h_0+j}^\top\preceq",
                                                              r"\mathbb E_D\phi_{h_0+j}\phi_{h_0+j}^\top", "C", "g",
                                                              "j")):
    """From an additive error to a factor: Total variation, absorption by reachability, absorption by the eigenvalue,
    and the sum."""
    d, g, nu2, k = sympy.symbols("d g nu2 k", positive=True)
    g, first = text(r"\phi^\top V_s^+\phi\le", g=g), text.range("j").low
    reached = text(r"\mathbb E(\theta^\top\phi_{h_0})^2\ge", nu=sympy.sqrt(nu2))
    means = text(r"\gamma=", nu=sympy.sqrt(nu2), d=d)
    missed = sympy.sqrt(d) * spanner(r"\|e\|\le", d=d, gamma=means)  # total variation
    largest, spanned = reached + s, spanner(r"|c_i|\le")  # max over policies of theta'Lambda theta

    def factor(j):
        return text(r"\mathbb E_\pi\phi_{h_0+j}\phi_{h_0+j}^\top\preceq", {
            r"\mathbb E_D\phi_{h_0+j}\phi_{h_0+j}^\top": 1}, d=d, g=g, j=j)

    kappa = reached / factor(first)
    return steps([
        "total variation",
        ("total variation: (27/8) d nu^2/(7 d) <= nu^2/2", at_least(half * reached, missed, nu2)),
        ("a spanner without policies would miss all the mass: 27/56 < 1",
         exceeds(mass, missed.subs(nu2, text.range(r"\nu").high ** 2 / (1 + t)), t)),
        "layer of the cover",
        ("theta'Lambda_D theta >= (max - t)/(3 d g) >= max/(6 d g)",
         at_least((largest - reached / (2 * (1 + t))) / (spanned * d * g), largest / factor(0), s, t, nu2, d, g)),
        "least eigenvalue",
        ("so lambda_min >= nu^2/(6 d g)", at_least(largest / factor(0), kappa, s, nu2, d, g)),
        ("the error passed on: (nu^2/2)/kappa = 3 d g", equal(reached / 2 / kappa, spanned * d * g)),
        ("laws behind the first layer: 3 d g + 3 d g", equal(2 * spanned * d * g, factor(0))),
        "later layers",
        ("then designs: 6 d g g^(j-1) g for second moments", equal(chain(1, factor(0), g, k - 1), factor(k))),
    ], "every d, nu, g, every policy, every layer of the block")
