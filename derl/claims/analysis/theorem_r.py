"""These checks establish what Theorem R and its improvements rest on: matrix Chernoff and the squared reward.

The Chernoff bound is taken step by step, with c_0 = (1 - log 2)/2, and compared with binomial tails. The error of a
covariance in operator norm is tried on random instances and data.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import sympy
from sympy import log

from derl.claims import Evidence, claim, steps
from derl.claims.analysis.steps import iterations, multiple
from derl.estimation.covariance import forward_pass
from derl.estimation.design import fit
from derl.exact.compared import every, exactly
from derl.exact.logarithms import enclosure
from derl.exact.symbolic import at_least, below, equal, nonnegative_from, same_operator
from derl.mdp import instances
from derl.theory.analysis import perturbation

SEED = 20220814
ROUNDING = 1e-8  # relative error granted to float64

s, t, u, v, x = sympy.symbols("s t u v x", nonnegative=True)
c, lam = sympy.symbols("c lam", positive=True)


# --- matrix Chernoff ---------------------------------------------------------------------------------------------

@claim("res-matrix-chernoff", false={"c_0 = 1/4 in the sample size": {"rate": sympy.Rational(1, 4)}})
def chernoff_in_steps(text, rate=None):
    """Exponential moments, convexity, exponents: The exponent of d |E e^{-theta X}|^N e^{theta N/2} at theta R = log 2,
    and the N that makes it delta/(2H)."""
    d, H, N, R, i, delta = sympy.symbols("d H N R i delta", positive=True)
    S, F = sympy.symbols("S F", commutative=False)  # M^{1/2} and sum phi phi^T
    z = sympy.Symbol("z", nonnegative=True)
    chord = 1 - z / 2 - sympy.exp(-z * log(2))  # on [0, 1]; z = x/R
    exponent = N * (log(2) / R / 2) - N / (2 * R)
    stated = text("c_0=", numbers=sympy.Rational)
    letters = {"c_0": stated, "i": i, r"\lambda": lam, "d": d}
    size = text(r"N\ge", letters | {"c_0": stated if rate is None else rate}, H=H, delta=delta)
    failure = 1 - text("", letters | {"e": sympy.E}, after=r"A$ with probability at least", N=N)
    left = text(r"\sum_n\phi_n\phi_n^\top\succeq", {"A": i}, N=N, i=i)  # of N times the mean covariance A/i
    return steps([
        "exponential",
        ("2^{-z} <= 1 - z/2 on [0, 1]: equal at both ends",
         every(exactly(chord.subs(z, 0), 0), equal(chord.subs(z, 1), 0))),
        ("the chord is affine, so its mean is its value at the mean 1: weights u at x and 1 - u at t",
         equal((u * (1 - x / (2 * R)) + (1 - u) * (1 - t / (2 * R))).subs(t, (1 - u * x) / (1 - u)) + 1 / (2 * R), 1)),
        "exponent",
        ("log(1 - y) <= -y, where 1/(1-y) = 1 + s: log(1 + s) >= s/(1 + s)",
         nonnegative_from(log(1 + s) - s / (1 + s), s, 0)),
        ("theta N/2 + N log(1 - 1/(2R)) <= -c_0 N/R", equal(exponent + stated * N / R, 0)),
        "one factor",
        ("one factor: tr(P Q) <= |Q| tr P, eigenvalues v of P, q = |Q|/(1+t) of Q",
         at_least(u * v, u / (1 + t) * v, t, u, v)),
        "plan",
        ("R = i/lam: |M^{-1/2} phi|^2 <= 1/lambda_min(A/i)", at_least(i / lam, i / (lam + s), i, lam, s)),
        "exponent",
        ("d e^{-c_0 N lam/i} = delta/(2H) at the stated N",
         equal(sympy.expand_log(log(failure).subs(N, size) - log(delta / (2 * H)), force=True), 0)),
        "mean",
        ("sum X_n >= (N/2) I, multiplied by M^{1/2} = S from both sides: sum phi phi^T >= (N/2) M",
         same_operator(S * (S**-1 * F * S**-1 - N / 2) * S, F - left * S * S)),
        "exponent",
        ("c_0 > 0", below(log(2), 1)),
    ], scope="all d, H, i, lam, N >= (i/(c_0 lam)) log(2dH/delta); independent phi_n, |phi_n| <= 1")


@claim("res-matrix-chernoff", method="exhaustive", covers="two orthonormal features, N <= 60",
       gap="d = 2, one distribution",
       false={"the exponent times five": {"factor": 5}})
def chernoff_for_two_features(factor=1):
    """Binomial tails: phi = e_1 or e_2 with probability 1/2: P(the rarer one at most N/4 times) against 2 exp(-c_0
    N/2), R = 2."""
    broken = 0
    high = 1 - enclosure(2)[0]  # 1 - log 2 from above: the strongest exponent it could be
    for size in range(1, 61):
        rare = sum(comb(size, k) for k in range(size + 1) if min(k, size - k) * 4 <= size)
        exponent = factor * high * size / 4
        broken += bool(rare) and enclosure(Fraction(rare, 2**size))[1] > enclosure(2)[0] - exponent
    return Evidence(broken, 0, "upper", "N = 1, ..., 60, exact binomial sums")


# --- squared reward and spectral error ---------------------------------------------------------------------------

@claim("res-squared-coverage", false={"i_max = 90 (d/nu^2) log(2/nu)": {"fewer": 10}})
def squared_reward_in_steps(text, fewer=0):
    """Potential, i_max, coverage, blow-up: min over i of the true values is at most 2 d log(1 + i/d)/i <= nu^2/8 at i =
    100 (d/nu^2) log(2/nu); then lam."""
    d, nu = sympy.symbols("d nu", positive=True)
    nu2 = nu**2
    constant = multiple(text(r"i\ge", d=d, nu=nu), d / nu2 * log(2 / nu), "i") - fewer
    factor = 2 / multiple(text("", after="some true value is at most", nu=nu), nu2, "the value")
    threshold = text("", after="Where one of them is at most", nu=nu)
    spread = text(r"\max_\pi\mathbb E_\pi\|\phi\|_{(I+nA)^{-1}}\le", n=x, nu=nu)
    coverage = perturbation.eigenvalue_from_square(nu2, threshold, 2)
    return steps([
        "true values",
        ("the potential constant of 2I is at most 2: 1/4 < log(3/2)",
         below(sympy.Rational(1, 4), log(sympy.Rational(3, 2)))),
        ("log(1 + i/(2d)) <= log(1 + i/d)", at_least(1 + x, 1 + x / 2, x)),
        *iterations(constant, factor, 2),
        "coverage",
        ("a true value at most nu^2/4 gives A >= 2I", exactly(coverage, text(r"A\succeq", {"I": sympy.Integer(1)}))),
        ("then max E|phi|^2_{(I+nA)^{-1}} <= nu^2/(1+2n): e_2 (2+lam)/(1+n lam) at e_2 = nu^2/4, lam = 2",
         equal(threshold * (2 + coverage) / (1 + x * coverage), spread**2)),
    ], scope="all d >= 1, 0 < nu <= 1, all n >= 1/2; exact covariances")


@claim("res-spectral-telescope", method="stress", arithmetic="float64", covers="random instances and data, d up to 4",
       gap="a sample",
       false={"bound scaled by 0.99: two layers and one first state attain it": {"factor": 0.99}})
def random_spectral_errors(factor=1.0):
    """Random data, smallest beta' that fits them: Largest |L^ - L|/(beta' E_pi sum |phi|), beta' the least that
    satisfies the hypothesis; 1 for one layer."""
    worst, runs = 0.0, 0
    for seed, (dim, horizon, size) in enumerate(product((2, 4), (2, 3, 5), (3, 300))):
        mdp = instances.random_simplex(5, 2, dim, horizon, seed)
        rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(2, seed)))
        actions = rng.integers(0, 2, size=(horizon, 5))
        initial = np.eye(5)[0]
        worst, runs = max(worst, _spectral_ratio(mdp, actions, initial, size, rng)), runs + 1
    return Evidence(worst, factor, "upper", f"{runs} instances, horizons 2 to 5, seed {SEED}", ROUNDING)


def _spectral_ratio(mdp, actions, initial, size, rng) -> float:
    states, P = np.arange(mdp.n_states), mdp.transitions()
    designs = [fit(mdp.phi[h], rng.multinomial(size, P[h])) for h in range(mdp.horizon - 1)]
    features = [mdp.phi[h, states, actions[h]] for h in range(mdp.horizon)]
    kernels = [P[h, states, actions[h]] for h in range(mdp.horizon - 1)]
    norms = [design.norms(layer) for design, layer in zip(designs, features, strict=False)]
    reached = [initial]
    for kernel in kernels:
        reached.append(reached[-1] @ kernel)
    predicted = exact = np.einsum("si,sj->sij", features[-1], features[-1])
    scale = 0.0  # beta'
    for h in reversed(range(mdp.horizon - 1)):
        regression = np.einsum("st,tij->sij", features[h] @ designs[h].operator, predicted)
        error = np.abs(np.linalg.eigvalsh(regression - np.einsum("st,tij->sij", kernels[h], predicted))).max(axis=1)
        met = reached[h] > 0
        scale = max(scale, float((error[met] / norms[h][met]).max()))
        predicted, exact = regression, np.einsum("st,tij->sij", kernels[h], exact)
    uncertainty = sum(law @ norm for law, norm in zip(reached, norms, strict=False))
    estimate = forward_pass(features, designs, initial, shifted=False)
    error = np.abs(np.linalg.eigvalsh(estimate - np.einsum("s,sij->ij", initial, exact))).max()
    return float(error / (scale * uncertainty))
