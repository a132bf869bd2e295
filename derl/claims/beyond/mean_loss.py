"""These checks establish the mean error of a ridge regression and the mean loss of one deployment, without a logarithm.

One more pair stands in for the law: the mean over a fresh pair is the mean over a pair of an exchangeable sample.
"""

from __future__ import annotations

from fractions import Fraction as F
from functools import cache
from itertools import combinations_with_replacement
from math import factorial

import sympy

from derl.claims import claim, printed, steps
from derl.claims.beyond.hypotheses import hypotheses
from derl.exact.compared import at_most, every, exactly
from derl.exact.symbolic import at_least, equal, same_fraction

s, t, u, v, q = sympy.symbols("s t u v q", nonnegative=True)
R, d, g, n, N, epsilon = sympy.symbols("R d g n N epsilon", positive=True)
# features with their laws, the vector w in units of R/2 times sqrt(d), and the largest sample that is enumerated
LAWS = (
    ("one feature", ((1,),), (1,), (1,), 6),
    ("a short and a long feature", ((1,), (F(1, 3),)), (F(1, 4), F(3, 4)), (1,), 5),
    ("an axis that is rare", ((1, 0), (0, 1)), (F(1, 8), F(7, 8)), (1, 0), 5),
    ("an axis with half of the mass", ((1, 0), (0, 1)), (F(1, 2), F(1, 2)), (F(3, 5), F(4, 5)), 5),
    ("three directions in the plane", ((1, 0), (F(3, 5), F(4, 5)), (F(-4, 5), F(3, 5))), (F(1, 2), F(1, 4), F(1, 4)),
     (F(4, 5), F(-3, 5)), 4),
    ("three axes", ((1, 0, 0), (0, 1, 0), (0, 0, 1)), (F(1, 2), F(1, 3), F(1, 6)), (0, 0, 1), 4),
)


@claim("res-ridge-mean",
       false={"half of q/(1+q)": {"square": F(1, 2)},
              "half of the trace": {"fresh": F(1, 2)},
              "(1 + q)^2 <= 9/4": {"twice": F(3, 2)},
              "(s-1)/s^2 <= 1/5": {"quarter": 5}})
def ridge_in_steps(text, square=1, fresh=1, twice=2, quarter=4):
    """Two parts, the noise, one more pair, the bias: Each computation for numbers or per eigenvalue; both printed
    bounds from their parts."""
    size, a = sympy.symbols("w a", positive=True)
    first, second = (text(r"...\le", {r"\|w\|": size}, after="Then", skip=at, R=R, d=d, n=n) for at in (0, 1))
    y = text(r"y\le", R=R)
    return steps([
        "two parts",
        ("S^-1 (S - 1) w - w = -S^-1 w per eigenvalue S = 1 + s", equal(s / (1 + s) - 1, -1 / (1 + s))),
        ("the variance of a number in [0, R] with the mean v: at most v (R - v) = R^2/4 - (R/2 - v)^2", equal(
            v * (y - v), R**2 / 4 - (R / 2 - v) ** 2)),
        "noise",
        ("(s-1)/s^2 = 1/s - 1/s^2 per eigenvalue", equal((s - 1) / s**2, 1 / s - 1 / s**2)),
        ("q - q^2 <= q/(1 + q)", at_least(square * q / (1 + q), q - q**2, q)),
        "one more pair",
        ("Sherman-Morrison: q - q^2/(1 + q) = q/(1 + q)", equal(q - q**2 / (1 + q), q / (1 + q))),
        ("each of d eigenvalues (s-1)/s is at most 1, s = 1 + t", at_least(fresh, t / (1 + t), t)),
        "bias",
        ("S_n^-1 phi = (1 + q) S_(n+1)^-1 phi: 1 - q/(1+q) = 1/(1+q)", equal(1 - q / (1 + q), 1 / (1 + q))),
        ("(1 + q)^2 <= 4 for q = 1/(1+u) <= 1", at_least(F(twice) ** 2, (1 + 1 / (1 + u)) ** 2, u)),
        ("(s-1)/s^2 = 1/4 - (1/s - 1/2)^2 for s = 1 + t", equal(
            t / (1 + t) ** 2, F(1, quarter) - (1 / (1 + t) - F(1, 2)) ** 2)),
        "together",
        (text.shown(r"\mathbb E\,x^\top\Lambda x\le"), equal(first, R**2 / 4 * d / (n + 1) + size**2 / (n + 1))),
        ("the second bound at the largest |w|", equal(second, first.subs(
            size, text(r"\|w\|\le", R=R, d=d)))),
        ("and the first increases with |w|", at_least(first.subs(size, size + a), first, size, a, R, d, n)),
        ("n = 0 is allowed", exactly(text.range("n").low, 0)),
        "linear MDP",
        ("values between -R/2 and R/2, times sqrt(d)", equal(text(r"\|w\|\le", R=R, d=d), R / 2 * sympy.sqrt(d))),
    ], "every d, n >= 0, R, w and every law")


