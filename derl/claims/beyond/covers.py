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
from derl.claims import Evidence, check, control, steps
from derl.theory.beyond import exchange
from derl.theory.exact.symbolic import at_least, equal, exceeds, same_fraction

SEED = 20261122
s, t, u, v, w, x = sympy.symbols("s t u v w x", nonnegative=True)


@check("res-covered-law", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="One unit vector per set, and the example without an eigenvalue")
def law_from_moment(square=2, rate=1, weight=1, best=1, second=1, least=1, ratio=2, power=R(-1, 2)) -> Evidence:
    """u'phi >= (u'phi)^2, averages of two values, the attaining law, and the two laws of the example."""
    y, z = 1 / (1 + s), 1 / (1 + t)  # two values of u'phi in [0, 1]
    p = 1 / (1 + w)
    kappa = 1 / (2 + v)
    root = 1 / (1 + x)  # sqrt(m)
    quadratic = root**2 / root**2 + (1 - root) ** 2 / (1 - root**2)
    return steps([
        "event",
        ("y >= y^2 on [0, 1], averaged", at_least(p * y + (1 - p) * z, p * y**square + (1 - p) * z**square, s, t, w)),
        "measure",
        ("E_pi u'phi <= 1", at_least(best, p * y + weight * (1 - p) * z, s, t, w)),
        ("mu(B) 1 = kappa^-1 mu(B) kappa", equal(kappa**-rate * kappa, 1)),
        "second moments",
        ("(x'phi)^2 <= |x|^2 = kappa^-1 kappa |x|^2", equal(second * kappa**-1 * kappa, 1)),
        "attained",
        ("attained: probabilities kappa and 1 - kappa at e_1 and e_2 have least eigenvalue kappa",
         at_least(1 - kappa, least * kappa, v)),
        "example",
        ("without an eigenvalue: v'Lambda^-1 v = 1 + (1 - q)/(1 + q), q = sqrt(m)",
         same_fraction(quadratic, 1 + (1 - root) / (1 + root))),
        ("second moments: ratio at most 2", at_least(ratio, 1 + (1 - root) / (1 + root), x)),
        ("laws: ratio q/q^2 = m^(-1/2)", equal(root / root**2, (root**2) ** power)),
    ], "every policy, every law with least eigenvalue kappa on the span of what policies reach, every m in (0, 1)")


control(law_from_moment, "y >= 1/y^2", {"square": -2})
control(law_from_moment, "a rate of sqrt(kappa)", {"rate": R(1, 2)})
control(law_from_moment, "a rate of kappa^2", {"rate": 2})
control(law_from_moment, "E u'phi <= 9/10", {"best": R(9, 10)})
control(law_from_moment, "E u'phi <= 1 for a law of mass 2", {"weight": 2, "best": R(999, 1000)})
control(law_from_moment, "second moments: half of kappa^-1", {"second": R(1, 2)})
control(law_from_moment, "attained for twice the least eigenvalue", {"least": 2})
control(law_from_moment, "example: second moments within 19/10", {"ratio": R(19, 10)})
control(law_from_moment, "example: laws within m^(-1/4)", {"power": R(-1, 4)})
control(law_from_moment, "example: laws within m^0", {"power": 0})


