"""These checks establish that one deployment needs d^H/epsilon^2 trajectories at most, and where else a d is saved.

The mean of a squared error is the quadratic form of the second moments at the vector of the error. So its bound needs
neither the largest error of a pair nor a trace, and the factor d of the trace disappears.
"""

from __future__ import annotations

from fractions import Fraction as F

import sympy

from derl.claims import claim, printed, steps
from derl.claims.beyond.theorems import ORDER, orders_of_both_terms, same_order
from derl.exact.compared import every
from derl.exact.symbolic import at_least, equal

s, t, u, x = sympy.symbols("s t u x", nonnegative=True)
G, R, b, d, g, n, q, lam, H, N, K, S, delta, epsilon = sympy.symbols(
    "G R b d g n q lambda H N K S delta epsilon", positive=True)


def vector_of_mean_error(text, root, bend, halves, leverage, old, quadratic, tail):
    """The parts "vector", "one law", "covariance" and "designs" of `mean_error_in_steps`."""
    y, z, p = sympy.symbols("y z p", nonnegative=True)
    factor = text(r"\|x\|_\Sigma\le", R=R, b=b)
    return [
        "vector",
        ("lambda^2/(lambda + x) <= lambda per eigenvalue", at_least(lam * root, lam**2 / (lam + x), lam, x)),
        (old.shown("b="), equal(R * old("b=", d=d, t=tail, lambda_=lam),
                                R * sympy.sqrt(d * sympy.log(2) / 2 + tail) + sympy.sqrt(lam) * (R * sympy.sqrt(d)))),
        "one law",
        ("(E|y|)^2 <= E y^2 for values y, y + z with chances 1/(1+p), p/(1+p)", at_least(
            bend * (y**2 + p * (y + z) ** 2) / (1 + p), ((y + p * (y + z)) / (1 + p)) ** 2, y, z, p)),
        "covariance",
        ("x <= (2/n) (lambda + n x)/2 per eigenvalue", at_least(F(halves) / n * (lam + n * x) / 2, x, lam, n, x)),
        ("the event of the regression, and its probability", every(
            equal(*(each(r"\Sigma\succeq", {"I": 1, r"\Lambda": x}, lambda_=lam, n=n) for each in (text, old))),
            equal(1 - text("", after="Both hold with probability at least", d=d, c_0=b, lambda_=lam, t=x),
                  sum(1 - old("", after=words, d=d, c_0=b, lambda_=lam, t=x)
                      for words in ("$ with probability", "and with probability at least"))),
            equal(text(r"\Lambda'\preceq", {r"\Lambda": x}, G=G), G * x),
            equal(text(r"\phi\phi^\top\preceq", {"V_s": x}, g=g), g * x))),
        (text.shown(r"\mathbb E'(\phi^\top x)^2\le"), every(
            equal(factor, R * b), equal(text(r"\mathbb E'(\phi^\top x)^2\le", G=G, R=R, b=b, n=n), G * quadratic))),
        "designs",
        (text.shown(r"\mathbb E_D\max_a(\phi^\top x)^2\le"), equal(
            text(r"\mathbb E_D\max_a(\phi^\top x)^2\le", g=g, R=R, b=b, n=n), leverage * g * quadratic)),
        ("(phi' x)^2 <= |phi|^2_{V^-1} |x|^2_V, as (y1 z1 + y2 z2)^2 <= (y1^2 + y2^2)(z1^2 + z2^2)", at_least(
            leverage * ((1 + s) ** 2 + (1 + t) ** 2) * ((1 + s + u) ** 2 + (1 + t) ** 2),
            ((1 + s) * (1 + s + u) + (1 + t) ** 2) ** 2, s, t, u)),
    ]


def planning_of_mean_error(text, errors, horizon, quadratic):
    """The part "planning" of `mean_error_in_steps`."""
    alpha, T = sympy.symbols("alpha T", positive=True)
    in_layer = {"G_h": G, "n_h": n}
    return [
        "planning",
        ("two errors of range H - h: 2 (H-h) b sqrt(2 G/n)", equal(
            text(r"J(\pi^*)-J(\hat\pi)\le", in_layer, b=b, H=horizon),
            sum(errors * sympy.sqrt(G * quadratic).subs(R, horizon - h) for h in range(1, horizon)))),
        ("one error of range 2 in a single layer: 2 b sqrt(2 G/n)", equal(
            text(r"\mathbb E|\hat V_1(s_1)-V_1(s_1)|\le", in_layer | {r"\ell": horizon}, b=b),
            (horizon - 1) * sympy.sqrt(G * quadratic).subs(R, 2))),
        (text.shown("a_h^2="), equal(text("a_h^2=", {"G_h": G}, b=b, H=H, h=n), (errors * (H - n) * b) ** 2 * 2 * G)),
        ("a/sqrt(n_h) = alpha^2 sqrt(T/N) for a = alpha^3, n_h = N alpha^2/T; their sum is T^(3/2)/sqrt(N)", every(
            equal(sympy.powsimp(alpha**3 / sympy.sqrt(N * alpha**2 / T), force=True),
                  alpha**2 * sympy.sqrt(T) / sympy.sqrt(N)),
            equal(text("A_k=", {r"\sum_{h\in k}a_h^{2/3}": T}), T**3))),
    ]


@claim("res-mean-error",
       false={"half of the bias": {"root": F(1, 2)},
              "half of the mean square": {"bend": F(1, 2)},
              "Lambda <= Sigma/n": {"halves": 1},
              "half of the leverage": {"leverage": F(1, 2)},
              "one error in place of two": {"errors": 1}})