@claim("res-ridge-mean", method="exhaustive", covers=f"{len(LAWS)} laws, all samples of up to 6",
       gap="small laws; targets that are 0 or R",
       false={"nine twentieths of the bounds": {"share": F(9, 20)},
              "a ridge of 10": {"ridge": 10}})
def ridge_in_small_laws(text, share=1, ridge=1):
    """The mean error of all samples, enumerated: E x' Lambda x at R = 2 with targets 0 and 2, against both printed
    bounds."""
    found = []
    for name, features, law, direction, largest in LAWS:
        dim = len(features[0])
        w = tuple(sympy.sqrt(dim) * one for one in direction)
        scale = max(1, *(abs(sum(a * b for a, b in zip(phi, w, strict=True))) for phi in features))
        w = tuple(one / scale for one in w)
        length = sympy.sqrt(sum(one**2 for one in w))
        for size in range(largest + 1):
            error = mean_error(features, law, w, size, ridge)
            at = {"R": 2, "d": dim, "n": size}
            bounds = [share * text(r"...\le", {r"\|w\|": length}, after="Then", skip=skip, **at) for skip in (0, 1)]
            found.append((f"{name}, n = {size}", every(at_most(error, bounds[0]), at_most(bounds[0], bounds[1]))))
    return steps(found, "exact; all samples with their probabilities")


@cache
def mean_error(features, law, w, size: int, ridge: int) -> sympy.Expr:
    """E x' Lambda x over all samples of a size; targets are 0 or 2, so xi has the variance 1 - (phi'w)^2."""
    columns = [sympy.Matrix(phi) for phi in features]
    w, dim, total = sympy.Matrix(w), len(features[0]), sympy.Integer(0)
    second = sum((p * phi * phi.T for p, phi in zip(law, columns, strict=True)), sympy.zeros(dim))
    for sample in combinations_with_replacement(range(len(law)), size):
        chance = sympy.Integer(factorial(size))
        for at in set(sample):
            chance *= sympy.Rational(law[at]) ** sample.count(at) / factorial(sample.count(at))
        inverse = (ridge * sympy.eye(dim) + sum((columns[at] * columns[at].T for at in sample), sympy.zeros(dim))).inv()
        bias = ridge * inverse * w
        error = (bias.T * second * bias)[0]
        for at in sample:
            part = inverse * columns[at]
            error += (part.T * second * part)[0] * (1 - (columns[at].T * w)[0] ** 2)
        total += chance * error
    return sympy.nsimplify(sympy.simplify(total))


