"""These checks establish what Appendix E.8 says about the reachability coefficient, by moments and by weak duality.

No min-max theorem is needed.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import sympy

from derl.claims import Evidence, claim, printed, steps
from derl.claims.reachability.certificates import certified, right
from derl.claims.reachability.moments import moment
from derl.exact.compared import at_most, every
from derl.exact.decided import Decided
from derl.exact.symbolic import at_least, equal, same_operator
from derl.printed import BEGINNING
from derl.theory.reachability.algebra import positive_semidefinite
from derl.theory.reachability.examples import ends, mixed_instances

# --- Appendix E.8: the chain -------------------------------------------------------------------------------------

@claim("ineq-nu-zanette", title="E x^2 >= (E|x|)^2 >= (E x)^2 for every theta and pi",
       false={"E|x| instead of E x^2": {"power": 1}})
@claim("ineq-reachability-chain", title="E x^2 >= (E|x|)^2 >= (E x)^2")
def moments_in_order(text, power=2):
    """Lagrange's identity for a distribution on n points, and the triangle inequality; then max over policies."""
    outcomes = []

    def sides(at, square, size, mean):
        return text.sides("...\\ge", {
            r"\max_\pi": sympy.Integer(1), r"\mathbb E_\pi[(\phi_h^\top\theta)^2]": square,
            r"\mathbb E_\pi|\phi_h^\top\theta|": size, r"|\mathbb E_\pi[\phi_h^\top\theta]|": mean},
            after=BEGINNING, skip=at)

    for n in range(1, 5):
        p, x = sympy.symbols(f"p:{n}", nonnegative=True), sympy.symbols(f"x:{n}", nonnegative=True)
        mass, size = sum(p), sum(a * b for a, b in zip(p, x, strict=True))
        root, absolute = sides(0, sum(a * b**power for a, b in zip(p, x, strict=True)), size, 0)
        right = sum(p[i] * p[j] * (x[i] - x[j]) ** 2 for i, j in combinations(range(n), 2))
        outcomes.append((f"{n} atoms: E x^2 - (E|x|)^2 is a sum of squares",
                         same_operator(mass * root**2 - absolute**2, right)))
        signs = list(product((1, -1), repeat=n))
        outcomes.append((f"{n} atoms: E|x| - |E x| has no negative coefficient, all {len(signs)} signs", every(
            at_least(*sides(1, 0, size, side * sum(a * b * s for a, b, s in zip(p, x, sign, strict=True))), *p, *x)
            for sign in signs for side in (1, -1))))
    return steps(outcomes, scope="every law of <phi, theta>; all terms nonnegative")


@claim("ineq-nu-zanette", method="exhaustive", covers="the minimum over directions",
       gap="tables with three directions and two policies",
       false={"the worst policy on the larger side": {"left": min}})
def minima_keep_the_order(text, left=max):
    """Minimum over layers and directions of a pointwise inequality: All tables f >= g with three directions, two
    policies and values in {0, 1, 2}: min max f >= min max g."""
    count, tops, result = 0, {}, set()
    cells = [(a, b) for a in range(3) for b in range(a + 1)]  # f >= g
    for first, second in product(cells, repeat=2):  # one direction, two policies
        top = (left(first[0], second[0]), max(first[1], second[1]))
        tops[top] = tops.get(top, 0) + 1
    for rows in product(tops, repeat=3):
        result.add((min(row[0] for row in rows), min(row[1] for row in rows)))
        count += tops[rows[0]] * tops[rows[1]] * tops[rows[2]]
    explored = r"\min_h\min_{\|\theta\|=1}\max_\pi|\mathbb E_\pi[\phi_h]^\top\theta|"
    wrong = sum(not text.relation(r"\nu_{\min}", {r"\nu_{\min}": larger, explored: smaller}).holds
                for larger, smaller in result)
    return Evidence(wrong, 0, "upper", f"{count} pairs of tables: only the order of their entries matters")


# --- Appendix E.8: weak duality ----------------------------------------------------------------------------------

INNER = r"\max_\pi\min_{\|\theta\|=1}\mathbb E_\pi[(\phi_h^\top\theta)^2]"
OUTER = r"\min_{\|\theta\|=1}\max_\pi\mathbb E_\pi[(\phi_h^\top\theta)^2]"


@claim("ineq-max-min-eigenvalue", false={"min max <= max min": {"swap": True}})
def weak_duality(text, swap=False):
    """Rayleigh, and max min <= min max: theta'(lambda I + G'G) theta - lambda |theta|^2 = |G theta|^2; and the printed
    inequality for every table with 6 entries in {0, .., 3}."""
    outcomes, level = ["least eigenvalue"], sympy.Symbol("lambda")
    for d in range(1, 5):
        G = sympy.Matrix(d, d, sympy.symbols(f"g:{d * d}"))
        theta = sympy.Matrix(sympy.symbols(f"t:{d}"))
        form = theta.T * (level * sympy.eye(d) + G.T * G) * theta - level * theta.T * theta
        outcomes.append((f"d = {d}: smallest eigenvalue <= theta' Lambda theta",
                         same_operator(form[0], ((G * theta).T * (G * theta))[0])))
    tables = np.array(list(product(range(4), repeat=6))).reshape(-1, 3, 2)
    pairs = {*zip(tables.min(axis=2).max(axis=1).tolist(), tables.max(axis=1).min(axis=1).tolist(), strict=True)}
    inner, outer = (OUTER, INNER) if swap else (INNER, OUTER)
    return [*outcomes, "minimax", (f"on {len(tables)} tables", every(
        at_most(*text.sides(rf"{INNER}\le", {inner: least, outer: most})) for least, most in sorted(pairs)))]


