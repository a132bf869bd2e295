"""These checks establish one deployment without reachability, and blocks of L layers, with all constants.

Two choices keep the proofs short. What is deployed dominates every policy by a factor, so the next block inherits no
error. Every planning has trajectories of its own, so nothing has to be uniform over value functions.
"""

from __future__ import annotations

from fractions import Fraction as F

import sympy

from derl.claims import claim, printed, steps
from derl.claims.beyond.hypotheses import hypotheses
from derl.exact.compared import every
from derl.exact.symbolic import at_least, equal, same_fraction
from derl.theory.beyond import exchange

s, t, u, v = sympy.symbols("s t u v", nonnegative=True)
d, g, H, N, b, delta, epsilon = sympy.symbols("d g H N b delta epsilon", positive=True)
n = sympy.Symbol("n", integer=True, positive=True)  # the number of a layer
ORDER = {r"\tilde O": lambda inside: inside}  # what an order is of


def same_order(size, order):
    """Whether the quotient of a size and of what it is said to be of the order of is a number."""
    quotient = sympy.sympify(size / order)
    return equal(quotient, quotient.subs(dict.fromkeys(quotient.free_symbols, 1)))


def factors_of_one_deployment(text, first, size, weight, regression, scale):
    """The parts "factors", "failures" and "loss" of `one_deployment_in_steps`."""
    rate, lam, tt, r, A = sympy.symbols("c_0 lambda t0 r A", positive=True)
    horizon, c0 = 1 + s, text("c_0=", numbers=sympy.Rational)
    level, tail = text(r"\lambda=", c_0=rate, d=d, H=horizon, delta=delta), text("t=", H=horizon, delta=delta)
    return [
        "factors",
        hypotheses(text, ("known rewards in",), "policy with probability at least", least=(("H", 2),)),
        ("G_h = g^(h-1) g", equal(first * g ** (n - 1) * g, g**n)),
        "failures",
        ("the constants of the regression", every(
            equal(c0, regression("c_0=", numbers=sympy.Rational)),
            equal(scale, regression("b=", d=d, t=tt, lambda_=lam)))),
        ("matrices: (H-1) d e^(-c_0 lambda) <= delta/2", at_least(
            delta / 2 * weight, s * d * sympy.exp(-rate * level), s, d, delta)),
        ("regressions: (H-1) e^-t <= delta/4", at_least(delta / 4, s * sympy.exp(-tail), s, delta)),
        "loss",
        (text.shown(r"N\ge"), every(equal(
            text(r"N\ge", d=d, b=b, epsilon=epsilon, g=r**3, H=layers),
            sum((8 * d * b**2 * (layers - h) ** 2 * r ** (3 * h)) ** F(1, 3) for h in range(1, layers)) ** 3
            / epsilon**2 + layers) for layers in (2, 3, 4))),
        ("N' >= A/epsilon^2: loss at most epsilon", at_least(epsilon**2, A / (size * A / epsilon**2 + u), A, epsilon,
                                                             u)),
    ]


def closed_form_of_one_deployment(text, closed, terms, powers, scale):
    """The parts "closed form" and "two roots" of `one_deployment_in_steps`."""
    lam, tt, r, x, y, m = sympy.symbols("lambda t0 r x y m", positive=True)
    noise = text("b=", d=d, t=tt, lambda_=sympy.Integer(0))

    def partial(m, power):  # sum of j x^(j-1) for j <= m, with power = x^m
        return (1 - closed * (m + 1) * power + m * power * x) / (1 - x) ** 2

    inside = 1 / (1 + t)
    return [
        "closed form",
        ("j^2 <= j^3 for j >= 1", at_least((1 + s) ** powers, (1 + s) ** 2, s)),
        ("the closed form, from m - 1 to m", same_fraction(partial(m, y * x) - partial(m - 1, y), m * y)),
        ("what is missing to (1-x)^-2 is positive", at_least(
            1 / (1 - inside) ** terms, ((1 - (m + 1) * y + m * y * x) / (1 - x) ** 2).subs(x, inside), t, m, y)),
        ("its cube times g^(H-1), x = g^(-1/3)", equal(
            text("", after="the cube is at most", g=r**3, H=H), (r**3) ** (H - 1) * (1 - 1 / r) ** -6)),
        ("the order of N at g = d: one layer with b^2 of order d, times the power of the cube", same_order(
            (text(r"N\ge", d=d, b=sympy.sqrt(d), epsilon=epsilon, g=1, H=2) - 2) * text(
                "", {"(1-g^{-1/3})^{-6}": 1}, after="the cube is at most", g=d, H=H),
            text("N=", ORDER, d=d, H=H, epsilon=epsilon))),
        "two roots",
        ("(y + z)^2 <= 2 y^2 + 2 z^2", at_least(2 * (u + t) ** 2 + 2 * u**2, (2 * u + t) ** 2, u, t)),
        (text.shown(r"b^2\le"), equal(text(r"b^2\le", d=d, t=tt, lambda_=lam),
                                      2 * noise**2 + 2 * (scale - noise) ** 2)),
    ]


