"""These checks establish two covers that dominate the truncated laws before a block, given estimates with error E.

With a design every policy is a combination of the listed ones with weights that grow like sqrt(d). A spanner requires
linear optimisation only, and has at most d coefficients of at most 3.
"""

from __future__ import annotations

import sympy
from sympy import Rational as R

from derl.claims import Evidence, check, control, steps
from derl.claims.beyond.domination import plane_design
from derl.theory.exact.compared import at_most, every, less_than
from derl.theory.exact.symbolic import at_least, equal, same_fraction

s, t, u, v = sympy.symbols("s t u v", nonnegative=True)
tau, H, E, slack, zeta = sympy.symbols("tau H E slack zeta", positive=True)
d = 2 + t


@check("res-design-cover", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Coefficients, roundings, and their sum")
def design_in_steps(cut=6, grid=14, excess=1, leverage=1, budget=1, greedy=2) -> Evidence:
    """kappa = sqrt(tau)/(cut sqrt d beta H), eta = tau/(grid H): (1 + sqrt((1+excess/H)d)) E + 2H eta <= budget tau."""
    phi, rho, gram = plane_design()
    inverse = gram.adjugate() / gram.det()
    squares = sum(weight * (b.T * inverse * phi[0])[0]**2 for weight, b in zip(rho, phi, strict=True))
    r, p = sympy.symbols("r p", positive=True)
    root7, inverse2, root32 = R(264576, 100000), R(70711, 100000), R(122475, 100000)  # above their roots
    eta = tau / (grid * H)
    return steps([
        "coefficients",
        ("|c|^2 <= (r - u)(r - v) <= r^2 for squared norms of at most r",
         at_least(leverage * r * r, r**4 / ((r + u) * (r + v)), r, u, v)),
        ("sum p_i c_i^2 = e'G^+ G G^+ e = e'G^+ e: three vectors in the plane",
         same_fraction(squares, (phi[0].T * inverse * phi[0])[0])),
        ("(sum p |c|)^2 <= sum p c^2: two values u, v with weights p and 1 - p",
         equal(p * u**2 + (1 - p) * v**2 - (p * u + (1 - p) * v)**2, p * (1 - p) * (u - v)**2)),
        ("(1 + 1/H) d <= (3/2) d for H >= 2", at_least(R(3, 2) * d, (1 + excess / (2 + s)) * d, t, s)),
        "numbers",
        ("E = sqrt 7 beta H kappa sqrt tau = sqrt 7 tau/(6 sqrt d): squares",
         equal(7 * tau * tau / (36 * d), (tau / (6 * sympy.sqrt(d)))**2 * 7)),
        ("upper bounds of sqrt 7, 1/sqrt 2, sqrt(3/2)",
         every(less_than(7, root7**2), less_than(R(1, 2), inverse2**2), less_than(R(3, 2), root32**2))),
        ("(1/sqrt d + sqrt(3/2)) sqrt 7/6 + 1/7 <= 1, d >= 2",
         at_most((inverse2 + root32) * root7 / cut + R(2) / grid, budget)),
        ("1/d <= 1/2", at_least(R(1, 2), 1 / d, t)),
        "any policy",
        ("rounding loses 2 eta in each of at most H - 1 layers: 2 H eta = tau/7",
         every(at_least(2 * H * eta, 2 * (H - 1) * eta + 0 * tau, H, tau), equal(2 * H * eta, 2 * tau / grid))),
        ("greedy for values eta off: q - 2 eta at least", at_least((u + greedy * eta - eta) - eta, u, u, tau, H)),
    ], scope="all d >= 2, H >= 2, tau")


control(design_in_steps, "kappa = sqrt(tau)/(5 sqrt d beta H)", {"cut": 5}, witness="1.165 > 1")
control(design_in_steps, "eta = tau/(13 H)", {"grid": 13}, witness="1.0057 > 1")


@check("res-spanner-cover", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Dual vectors, what optimisation misses, and the sum")
def spanner_in_steps(start=4, errors=3, cut=120, grid=120, coefficient=3, dual=4, norm=4) -> Evidence:
    """dummy = start d slack, slack = 2H eta + errors E; kappa = sqrt(tau)/(cut d^2 beta H), eta = tau/(grid d^2 H)."""
    eta = tau / (grid * d**2 * H)
    root7 = R(264576, 100000)
    error = root7 * tau / (cut * d**2)
    missed = 2 * H * eta + errors * E
    return steps([
        "dual vectors",
        ("dual vectors: d coefficients of at most 2, dummies with coefficients of at most 2: 4 d/dummy",
         at_least(dual * d / zeta, d * 2 * (2 / zeta), t, zeta)),
        "all policies",
        ("found at least V^ - 2H eta - 2E, and V^ at least the best less E: slack 2H eta + 3E",
         at_least(missed, 2 * H * eta + E + E + E, tau, E, t)),
        ("coefficients: 2 + (4d/dummy) slack = 3", at_least(coefficient, 2 + dual * d / (start * d * slack) * slack)),
        "errors",
        ("E <= dummy: one error of a policy is less than that of a dummy",
         at_least(4 * d * (2 * H * eta + 3 * E), E, t, H, tau, E)),
        ("d coefficients of at most 3, each off by the dummy: 24 d^2 H eta + 36 d^2 E",
         equal(coefficient * d * start * d * missed, coefficient * start * d**2 * (2 * H * eta + errors * E))),
        ("24/120 + 36 sqrt 7/120 <= 1",
         every(less_than(7, root7**2), at_most(coefficient * start * (R(2) / grid + errors * root7 / cut), 1))),
        ("that is: 24 d^2 H eta + 36 d^2 E <= tau for E <= 2.64576 tau/(120 d^2)",
         at_least(tau, 24 * d**2 * H * eta + 36 * d**2 * error, tau, t)),
        "exchanges",
        ("dummy <= 1 where 3 d dummy <= tau <= 1/3", at_least(1, 1 / (9 * d), t)),
        ("policies at most 4 in each coordinate, dummies at most 1: norms at most 4 sqrt d",
         at_least(norm**2 * d, (4 * sympy.sqrt(d))**2, t)),
        ("an exchange doubles the determinant: at most d log_2(4 sqrt d/dummy) of them",
         equal(2**sympy.log(4 * sympy.sqrt(d) / zeta, 2), 4 * sympy.sqrt(d) / zeta)),
        "errors",
        ("uniform among m <= d policies: 3 m law <= 3 d law", at_least(3 * (s + u), 3 * s, s, u)),
    ], scope="all d >= 2, H >= 2, tau <= 1/3")


control(spanner_in_steps, "the search starts from 2 d slack", {"start": 2}, witness="4 > 3")
control(spanner_in_steps, "one error of an estimate forgotten", {"errors": 2}, witness="2 E < 3 E")
control(spanner_in_steps, "kappa = sqrt(tau)/(110 d^2 beta H)", {"cut": 110}, witness="1.066 > 1")
