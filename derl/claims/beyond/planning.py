"""These checks establish regression on data of its own, and what planning with it loses.

A value function that is regressed at layer h is made from other trajectories than those of layer h, so it is fixed as
far as their noise is concerned. Symbolic steps take the matrix, the bias and the noise, which is one Gaussian integral.
One instance has a first state that no sample shows.
"""

from __future__ import annotations

from fractions import Fraction as F

import sympy

from derl.claims import Evidence, check, control, steps
from derl.theory.analysis.covers import root_bounds
from derl.theory.exact.compared import every
from derl.theory.exact.logarithms import enclosure
from derl.theory.exact.quotients import remembered
from derl.theory.exact.symbolic import at_least, equal, same_fraction, same_operator

integrate = remembered(sympy.integrate)
s, t, u, v, x = sympy.symbols("s t u v x", nonnegative=True)
lam, n, R, d = sympy.symbols("lambda n R d", positive=True)


@check("res-designed-regression", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Matrix, bias, noise")
def regression_in_steps(chernoff=F(1, 2), pieces=1, ridge=1, bias=1, hoeffding=8, eta=1, integral=F(1, 4), tail=F(1, 2),
                        gram=1, length=1) -> Evidence:
    """The pieces of the Chernoff bound per eigenvalue, the bias as an operator, the exponents of the noise."""
    S = sympy.Symbol("Sigma", commutative=False)
    w, noise = sympy.symbols("w X", commutative=False)
    z = sympy.Symbol("z", real=True)
    density = sympy.exp(-(z**2) / 2) / sympy.sqrt(2 * sympy.pi)
    a = sympy.Symbol("a", positive=True)
    return steps([
        "matrix",
        ("ridge and mean add up to I, per eigenvalue",
         same_fraction(ridge * lam / (lam + n * x) + n * x / (lam + n * x), 1)),
        ("|phi|^2 in M^-1 is at most 1/lambda", at_least(pieces / lam, 1 / (lam + n * x), lam, n, x)),
        ("half the mean: log(e^(-1/2) 2^(1/2)) = -c_0", equal(-F(1, 2) + chernoff * sympy.log(2),
                                                              -(1 - sympy.log(2)) / 2)),
        "bias",
        ("w^ - w = Sigma^-1 X - lambda Sigma^-1 w", same_operator(
            S**-1 * (noise + (S - lam) * w) - w, S**-1 * noise - bias * lam * S**-1 * w)),
        ("lambda |phi| |w| in Sigma^-1 with |w|^2 <= |w|^2/lambda: sqrt(lambda)",
         at_least(length / lam, 1 / (lam + x), lam, x)),
        "noise",
        ("e^(eta |x|^2) = E_G e^(sqrt(2 eta) G x)", equal(integrate(
            sympy.exp(sympy.sqrt(2) * a * z) * density, (z, -sympy.oo, sympy.oo)), sympy.exp(a**2))),
        ("Hoeffding's lemma: 2 eta R^2/8 = 1/4", equal(2 * eta * R**-2 * R**2 / hoeffding, F(1, 4))),
        ("Sigma - lambda <= Sigma per eigenvalue", at_least(gram, x / (lam + x), lam, x)),
        ("E_G e^(G^2/4) = sqrt(2)", equal(integrate(
            sympy.exp(integral * z**2) * density, (z, -sympy.oo, sympy.oo)), sympy.sqrt(2))),
        "together",
        ("Markov: 2^(d/2) e^(-(d/2) log 2 - t) = e^-t", equal(
            sympy.exp(d * sympy.log(2) / 2 - (d * sympy.log(2) * tail + t)), sympy.exp(-t))),
    ], "every d, n, lambda, R, every law of the pairs, every function that is independent of these data")


control(regression_in_steps, "a Chernoff exponent with log 2 in place of half of it", {"chernoff": 1})
control(regression_in_steps, "pieces of at most 1/(2 lambda)", {"pieces": F(1, 2)})
control(regression_in_steps, "a ridge counted twice", {"ridge": 2})
control(regression_in_steps, "no bias", {"bias": 0})
control(regression_in_steps, "half of the bias", {"bias": F(1, 2)})
control(regression_in_steps, "R^2/4 in Hoeffding's lemma in place of R^2/8", {"hoeffding": 4})
control(regression_in_steps, "eta = 2/R^2", {"eta": 2})
control(regression_in_steps, "a Gaussian integral at 1/8", {"integral": F(1, 8)})
control(regression_in_steps, "(d/3) log 2 in place of (d/2) log 2", {"tail": F(1, 3)})
control(regression_in_steps, "Sigma - lambda <= Sigma/2", {"gram": F(1, 2)})
control(regression_in_steps, "a bias of sqrt(lambda/2)", {"length": F(1, 2)})


@check("res-design-planning", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Clipping, the trace, the best shares")
def planning_in_steps(power=2, trace=1, doubled=2, clipped=1, low=-1, high=1, along=1, errors=1) -> Evidence:
    """Per layer, with its error a = alpha^3 and T the sum of alpha^2 over all layers, or per eigenvalue."""
    N, b, G, H, alpha, T = sympy.symbols("N b G H alpha T", positive=True)
    spent = alpha**3 / sympy.sqrt(N * alpha**power / T)  # a/sqrt(n_h) at n_h = N alpha^2/T
    top = sympy.Symbol("c", positive=True)
    e1, r, p, v1, v2, f1, f2 = sympy.symbols("e1 r p v1 v2 f1 f2", real=True)
    estimate = r + along * e1 + p * (v1 + f1) + (1 - p) * (v2 + f2)  # the next states have the errors f1 and f2
    return steps([
        "clip",
        ("clipping: above c only what is above c is lost, below 0 the same", every(
            at_least(clipped * (top + s - (top - top / (1 + t))), top - (top - top / (1 + t)), top, s, t),
            at_least(clipped * (s + t), t, s, t))),
        ("one layer: the error is e_1 plus the mean of the errors of the next states",
         equal(estimate - (r + p * v1 + (1 - p) * v2), e1 + p * f1 + (1 - p) * f2)),
        "one layer",
        ("x/(lambda + n x) <= 1/n per eigenvalue", at_least(trace / n, x / (lam + n * x), lam, n, x)),
        "dividing the batch",
        ("a/sqrt(n_h) = alpha^2 sqrt(T/N), so their sum is T^(3/2)/sqrt(N)",
         equal(sympy.powsimp(spent, force=True), alpha**2 * sympy.sqrt(T) / sympy.sqrt(N))),
        ("a^2 = 8 d b^2 (H-h)^2 G", equal((doubled * H * b) ** 2 * 2 * d * G, 8 * d * b**2 * H**2 * G)),
        "reward in one layer",
        ("values in [-1, 1] and one error: 2 b sqrt(2dG/n)",
         equal(errors * (sympy.Integer(high) - low) * b * sympy.sqrt(2 * d * G / n),
               2 * b * sympy.sqrt(2 * d * G / n))),
    ], "every number of layers, every G, N and horizon")


control(planning_in_steps, "shares in proportion to a", {"power": 3})
control(planning_in_steps, "shares in proportion to a^(1/3)", {"power": 1})
control(planning_in_steps, "equal shares", {"power": 0})
control(planning_in_steps, "half of the trace", {"trace": F(1, 2)})
control(planning_in_steps, "one error in place of two", {"doubled": 1})
control(planning_in_steps, "errors halved by clipping", {"clipped": F(1, 2)})
control(planning_in_steps, "values in [0, 1]", {"low": 0})
control(planning_in_steps, "the error of the first layer counted half", {"along": F(1, 2)})
control(planning_in_steps, "two errors", {"errors": 2})
control(planning_in_steps, "values in [-1, 2]", {"high": 2})


@check("res-design-planning", method="exhaustive", arithmetic="exact", covers="one instance", gap="one instance",
       title="A first state that no sample shows")
def rare_first_state(over="mean", rare=F(1, 10**9)) -> Evidence:
    """Probability, from below, that an estimated value leaves its bound; claimed: at most delta = 1/10.

    d = H = 2. The first state is A with probability `rare` and B otherwise, with one action and the features e_1 and
    e_2; the second layer pays 1. One policy exists, so G = 1. Among n = 10^6 first states none is A with probability
    (1 - rare)^n >= 1 - n rare. Then the estimate is 0 at A and n/(lambda + n) at B, and the truth is 1 at both.

    Parameters
    ----------
    over : {"mean", "every"}
        Whether the error is averaged over the first state, or has to be small at every one.
    """
    samples, delta, dim = 10**6, F(1, 10), 2
    half_c = (1 - enclosure(2)[1]) / 2  # c_0, from below
    t = enclosure(4 / delta)[1]
    ridge_weight = enclosure(2 * dim / delta)[1] / half_c
    b = root_bounds(F(dim, 2) * enclosure(2)[1] + t)[1] + root_bounds(ridge_weight * dim)[1]
    bound = 2 * b * root_bounds(F(2 * dim, samples))[1]
    at_a, at_b = F(1), ridge_weight / (ridge_weight + samples)
    error = rare * at_a + (1 - rare) * at_b if over == "mean" else max(at_a, at_b)
    return Evidence(1 - samples * rare if error > bound else F(0), delta, "upper",
                    "d = H = 2, n = 10^6, delta = 1/10, first samples without A",
                    detail=f"error {float(error):.2g}, bound {float(bound):.2g}")


control(rare_first_state, "the bound at every first state", {"over": "every"})