@claim("res-one-deployment", plants=3,
       false={"G_1 = g/2": {"first": F(1, 2)},
              "half of the failures of the matrices": {"weight": F(1, 2)},
              "a thousandth less than N": {"size": F(999, 1000)},
              "(1-g^(-1/3))^-3 in place of the sixth power": {"terms": 1},
              "a closed form with half of its second term": {"closed": F(1, 2)},
              "j^2 <= j^(3/2)": {"powers": F(3, 2)}})
def one_deployment_in_steps(text, first=1, size=1, closed=1, terms=2, weight=1, powers=3,
                            regression=printed("res-designed-regression")):
    """Factors, failures, the size and its closed form: Chain from the first layer, union bound, N against A, and the
    geometric sum with its remainder."""
    lam, tt = sympy.symbols("lambda t0", positive=True)
    scale = text("b=", d=d, t=tt, lambda_=lam)
    return steps([*factors_of_one_deployment(text, first, size, weight, regression, scale),
                  *closed_form_of_one_deployment(text, closed, terms, powers, scale)],
                 "every d, H, epsilon, delta, g; every linear MDP with known features and rewards")


@claim("res-blocks-with-covers", plants=3,
       false={"kappa^(-1)/2 behind the first layer": {"behind": F(1, 2)},
              "twice g^(j+1) in the first block": {"first": 2},
              "K in place of K^2": {"blocks": 1},
              "a geometric sum with half of the last term": {"geometric": F(1, 2)},
              "nine tenths of the maximum": {"least": F(9, 10)},
              "half of the maximum in the first block": {"more": F(1, 2)},
              "nine tenths of the geometric sum": {"root": F(9, 10)}})
