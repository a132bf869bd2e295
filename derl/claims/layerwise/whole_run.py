"""These checks take the numbers of Theorem 4.1, repaired, over the whole run, and four lemmas of its proof.

The statements themselves are proved in Coq. The conditions on N are those of `derl.claims.layerwise.constants`, with
the larger beta and the larger absolute constant.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy
from sympy import Rational

from derl.claims import Evidence, claim, printed, steps
from derl.claims.layerwise import constants
from derl.claims.layerwise.symbols import H, c, d, e, ends, values_fit
from derl.exact.compared import at_most, every, exactly
from derl.exact.symbolic import below, equal

SPENT = 432  # 16 beta H (l + log 2)/epsilon is at most this times d H^2 l^{3/2}/epsilon


@claim("res-layerwise-whole-run", covers="K, and the conditions on N at the printed beta and constant",
       gap="the event: Coq proves that beta is large enough for it", plants=4,
       false={"the absolute constant 10^12: (A) needs more": {"share": Rational(1, 10**8)}})
def numbers_of_the_whole_run(text, stopped=printed("res-deterministic-complexity"),
                             count=printed("ineq-deployment-count"), share=1):
    """K, beta and N against the conditions: The three conditions on N for all parameters, and N at c_K = 2; `share`
    multiplies the absolute constant."""
    result = constants.sizes(text)
    delta = sympy.Symbol("delta", positive=True)
    named = {"d": d, "H": H, "epsilon": e, "delta": delta}
    C, kappa, inside = share * result.constant, result.kappa, result.inside
    square = 16 * result.scale  # x = epsilon^2/(square d^2 H^4 l)
    epsilons, failing = ends(text.range(r"\epsilon")), ends(text.range(r"\delta"))
    return steps([
        *constants.logarithms_at_the_bound(result),
        ("(A) sqrt(C) log(2)^2 >= 16 scale kappa", below((square * kappa) ** 2, C * inside**4)),
        ("(B) C log(2)^4 >= 16 scale", below(square, C * inside**4)),
        (f"(D) 16 beta H/epsilon (l + log 2) <= {SPENT} d H^2 l^(3/2)/epsilon, for l >= log C",
         below(16**2 * result.scale * (sympy.log(C) + sympy.log(2)) ** 2, SPENT**2 * sympy.log(C) ** 2)),
        (f"(D) C^2 log 2 >= {SPENT}^2 kappa^3", below(SPENT**2 * kappa**3, C**2 * inside**4)),
        ("x <= 1/d and beta^2 >= (9/2) d^2 H^2 l", at_most(Rational(9, 2), result.scale)),
        ("K is the largest whole number up to the count",
         exactly(text("K=", c_K=c, d=d, H=H), sympy.floor(count(r"k_h\le...\le", c_K=c, d=d, h=H)))),
        ("N at c_K = 2 is that of the deployment complexity, and so are the ranges",
         every(equal(text(r"N\ge", c_K=text.range("c_K").low, **named), stopped(r"N\ge", **named)),
               exactly(epsilons[0], ends(stopped.range(r"\epsilon"))[0]), exactly(epsilons[1], 1),
               exactly(failing, (0, 1)), exactly(text(r"dH\ge", numbers=Rational), 2))),
        ("the probability falls from 1 to 0",
         exactly(tuple(text("", after="With probability at least", delta=end) for end in failing), (1, 0))),
        values_fit(text.interval(after="and rewards in")),
    ], "dH >= 2, 0 < epsilon <= 1, 0 < delta < 1, real c_K >= 2, all N from the bound on")


# --- four lemmas --------------------------------------------------------------------------------------------------

@claim("res-value-net", method="exhaustive", covers="one dimension and one action",
       gap="one dimension, a grid: Coq proves the whole", plants=6,
       false={"an error of 3t/2": {"share": Rational(3, 4)}})
def values_of_the_net_are_close(text, share=1):
    """A value and its neighbour in the net: The largest difference for d = 1, with x' and B as far away as the text
    allows, below and at the cap; it is t + t^2 for t <= 1, so t = 1 attains 2t."""
    phi, least = Rational(text(r"|\phi(s,a)|\le")), text(r"V(s)=...\ge")
    for t in (Rational(1, 4), Rational(1)):
        c, differences = min(text(r"dc\le", t=t), text(r"d^2c\le", t=t)), []
        forms = ((0, c), (c, 0), (0, -c), (c, c))  # beta^2 phi^2/Lambda, and phi B phi
        for x, cap, near, (form, other) in product((0, 1), (Rational(1, 2), 9), (-c, c), forms):
            value = text("V(s)=", {r"\max_a": 1, r"x^\top\phi(s,a)": x * phi, "r(s,a)": x, r"\beta": 1,
                                   r"\|\phi(s,a)\|_{\Lambda^{-1}}": sympy.sqrt(form) * phi}, H=cap)
            neighbour = text("", {r"\max_a": 1, r"x'^\top\phi": (x + near) * phi, "r": x,
                                  r"\phi^\top B\phi": other * phi**2}, after="differs by at most", skip=1, H=cap)
            differences += [abs(value - neighbour)] * bool(value >= least)
        allowed = share * text("", after="differs by at most", t=t)
        yield f"t = {t}: at most 2t", every(exactly(max(differences), t + t**2), at_most(t + t**2, allowed))
    yield "t = 1 attains 2t, and the values are at least 0", every(exactly(2 * t, allowed), exactly(least, 0))


@claim("res-hoeffding-exponential", covers="numbers that are 0 or B",
       gap="convexity brings every X in [0, B] to these: Coq proves the whole", plants=8,
       false={"lambda^2 B^2/10": {"less": sympy.Rational(4, 5)}})
def exponential_of_two_values(text, less=1):
    """Two values: The logarithm of the mean vanishes at 0 with its slope, and bends down; `less` multiplies the
    quadratic term."""
    scale, B, p = sympy.symbols("scale B p", positive=True)
    odds, bounds = sympy.Symbol("odds", nonnegative=True), text.range("X", B=B)
    low, at_mean, high = (text.sides(r"\mathbb E...\le", {  # the mean is that of the law
        r"\mathbb E": 1, r"\mathbb EX": p * bounds.high, "X": value, r"\lambda": scale}, B=B)[0]
        for value in (bounds.low, p * bounds.high, bounds.high))
    quadratic = sympy.expand(sympy.log(at_mean).expand(force=True))
    logarithm = sympy.log(1 - p + p * sympy.exp(scale * B)) - scale * p * B + less * quadratic
    share = odds / (1 + odds)  # of the tilted law at B
    return [
        ("the mean of the printed number, from both values", equal(
            (1 - p) * low + p * high, sympy.exp(quadratic - scale * p * B) * (1 - p + p * sympy.exp(scale * B)))),
        ("log of the mean and its slope vanish at 0: the bound is e^0", every(
            equal(logarithm.subs(scale, 0), sympy.log(text(r"\mathbb E...\le", numbers=sympy.Rational))),
            equal(sympy.diff(logarithm, scale).subs(scale, 0), 0))),
        ("it bends down: B^2 q(1 - q) is at most the bend of the quadratic, up to a square that is 0 at q = 1/2",
         equal(-less * sympy.diff(quadratic, scale, 2) / B**2, share * (1 - share) + (share - Rational(1, 2)) ** 2)),
    ]


LAWS = tuple((Fraction(p), Fraction(a), Fraction(b)) for p, a, b in (  # e^f is a with probability p, otherwise b
    ("1/4", 4, "1/1000"), ("1/2", "3/2", "1/2"), ("1/3", 2, "1/2"), ("1/2", 2, "1/2"), ("9/10", 2, "1/10")))


def best_chance(laws: tuple, deployments: int, level: Fraction, factor: int = 1) -> Fraction:
    """The largest P(product > level) over all adaptive choices of a law for each deployment."""
    if not deployments:
        return Fraction(level < 1)
    return max(p * best_chance(laws, deployments - 1, level / (factor * a))
               + (1 - p) * best_chance(laws, deployments - 1, level / (factor * b)) for p, a, b in laws)


@claim("res-adaptive-exponential", method="exhaustive", covers="laws with two values, K <= 3",
       gap="five laws with two values: Coq proves the whole", plants=8,
       false={"exp f_j twice as large": {"factor": 2}})
def adaptive_sums_stay_below(text, factor=1):
    """Every adaptive choice of a law: Largest P(sum of f_j > L) over e^{-L}, each law chosen from what came before;
    `factor` multiplies e^f."""
    mean, chance, worst = r"\mathbb E\exp f_j", r"\mathbb P\bigl(\sum_{j<k}f_j>L\bigr)", Fraction(0)
    allowed = [(p, a, b) for p, a, b in LAWS
               if text.relation(mean, {mean: p * a + (1 - p) * b}).holds]
    levels = [Fraction(399, 100), Fraction(149, 100), Fraction(15, 1), Fraction(2)]
    for k, level in product(range(1, int(text.range("k", K=3).high) + 1), levels):
        result, bound = text.sides(rf"{chance}\le", {chance: best_chance(tuple(allowed), k, level, factor)},
                                   L=sympy.log(Rational(level)))
        worst = max(worst, result / Fraction(int(bound.p), int(bound.q))) if bound.is_Rational else Fraction(2)
    return Evidence(worst, 1, "upper", f"{len(allowed)} laws, k = 1, 2, 3, {len(levels)} levels")


@claim("res-grid-norm", method="exhaustive", covers="one dimension",
       gap="one dimension, a grid of parameters: Coq proves the whole", plants=3,
       false={"a quarter of the bound": {"share": Fraction(1, 4)}})
def largest_sum_on_the_grid(text, share=1):
    """The largest sum that the grid allows: Largest square of the norm over that of the bound, with the largest S that
    the hypothesis allows, d = 1."""
    worst = Fraction(0)
    least = dict(zip(("lambda", "kappa", "L"), (text.range(x).low for x in (r"\lambda", r"\kappa", "L")), strict=True))
    for n, part, kappa, level, scale in product((1, 100), (Fraction(1, 3), Fraction(1)), (0, 2),
                                                (0, Fraction(1, 4), 4), (Fraction(1, 2), 3)):
        G = text(r"G\succeq") + part * text(r"G\preceq", n=n, I=1)
        numbers = {"lambda_": least["lambda"] + scale, "kappa": least["kappa"] + kappa, "L": least["L"] + level}
        M = next(M for M in range(1, 100) if text.relation("M^2", M=M, d=1, n=n).holds)
        step = text("", after="are multiples of", M=M)
        low, high = (text("", after="are multiples of", skip=skip, M=M) for skip in (1, 2))
        sums = []
        for u in (step * k for k in range(1, int(high / step) + 1)):  # -u gives the same for -S
            ends = [text.sides(r"\lambda\langle u,S\rangle-\kappa\,u^\top Gu\le", {
                r"\langle u,S\rangle": u * S, r"u^\top Gu": u**2 * G}, **numbers) for S in (0, 1)]
            sums.append((ends[0][1] - ends[0][0]) / (ends[1][0] - ends[0][0]))
        for dim in (1, 2, 5):  # a unit vector is moved by at most sqrt(d)/M: half of its norm with I + G is left
            _, square = text.sides(r"M^2\ge", M=M, d=dim, n=n)
            worst = max(worst, 4 * dim * (n + 1) / (share * square))
        norm = r"\|S\|_{(I+G)^{-1}}"
        square, bound = text.sides(rf"{norm}\le", {norm: min(sums) ** 2 / (1 + G)}, **numbers)
        worst = max(worst, square / (share * bound) ** 2 if bound else Fraction(2 * bool(square)))
        worst = worst if low == -high and G >= 0 else Fraction(2)
    return Evidence(worst, 1, "upper", "d = 1, n = 1 and 100, 24 settings of G, kappa, L and lambda")