DIRECTIONS = ((1, 0), (0, 1), (Fraction(3, 5), Fraction(4, 5)), (Fraction(4, 5), Fraction(-3, 5)))


@claim("ineq-max-min-eigenvalue", method="exhaustive", covers="diagonal covariances, d = 2",
       gap="pairs of policies with diagonal covariances; directions with rational coordinates, the axes among them",
       false={"min max <= max min": {"swap": True}})
def three_numbers_in_order(text, swap=False):
    """The three numbers of the text: For all pairs of covariances diag(a, b), a and b in thirds: cases that break the
    equality or the inequality."""
    wrong, count, strict = 0, 0, 0
    diagonals = [(Fraction(a, 3), Fraction(b, 3)) for a, b in product(range(4), repeat=2)]
    for policies in combinations(diagonals, 2):
        forms = [[a * x**2 + b * y**2 for x, y in DIRECTIONS] for a, b in policies]  # (policy, direction)
        least, worst = max(map(min, policies)), max(map(min, forms))
        best = min(map(max, zip(*forms, strict=True)))
        values = {r"\max_\pi\sigma_{\min}(\mathbb E_\pi[\phi_h\phi_h^\top])": least,
                  INNER: best if swap else worst, OUTER: worst if swap else best}
        first, second = text.sides(rf"{[*values][0]}=", values)
        inner, outer = text.sides(rf"{INNER}\le", values)
        wrong, count = wrong + (first != second or inner > outer), count + 1
        strict += inner < outer
    return Evidence(wrong if strict else count, 0, "upper", f"{count} pairs of policies, {strict} of them strict")


@claim("ineq-nu-eigenvalue", method="certificate", covers="six instances", gap="six instances",
       false={"twice the smallest eigenvalue": {"factor": 2}})
def eigenvalue_is_below(text, factor=1):
    """nu^2 and the best smallest eigenvalue, certified: lambda* certified from below is at most nu^2 certified from
    above; strictly smaller on one of them."""
    outcomes, strict = [], 0
    for name in mixed_instances():
        (low, high), (below, above) = ends(certified(name)["nu"]), ends(certified(name)["lambda"])
        square, least = text.sides(r"\nu_{\min}^2\ge", {
            r"\nu_{\min}^2": high, r"\min_h\max_\pi\sigma_{\min}(\mathbb E_\pi[\phi_h\phi_h^\top])": factor * below})
        outcomes += [(f"{name}: certificates", right(name)),
                     (f"{name}: {float(least):.4f} <= {float(square):.4f}", least <= square)]
        strict += above < low
    outcomes.append(("strict somewhere", strict > 0))
    return steps(outcomes, scope="; ".join(mixed_instances()))


@claim("text-well-explored", false={"features of norm up to 3": {"trace": 9}})
def well_explored(text, trace=printed("text-well-explored")(r"d\,\underline c\le")):
    """c <= 1/d, so sqrt c >= c: d c is at most tr Lambda <= 1, so nu^2 >= c gives nu >= c; on an instance with the
    uniform policy."""
    part, rest, more = sympy.symbols("part rest more", nonnegative=True)
    c = trace * part / ((1 + more) * (part + rest))  # from 0 to trace/d for d = 1 + more
    explored = text.sides(r"\sigma_{\min}(\mathbb E[\phi_h\phi_h^\top])\ge", {
        r"\sigma_{\min}(\mathbb E[\phi_h\phi_h^\top])": part + rest, r"\underline c": part})
    reached = text.sides(r"\nu_{\min}\ge", {r"\nu_{\min}": c, r"\underline c": c**2}, after="in every layer, then")
    mdp, layer = mixed_instances()["random d=3"]
    uniform = np.full((2, 4, 3), Fraction(1, 3), dtype=object)
    covariance = moment(mdp, uniform, layer)
    least = Fraction(np.linalg.eigvalsh(covariance.astype(float))[0]) * Fraction(99, 100)
    low = ends(certified("random d=3")["nu"])[0]
    return steps([
        "covariance",
        ("tr Lambda <= 1: |phi|^2 <= 1", at_most(sum(covariance.diagonal()), trace)),
        ("a covariance that is explored so has nu_min >= c", every(
            at_least(*explored, rest, part),
            at_least(*reached, part, rest, more))),
        "ratio",
        ("d c + rest = trace <= 1 and d >= 1: c >= c^2", every(
            at_least(c, c**2, part, rest, more),
            equal(text(r"\nu_{\min}\ge\sqrt{\underline c}\ge", {r"\underline c": c}), c),
            equal(text(r"\nu_{\min}\ge", {r"\underline c": c}, after="Even") ** 2, c))),
        "covariance",
        ("uniform policy: Lambda >= c I; c is at most the trace", Decided(
            sympy.Rational(sum(covariance.diagonal())), sympy.Rational(least), ">=", (), lambda trace, c:
            positive_semidefinite(covariance - Fraction(c.p, c.q) * np.eye(3, dtype=int).astype(object)))),
        ("nu^2 >= c >= c^2", every(at_most(least, low), at_most(least**2, least))),
    ], scope="all d, all behaviour policies; one instance with the uniform policy, exactly")