def blocks_in_steps(text, behind=1, first=1, blocks=2, geometric=1, least=1, more=1, root=1):
    """The factors of a block, and their sum: kappa^-1 g^j against the maximum, the cost of a block, the geometric
    sum."""
    kappa, K, M, S, x, y = sympy.symbols("kappa K M S x y", positive=True)
    top, r = {r"\max\{g,\kappa^{-1}\}": M}, sympy.Symbol("r", positive=True)  # r is the cube root of g
    size = {"d": d, "b": b, "H": H, "K": K, "S": S, "epsilon": epsilon}
    inside = 1 / (1 + t)
    return steps([
        "first block",
        ("kappa^-1 g^(j-1) g = kappa^-1 g^j", equal(behind * g ** (n - 1) * g / kappa, g**n / kappa)),
        ("kappa^-1 g^j, g^(j+1) <= max g^j: one of them exceeds the other by s", every(
            at_least(least * (g + s) * g**2, g * g**2, g, s), at_least(more * (g + s) * g**2, first * g**3, g, s))),
        "cost of a block",
        ("the cost of a block: 8 d b^2 H^2 M S, with S the cube of the sum of the cube roots of g^j", every(equal(
            text(r"S=", g=r**3, L=sympy.Integer(many)) * 8 * d * b**2 * H**2 * M,
            sum((8 * d * b**2 * H**2 * M) ** F(1, 3) * r**j for j in range(many)) ** 3) for many in (1, 2, 3))),
        ("(K sqrt(A))^2 = K^2 A", equal((K * sympy.sqrt(M)) ** blocks, K**2 * M)),
        ("and H for rounding", equal(text(r"N\ge", top, **size), K**2 * 8 * d * b**2 * H**2 * M * S / epsilon**2 + H)),
        ("the order at g = d, where 1/kappa is the larger: b^2 of order d and S of order d^(L-1)", same_order(
            text(r"N\ge", {r"\max\{g,\kappa^{-1}\}": 1 / kappa}, **size | {"b": sympy.sqrt(d), "S": d ** (n - 1)}) - H,
            text("", ORDER, after="is enough. This is", d=d, L=n, H=H, K=K, kappa=kappa, epsilon=epsilon))),
        ("the maximum, where either is the larger", every(
            equal(text(r"N\ge", g=5, kappa=sympy.Rational(one), **size), text(r"N\ge", top, **size).subs(M, largest))
            for one, largest in ((F(1, 3), 5), (F(1, 7), 7)))),
        "sum",
        ("(1-x)^-3 with x = g^(-1/3)", equal(text(r"S=...\le", g=r**3, L=n), r ** (3 * (n - 1)) / (1 - 1 / r) ** 3)),
        ("sum x^i, i < L, plus what is missing is 1/(1-x)", every(
            same_fraction((1 - y * x) / (1 - x) - (1 - geometric * y) / (1 - x), y),
            at_least(root / (1 - inside), (1 - y) / (1 - inside), t, y))),
    ], "every L, K, g, kappa; every mixture with that eigenvalue")


def orders_of_both_terms(text, words: str, after: str = ""):
    """The terms with epsilon and with nu of the size with spanners, against the two orders after some words."""
    K, nu = sympy.symbols("K nu", positive=True)
    sizes, root = {"d": d, "H": H, "K": K, "S": d**n, "epsilon": epsilon, "nu": nu}, sympy.sqrt(d)
    rest = (H + 1) * K
    main, cover = (text(r"N\ge", {"b'": wide, "t'": 0}, b=scale, after=after, **sizes) - rest
                   for scale, wide in ((root, 0), (0, root)))
    orders = [text("", ORDER, after=words, d=d, L=n, H=H, K=K, epsilon=one, nu=other)
              for one, other in ((epsilon, sympy.oo), (sympy.oo, nu))]
    return every(same_order(main, orders[0]), same_order(cover * K / (K - 1), orders[1]))


def parts_of_spanned_blocks(text, cover, spacing, states, rounding, oracle):
    """The parts "parts", "directions", "accuracy" and "failures" of `spanned_blocks_in_steps`."""
    q, tau, nu, M, tt, rate, lam = sympy.symbols("q tau nu M t0 c_0 lambda", positive=True)
    size = tau / (spacing * q)
    wide = 1 + s  # 1/spacing is at least 1
    dim, horizon, number = 1 + u, 2 + s, text(r"K=\lceil H/L\rceil\ge") - 1 + v
    events = text("t'=", {r"\frac{6\sqrt d}\tau": M ** (1 / dim)}, d=dim, H=horizon, K=number, delta=delta)
    ridge = text(r"\lambda=", c_0=rate, d=d, H=horizon, K=number, delta=delta)
    return [
        "parts",
        ("g^(j+1) <= 6 d g^(j+1)", at_least(cover * (1 + u) * g, 6 * g, g, u)),
        "directions",
        ("off by at most sqrt(d) spacing = tau/2", equal(q * size, tau / 2)),
        ("2 floor(1/a) + 1 <= 3/a, and 3/a = 6 sqrt(d)/tau", every(
            at_least(3 * wide, 2 * wide + 1, s), equal(
            3 / size, sympy.exp(text("t'=", {r"\log\frac{8(d+1)HK}\delta": 0}, d=q**2, tau=tau) / q**2)))),
        "accuracy",
        ("first states: n_0 x^2/2 = t' at x = tau/2, for values in [-1, 1]",
         equal(states * tt / (tau / 2) ** 2 * (tau / 2) ** 2 / 2, tt)),
        ("sqrt(d) + 2/2 + 2/2 <= 3 sqrt(d)", at_least(oracle * (1 + s), (1 + s) + 2 * F(1, 2) + 2 * rounding, s)),
        ("8 d tau = nu^2/(7d)", equal(8 * d * text(r"\tau=", d=d, nu=nu), nu**2 / (7 * d))),
        "failures",
        ("K (H-1) d delta/(2dHK) <= delta/2", at_least(
            delta / 2, number * (1 + s) * d * sympy.exp(-rate * ridge), s, v, d, delta)),
        ("K H (1+d) M delta/(8 (d+1) H K M) = delta/8", at_least(
            delta / 8, number * horizon * (1 + dim) * M * sympy.exp(-events), s, u, v, M, delta)),
        ("2 d K M delta/(8 (d+1) H K M) <= delta/8 for H >= 2", at_least(
            delta / 8, 2 * dim * number * M * sympy.exp(-events), s, u, v, M, delta)),
        ("b' is b at t'", equal(text("b'=", {"t'": tt}, d=d, lambda_=lam), sympy.sqrt(d * sympy.log(2) / 2 + tt)
                                + sympy.sqrt(lam * d))),
    ]


