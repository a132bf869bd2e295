"""These checks establish regression on data of its own, and what planning with it loses.

A value function that is regressed at layer h is made from other trajectories than those of layer h, so it is fixed as
far as their noise is concerned. Symbolic steps take the matrix, the bias and the noise, which is one Gaussian integral.
One instance has a first state that no sample shows.
"""

from __future__ import annotations

from fractions import Fraction as F

import sympy

from derl.claims import Evidence, check, control, printed, steps
from derl.claims.beyond.hypotheses import hypotheses
from derl.theory.analysis.covers import root_bounds
from derl.theory.exact.compared import every, exactly
from derl.theory.exact.logarithms import enclosure
from derl.theory.exact.quotients import remembered
from derl.theory.exact.symbolic import at_least, equal, same_fraction, same_operator

integrate = remembered(sympy.integrate)
s, t, u, v, x = sympy.symbols("s t u v x", nonnegative=True)
lam, n, R, d = sympy.symbols("lambda n R d", positive=True)


@check("res-designed-regression", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Matrix, bias, noise")
def regression_in_steps(pieces=1, bias=1, hoeffding=8, eta=1, integral=F(1, 4), gram=1, length=1,
                        said=printed("res-designed-regression", says=["independent draws", "before", "independent of",
                                                                      r"at least $1-d\,e^{-c_0\lambda}$",
                                                                      "for all"])) -> Evidence:
    """The pieces of the Chernoff bound per eigenvalue, the bias as an operator, the exponents of the noise."""
    S = sympy.Symbol("Sigma", commutative=False)
    w, noise, rest = sympy.symbols("w X G", commutative=False)
    z, a, c = sympy.Symbol("z", real=True), *sympy.symbols("a c_0", positive=True)
    density = sympy.exp(-(z**2) / 2) / sympy.sqrt(2 * sympy.pi)
    gathered, least = r"\sum\phi_i\phi_i^\top", said(r"\Sigma\succeq", {"I": 1, r"\Lambda": x}, lambda_=lam, n=n)
    mean = said(r"\Sigma=", {"I": 1, gathered: n * x}, lambda_=lam)
    ridge = said(r"\Sigma=", {"I": 1, gathered: rest}, lambda_=lam) - rest
    targets = noise + (S - ridge) * w  # sum of phi_i V(s_i'), as PV = phi' w
    estimate = said(r"\hat w=", {r"\Sigma^{-1}": S**-1, r"\sum\phi_iV(s_i')": targets})
    half = sympy.cancel(least / mean)
    within, known = (1 - said("", after=words, c_0=c, d=d, lambda_=lam, t=t)
                     for words in ("$ with probability", "and with probability at least"))
    tail = sympy.expand(said("b=", d=d, t=t, lambda_=0) ** 2)
    return steps([
        "matrix",
        ("ridge and mean add up to I, per eigenvalue", same_fraction(lam / mean + n * x / mean, 1)),
        ("|phi|^2 in M^-1 is at most 1/lambda", at_least(pieces / lam, 1 / mean, lam, n, x)),
        ("half the mean: log(e^(-1/2) 2^(1/2)) = -c_0, for d eigenvalues", every(
            equal(-(1 - half) - half * sympy.log(half), -said("c_0=", numbers=sympy.Rational)),
            equal(within, d * sympy.exp(-c * lam)))),
        "bias",
        ("w^ - w = Sigma^-1 X - lambda Sigma^-1 w",
         same_operator(estimate - w, S**-1 * noise - bias * lam * S**-1 * w)),
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
        ("Markov: 2^(d/2) e^(-(d/2) log 2 - t) = e^-t", equal(sympy.exp(d * sympy.log(2) / 2 - tail), known)),
        ("R b is the root of this, times R, plus R sqrt(lambda d)", equal(
            said(r"|\phi^\top\hat w-(PV)(s,a)|\le", {r"\|\phi\|_{\Sigma^{-1}}": x}, R=R, b=said(
                "b=", d=d, t=t, lambda_=lam)), R * (sympy.sqrt(tail) + sympy.sqrt(lam * d)) * x)),
    ], "every d, n, lambda, R, every law of the pairs, every function that is independent of these data")


control(regression_in_steps, "pieces of at most 1/(2 lambda)", {"pieces": F(1, 2)})
control(regression_in_steps, "no bias", {"bias": 0})
control(regression_in_steps, "half of the bias", {"bias": F(1, 2)})
control(regression_in_steps, "R^2/4 in Hoeffding's lemma in place of R^2/8", {"hoeffding": 4})
control(regression_in_steps, "eta = 2/R^2", {"eta": 2})
control(regression_in_steps, "a Gaussian integral at 1/8", {"integral": F(1, 8)})
control(regression_in_steps, "Sigma - lambda <= Sigma/2", {"gram": F(1, 2)})
control(regression_in_steps, "a bias of sqrt(lambda/2)", {"length": F(1, 2)})


@check("res-design-planning", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Clipping, the trace, the best shares")
def planning_in_steps(power=2, trace=1, doubled=2, clipped=1, along=1, errors=1,
                      said=printed("res-design-planning", says=["For each", "all", "independent", "for every",
                                                                "the first", "any", "after", "given first"]),
                      regression=printed("res-designed-regression")) -> Evidence:
    """Per layer, with its error a = alpha^3 and T the sum of alpha^2 over all layers, or per eigenvalue."""
    N, b, G, H, alpha, T, c0 = sympy.symbols("N b G H alpha T c_0", positive=True)
    spent = alpha**3 / sympy.sqrt(N * alpha**power / T)  # a/sqrt(n_h) at n_h = N alpha^2/T
    top, h, m = sympy.symbols("c h m", positive=True)
    e1, r, p, v1, v2, f1, f2 = sympy.symbols("e1 r p v1 v2 f1 f2", real=True)
    estimate = r + along * e1 + p * (v1 + f1) + (1 - p) * (v2 + f2)  # the next states have the errors f1 and f2
    one_error = b * sympy.sqrt(2 * d * said(r"\mathbb E_\pi\phi_h\phi_h^\top\preceq", {
        r"\mathbb E_{D_h}\phi_h\phi_h^\top": 1 / n}, G_h=G))  # E |phi| in Sigma^-1 is at most the root of 2 d G/n
    letters = {"b": b, "d": d, "G_h": G, "n_h": n}
    loss, early = ({count: said(key, {**letters, letter: count}) for count in (2, 3, 5)} for key, letter in (
        (r"J(\pi^*)-J(\hat\pi)\le", "H"), (r"\mathbb E|\hat V_1(s_1)-V_1(s_1)|\le", "e")))
    clips = [said.interval(after=words, H=H, h=h)
             for words in ("are clipped to", "clip values to")]
    share = said("", {"G_h": G}, after="in proportion to", H=H, h=h)
    layers = said("A_k=", {r"\sum_{h\in k}": m, "G_h": G}, d=d, b=b, H=H, h=h)  # of a block of m layers that are alike
    in_all, one_more = (said("", after=words, H=H, d=d, c_0=c0, t=t, lambda_=lam) for words in (
        "With probability at least", "one more event of probability"))
    matrix, noise = (1 - regression("", after=words, c_0=c0, d=d, lambda_=lam, t=t)
                     for words in ("$ with probability", "and with probability at least"))
    return steps([
        "clip",
        hypotheses(said, ("Let rewards be known and lie in",)),
        ("clipping: above c only what is above c is lost, below 0 the same", every(
            at_least(clipped * (top + s - (top - top / (1 + t))), top - (top - top / (1 + t)), top, s, t),
            at_least(clipped * (s + t), t, s, t))),
        ("one layer: the error is e_1 plus the mean of the errors of the next states",
         equal(estimate - (r + p * v1 + (1 - p) * v2), e1 + p * f1 + (1 - p) * f2)),
        ("the range of layer h + 1 has the length H - h", equal(
            (clips[0].high - clips[0].low).subs(h, h + 1), H - h)),
        "one layer",
        ("x/(lambda + n x) <= 1/n per eigenvalue", at_least(trace / n, x / (lam + n * x), lam, n, x)),
        ("two errors in every layer", every(equal(
            found, sum(doubled * (count - at) * one_error for at in range(1, count)))
            for count, found in loss.items())),
        ("failures of H - 1 layers, and of one more event", every(
            equal(1 - in_all, (H - 1) * (matrix + noise)), equal(one_more, noise))),
        "dividing the batch",
        ("a/sqrt(n_h) = alpha^2 sqrt(T/N), so their sum is T^(3/2)/sqrt(N)",
         equal(sympy.powsimp(spent, force=True), alpha**2 * sympy.sqrt(T) / sympy.sqrt(N))),
        ("a^2 = 8 d b^2 (H-h)^2 G, of which the share is the cube root up to a factor", equal(
            (2 * (H - h) * one_error) ** 2 * n, 8 * d * b**2 * share**3)),
        ("m layers with the same a: sqrt(A/N) = m a/sqrt(N/m)", every(
            equal(layers, m**3 * (2 * (H - h) * one_error) ** 2 * n),
            equal(said("", {r"\sum_k": 1, "A_k": m**3 * top**2}, after="this is at most", N=N),
                  m * top / sympy.sqrt(N / m)))),
        "reward in one layer",
        ("values in [-1, 1] and one error: 2 b sqrt(2dG/n)", every(every(equal(
            found, (count - 1) * errors * (clips[1].high - clips[1].low) * one_error)
            for count, found in early.items()), exactly(
                [clips[1].low, clips[1].high], [sign * said(r"\|\theta\|\le") for sign in (-1, 1)]))),
    ], "every number of layers, every G, N and horizon")


control(planning_in_steps, "shares in proportion to a", {"power": 3})
control(planning_in_steps, "shares in proportion to a^(1/3)", {"power": 1})
control(planning_in_steps, "equal shares", {"power": 0})
control(planning_in_steps, "half of the trace", {"trace": F(1, 2)})
control(planning_in_steps, "one error in place of two", {"doubled": 1})
control(planning_in_steps, "errors halved by clipping", {"clipped": F(1, 2)})
control(planning_in_steps, "the error of the first layer counted half", {"along": F(1, 2)})
control(planning_in_steps, "two errors", {"errors": 2})


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
