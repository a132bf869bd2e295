"""These checks establish one deployment without reachability, and blocks of L layers, with all constants.

Two choices keep the proofs short. What is deployed dominates every policy by a factor, so the next block inherits no
error. Every planning has trajectories of its own, so nothing has to be uniform over value functions.
"""

from __future__ import annotations

from fractions import Fraction as F

import sympy

from derl.claims import Evidence, check, control, steps
from derl.theory.beyond import exchange
from derl.theory.exact.compared import every
from derl.theory.exact.symbolic import at_least, equal, same_fraction

s, t, u, v = sympy.symbols("s t u v", nonnegative=True)
d, g, H, N, b, delta, epsilon = sympy.symbols("d g H N b delta epsilon", positive=True)
n = sympy.Symbol("n", integer=True, positive=True)  # the number of a layer
C0 = (1 - sympy.log(2)) / 2


@check("res-one-deployment", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Factors, failures, the size and its closed form")
def one_deployment_in_steps(first=1, ridge=2, tails=4, size=1, closed=1, terms=2, squares=2, weight=1,
                            powers=3) -> Evidence:
    """Chain from the first layer, union bound, N against A, and the geometric sum with its remainder."""
    horizon = 1 + s
    level = sympy.log(ridge * d * H / delta) / C0
    A = sympy.Symbol("A", positive=True)
    x, y, m = sympy.symbols("x y m", positive=True)

    def partial(m, power):  # sum of j x^(j-1) for j <= m, with power = x^m
        return (1 - closed * (m + 1) * power + m * power * x) / (1 - x) ** 2

    inside = 1 / (1 + t)
    return steps([
        "factors",
        ("G_h = g^(h-1) g", equal(first * g ** (n - 1) * g, g**n)),
        "failures",
        ("e^(-c_0 lambda) = delta/(2dH)", equal(sympy.exp(-C0 * level), delta / (2 * d * H))),
        ("(H-1) d delta/(2dH) <= delta/2", at_least(delta / 2 * weight, s * d * delta / (ridge * d * horizon), s, d,
                                                    delta)),
        ("(H-1) delta/(4H) <= delta/4", at_least(delta / 4, s * delta / (tails * horizon), s, delta)),
        "loss",
        ("N' >= A/epsilon^2: loss at most epsilon", at_least(epsilon**2, A / (size * A / epsilon**2 + u), A, epsilon,
                                                             u)),
        "closed form",
        ("j^2 <= j^3 for j >= 1", at_least((1 + s) ** powers, (1 + s) ** 2, s)),
        ("the closed form, from m - 1 to m", same_fraction(partial(m, y * x) - partial(m - 1, y), m * y)),
        ("what is missing to (1-x)^-2 is positive", at_least(
            1 / (1 - inside) ** terms, ((1 - (m + 1) * y + m * y * x) / (1 - x) ** 2).subs(x, inside), t, m, y)),
        "two roots",
        ("(y + z)^2 <= 2 y^2 + 2 z^2", at_least(squares * (u + t) ** 2 + squares * u**2, (2 * u + t) ** 2, u, t)),
    ], "every d, H, epsilon, delta, g; every linear MDP with known features and rewards")


control(one_deployment_in_steps, "G_1 = g/2", {"first": F(1, 2)})
control(one_deployment_in_steps, "a ridge with log(dH/delta)", {"ridge": 1})
control(one_deployment_in_steps, "half of the failures of the matrices", {"weight": F(1, 2)})
control(one_deployment_in_steps, "t = log(2H/delta)", {"tails": 2})
control(one_deployment_in_steps, "nine tenths of N", {"size": F(9, 10)})
control(one_deployment_in_steps, "a thousandth less than N", {"size": F(999, 1000)})
control(one_deployment_in_steps, "(1-g^(-1/3))^-3 in place of the sixth power", {"terms": 1})
control(one_deployment_in_steps, "a closed form with half of its second term", {"closed": F(1, 2)})
control(one_deployment_in_steps, "b^2 <= y^2 + z^2", {"squares": 1})
control(one_deployment_in_steps, "j^2 <= j^(3/2)", {"powers": F(3, 2)})


@check("res-blocks-with-covers", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="The factors of a block, and their sum")
def blocks_in_steps(behind=1, first=1, factor=8, blocks=2, geometric=1, least=1, more=1, horizons=2, dims=1,
                    root=1) -> Evidence:
    """kappa^-1 g^j against the maximum, the cost of a block, the geometric sum."""
    kappa, K, M, S, x, y = sympy.symbols("kappa K M S x y", positive=True)
    inside = 1 / (1 + t)
    return steps([
        "first block",
        ("kappa^-1 g^(j-1) g = kappa^-1 g^j", equal(behind * g ** (n - 1) * g / kappa, g**n / kappa)),
        ("kappa^-1 g^j, g^(j+1) <= max g^j: one of them exceeds the other by s", every(
            at_least(least * (g + s) * g**2, g * g**2, g, s), at_least(more * (g + s) * g**2, first * g**3, g, s))),
        "cost of a block",
        ("the cost of a block: 8 d b^2 H^2 M S, cubes of cube roots", equal(
            (((8 * d**dims * b**2 * H**horizons * M * S) ** F(1, 3)) ** 3).subs(S, 1), factor * d * b**2 * H**2 * M)),
        ("(K sqrt(A))^2 = K^2 A", equal((K * sympy.sqrt(M)) ** blocks, K**2 * M)),
        "sum",
        ("sum x^i, i < L, plus what is missing is 1/(1-x)", every(
            same_fraction((1 - y * x) / (1 - x) - (1 - geometric * y) / (1 - x), y),
            at_least(root / (1 - inside), (1 - y) / (1 - inside), t, y))),
    ], "every L, K, g, kappa; every mixture with that eigenvalue")


control(blocks_in_steps, "kappa^(-1)/2 behind the first layer", {"behind": F(1, 2)})
control(blocks_in_steps, "twice g^(j+1) in the first block", {"first": 2})
control(blocks_in_steps, "a cost of 4 d b^2 H^2", {"factor": 4})
control(blocks_in_steps, "a cost of 7.99 d b^2 H^2", {"factor": F(799, 100)})
control(blocks_in_steps, "K in place of K^2", {"blocks": 1})
control(blocks_in_steps, "a geometric sum with half of the last term", {"geometric": F(1, 2)})
control(blocks_in_steps, "nine tenths of the maximum", {"least": F(9, 10)})
control(blocks_in_steps, "half of the maximum in the first block", {"more": F(1, 2)})
control(blocks_in_steps, "H in place of H^2", {"horizons": 1})
control(blocks_in_steps, "d^2 in place of d", {"dims": 2})
control(blocks_in_steps, "nine tenths of the geometric sum", {"root": F(9, 10)})


@check("res-blocks", method="symbolic", arithmetic="exact", covers="everything", gap="none",
       title="Parts, directions, accuracy, failures, sizes")
def spanned_blocks_in_steps(cover=exchange.COVER, spacing=2, count=6, states=2, rounding=F(1, 2), oracle=3, grid=8,
                            matrices=2, phantom=exchange.PHANTOM, accuracy=exchange.ACCURACY, plan=48, search=602112,
                            start=25088) -> Evidence:
    """The arithmetic of the whole theorem, with the constants of the program."""
    q, tau, nu, K, S, M, tt = sympy.symbols("q tau nu K S M t0", positive=True)  # q = sqrt(d), M members of the grid
    size = tau / (spacing * q)
    wide = 1 + s  # 1/spacing is at least 1
    dim, horizon, number = 1 + u, 2 + s, 1 + v
    half = nu**2 / (2 * accuracy * phantom * d**2)
    return steps([
        "parts",
        ("g^(j+1) <= 6 d g^(j+1)", at_least(cover * (1 + u) * g, 6 * g, g, u)),
        "directions",
        ("off by at most sqrt(d) spacing = tau/2", equal(q * size, tau / 2)),
        ("2 floor(1/a) + 1 <= 3/a, and 3/a = 6 sqrt(d)/tau", every(
            at_least(3 * wide, 2 * wide + 1, s), equal(3 / size, count * q / tau))),
        "accuracy",
        ("first states: n_0 x^2/2 = t' at x = tau/2, for values in [-1, 1]",
         equal(states * tt / (tau / 2) ** 2 * (tau / 2) ** 2 / 2, tt)),
        ("sqrt(d) + 2/2 + 2/2 <= 3 sqrt(d)", at_least(oracle * (1 + s), (1 + s) + 2 * F(1, 2) + 2 * rounding, s)),
        ("8 d tau = nu^2/(7d)", equal(8 * d * 2 * half, nu**2 / (7 * d))),
        "failures",
        ("K (H-1) d delta/(2dHK) <= delta/2", at_least(
            delta / 2, number * (1 + s) * d * delta / (matrices * d * horizon * number), s, v, d, delta)),
        ("K H (1+d) M delta/(8 (d+1) H K M) = delta/8", equal(
            K * H * (1 + d) * M * delta / (grid * (d + 1) * H * K * M), delta / 8)),
        ("2 d K M delta/(8 (d+1) H K M) <= delta/8 for H >= 2", at_least(
            delta / 8, 2 * dim * number * M * delta / (grid * (dim + 1) * horizon * number * M), s, u, v, M, delta)),
        "sizes",
        ("the plan: 8 d b^2 H^2 6 d S K^2", equal(8 * d * b**2 * H**2 * cover * d * S * K**2,
                                                  plan * d**2 * b**2 * H**2 * S * K**2)),
        ("a cover: 8 d b^2 6 d S K^2 over (nu^2/(112 d^2))^2", equal(
            8 * d * b**2 * cover * d * S * K**2 / half**2, search * d**6 * b**2 * S * K**2 / nu**4)),
        ("range 2, one error: (2 b)^2 2 d = 8 d b^2", equal((2 * b) ** 2 * 2 * d, 8 * d * b**2)),
        ("first states: 2 t'/(nu^2/(112 d^2))^2", equal(states * tt / half**2, start * d**4 * tt / nu**4)),
    ], "every d, H, L, g, nu, epsilon, delta")


control(spanned_blocks_in_steps, "a cover with a factor 5 d g", {"cover": 5})
control(spanned_blocks_in_steps, "a grid of twice the spacing", {"spacing": 1})
control(spanned_blocks_in_steps, "(5 sqrt(d)/tau)^d directions", {"count": 5})
control(spanned_blocks_in_steps, "t'/(tau/2)^2 first states", {"states": 1})
control(spanned_blocks_in_steps, "directions rounded by tau", {"rounding": 1})
control(spanned_blocks_in_steps, "an oracle within 2 sqrt(d) tau", {"oracle": 2})
control(spanned_blocks_in_steps, "a union over half of the events", {"grid": 4})
control(spanned_blocks_in_steps, "a ridge for half of the matrices", {"matrices": 1})
control(spanned_blocks_in_steps, "gamma = nu^2/(6d)", {"phantom": 6})
control(spanned_blocks_in_steps, "tau = gamma/(4d)", {"accuracy": 4})
control(spanned_blocks_in_steps, "47 in the epsilon-term", {"plan": 47})
control(spanned_blocks_in_steps, "602 111 in the cover", {"search": 602111})
control(spanned_blocks_in_steps, "25 087 for the first states", {"start": 25087})
