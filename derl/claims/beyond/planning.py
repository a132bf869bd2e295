"""These checks establish regression on data of its own, and what planning with it loses.

A value function that is regressed at layer h is made from other trajectories than those of layer h, so it is fixed as
far as their noise is concerned. Symbolic steps take the matrix, the bias and the noise, which is one Gaussian integral.
One instance has a first state that no sample shows.
"""

from __future__ import annotations

from fractions import Fraction as F

import sympy

from derl.claims import Evidence, claim, printed, steps
from derl.claims.beyond.hypotheses import hypotheses
from derl.exact.compared import every, exactly
from derl.exact.logarithms import enclosure
from derl.exact.quotients import remembered
from derl.exact.symbolic import at_least, equal, same_fraction, same_operator
from derl.theory.analysis.covers import root_bounds

integrate = remembered(sympy.integrate)
s, t, u, v, x = sympy.symbols("s t u v x", nonnegative=True)
lam, n, R, d = sympy.symbols("lambda n R d", positive=True)


def matrix_of_regression(text, pieces, bias, hoeffding, eta, integral, gram, length):
    """The parts "matrix", "bias", "noise" and "together" of `regression_in_steps`."""
    S, w, noise, rest = sympy.symbols("Sigma w X G", commutative=False)
    z, a, c = sympy.Symbol("z", real=True), *sympy.symbols("a c_0", positive=True)
    density = sympy.exp(-(z**2) / 2) / sympy.sqrt(2 * sympy.pi)
    gathered, least = r"\sum\phi_i\phi_i^\top", text(r"\Sigma\succeq", {"I": 1, r"\Lambda": x}, lambda_=lam, n=n)
    mean = text(r"\Sigma=", {"I": 1, gathered: n * x}, lambda_=lam)
    ridge = text(r"\Sigma=", {"I": 1, gathered: rest}, lambda_=lam) - rest
    targets = noise + (S - ridge) * w  # sum of phi_i V(s_i'), as PV = phi' w
    estimate = text(r"\hat w=", {r"\Sigma^{-1}": S**-1, r"\sum\phi_iV(s_i')": targets})
    half = sympy.cancel(least / mean)
    within, known = (1 - text("", after=words, c_0=c, d=d, lambda_=lam, t=t)
                     for words in ("$ with probability", "and with probability at least"))
    tail = sympy.expand(text("b=", d=d, t=t, lambda_=0) ** 2)
    return [
        "matrix",
        ("ridge and mean add up to I, per eigenvalue", same_fraction(lam / mean + n * x / mean, 1)),
        ("|phi|^2 in M^-1 is at most 1/lambda", at_least(pieces / lam, 1 / mean, lam, n, x)),
        ("half the mean: log(e^(-1/2) 2^(1/2)) = -c_0, for d eigenvalues", every(
            equal(-(1 - half) - half * sympy.log(half), -text("c_0=", numbers=sympy.Rational)),
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
            text(r"|\phi^\top\hat w-(PV)(s,a)|\le", {r"\|\phi\|_{\Sigma^{-1}}": x}, R=R, b=text(
                "b=", d=d, t=t, lambda_=lam)), R * (sympy.sqrt(tail) + sympy.sqrt(lam * d)) * x)),
    ]


@claim("res-designed-regression",
       false={"pieces of at most 1/(2 lambda)": {"pieces": F(1, 2)},
              "half of the bias": {"bias": F(1, 2)},
              "R^2/4 in Hoeffding's lemma in place of R^2/8": {"hoeffding": 4},
              "eta = 2/R^2": {"eta": 2},
              "a Gaussian integral at 1/8": {"integral": F(1, 8)},
              "Sigma - lambda <= Sigma/2": {"gram": F(1, 2)},
              "a bias of sqrt(lambda/2)": {"length": F(1, 2)}})
def regression_in_steps(text, pieces=1, bias=1, hoeffding=8, eta=1, integral=F(1, 4), gram=1, length=1):
    """Matrix, bias, noise: The pieces of the Chernoff bound per eigenvalue, the bias as an operator, the exponents of
    the noise."""
    return steps(matrix_of_regression(text, pieces, bias, hoeffding, eta, integral, gram, length),
                 "every d, n, lambda, R, every law of the pairs, every function that is independent of these data")


