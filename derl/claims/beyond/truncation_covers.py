"""These checks establish two covers that dominate the truncated laws before a block, given estimates with error E.

With a design every policy is a combination of the listed ones with weights that grow like sqrt(d). A spanner requires
linear optimisation only, and has at most d coefficients of at most 3.
"""

from __future__ import annotations

import sympy
from sympy import Rational as R

from derl.claims import claim, printed, steps
from derl.exact.compared import every, less_than
from derl.exact.symbolic import at_least, equal, same_fraction

s, t, u, v = sympy.symbols("s t u v", nonnegative=True)
tau, H, E, slack, zeta = sympy.symbols("tau H E slack zeta", positive=True)
d = 2 + t


def plane_design():
    """Three actions in the plane with symbolic features and weights: phi (list of 2-vectors), rho, V."""
    phi = [sympy.Matrix(sympy.symbols(f"x{i} y{i}", real=True)) for i in range(3)]
    rho = sympy.symbols("rho0:3", positive=True)
    V = sum((weight * vector * vector.T for weight, vector in zip(rho, phi, strict=True)), sympy.zeros(2, 2))
    return phi, rho, V


@claim("res-design-cover",
       false={"|c| <= r/sqrt 2": {"leverage": R(1, 2)},
              "mass 99/100 tau": {"budget": R(99, 100)},
              "greedy within eta": {"greedy": 1}})
def design_in_steps(text, leverage=1, budget=1, greedy=2, estimates=printed("res-cut-estimates")):
    """Coefficients, roundings, and their sum: (1 + sqrt D) E + 2H eta <= budget tau, with D, E and eta as they are
    printed."""
    phi, rho, gram = plane_design()
    inverse = gram.adjugate() / gram.det()
    squares = sum(weight * (b.T * inverse * phi[0])[0]**2 for weight, b in zip(rho, phi, strict=True))
    r, p, beta = sympy.symbols("r p beta", positive=True)
    root7, inverse2, root32 = R(264576, 100000), R(70711, 100000), R(122475, 100000)  # above their roots
    eta = text(r"\eta=", tau=tau, H=H)
    error = estimates("E=", beta=beta, H=H, tau=tau, kappa=text(r"\kappa=", tau=tau, d=d, beta=beta, H=H))
    share = root7 / 6  # of tau/sqrt d, above E
    return steps([
        "coefficients",
        ("|c|^2 <= (r - u)(r - v) <= r^2 for squared norms of at most r",
         at_least(leverage * r * r, r**4 / ((r + u) * (r + v)), r, u, v)),
        ("sum p_i c_i^2 = e'G^+ G G^+ e = e'G^+ e: three vectors in the plane",
         same_fraction(squares, (phi[0].T * inverse * phi[0])[0])),
        ("(sum p |c|)^2 <= sum p c^2: two values u, v with weights p and 1 - p",
         equal(p * u**2 + (1 - p) * v**2 - (p * u + (1 - p) * v)**2, p * (1 - p) * (u - v)**2)),
        ("D is that leverage, (1 + 1/H) d <= (3/2) d for H >= 2", every(
            at_least(R(3, 2) * d, text("D=", H=2 + s, d=d), t, s),
            equal(text("D=", H=H, d=d), text(r"e_\pi^\top G^+e_\pi\le", H=H, d=d)))),
        "numbers",
        ("E = sqrt 7 beta H kappa sqrt tau = sqrt 7 tau/(6 sqrt d), from above: squares",
         at_least(share**2 * tau**2 / d, sympy.simplify(error**2), tau, t)),
        ("upper bounds of sqrt 7, 1/sqrt 2, sqrt(3/2)",
         every(less_than(7, root7**2), less_than(R(1, 2), inverse2**2), less_than(R(3, 2), root32**2))),
        ("(1/sqrt d + sqrt(3/2)) sqrt 7/6 + 1/7 <= 1, d >= 2",
         at_least(budget * tau, (inverse2 + root32) * share * tau + 2 * H * eta, tau, H)),
        ("1/d <= 1/2", at_least(R(1, 2), 1 / d, t)),
        "any policy",
        ("rounding loses 2 eta in each of at most H - 1 layers, less than 2 H eta",
         at_least(2 * H * eta, 2 * (H - 1) * eta + 0 * tau, H, tau)),
        ("greedy for values eta off: q - 2 eta at least", at_least((u + greedy * eta - eta) - eta, u, u, tau, H)),
    ], scope="all d >= 2, H >= 2, tau")


