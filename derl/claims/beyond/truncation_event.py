"""These checks establish the event of the theorem without reachability, for a finite list of regressions.

The matrix of a cut and the policies are rounded to a finite list that does not depend on the data, so a union bound is
enough. One linear function of d parameters remains continuous and has a cover.
"""

from __future__ import annotations

import sympy
from sympy import log

from derl.claims import claim, printed, steps
from derl.exact.compared import at_most, every, exactly
from derl.exact.symbolic import at_least, below, equal, nonnegative_from
from derl.printed import BEGINNING

s, t, x, z = sympy.symbols("s t x z", nonnegative=True)
d, H, N, k2, eta, delta = sympy.symbols("d H N k2 eta delta", positive=True)


def matrices_of_regression(text, powers, rho, model):
    """The parts "matrices", "policies", "values", "exponents", "replacement" and "one member" of
    `regression_in_steps`."""
    least = sympy.Rational(text.range("N", after=BEGINNING).low)
    root, kappa = sympy.sqrt(least) + t, sympy.sqrt(k2)
    fine, coarse = text("", after="matrix $A$ of multiples of", kappa=kappa, d=d), model(
        "", after="are multiples of", eta=eta, d=d)
    entries, values = text.interval(after="matrix $A$ of multiples of $\\frac{\\kappa^2}{2d}$ in"), model.interval(
        after="are multiples of $\\frac\\eta{2d}$ in", N=s**2)
    few, fewer = (text.sides(key, d=d, kappa=kappa, eta=eta, N=N) for key in (
        r"\frac{4d}{\kappa^2}\le", r"\frac{8d}\eta\le"))
    return [
        "matrices",
        ("entries less than the mesh apart: matrices at most d meshes apart, half of the level of a cut", equal(
            d * fine, model(r"\phi^\top A_h\phi\le", kappa=kappa) / 2)),
        ("the definition rounds to the same multiples", equal(fine, model(
            "", after="rounded toward 0 to multiples of", kappa=kappa, d=d))),
        ("multiples of the mesh in [-1, 1]", equal((entries.high - entries.low) / fine + 1, 1 + few[0])),
        ("at most 1 + N of them where 4d/kappa^2 = N - t", every(
            at_least(1 + s + t, 1 + s, s, t), equal(few[1], N), equal(fewer[1], N))),
        "policies",
        ("a basis with coefficients of at most 2: d values, each off by eta/(2d)",
         at_least(eta, d * model(r"|c_j|\le") * coarse, eta)),
        ("multiples of eta/(2d) in [-2 sqrt N, 2 sqrt N]", equal(
            (values.high - values.low) / coarse + 1, 1 + fewer[0] * s)),
        ("at most (1+N)^{3/2} of them where 8d/eta <= N, sqrt N >= 4: squares",
         at_least((1 + root**2)**3, (1 + root**3)**2, t)),
        "values",
        ("volumes: (rho + 2)/rho per dimension", equal((1 + 1 / (rho * s) / 2) / (1 / (rho * s) / 2), 1 + 4 * s)),
        ("at most 1 + N for N >= 16", at_least(1 + root**2, 1 + 4 * root, t)),
        "exponents",
        ("exponents: matrices, grid, cover", equal(d * (d + 1) / 2 + 3 * d / 2 + d, d * (d + powers) / 2)),
        "replacement",
        ("two values at most 2/(2 sqrt N) apart, N times: norm 1", equal(sympy.sqrt(s**2 * (2 / (rho * s))**2), 1)),
        "one member",
        ("log det Sigma <= d log(1 + N/d) <= d log(1 + N)", at_least(1 + N, 1 + N / (1 + t), N, t)),
    ]


def all_members_of_regression(text, powers, share):
    """The parts "all members" and "ridge" of `regression_in_steps`."""
    beta = text(r"\beta=", {r"\log(1+N)": x, r"\log\tfrac{4H}\delta": z}, d=d)
    rest = beta.subs({x: 0, z: 0})  # sqrt d for the ridge, and 1 for a replacement
    members = 2 * (1 + N)**(d * (d + powers) / 2)
    each, spread = delta / (share * H * members), 2 * text("|Q|\\le")
    squared = sympy.Integer(spread)**2 / 2 * (d * log(1 + N) / 2 - log(each))
    logs = (text(r"\beta=", d=d, N=N, H=H, delta=delta) - rest)**2
    return [
        "all members",
        ("H layers, all members: probability delta/2 in all", every(
            at_least(delta / 2, H * members * each, delta),
            equal(1 - text("", after="and probability at least", delta=delta), delta / 2))),
        ("range 2: |S|^2 <= 2 (log det/2 + log(1/delta'))",
         equal(sympy.expand(sympy.expand_log(squared, force=True)), sympy.expand(sympy.expand_log(logs, force=True)))),
        "ridge",
        ("the ridge: |int V dmu|_{Sigma^-1} <= |int V dmu| <= sqrt d",
         at_least(sympy.expand((rest - 1)**2), d / (1 + t), d, t)),
        "all members",
        ("beta, with x and z for the logarithms, times the norm", every(
            at_least(sympy.expand((beta - rest)**2), d * (d + 7) * x + 2 * z, d, x, z),
            equal(text("...\\le", {r"\|\phi\|_{\Sigma_h^{-1}}": x}, after="and all these $V$,", beta=eta), eta * x))),
    ]