def clip_of_planning(text, power, trace, doubled, clipped, along, regression, clips, loss, one_error):
    """The parts "clip", "one layer" and "dividing the batch" of `planning_in_steps`."""
    N, b, G, H, alpha, T, c0, top, h, m = sympy.symbols("N b G H alpha T c_0 c h m", positive=True)
    e1, r, p, v1, v2, f1, f2 = sympy.symbols("e1 r p v1 v2 f1 f2", real=True)
    spent = alpha**3 / sympy.sqrt(N * alpha**power / T)  # a/sqrt(n_h) at n_h = N alpha^2/T
    estimate = r + along * e1 + p * (v1 + f1) + (1 - p) * (v2 + f2)  # the next states have the errors f1 and f2
    share = text("", {"G_h": G}, after="in proportion to", H=H, h=h)
    layers = text("A_k=", {r"\sum_{h\in k}": m, "G_h": G}, d=d, b=b, H=H, h=h)  # of a block of m layers that are alike
    in_all, one_more = (text("", after=words, H=H, d=d, c_0=c0, t=t, lambda_=lam) for words in (
        "With probability at least", "one more event of probability"))
    matrix, noise = (1 - regression("", after=words, c_0=c0, d=d, lambda_=lam, t=t)
                     for words in ("$ with probability", "and with probability at least"))
    return [
        "clip",
        hypotheses(text, ("Let rewards be known and lie in",)),
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
            result, sum(doubled * (count - at) * one_error for at in range(1, count)))
            for count, result in loss.items())),
        ("failures of H - 1 layers, and of one more event", every(
            equal(1 - in_all, (H - 1) * (matrix + noise)), equal(one_more, noise))),
        "dividing the batch",
        ("a/sqrt(n_h) = alpha^2 sqrt(T/N), so their sum is T^(3/2)/sqrt(N)",
         equal(sympy.powsimp(spent, force=True), alpha**2 * sympy.sqrt(T) / sympy.sqrt(N))),
        ("a^2 = 8 d b^2 (H-h)^2 G, of which the share is the cube root up to a factor", equal(
            (2 * (H - h) * one_error) ** 2 * n, 8 * d * b**2 * share**3)),
        ("m layers with the same a: sqrt(A/N) = m a/sqrt(N/m)", every(
            equal(layers, m**3 * (2 * (H - h) * one_error) ** 2 * n),
            equal(text("", {r"\sum_k": 1, "A_k": m**3 * top**2}, after="this is at most", N=N),
                  m * top / sympy.sqrt(N / m)))),
    ]


def reward_in_one_layer_of_planning(text, errors, clips, early, one_error):
    """The part "reward in one layer" of `planning_in_steps`."""
    b, G = sympy.symbols("b G", positive=True)
    return [
        "reward in one layer",
        ("values in [-1, 1] and one error: 2 b sqrt(2dG/n)", every(every(equal(
            result, (count - 1) * errors * (clips[1].high - clips[1].low) * one_error)
            for count, result in early.items()), exactly(
                [clips[1].low, clips[1].high], [sign * text(r"\|\theta\|\le") for sign in (-1, 1)]))),
    ]


@claim("res-design-planning",
       false={"shares in proportion to a": {"power": 3},
              "shares in proportion to a^(1/3)": {"power": 1},
              "half of the trace": {"trace": F(1, 2)},
              "one error in place of two": {"doubled": 1},
              "errors halved by clipping": {"clipped": F(1, 2)},
              "the error of the first layer counted half": {"along": F(1, 2)},
              "two errors": {"errors": 2}})
def planning_in_steps(text, power=2, trace=1, doubled=2, clipped=1, along=1, errors=1,
                      regression=printed("res-designed-regression")):
    """Clipping, the trace, the best shares: Per layer, with its error a = alpha^3 and T the sum of alpha^2 over all
    layers, or per eigenvalue."""
    b, G, H, h = sympy.symbols("b G H h", positive=True)
    one_error = b * sympy.sqrt(2 * d * text(r"\mathbb E_\pi\phi_h\phi_h^\top\preceq", {
        r"\mathbb E_{D_h}\phi_h\phi_h^\top": 1 / n}, G_h=G))  # E |phi| in Sigma^-1 is at most the root of 2 d G/n
    letters = {"b": b, "d": d, "G_h": G, "n_h": n}
    loss, early = ({count: text(key, {**letters, letter: count}) for count in (2, 3, 5)} for key, letter in (
        (r"J(\pi^*)-J(\hat\pi)\le", "H"), (r"\mathbb E|\hat V_1(s_1)-V_1(s_1)|\le", "e")))
    clips = [text.interval(after=words, H=H, h=h)
             for words in ("are clipped to", "clip values to")]
    return steps([*clip_of_planning(text, power, trace, doubled, clipped, along, regression, clips, loss, one_error),
                  *reward_in_one_layer_of_planning(text, errors, clips, early, one_error)],
                 "every number of layers, every G, N and horizon")


@claim("res-design-planning", method="exhaustive", covers="one instance", gap="one instance",
       false={"the bound at every first state": {"over": "every"}})
def rare_first_state(over="mean", rare=F(1, 10**9)):
    """A first state that no sample shows: Probability, from below, that an estimated value leaves its bound; claimed:
    at most delta = 1/10.

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