def sizes_of_spanned_blocks(text, cover, spacing, states, phantom, accuracy):
    """The part "sizes" of `spanned_blocks_in_steps`."""
    q, tau, nu, K, S, tt, scale, r = sympy.symbols("q tau nu K S t0 b' r", positive=True)
    sizes = text(r"N\ge", {"b'": scale, "t'": tt}, d=d, b=b, H=H, K=K, S=S, epsilon=epsilon, nu=nu)
    key = r"N\ge"
    half = nu**2 / (2 * accuracy * phantom * d**2)
    return [
        "sizes",
        (f"{text.shown(key)}: the plan 8 d b^2 H^2 6 d S K^2/epsilon^2; K - 1 covers with 8 d b'^2 6 d S K^2 and first "
         "states with 2 t', both over (nu^2/(112 d^2))^2; rounding", equal(
             sizes, 8 * d * b**2 * H**2 * cover * d * S * K**2 / epsilon**2
             + (K - 1) * (8 * d * scale**2 * cover * d * S * K**2 + states * tt) / half**2 + (H + 1) * K)),
        ("the orders at g = d: b^2, b'^2 of order d, S of order d^L, and K for K - 1",
         orders_of_both_terms(text, "This is")),
        (text.shown("S="), every(*(equal(
            text("S=", g=r**3, L=sympy.Integer(many)) * 8 * d * b**2 * H**2 * cover * d,
            sum((8 * d * b**2 * H**2 * cover * d) ** F(1, 3) * r ** (j + 1) for j in range(many)) ** 3)
            for many in (1, 2, 3)), equal(text(r"S=...\le", g=r**3, L=n), (r**n / (1 - 1 / r)) ** 3))),
    ]


@claim("res-blocks", plants=3,
       false={"a cover with a factor 5 d g": {"cover": 5},
              "a grid of twice the spacing": {"spacing": 1},
              "t'/(tau/2)^2 first states": {"states": 1},
              "directions rounded by tau": {"rounding": 1},
              "an oracle within 2 sqrt(d) tau": {"oracle": 2},
              "gamma = nu^2/(6d)": {"phantom": 6},
              "tau = gamma/(4d)": {"accuracy": 4}})
def spanned_blocks_in_steps(text, cover=exchange.COVER, spacing=2, states=2, rounding=F(1, 2), oracle=3,
                            phantom=exchange.PHANTOM, accuracy=exchange.ACCURACY):
    """Parts, directions, accuracy, failures, sizes: The arithmetic of the whole theorem, with the constants of the
    program."""
    return steps([*parts_of_spanned_blocks(text, cover, spacing, states, rounding, oracle),
                  *sizes_of_spanned_blocks(text, cover, spacing, states, phantom, accuracy)],
                 "every d, H, L, g, nu, epsilon, delta")
