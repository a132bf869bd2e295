"""These checks take the numbers of Theorem R over the whole run, and try a lemma on grids of its proof.

The theorem itself is proved in Coq. The shapes of i and of N are those of Theorem R, with other absolute constants.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy
from sympy import Rational

from derl.claims import Evidence, claim, printed, steps
from derl.claims.analysis.steps import multiple
from derl.claims.arbitrary.theorem_r_explicit import EVENTS, LETTERS, SHARES, Explicit, batch, constants_of
from derl.claims.layerwise.symbols import ends, values_fit
from derl.exact.compared import at_most, every, exactly
from derl.exact.symbolic import at_least, equal, same_operator

s, t, u = sympy.symbols("s t u", nonnegative=True)


@claim("res-arbitrary-whole-run", covers="i, the bonuses and N: their shapes, and the conditions of Theorem R on N",
       gap="the event and the rounding, which Coq proves", plants=2,
       false={"the absolute constant 10^13": {"share": Rational(1, 10**3)}})
def numbers_of_the_whole_run(text, theorem=printed("res-theorem-r"), forms=printed("res-grid-covariance"),
                             sums=printed("res-grid-norm"), repaired=printed("alg-arbitrary-repaired"), share=1):
    """The numbers against Theorem R: Shapes by division, and every condition of Theorem R on N at these constants;
    `share` multiplies that of N."""
    d, H, N, eps, _, delta, nu = LETTERS.values()
    level = sympy.Symbol("l", positive=True)
    tau = text(r"\tau=", nu=nu)
    size, stated = text(r"N\ge", tau=tau, **LETTERS), theorem(r"N\ge", **LETTERS)
    policies = text("i=", tau=tau, d=d, nu=nu)
    inside = text(r"\ell=", **LETTERS)
    bonus, planning = (text(left, {r"\ell": level}, d=d, H=H) for left in (r"\beta'=", r"\beta="))
    ratio = share * multiple(size, stated, "N")
    constant = ratio * constants_of("relative", theorem, theorem).batch
    iterations = multiple((policies - 1).args[0], d / nu**4 * tau, "i")
    scale = multiple(bonus, d * sympy.sqrt(level), "beta'")
    ranges = [ends(text.range(letter, after="in every layer")) for letter in (r"\epsilon", r"\delta", r"\nu")]
    result = Explicit(iterations, EVENTS["relative"][0], scale, constant, EVENTS["relative"][1],
                      multiple(planning, d * H * sympy.sqrt(level), "beta"))
    argument = sympy.exp(inside)
    return steps([
        ("i is rounded down, plus 1, and at least that of Theorem R",
         every(equal(policies, sympy.floor((policies - 1).args[0]) + 1),
               at_most(multiple(theorem(r"i_{\max}=", d=d, nu=nu).args[0], d / nu**4 * tau, "i_max"), iterations))),
        ("N is at least that of Theorem R", at_most(1, ratio)),
        ("the bonus of the plan is H times that of the loops", equal(planning, H * bonus)),
        ("l <= log(8 d^2 H N^2/delta) for N >= 1/nu: 8 d^2 H N^2/delta against the argument of l",
         at_least(8 * (1 + s) ** 2 * (1 + t) / nu, (argument * delta / H / N).subs(d, 1 + s), s, t, nu)),
        ("beta' >= 24 d sqrt l, which the event of Theorem R requires", at_most(24, scale)),
        *(step for step in batch("relative", result, SHARES, theorem) if not isinstance(step, str)),
        ("the ranges: 0 to 1 each, d and H from 1 on", every(
            exactly(tuple(ranges), ((0, 1),) * 3), exactly(text.range("H").low, 1))),
        ("the probability falls from 1 to 0, and L is at most H", every(
            exactly(tuple(text("", after="Then, with probability at least", delta=end) for end in ranges[1]), (1, 0)),
            equal(text(r"L\le", H=H), H))),
        values_fit(text.interval(after="all linear rewards in")),
        *rounding(text, forms, sums, repaired),
    ], "all d, H >= 1, 0 < epsilon <= 1, 0 < delta < 1, 0 < nu <= nu_min, all N from the stated one on")


def rounding(text, forms, sums, repaired) -> list:
    """The grid is fine enough for both lemmas about it, and the matrices are those of the text."""
    d, N, H, i = (1 + more for more in sympy.symbols("w x y z", nonnegative=True))
    unit, features, estimates = sympy.symbols("I S E", commutative=False)
    M, more = text("M=", d=d, N=N, H=H, i=i), d.free_symbols | N.free_symbols | H.free_symbols | i.free_symbols
    step, within = (text("", after=words, M=M) for words in ("to the least multiple of", "at a distance of at most"))
    ends_of = text.interval(after=r"least multiple of $\frac1M$ in", M=M)
    pieces = {"I": unit, r"\sum_n\phi\phi^\top": features}
    rounded, about, own, regression = (text("", pieces, after=words) for words in (
        "The bonuses use $I$ plus the rounded", "which is about", "where Algorithm 2 has", "The regressions use"))
    inverted = text("", {"I": unit, r"\sum\hat\Lambda": estimates}, after="SolveOptQ inverts $I$ plus the rounded")
    return [
        ("M is large enough for sums of N features, of covariances and of both", every(
            *(at_least(M**2, forms(r"M^2\ge", d=d, n=n), *more) for n in (N + 1, i + 1)),
            at_least(M**2, sums(r"M^2\ge", d=d, n=N), *more))),
        ("rounding up moves a number by less than one step, and the interval is even",
         every(equal(step, within), equal(step * M, 1), equal(ends_of.low, -ends_of.high), equal(ends_of.high, M))),
        ("I plus the rounded matrix is that of the regression and I; that of SolveOptQ is as in the repaired algorithm",
         every(same_operator(unit + rounded, about), same_operator(own, regression),
               same_operator(about - own, unit),
               same_operator(unit + inverted, repaired(r"\tilde\Sigma_h=", {
                   "I": unit, r"\sum_{\pi\in\Pi_h}\hat\Lambda^\pi_h": estimates})))),
    ]


@claim("res-grid-covariance", method="exhaustive", covers="one dimension",
       gap="one dimension, a grid of G, E and n: Coq proves the whole", plants=12,
       false={"G >= E, where the hypothesis allows 3/4 of E": {"times": 2}})
def forms_on_the_grid(text, times=1):
    """Forms that the grid compares: Pairs G, E, d = 1, that satisfy the hypotheses and break the conclusion; `times`
    multiplies E/2."""
    wrong, pairs, tenths = 0, 0, [Fraction(k, 10) for k in range(0, 61)]
    for n in (1, 3):
        M = next(M for M in range(int(text.range("M").low), 1000) if text.relation("M^2", M=M, d=1, n=n).holds)
        step = text("", after="are multiples of", M=M)
        low, high = (text("", after="are multiples of", skip=skip, M=M) for skip in (1, 2))
        for G, E in product(tenths, repeat=2):
            first, least = text.sides(r"I\preceq", I=1, E=E)
            inside = first <= least <= text(r"E\preceq", n=n, I=1) and text(r"E\succeq") <= G <= text(
                r"G\preceq", n=n, I=1)
            if not inside:
                continue
            forms = [text.sides(r"u^\top Gu\ge", {r"u^\top Gu": u**2 * G, r"u^\top Eu": u**2 * E})
                     for u in (low, step, high)]
            pairs += 1
            wrong += all(one >= other for one, other in forms) and G < times * text(r"G\succeq", after="then", E=E)
    return Evidence(wrong if pairs else 1, 0, "upper", f"d = 1, {pairs} pairs of tenths, n = 1 and 3")