def closed_form(text, power, where) -> list:
    """The sum over the layers, and N from it."""
    r, m, y, H = sympy.symbols("r m y H", positive=True)
    z = 1 / (1 + t)
    return [
        ("the sum of z^(j-1) up to j = m, with y = z^m: at most 1/(1-z)", at_least(
            1 / (1 - z), (1 - y) / (1 - z), t, y)),
        ("the sum of j z^(j-1): its closed form from m - 1 to m, and at most (1-z)^-2", every(
            same_fraction(_partial(m, y * v, v) - _partial(m - 1, y, v), m * y),
            at_least(1 / (1 - z) ** 2, _partial(m, y, z), t, m, y))),
        (text.shown("", after="the cube is at most"), equal(
            text("", after="the cube is at most", g=r**3, H=H),
            (r**3) ** (H - 1) * ((1 - 1 / r) ** (-F(4, 3) - F(1, 3))) ** sympy.Rational(3 * power, 5))),
        (text.shown(r"N\ge", after=where), equal(
            text(r"N\ge", after=where, d=r**3, H=H, epsilon=epsilon),
            2 * r**3 * text("", after="the cube is at most", g=r**3, H=H) / epsilon**2)),
    ]


@claim("res-one-deployment-mean",
       false={"one error in place of two": {"errors": 1},
              "nine tenths of N": {"size": F(9, 10)},
              "a power of 4 in the closed form": {"power": 4},
              "1/7 in place of 1/8": {"small": 7}})
def mean_in_steps(text, errors=2, size=1, power=5, small=8, ridge=printed("res-ridge-mean"),
                  lower=printed("res-one-deployment-lower")):
    """One layer, the loss, the size, its closed form, the lower half: The constants of the regression, the division of
    N, and both halves."""
    r, a, m, b, H, k = sympy.symbols("r a m b H k", positive=True)
    second = ridge(r"...\le", after="Then", skip=1, R=R, d=d, n=n)
    layer = sympy.sqrt(g * second)
    both = errors * layer  # of range R, with g for g^h
    cube = lambda many: sum(((many - h) ** 2 * r ** (3 * h)) ** F(1, 3) for h in range(1, many)) ** 3  # noqa: E731
    loss, share = lower("", after="loses at least", b=b, m=m), sympy.Rational(1, 4) / (1 + u)
    return steps([
        "one layer",
        hypotheses(text, ("known rewards in",)),
        ("d, H >= 1 above and d, H >= 2 below", exactly(
            [text.range(letter, after=words).low for words in ("known rewards in", "From below") for letter in "dH"],
            [1, 1, 2, 2])),
        ("the root of g^h R^2 d/(2 (n+1)) is R sqrt(g^h d/(2 (n+1)))", equal(
            layer, R * sympy.sqrt(g * d / (2 * (n + 1))))),
        (text.shown("a_h="), every(equal(text("a_h=", g=r**3, H=many, h=h), ((many - h) ** 2 * r ** (3 * h)) ** F(1, 3))
                                   for many in (2, 3, 4) for h in range(1, many))),
        "loss",
        ("two errors: sqrt(2 d g^h) R/sqrt(n+1)", equal(both, sympy.sqrt(2 * d * g) * R / sympy.sqrt(n + 1))),
        "size",
        (text.shown(r"N\ge", after="is added"), every(equal(
            text(r"N\ge", after="is added", d=d, epsilon=epsilon, g=r**3, H=many),
            size * 2 * d * cube(many) / epsilon**2)
            for many in (2, 3, 4))),
        "closed form",
        *closed_form(text, power, "implied by"),
        "from below",
        ("b = 1/(4 sqrt(m)): the loss is 1/(16 sqrt(m))", equal(loss.subs(b, 1 / (4 * sympy.sqrt(m))),
                                                              1 / (16 * sympy.sqrt(m)))),
        ("b = 1/2 and m = 1/(4 (1+u)^2) <= 1/4: at least 1/8", at_least(
            loss.subs(b, F(1, 2)).subs(m, share / (1 + u)), F(1, small), u)),
        ("both printed numbers, the second at m = 4 N/(d^(H-1)(d+2))", every(
            equal(text("", after="the smaller one of"), F(1, 8)),
            equal(text("", after="the smaller one of", skip=1, d=d, H=H, N=N),
                  1 / (16 * sympy.sqrt(4 * N / (d ** (H - 1) * (d + 2))))))),
    ], "every d, H, N, epsilon, g and number of actions")


def _partial(m, power, z):
    """The sum of j z^(j-1) for j <= m, with power = z^m."""
    return (1 - (m + 1) * power + m * power * z) / (1 - z) ** 2