def dual_vectors_of_spanner(text, basis, misses, norm, model, estimates):
    """The parts "dual vectors", "all policies", "errors" and "exchanges" of `spanner_in_steps`."""
    beta, x, r = sympy.symbols("beta x r", positive=True)
    eta, kappa = text(r"\eta=", tau=tau, d=d, H=H), text(r"\kappa=", tau=tau, d=d, beta=beta, H=H)
    error, root7 = estimates("E=", beta=beta, H=H, tau=tau, kappa=kappa), R(264576, 100000)
    share = root7 / 120  # of tau/d^2, above E
    missed, coefficient = text("m=", H=H, eta=eta, E=E), text("D=", d=d) / d
    limits = [text(key) for key in (r"|u_i^\top\zeta b_j|>", r"|u_i^\top e_\pi|>")]

    def dummy(most):
        return text(r"\zeta=", d=d, m=most)

    def dual(size):  # sup |u' phi| of a dual vector
        return d * basis * limits[0] / size

    return [
        "dual vectors",
        ("d coefficients of at most 2 in a basis, and dummies with coefficients of at most 2", every(
            at_least(basis, model(r"|c_j|\le")), equal(text("c_i=", {"b_i": 1}, zeta=zeta), zeta))),
        ("two policies for each of r dual vectors", equal(text("", after="for one of the", r=r), 2 * r)),
        "all policies",
        ("found at least V^ - 2H eta - 2E, and V^ at least the best less E: slack 2H eta + 3E",
         at_least(missed, 2 * H * eta + misses * E, tau, E, t)),
        ("coefficients: 2 + (4d/dummy) slack = 3", at_least(coefficient, limits[1] + dual(dummy(slack)) * slack)),
        "errors",
        ("E <= dummy: one error of a policy is less than that of a dummy", at_least(dummy(missed), E, t, H, tau, E)),
        ("upper bounds of sqrt 7 and of E, 24/120 + 36 sqrt 7/120 <= 1",
         every(less_than(7, root7**2), at_least((share * tau / d**2)**2, sympy.simplify(error**2), tau, t))),
        ("d coefficients of at most 3, each off by the dummy: 24 d^2 H eta + 36 d^2 E <= tau",
         at_least(tau, coefficient * d * dummy(missed.subs(E, share * tau / d**2)), tau, t)),
        "exchanges",
        ("dummy <= 1 where 3 d dummy <= tau <= 1/3", at_least(1, 1 / (9 * d), t)),
        ("policies at most 4 in each coordinate, dummies at most 1: norms at most 4 sqrt d",
         at_least(norm**2 * d, (2 * basis * sympy.sqrt(d))**2, t)),
        ("an exchange doubles the determinant: at most d log_2(4 sqrt d/dummy) of them", equal(
            text("", after="This ends after at most", d=x**2, zeta=zeta),
            x**2 * sympy.log(2 * basis * x / zeta) / sympy.log(limits[0]))),
    ]


@claim("res-spanner-cover",
       false={"one error of an estimate forgotten in the bound": ({"misses": 4}, "3 E < 4 E"),
              "norms of at most 3 sqrt d": {"norm": 3}})
def spanner_in_steps(text, basis=2, misses=3, norm=4, model=printed("def-cut-model"),
                     estimates=printed("res-cut-estimates")):
    """Dual vectors, what optimisation misses, and the sum: What optimisation misses, the dummies, D and eta as they are
    printed; coefficients in a basis of at most 2."""
    return steps(dual_vectors_of_spanner(text, basis, misses, norm, model, estimates),
                 scope="all d >= 2, H >= 2, tau <= 1/3")