def mean_error_in_steps(text, root=1, bend=1, halves=2, leverage=1, errors=2, old=printed("res-designed-regression")):
    """The vector, one law, the covariance, designs, planning: Each inequality between matrices per eigenvalue; the
    printed bounds against their factors."""
    quadratic = F(halves) / n * (R * b) ** 2  # (2/n) |x|^2 with the printed |x| = R b
    tail, horizon = sympy.Symbol("t0", positive=True), 3
    return steps([*vector_of_mean_error(text, root, bend, halves, leverage, old, quadratic, tail),
                  *planning_of_mean_error(text, errors, horizon, quadratic)],
                 "every d, n, lambda, R, G, g, every law, every number of actions")


@claim("res-two-deployments-mean",
       false={"f twice as large": {"scale": 2},
              "Lambda <= Sigma/n": {"moment": 1},
              "twice the weight of the chain": {"share": 2}})
def two_mean_in_steps(text, scale=1, moment=2, share=1, mean=printed("res-mean-error"),
                      old=printed("res-two-deployments")):
    """The function of states, the chain, the size: f <= 1, nu_h(f), and A_h as the sum of both terms."""
    W, alpha, y = sympy.symbols("W alpha y", positive=True)
    new = text("A_h=", {"W_{h-1}": W}, d=d, alpha=alpha, N=N, lambda_=lam)
    before = old("A_h=", {"W_{h-1}": W}, d=d, alpha=alpha, N=N, lambda_=lam)
    unit = lam / (R * b) ** 2
    nu = unit * mean(r"\mathbb E_D\max_a(\phi^\top x)^2\le", g=d, R=R, b=b, n=N * q) * F(moment, 2)
    return steps([
        "function",
        ("f <= (lambda/(R b)^2) (1/lambda) (R b)^2 = 1", equal(scale * unit / lam * (R * b) ** 2, 1)),
        "chain",
        ("nu_h(f) <= 2 d lambda/(N q)", equal(nu, 2 * d * lam / (N * q))),
        "together",
        ("W (nu + alpha)/unit <= R^2 b^2 A/(N q) as q = 1/(1 + u) <= 1", at_least(
            sympy.simplify(R**2 * b**2 * new / (N * q)).subs(q, 1 / (1 + u)),
            sympy.simplify(share * W * (nu + alpha) / unit).subs(q, 1 / (1 + u)), R, b, W, d, alpha, N, lam, u)),
        "closed forms",
        ("the old number with 2 d for 2 d^2", equal(before - new, W * (2 * d**2 - 2 * d))),
        ("the order: b^2 of order d, and A where alpha N/lambda is of order d and W of order (d-1)^(H-2)", same_order(
            d * new.subs({W: (d - 1) ** (H - 2), alpha: d * lam / N}) / epsilon**2,
            text("N=", ORDER, d=d, H=H, epsilon=epsilon))),
        ("never more than the old one, d = 1 + u", at_least(before.subs(d, 1 + u), new.subs(d, 1 + u), W, alpha, N, lam,
                                                            u)),
    ], "every d, H, N, every policy and target")


@claim("res-blocks-mean",
       false={"a cover with a factor 5 d g": {"cover": 5},
              "an accuracy of nu^2/(100 d^2)": {"accuracy": 100}})
def blocks_mean_in_steps(text, cover=6, accuracy=112, mean=printed("res-mean-error"),
                         given=printed("res-blocks-with-covers"), spanned=printed("res-blocks")):
    """Sizes with given covers and with spanners: The costs of blocks and covers, against the old sizes over d."""
    top, scale, tail, nu = sympy.symbols("M b' t' nu", positive=True)
    maximum = {r"\max\{g,\kappa^{-1}\}": top}
    sizes = {"b": b, "H": H, "K": K, "S": S, "epsilon": epsilon}
    per_block = mean("a_h^2=", {"G_h": 1}, b=b, H=H, h=0)  # 8 b^2 H^2
    first = text(r"N\ge", maximum, after="replaced by", **sizes)
    second = text(r"N\ge", {"b'": scale, "t'": tail}, after="and with spanners", d=d, nu=nu, **sizes)
    before = spanned(r"N\ge", {"b'": scale, "t'": tail}, d=d, nu=nu, **sizes)
    half = nu**2 / (accuracy * d**2)
    return steps([
        "sizes",
        ("K^2 8 b^2 H^2 M S/epsilon^2 + H", equal(first, K**2 * per_block * top * S / epsilon**2 + H)),
        ("1/d of the old size", equal(given(r"N\ge", maximum, d=d, **sizes) - H, d * (first - H))),
        ("plan, covers and first states", equal(second, per_block * cover * d * S * K**2 / epsilon**2 + (K - 1) * (
            per_block.subs({b: scale, H: 1}) * cover * d * S * K**2 + 2 * tail) / half**2 + (H + 1) * K)),
        ("the terms with b are 1/d of the old ones", equal(
            (before - before.subs({b: 0, scale: 0})) / d, second - second.subs({b: 0, scale: 0}))),
        ("the orders at g = d", orders_of_both_terms(text, "that is", after="and with spanners")),
        ("the terms without b are the old ones", equal(before.subs({b: 0, scale: 0}), second.subs({b: 0, scale: 0}))),
    ], "every d, H, L, K, g, nu, epsilon, delta")
