"""These checks establish a refinement of the sharp lemma, its exact form in one dimension, and the trade-off curve.

The notation is that of `batched`: y = N epsilon, and x* is the largest x with (1 + y)^x <= 1 + x N. Formulas are also
compared with enumerations and with certified whole numbers on grids.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import partial
from itertools import pairwise, product

import sympy
from sympy import log

from derl.claims import Evidence, claim, steps
from derl.claims.potential.batched import re_checked
from derl.exact.compared import every, exactly
from derl.exact.symbolic import at_least, equal, nonnegative, nonnegative_from, tangent
from derl.theory.potential import one_dimensional_count, refined_bound, sharp_bound, trade_off

N_CERTIFICATES = 1  # cases that the statement speaks of

j, m, s = sympy.symbols("j m s", nonnegative=True)
N, T, a, d, e, x, y = sympy.symbols("N T a d e x y", positive=True)


# --- the refinement and one dimension ----------------------------------------------------------------------------

@claim("res-refined-potential",
       false={"ceiling 1/(2 epsilon) for the smallest eigenvalue": {"ceiling": lambda e: 1 / (2 * e)}})
def every_step_of_the_refinement(text, ceiling=lambda e: 1 / e):
    """What the last violation needs: Before a violation the smallest eigenvalue is at most 1/epsilon; the mean bounds
    the other eigenvalues."""
    case = text("d=", after=". At"), text("N="), text(r"\epsilon=")
    dim, size = (int(number) for number in case[:2])
    case, levels = (dim, size, case[2]), (Fraction(1, 10), Fraction(3, 5))
    cases = [case, *product((2, 3), (7, 10), levels)]
    others = 1 + j  # d - 1, for d >= 2; for d = 1 there are no other eigenvalues and det B = m
    gap = ((m + N) - (1 + N * e) * m).subs(m, 1 / (e + s))
    slope = sympy.diff(log(m) + others * log((T - m) / others), m).subs(T, (1 + others) * m + s)
    return steps([
        "smallest eigenvalue",
        ("tr(B^{-1} Phi) <= tr Phi/m, per eigenvalue", at_least(1 / (1 + m), 1 / (1 + m + s), m, s)),
        ("above the ceiling nothing violates", at_least(e, 1 / (ceiling(e) + s), e, s)),
        "determinant",
        *tangent(),
        ("the bound increases in m up to T/d", nonnegative(slope, m, s, j)),
        "comparison",
        ("never above the sharp bound: (1+y) m <= m + N for m <= 1/epsilon",
         every(nonnegative(gap, N, e, s), equal(gap, N * s / (e + s)))),
        ("d = 4, N = 10, epsilon = 1/10: 22 against 23",
         exactly((refined_bound(*case), sharp_bound(*case)),
                 (text("", after="it is"), text(r"\lfloor d\,x^*\rfloor=")))),
        ("the smallest k at which the inequality fails, on a grid",
         exactly([first_failure(text, *one) for one in cases], [refined_bound(*one) for one in cases])),
    ], scope="all d >= 1, N >= 1, 0 < epsilon <= 1, any number of batches")


def first_failure(text, d, N, epsilon) -> int:
    """The smallest k >= 1 at which the printed inequality fails, in fractions."""
    for k in range(1, 100):
        m = text("m=", d=d, N=N, epsilon=epsilon, k=k)
        if not text.relation(r"(1+N\epsilon)^k", d=d, N=N, epsilon=epsilon, k=k, m=m).holds:
            return k
    return 0


@claim("res-refined-potential", method="certificate",
       covers="attained at d = 4, N = 10, epsilon = 1/10 with 22, where the sharp bound is 23", gap="one case",
       false={"epsilon doubled": {"tamper": lambda result: result | {"epsilon": str(2 * Fraction(result["epsilon"]))}},
              "measured against the sharp bound, which allows one more": {
                  "tamper": lambda result: result | {"bound": "sharp"}}})
def refined_bound_is_attained(tamper=lambda result: result):
    """Rational batches that reach the refined bound: A stored sequence of 22 rational batches in R^4; floor(d x*) is 23
    there."""
    return re_checked("res-refined-potential", N_CERTIFICATES, tamper)


@claim("res-refined-potential", method="exhaustive", covers="a grid of d, N, epsilon",
       gap="the order of the two bounds only",
       false={"the floor d replaced by d + 1": {"lowest": lambda dim: dim + 1}})
def refined_between_d_and_sharp(lowest=lambda dim: dim):
    """Never above the sharp bound, never below d: Cases with d <= refined <= sharp, as certified whole numbers, among
    all cases of a grid."""
    grid = list(product((1, 2, 3, 4, 10), (1, 2, 7, 30, 1000, 10**9), ("1/50", "1/10", "1/3", "3/5", "9/10", "1")))
    good = sum(lowest(dim) <= refined_bound(dim, size, level) <= sharp_bound(dim, size, level)
               for dim, size, level in grid)
    return Evidence(good, len(grid), "identity", f"{len(grid)} cases, d up to 10, N up to 1e9")


@claim("res-sharp-potential-one-dim", method="exhaustive", covers="every sequence with batches from a grid",
       gap="a grid of N, epsilon and batches", plants=4)
def one_dimension_enumerated(text):
    """Formula against enumeration: The formula equals the longest sequence found: minimal batches, and every sequence
    of batches on a grid."""
    def longest(total, size, level, parts):
        hits = [longest(total + size * part, size, level, parts) for part in parts if part >= total * level]
        return 1 + max(hits) if hits else 0

    cases, agree = 0, 0
    for size, level in product((1, 2, 5, 40, 1000), (Fraction(1, 7), Fraction(1, 3), Fraction(1, 2), Fraction(4, 5))):
        total, count = Fraction(1), 0
        while total * level <= 1:
            total, count = total * (1 + size * level), count + 1
        on_grid = longest(Fraction(1), size, level, [Fraction(i, 4) for i in range(1, 5)])
        formula = text("", after="is exactly", N=sympy.Integer(size), epsilon=sympy.Rational(level))
        cases, agree = cases + 1, agree + (count == formula == one_dimensional_count(size, level) >= on_grid)
    return Evidence(agree, cases, "identity", "N in 1, 2, 5, 40, 1000, epsilon in 1/7, 1/3, 1/2, 4/5; grid of quarters")


# --- the trade-off curve -----------------------------------------------------------------------------------------

@claim("res-tradeoff-lemma")
def slopes_of_the_curve(text):
    """Slopes of the curve: x* decreases in N and stays above 1 + log(1/epsilon)/log(1 + y); N x* increases; d
    violations are the floor."""
    L = sympy.Symbol("L", positive=True)  # log(1/epsilon)
    size = (sympy.exp(a) - 1) * sympy.exp(L)  # N, as a = log(1 + N epsilon)
    x_1 = text(r"x^*(N_0)\ge", N_0=size, epsilon=sympy.exp(-L))
    at_x_1 = sympy.exp(sympy.expand(a * x_1)) - 1 - x_1 * size  # F(x_1)
    slope = sympy.diff(x * log(1 + N * e) - log(1 + x * N), N)
    claimed = x * (e * (1 + x * N) - (1 + N * e)) / ((1 + N * e) * (1 + x * N))
    c = 1 + 1 / d
    log_size = sympy.expand_log(log((c / e**c) ** (1 / (c - 1))), force=True)
    return steps([
        "lower bound",
        ("F(x_1) = (1/epsilon - 1) - N log(1/epsilon)/log(1+y)",
         equal(at_x_1, sympy.exp(L) - 1 - size * L / a)),
        ("log(1+y) <= y", nonnegative_from(s - log(1 + s), s, 0)),
        ("1 - epsilon <= log(1/epsilon) with epsilon = 1/(1+s)", nonnegative_from(log(1 + s) - s / (1 + s), s, 0)),
        "solution decreases",
        ("the slope in N", equal(slope, claimed)),
        ("its sign at (1+y)^(x-1) >= 1/epsilon: epsilon (1+y)^x - (1+y) >= 0",
         at_least(e * (1 + y) * (1 + s) / e, 1 + y, y, s)),
        "product increases",
        ("log(1+z)/z decreases: z/(1+z) <= log(1+z)", nonnegative_from(log(1 + s) - s / (1 + s), s, 0)),
        "maximum",
        ("c = 1 + 1/d gives N = (1 + 1/d)^d/epsilon^(d+1)",
         equal(log_size, sympy.expand_log(log(text(r"N_0\ge", after="If", d=d, epsilon=e)), force=True))),
    ], scope="all d >= 1, real N >= 1, 0 < epsilon < 1")


@claim("res-tradeoff-lemma", method="exhaustive", covers="certified whole numbers on a grid",
       gap="a grid of d, epsilon, N",
       false={"floor(d x*) claimed to be the same for every N": {"repeats": lambda small, large: 1}})
def the_curve_point_by_point(text, repeats=lambda small, large: -(-large // small)):
    """The curve, point by point: Pairs N_0 < N on which floor(d x*(N_0)) lies between floor(d x*(N)) and ceil(N/N_0)
    floor(d x*(N)).

    The printed inequalities are evaluated with x* in float64, its rounding against the certified whole number.
    """
    good, pairs, printed_ones = 0, 0, []
    sizes = [2, 3, 4, 5, 7, 10, 14, 20, 30, 50, 80, 130, 300, 1000, 10**4, 10**6]
    sizes.insert(0, int(text.range("N_0", after="batch size").low))
    for dim, level in product((1, 2, 5), ("1/50", "1/10", "1/2", "9/10")):
        curve, star = trade_off(dim, level, sizes), {"x^*": partial(largest_solution, level=float(Fraction(level)))}
        for (small, many), (large, few) in pairwise(zip(sizes, curve, strict=True)):
            pairs, good = pairs + 1, good + (few <= many <= repeats(small, large) * few)
            order = [text.sides("...\\le", star, after="So for", skip=at, N=large, N_0=small) for at in range(3)]
            falls, rises = ([text("", star, after=words, N_0=size) for size in (small, large)]
                            for words in (r"$0<\epsilon<1$,", "decreases to $1$ and"))
            printed_ones += [Fraction(level) in text.range(r"\epsilon"), rises[0] < rises[1],
                             falls[0] >= falls[1] > text("", after="decreases to")]
            least = text.sides(r"x^*(N_0)\ge", star, N_0=small, epsilon=Fraction(level))
            printed_ones += [one <= other * (1 + 1e-12) for one, other in (*order, least[::-1])]
            top = dim * star["x^*"](small)
            if abs(top - round(top)) > 1e-9:
                printed_ones.append(text(r"|\mathcal K^+|\le", star, d=dim, N_0=small) == many)
        enough = text(r"N_0\ge", after="If", d=dim, epsilon=Fraction(level))
        printed_ones.append(trade_off(dim, level, [math.ceil(enough)]) == [text("", after="maximum is exactly", d=dim)])
    good, pairs = good + sum(printed_ones), pairs + len(printed_ones)
    return Evidence(good, pairs, "identity", f"d in 1, 2, 5, four levels, {len(sizes)} batch sizes from 1 to 1e6")


def largest_solution(size: float, level: float) -> float:
    """x*: the largest x with (1 + N epsilon)^x <= 1 + x N, by bisection."""
    size, growth = float(size), math.log1p(float(size) * level)
    low, high = 1.0, 2.0
    while high * growth < math.log1p(high * size):
        low, high = high, 2 * high
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if middle * growth < math.log1p(middle * size) else (low, middle)
    return low