@check("res-robust-spanner", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Cramer's rule, the length of the rows, coefficients and error")
def spanner_in_steps(doubled=2, accuracy=exchange.ACCURACY, coefficient=3, error=R(27, 8), rows=2, oracle=3,
                     cramer=1, start=1) -> Evidence:
    """Determinants in dimensions 2 and 3, and the arithmetic of the constants for every d and gamma."""
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
    tau = gamma / (accuracy * q**2 * (1 + s))
    k = sympy.Symbol("k", positive=True)
    more = 1 + t  # |y'x| = 2 (1 + t) where a column is replaced
    outcomes += [
        ("a replacement doubles |det M| at least", at_least(2 * more, doubled, t)),
        ("2^R gamma^d <= 1 gives R <= d log2(1/gamma)", equal(2 ** (k * start) * (2**-k), 1)),
        "rows",
        ("rows: d coordinates of at most 2/gamma", equal(q**2 * (2 / gamma) ** 2, (rows * q / gamma) ** 2)),
        "coefficients",
        ("coefficients: 2 + (2 sqrt(d)/gamma) 3 sqrt(d) tau <= 3",
         at_least(coefficient, 2 + 2 * q / gamma * oracle * q * tau, s, q, gamma)),
        "error",
        ("error: 3 d sqrt(d) tau + 3 sqrt(d) gamma <= (27/8) sqrt(d) gamma",
         at_least(error * q * gamma, 3 * q**2 * q * tau + 3 * q * gamma, s, q, gamma)),
    ]
    return steps(outcomes, "every d, gamma, accuracy of at most gamma/(8d), every set in the unit ball")


control(spanner_in_steps, "every replacement triples the determinant", {"doubled": 3})
control(spanner_in_steps, "means within gamma/(4d), rows as they are: coefficients", {"accuracy": 4})
control(spanner_in_steps, "means within gamma/(5d)", {"accuracy": 5})
control(spanner_in_steps, "coefficients of at most 5/2", {"coefficient": R(5, 2)})
control(spanner_in_steps, "coefficients of at most 2, as without errors", {"coefficient": 2})
control(spanner_in_steps, "error (3 + 1/4) sqrt(d) gamma", {"error": R(13, 4)})
control(spanner_in_steps, "error 3 sqrt(d) gamma", {"error": 3})
control(spanner_in_steps, "rows of length sqrt(d)/gamma", {"rows": 1})
control(spanner_in_steps, "an oracle within 5 sqrt(d) tau", {"oracle": 5})
control(spanner_in_steps, "Cramer's rule with a factor 2", {"cramer": 2})
control(spanner_in_steps, "a replacement makes the volume four times as large", {"start": 2})


@check("res-robust-spanner", method="stress", arithmetic="float64", covers="random sets and planted errors",
       gap="a sample", title="Random sets, errors that lie against the search")
def spanner_under_attack(coefficient=3.0) -> Evidence:
    """Largest |c_i| over sets whose means are estimated with errors of the largest size allowed, towards the row."""
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

            found = robust_spanner(oracle, d, gamma)
            worst = max(worst, np.abs(np.linalg.solve(found.columns, cloud.T)).max())
    return Evidence(worst, coefficient, "upper", f"8 sets of 400 points, seed {SEED}", tolerance=1e-9)


control(spanner_under_attack, "coefficients of at most 3/2", {"coefficient": 1.5})


@check("res-block-cover", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="From an additive error to a factor")
def cover_in_steps(phantom=exchange.PHANTOM, error=R(27, 8), half=R(1, 2), factor=exchange.COVER, kappa=exchange.COVER,
                   spanned=3, mass=1, chained=1) -> Evidence:
    """Total variation, absorption by reachability, absorption by the eigenvalue, and the sum."""
    d, g, nu2, C, k = sympy.symbols("d g nu2 C k", positive=True)
    missed = error * d * nu2 / (phantom * d)  # total variation, sqrt(d) times the error of the spanner
    largest = nu2 + s  # max over policies of theta'Lambda theta
    return steps([
        "total variation",
        ("total variation: (27/8) d nu^2/(7 d) <= nu^2/2", at_least(half * nu2, missed, nu2)),
        ("a spanner without policies would miss all the mass: 27/56 < 1",
         exceeds(mass, missed.subs(nu2, 1 / (1 + t)), t)),
        "layer of the cover",
        ("theta'Lambda_D theta >= (max - t)/(3 d g) >= max/(6 d g)",
         at_least((largest - nu2 / (2 * (1 + t))) / (spanned * d * g), largest / (factor * d * g), s, t, nu2, d, g)),
        "least eigenvalue",
        ("so lambda_min >= nu^2/(6 d g)", at_least(largest / (factor * d * g), nu2 / (kappa * d * g), s, nu2, d, g)),
        ("the error passed on: (nu^2/2)/kappa = 3 d g", equal(nu2 / 2 / (nu2 / (kappa * d * g)), 3 * d * g)),
        ("laws behind the first layer: 3 d g + 3 d g", equal(3 * d * g + 3 * d * g, factor * d * g)),
        "later layers",
        ("then designs: 6 d g g^(j-1) g for second moments",
         equal(C * g ** (k - 1) * g * chained, C * g**k)),
    ], "every d, nu, g, every policy, every layer of the block")


control(cover_in_steps, "gamma = nu^2/(6 d)", {"phantom": 6})
control(cover_in_steps, "gamma = nu^2/d", {"phantom": 1})
control(cover_in_steps, "error 4 sqrt(d) gamma", {"error": 4})
control(cover_in_steps, "total variation nu^2/3", {"half": R(1, 3)})
control(cover_in_steps, "a factor 5 d g", {"factor": 5})
control(cover_in_steps, "a factor 3 d g, as if nothing were missed", {"factor": 3})
control(cover_in_steps, "lambda_min >= nu^2/(3 d g)", {"kappa": 3})
control(cover_in_steps, "spanned with coefficients of at most 4", {"spanned": 4})
control(cover_in_steps, "a mass of 1/3 would do", {"mass": R(1, 3)})
control(cover_in_steps, "one design forgotten in the chain", {"chained": R(1, 2)})