@claim("res-cut-regression", plants=4,
       false={"(1+N)^{d(d+5)/2} members: the grid of policies forgotten in part":
                  ({"powers": 5}, "d = 1: 1 + 3/2 + 1 is not 3"),
              "a cover of mesh 1/sqrt N, with the same remainder": ({"rho": 1}, "2 is not 1"),
              "failures of delta/(H members)": {"share": 1}})
def regression_in_steps(text, powers=6, rho=2, share=2, model=printed("def-cut-model")):
    """Grids, covers, their logarithms, and the scale: (1+N)^{d(d+powers)/2} the list, 1/(rho sqrt N) the cover; s^2 =
    N. Failure delta/(share H) for each member."""
    return steps([*matrices_of_regression(text, powers, rho, model), *all_members_of_regression(text, powers, share)],
                 scope="all d, H, N >= 16, kappa, eta with 4d/kappa^2 <= N and 8d/eta <= N")


@claim("res-law-uncertainty", plants=3,
       false={"a chord steeper by a hundredth": {
                  "slope": sympy.Rational(101, 100), "constant": sympy.Rational(100, 101)},
              "a chord twice as steep": {"slope": 2, "constant": sympy.Rational(1, 2)},
              "99/100 of y": {"constant": sympy.Rational(99, 100)},
              "y without e/(e-1)": {"constant": 1 - 1 / sympy.E}})
def law_in_steps(text, slope=1, constant=1):
    """Conditional means against variables in [0, 1]: (1 - 1/e) sum E_n X_n <= sum X_n + level, and the potential lemma
    for sum X_n.

    `slope` multiplies 1 - 1/e, `constant` the stated y.
    """
    growth = sympy.Symbol("G", positive=True)  # log(1 + N/d)
    stated = sympy.expand(N * (1 - 1 / sympy.E) * text(
        r"\operatorname{tr}(\Sigma_h^{-1}\Lambda_h)\le y=", {r"\log(1+\frac Nd)": growth}, d=d, N=N, H=1 + t,
        delta=delta, e=sympy.E))
    stated = sympy.simplify(stated)
    result, level = sympy.simplify(sympy.diff(stated, growth) / d), sympy.simplify(stated.subs(growth, 0))
    potential = result if result.is_Rational else sympy.Integer(1)  # a factor that is no number is not enough
    y, potentials = sympy.symbols("y P", positive=True)
    rate = 1 - sympy.exp(-1)
    chord = 1 - slope * rate * z - sympy.exp(-z)  # on [0, 1]
    return steps([
        "exponential",
        ("e^{-z} <= 1 - (1 - 1/e) z on [0, 1]: true at both ends",
         every(exactly(chord.subs(z, 0), 0), equal(chord.subs(z, 1), (1 - slope) * rate), at_most(slope, 1))),
        ("log(1 - y) <= -y, where 1/(1-y) = 1 + s", nonnegative_from(log(1 + s) - s / (1 + s), s, 0)),
        "Markov",
        ("H - 1 layers with exp(-level) each: less than delta/2", at_least(
            1 - text("", after="With probability at least", delta=delta), t * sympy.powsimp(sympy.exp(-level)),
            t, delta)),
        "potential",
        ("the potential constant of I is below 3/2", below(1 / potential, log(2))),
        "trace",
        ("(1 - 1/e) N y = potentials + level at the stated y",
         every(equal(stated, potential * d * growth + level),
               at_least(slope * constant * (potentials + y), potentials + y, potentials, y))),
        ("Sigma_{n-1} <= Sigma_N: tr(Sigma^{-1} Lambda) does not grow, per eigenvalue",
         at_least(y / (1 + s), y / (1 + s + t), y, s, t)),
    ], scope="all d, H, N; independent features, |phi| <= 1")
