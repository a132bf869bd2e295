"""These checks establish Lemmas E.13 and E.14 (domination and blow-up), and from which n on the second one holds.

Symbolic steps work on the eigenvalues of A. Two displays of the printed proofs are refuted with d = 1. The threshold of
n comes from a quadratic polynomial f(q), with e = 1/(2 sqrt(c) q), and is tried just above and just below.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import sympy

from derl.claims import Evidence, claim, printed, steps
from derl.exact.compared import every, exactly
from derl.exact.symbolic import at_least, equal, nonnegative, positive, same_fraction, same_operator
from derl.printed.text import BEGINNING
from derl.theory.analysis import perturbation

SEED = 20220814

s, t, u, v, w, x = sympy.symbols("s t u v w x", nonnegative=True)


@claim("lem-matrix-domination", false={"least n = 1/2": {"less": sympy.Rational(1, 2)}})
def domination_per_eigenvalue(text, less=0):
    """Eigenvalue by eigenvalue: (lam + c)(c + n x) - (lam n + c)(c + x) = c (n - 1)(x - lam), for the eigenvalues x =
    lam + t and n = 1 + s."""
    lam, c = sympy.symbols("lam c", positive=True)
    eigenvalue, n = lam + t, text.range("n").low - less + s
    factor = text(r"\phi^\top(cI+nA)^{-1}\phi\le", {r"\phi^\top(cI+A)^{-1}\phi": 1, r"\lambda": lam}, c=c, n=n)
    slack = factor / (c + eigenvalue) - 1 / (c + n * eigenvalue)
    exact = (lam + c) * (c + n * eigenvalue) - (lam * n + c) * (c + eigenvalue) - c * (n - 1) * (eigenvalue - lam)
    return steps([
        ("1/(c + n x) <= factor/(c + x) for every eigenvalue", nonnegative(slack, lam, c, s, t)),
        ("the difference in closed form", same_operator(exact, 0)),
        ("equality at A = lam I", equal(slack.subs(t, 0), 0)),
    ], scope="all d, all A >= lam I, lam, c > 0, n >= 1; A and I have common eigenvectors")


@claim("ineq-domination-proof", method="exhaustive", refutes=True,
       as_corrected={"the inverse put back": {"exponent": -1}})
def display_without_the_inverse(text, exponent=1):
    """d = 1, A = lam = c = 1/4, n = 9: (c + nA)^{-1} = 2/5 against factor times (c + A), as printed, = 1/10."""
    a = c = Fraction(1, 4)
    letters = {r"\phi^\top(cI+A)\phi": (c + a) ** exponent, r"\lambda": a}
    right = text(r"\phi^\top(cI+nA)^{-1}\phi\le", letters, c=c, n=9)
    return Evidence(1 / (c + 9 * a), 2 * right, "lower", "d = 1, phi = 1, A = lam = c = 1/4, n = 9")


@claim("lem-blow-up", false={"premise e <= nu^2/sqrt c": {"times": 2}, "least n = 1/2": {"less": sympy.Rational(1, 2)}})
def blow_up_for_every_regularisation(text, times=1, less=0):
    """A proof for every c > 0: sigma >= 3c, domination by (1 + 3n)/4, and a polynomial that is not negative; the
    premise is `times` as large."""
    c, e, q = sympy.symbols("c e q", positive=True)
    nu2 = 1 / (1 + w)  # nu^2 <= 1
    nu = sympy.Symbol("nu", positive=True)
    premise = times * text(r"\tilde\epsilon\le", {r"\nu_{\min}": nu, r"\sqrt c": q})  # of e
    root = (premise * q).subs(nu**2, nu2) / (e * (1 + v))  # sqrt c
    sigma = perturbation.eigenvalue_from_norm(nu2, e**2, root**2)
    n = text.range("n").low - less + s
    square = 4 * e**2 / (1 + 3 * n)
    bound = text(r"\max_\pi\mathbb E_\pi\|\phi\|_{(cI+nA)^{-1}}\le", {r"\tilde\epsilon": e, r"\sqrt c": q}, c=c, n=n)
    return steps([
        "direction",
        ("|y| >= y^2 for |y| <= 1", at_least(1 / (1 + t), (1 / (1 + t)) ** 2, t)),
        ("(phi^T u)^2/(c + sigma) <= phi^T (cI+A)^{-1} phi: one term of a sum of squares",
         at_least(t / (c + u) + v / (c + x), t / (c + u), t, u, v, x, c)),
        ("sigma >= nu^4/e^2 - c >= 3c", nonnegative(sympy.simplify((sigma - 3 * root**2) * e**2), v, w)),
        "eigenvalues",
        ("cI + nA >= (1+3n)/4 (cI+A) per eigenvalue 3c + t",
         at_least(c + n * (3 * c + t), (1 + 3 * n) / 4 * (4 * c + t), c, s, t)),
        ("4 e^2/(1+3n) <= printed square, divided by e/q, with q e = 1/2 at most", nonnegative(
            ((bound**2 - square) * q / e).subs(e, 1 / (2 * q * (1 + v))), c, s, v)),
    ], scope="all d, A >= 0, c > 0, n >= 1; every set of distributions with |phi| <= 1")


@claim("ineq-blow-up-proof", method="exhaustive", refutes=True,
       false={"c = 1, where the two agree": {"c": Fraction(1)}})
def proof_ends_above_the_lemma(text, lemma=printed("lem-blow-up"), c=Fraction(1, 4)):
    """c = 1/4, n = 9; 1/5 against 5/37: The last bound of the printed proof, 2/(1+n), against the factor of the lemma,
    (c+1)/(c+n); squares."""
    letters = {r"\tilde\epsilon": sympy.Rational(1, 10), "c": sympy.Rational(c), "n": 9}
    proof, bound = text("", letters, after="The bound"), lemma(
        r"\max_\pi\mathbb E_\pi\|\phi\|_{(cI+nA)^{-1}}\le", letters)
    return Evidence((proof / bound) ** 2, Fraction(37, 25), "identity", f"c = {c}, n = 9, any epsilon~")


# --- which n the lemma allows ------------------------------------------------------------------------------------

def _slack(c, n, q):
    """f(q): nonnegative exactly where e/sqrt(n + c (1-n) e^2) is at most the printed bound at e = 1/(2 sqrt(c) q)."""
    return 4 * n * (c + 1) * q**2 - 2 * (c + n) * q + (c + 1) * (1 - n)


def one_vector_of_blow_up_from_the_threshold(text, lemma):
    """The parts "one vector", "tangent", "policy" and "range" of `blow_up_from_the_threshold`."""
    c, n, k, a, p, q = sympy.symbols("c n k a p q", positive=True)
    e = 1 / (2 * sympy.sqrt(c) * q)
    bound = text(r"\max_\pi\mathbb E_\pi\|\phi\|_{(cI+nA)^{-1}}\le", {r"\tilde\epsilon": x}, c=c, n=n)
    ratio = bound.subs(x, e) ** 2 / lemma(r"\max_\pi\mathbb E_\pi\|\phi\|_{(cI+nA)^{-1}}\le",
                                          {r"\tilde\epsilon": e}, c=c, n=n) ** 2
    g = a / (n + k * a)
    tangent = g.subs(a, p) + sympy.diff(g, a).subs(a, p) * (a - p)
    root = x / sympy.sqrt(n + k * x**2)
    thin = text.range("n", after="suitable")
    return [
        "one vector",
        ("1/(c + n sigma) = g(1/(c + sigma)), k = c (1-n)",
         same_fraction(g.subs({a: 1 / (c + s), k: c * (1 - n)}), 1 / (c + n * s))),
        ("k >= 0 for all n of the text",
         every(nonnegative((c * (1 - thin.high / (1 + s))), c, s), exactly(thin.low, 0))),
        "tangent",
        ("g lies below its tangents",
         same_fraction(tangent, g + n * k * (a - p) ** 2 / (n + k * p) ** 2 / (n + k * a))),
        ("sum of weights Z <= 1: g(p) - [Z g(p) + g'(p) (1-Z) p] = (1-Z) (g(p) - p g'(p)), and g(p) >= p g'(p)",
         nonnegative(sympy.cancel((g - a * sympy.diff(g, a)).subs(a, p)), n, k, p)),
        "policy",
        ("the root of g(x^2) grows and is concave in x",
         every(equal(sympy.diff(root, x) * (n + k * x**2) ** sympy.Rational(3, 2), n),
               equal(sympy.diff(n * (n + k * x**2) ** sympy.Rational(-3, 2), x) * (n + k * x**2)
                     ** sympy.Rational(5, 2) + 3 * n * k * x, 0))),
        ("its value at the printed bound", equal(bound, root.subs(k, c * (1 - n)))),
        "range",
        ("left/right - 1 has the sign of -f(q)",
         same_fraction((1 - ratio) * (c + 1) * (4 * n * q**2 + 1 - n), _slack(c, n, q))),
        ("f grows with n for q >= 1", nonnegative(sympy.diff(_slack(c, n, q), n).subs(q, 1 + t), c, t)),
    ]


def small_regularisation_of_blow_up_from_the_threshold(text, large, threshold):
    """The parts "small regularisation", "large regularisation" and "threshold" of `blow_up_from_the_threshold`."""
    c, n, q, r = sympy.symbols("c n q r", positive=True)
    small = r / (2 * (r - 1))  # q_0 for c <= 3
    upper, lower = text(r"c\le", numbers=sympy.Rational), text(r"c\ge", numbers=sympy.Rational)
    r_to = text("r=", c=upper)  # the largest root for c <= 3
    third = text(r"n\ge", after="so")
    least, below = text(r"n\ge", {"n_0": threshold}, after="holds for all"), text("n<", {"n_0": threshold},
                                                                                after="always enough. For")
    return [
        "small regularisation",
        ("c <= 3: f = 4 n_0 r^2 (q - q_0)^2 at n_0",
         every(same_fraction(_slack(r**2 - 1, least, q), 4 * threshold * r**2 * (q - small) ** 2),
               equal(text("r=", c=r**2 - 1), r))),
        ("q_0 >= 1 for r <= 2, and f(q_0) < 0 below n_0 because f grows strictly there",
         every(nonnegative((small - 1).subs(r, 1 + (r_to - 1) / (1 + t)), t),
               exactly(sympy.cancel(_slack(r**2 - 1, below, small)), 0),
               positive(sympy.diff(_slack(c, n, q), n).subs(q, 1 + t), c, t))),
        "large regularisation",
        ("c >= 3: f(1) = n (3c+1) - (c-1), zero at n_0",
         every(same_operator(_slack(c, n, 1) + c, n * (3 * c + 1) + 1), same_fraction(_slack(c, large, 1), 0))),
        ("c >= 3: f(q) >= f(1) for q >= 1 at n_0", nonnegative(sympy.cancel(
            _slack(c, large, 1 + t).subs(c, lower + s)), s, t)),
        "threshold",
        ("n_0 <= 1/3",
         every(nonnegative(sympy.cancel(third - threshold.subs(r, 1 + (r_to - 1) / (1 + t))), t),
               nonnegative(sympy.cancel(third - large.subs(c, lower + s)), s))),
        ("which is reached at c -> oo", equal(sympy.limit(large, c, sympy.oo), third)),
        ("both n_0 agree at c = 3", equal(threshold.subs(r, r_to), large.subs(c, lower))),
    ]


@claim("res-blow-up-domain", false={"n_0 larger by 1/100": {"more": sympy.Rational(1, 100)}})
def blow_up_from_the_threshold(text, lemma=printed("lem-blow-up"), more=0):
    """A concave function, a tangent, and a quadratic polynomial: The sharp bound for n <= 1 in two tangents; f >= 0
    from n_0 on and f < 0 below, for c <= 3 and c >= 3.

    `more` is added to the printed n_0 for c <= 3.
    """
    c, r = sympy.symbols("c r", positive=True)
    threshold, large = (text("n_0=", after=BEGINNING, skip=skip, r=r, c=c) for skip in (0, 1))
    threshold += more
    return steps([*one_vector_of_blow_up_from_the_threshold(text, lemma),
                  *small_regularisation_of_blow_up_from_the_threshold(text, large, threshold)],
                 scope="all d, A >= 0, c > 0, 0 < n <= 1; below n_0 the bound fails for d = 1")


@claim("res-blow-up-domain", method="exhaustive", covers="d = 1, a grid of c and q", gap="one feature",
       false={"a threshold 1 % lower": {"scale": Fraction(99, 100)}})
def blow_up_near_the_threshold(scale=Fraction(1)):
    """On both sides of the threshold: Counts wrong sides of the lemma, fourth powers, d = 1, phi = 1, at n_0, above it
    and just below it."""
    wrong = tried = 0
    for r in (Fraction(21, 20), Fraction(5, 4), Fraction(3, 2), Fraction(2), Fraction(3), Fraction(10)):
        c, n0 = r**2 - 1, scale * perturbation.blow_up_threshold(r)
        worst_q = max(Fraction(1), r / (2 * (r - 1)))
        grid = [worst_q, *(1 + Fraction(k, 8) for k in range(80))]
        for q, n in product(grid, (n0, (1 + n0) / 2, Fraction(999, 1000) * n0)):
            sigma = 4 * c * q**2 - c
            e_squared, left = 1 / (c + sigma), 1 / (c + n * sigma)
            holds = left**2 <= perturbation.blow_up_printed(c, n, e_squared)
            if n >= n0:
                wrong += not holds
            elif q == worst_q:
                wrong += holds
            tried += 1
    return Evidence(wrong, 0, "upper", f"{tried} cases, c from 41/400 to 99")


@claim("res-blow-up-domain", method="stress", arithmetic="float64", covers="random layers, n <= 1", gap="a sample",
       false={"n^0.9 instead of n": {"power": 0.9}})
def random_layers_thinned(power=1.0):
    """Random layers, thinned out: Largest left/right side of e/sqrt(n + c (1-n) e^2) over random layers with |phi| <=
    1."""
    rng = np.random.default_rng(np.random.SeedSequence(SEED))
    worst = 0.0
    one = perturbation.Layer(np.ones((1, 1, 1)), np.ones(1))
    cases = [(one, np.array([[3.0]]), 0.5)]
    for _ in range(400):
        phi = rng.normal(size=(*rng.integers(1, 5, size=2), rng.integers(1, 6)))
        phi *= rng.uniform(0.05, 1, size=(*phi.shape[:2], 1)) / np.linalg.norm(phi, axis=-1, keepdims=True)
        root = rng.normal(size=(phi.shape[2],) * 2) * 10 ** rng.uniform(-1, 2)
        layer = perturbation.Layer(phi, rng.dirichlet(np.ones(len(phi))))
        cases.append((layer, root @ root.T, 10 ** rng.uniform(-2, 1)))
    for layer, A, c in cases:
        n, identity = float(10 ** rng.uniform(-3, 0)), np.eye(len(A))
        square = perturbation.blow_up_small(c, n**power, layer.uncertainty(c * identity + A) ** 2)
        worst = max(worst, layer.uncertainty(c * identity + n * A) / np.sqrt(square))
    return Evidence(worst, 1.0, "upper", f"{len(cases)} layers, n from 0.001 to 1, seed {SEED}", 1e-8)
