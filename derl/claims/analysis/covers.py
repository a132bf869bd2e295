"""These checks establish what rounding to a grid changes, and covers of value functions (Appendix E.2).

Rounding errors of symmetric matrices are bounded from both sides, symbolically and over all 0/1 matrices up to d = 4.
Lemma E.2 is refuted for a positive definite matrix and repaired by the root of the positive part.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product
from math import inf

import numpy as np
import sympy

from derl.claims import Evidence, claim, steps
from derl.exact.compared import at_most, every, exactly
from derl.exact.symbolic import at_least, equal, nonnegative, same_operator
from derl.theory.analysis import covers
from derl.theory.reachability.algebra import positive_semidefinite

SEED = 20220811

s, t, u, v, x, y = sympy.symbols("s t u v x y", nonnegative=True)
a, b, p, q, A, B, C, S, Q = sympy.symbols("a b p q A B C S Q", real=True)
eps = sympy.Symbol("epsilon", positive=True)


# S^2 <= n Q for the sum S and the sum of squares Q of n numbers: by induction, n is called p here
SUM_OF_SQUARES = ("S^2 <= n Q; with one number more, a, the slack grows by Q - 2aS + n a^2 = sum_i (x_i - a)^2",
                  same_operator((p + 1) * (Q + a**2) + S**2 + 2 * a * S, (S + a) ** 2 + p * Q + Q + p * a**2))


# --- rounding ----------------------------------------------------------------------------------------------------

@claim("def-discretisation", method="exhaustive", gap="a definition: checked as a predicate on rational numbers",
       false={"rounding down": {"shift": -1}})
def rounds_up_by_less_than_one_step(text, shift=0):
    """The next grid point from above: For each x and eta: a multiple of eta, in [x, x + eta), and rounding it again
    changes nothing."""
    right = tried = 0
    for eta in (Fraction(1), Fraction(1, 3), Fraction(2, 7), Fraction(1, 10**26)):
        for numerator, denominator in product(range(-25, 26), (1, 2, 3, 7, 10)):
            number = Fraction(numerator, denominator)
            rounded = covers.discretise([number], eta)[0] + shift * eta
            stated = text(r"\mathrm{Discretization}(x,\eta)=", x=number, eta=eta)
            right += rounded == stated + shift * eta and (rounded / eta).denominator == 1 \
                and 0 <= rounded - number < eta and covers.discretise([rounded], eta)[0] == rounded
            tried += 1
    return Evidence(right, tried, "identity", f"{tried} pairs (x, eta), rational, eta down to 1e-26")


@claim("text-discretisation-error", false={"entries off by 2 eta": {"per_entry": 2}})
def rounding_errors_add_up(text, per_entry=1):
    """Entry by entry: d entries off by eta: |.|^2 <= d eta^2; d^2 entries: |.|_F^2 <= d^2 eta^2; and the norm is at
    most |.|_F."""
    n = 1 + t  # d >= 1
    entry, letters = (per_entry * eps) ** 2, {"d": n, r"\epsilon_0": eps}
    vector, matrix, sharp = (bound**2 for bound in (
        text(r"\|\mathrm{Discretize}(w,\epsilon_0)-w\|\le", letters),
        text(r"\|\mathrm{Discretize}(\Sigma,\epsilon_0)-\Sigma\|_F\le", letters),
        text("", letters, after="For vectors the bound is")))
    spectral, frobenius = (rf"\|\mathrm{{Discretize}}(\Sigma,\epsilon_0)-\Sigma\|{end}" for end in ("", "_F"))
    smaller, larger = text.relation(spectral, {spectral: 4, frobenius: sympy.sqrt(20)}).ordered
    return steps([
        "vectors",
        ("vector: d entries, at most (d eta)^2", at_least(vector, n * entry, t, eps)),
        ("and even at most (sqrt d eta)^2", at_least(sharp, n * entry, t, eps)),
        "matrices",
        ("matrix: d^2 entries, at most (d eta)^2", at_least(matrix, n**2 * entry, t, eps)),
        ("|E x| <= |E|_F |x|, row by row: |e|^2 |x|^2 - (e^T x)^2 = A B - C^2 grows by sum_i (b e_i - a x_i)^2 with"
         " one entry more, a in e and b in x",
         same_operator((A + a**2) * (B + b**2) + C**2 + 2 * a * b * C, (C + a * b) ** 2 + A * B + b**2 * A + a**2 * B)),
        ("for the error [[3, 1], [1, 3]] the norms are 4 and sqrt(20)", at_most(smaller, larger)),
    ], scope="all d >= 1, all w and Sigma, all eta > 0; each entry is off by at most eta")


def attained(size: int, least) -> tuple:
    """E x and -least x for entries 1 between the first half of the indices and the rest, 0 elsewhere."""
    half, rest = size // 2, size - size // 2
    graph = sympy.Matrix(size, size, lambda i, j: int((i < half) != (j < half)))
    vector = sympy.Matrix([sympy.sqrt(rest)] * half + [-sympy.sqrt(half)] * rest)
    return sympy.simplify(graph * vector), sympy.simplify(-least * vector)


@claim("res-rounding-spectrum")
def rounding_is_one_sided(text):
    """Positive and negative parts of a unit vector: x^T E x >= -2 eta P M, Cauchy-Schwarz on both parts, two
    inequalities of means; attained by bipartite graphs."""
    letters = {"I": 1, "E": 0, r"\eta": eps}
    lowest = -text.sides(r"-\frac d2\eta I\preceq", letters, d=t)[0]
    sharp = {size: text("", after="may be replaced by", d=size, numbers=sympy.Rational) for size in range(2, 9)}
    entries = text.interval({r"\eta": eps}, after="with entries in")
    outcomes = [
        "signs",
        ("opposite signs, entry y <= eta = y + t: -y |x_i x_j| >= -eta |x_i x_j|",
         every(at_least((y + t) * s * u, y * s * u, y, t, s, u), equal(entries.high, eps))),
        ("equal signs: y x_i x_j >= 0", every(
            nonnegative((entries.low + y) * s * u, y, s, u), exactly(entries.low, 0))),
        "products",
        SUM_OF_SQUARES,
        ("2 sqrt(XY) <= X + Y", same_operator(s**2 + u**2, 2 * s * u + (s - u) ** 2)),
        ("4 p m <= (p + m)^2", same_operator((p + q) ** 2, 4 * p * q + (p - q) ** 2)),
        ("2 P M <= sqrt(pm) (X + Y) <= d/2, times eta", at_least(lowest, t / 2 * eps, t, eps)),
        ("without eta this is the number of the text, so that it can be replaced by the sharper one",
         equal(text("", after="On the left", d=t), lowest / eps)),
        ("odd d = 2k + 1: |p - m| >= 1, so 4 p m <= d^2 - 1 = 4k(k+1)",
         same_operator((2 * a + 1) ** 2, 1 + 4 * a * (a + 1))),
        ("the sharper number is sqrt(pm) at p = m or p = m + 1, at most that for all p + m = d, d up to 8", every(
            exactly(number**2, max(p * (size - p) for p in range(size + 1))) for size, number in sharp.items())),
    ]
    # entries eta between `half` indices and the other `rest`, 0 elsewhere
    half, rest, size, j = sympy.symbols("half rest size j", integer=True, positive=True)
    outcomes += [
        "attained",
        ("right side attained: a row of the matrix of entries eta, and the vector of ones",
         equal(sympy.summation(eps, (j, 1, size)), text(r"E\preceq", letters, d=size))),
        ("both attained on the matrices with entries 0 and 1, d = 2, ..., 6", every(
            every(exactly(*attained(size, sharp[size])), exactly((sympy.ones(size) - size * sympy.eye(size)).det(), 0))
            for size in range(2, 7)))]
    return steps(outcomes, scope="all d, all symmetric E with entries in [0, eta], all unit vectors")


@claim("res-rounding-spectrum", method="exhaustive", covers="d <= 4", gap="d <= 4",
       false={"-(49/100) d on the left": {"left": Fraction(49, 100)}})
def every_zero_one_matrix(left=Fraction(1, 2)):
    """Every vertex of the cube of error matrices: E + (d/2) I >= 0 for all 0/1 matrices; the least eigenvalue is
    concave in E, so the minimum is at a vertex."""
    wrong = tried = 0
    for size in (1, 2, 3, 4):
        for matrix in covers.zero_one_matrices(size):
            wrong += not positive_semidefinite(matrix + left * size * np.eye(size, dtype=int).astype(object))
            tried += 1
    return Evidence(wrong, 0, "upper", f"{tried} matrices, d up to 4, exact LDL^T")


# --- functions ---------------------------------------------------------------------------------------------------

@claim("lem-function-distance", method="exhaustive", refutes=True,
       false={"off-diagonal entries on the grid: rounding changes nothing": {"corner": Fraction(1)}})
def rounded_matrix_is_indefinite(text, corner=Fraction(11, 10)):
    """Rounding makes a positive definite matrix indefinite: d = 2, epsilon_0 = 1/2, w = 0, Sigma = [[1, 11/10], [11/10,
    2]]/32 > 0; phi^T Sigma~ phi at phi = (4/5, -3/5).

    The bounds are false where the second function is the root of a negative number, so that no distance is finite.
    """
    eps, phi = Fraction(1, 2), (Fraction(4, 5), Fraction(-3, 5))
    matrix = ((Fraction(1, 32), corner / 32), (corner / 32, Fraction(2, 32)))
    definite = matrix[0][0] * matrix[1][1] > matrix[0][1] ** 2
    rounding = {r"\mathrm{Discretize}": covers.discretise, r"\epsilon_0": eps, "d": 2}
    weights = text(r"\bar w=", rounding, w=(Fraction(0), Fraction(0)))
    form = covers.quadratic(text(r"\bar\Sigma=", rounding | {r"\Sigma": matrix}), phi)

    def value(weighted, form):
        """Q at phi for w^T phi and phi^T Sigma phi; infinite where the root is of a negative number."""
        return inf if form < 0 else text("Q=", {r"w^\top\phi": weighted, r"\phi^\top\Sigma\phi": form})
    distance = abs(value(Fraction(0), covers.quadratic(matrix, phi))
                   - value(sum(w * x for w, x in zip(weights, phi, strict=True)), form))
    bounds = [text(left, {r"\epsilon_0": eps}) for left in (
        r"\|Q-\bar Q\|_\infty\le", r"\sup_s|\max_aQ-\max_a\bar Q|\le", r"|Q(s,\pi(s))-Q(s,\bar\pi(s))|\le")]
    allowed = sum(x * x for x in phi) <= text(r"\|\phi\|\le") ** 2
    left = definite and allowed and all(distance > bound for bound in bounds)
    return Evidence(form if left else Fraction(1), Fraction(-1, 100), "upper",
                    "the second function takes the square root of this number", detail=f"phi^T Sigma~ phi = {form}")


@claim("res-function-distance",
       false={"w rounded to the grid epsilon_0/d": {"weight": 1},
              "Sigma rounded to the grid epsilon_0^2/(2d)": {"matrix": 2}})
def rounding_moves_values_little(text, weight=2, matrix=4):
    """Lipschitz, root, and three differences: |Q - Q~| <= eps_0 (1/sqrt d + 1)/2 with the root of the positive part;
    greedy actions lose at most 2 eps_0."""
    q1, q2, r1, r2 = sympy.symbols("q1 q2 r1 r2", real=True)  # Q(pi), Q(pi~), Q~(pi), Q~(pi~)
    root_d = 1 + t  # sqrt d >= 1
    linear = root_d * eps / (weight * root_d**2)
    square = root_d**2 * eps**2 / (matrix * root_d**2)
    distance = text(r"\|Q-\bar Q\|_\infty\le", d=root_d**2, epsilon_0=eps)
    loss = text("", after="greedy actions lose at most", epsilon_0=eps)
    return steps([
        "roots",
        ("(sqrt a - sqrt b)^2 <= a - b for a >= b, sqrt b = s: the rest is 2 s (sqrt a - s)",
         same_operator((s + t) ** 2, s**2 + t**2 + 2 * s * t)),
        "values",
        ("sqrt of the matrix part is at most eps_0/2", at_least((eps / 2) ** 2, square, eps, t)),
        ("the sum is at most the bound", at_least(distance, linear + eps / 2, eps, t)),
        ("which is at most eps_0", at_least(eps, distance, eps, t)),
        "greedy policies",
        ("at most eps_0 + 0 + eps_0", at_least(loss + x + y + u, eps + eps, x, y, u)),
    ], scope="all d, all w, all symmetric Sigma, all features with |phi| <= 1, all resolutions")


def random_rational(rng, shape, denominator):
    """Array of fractions k/denominator, k uniform in -denominator..denominator."""
    numerators = rng.integers(-denominator, denominator + 1, size=shape)
    return np.frompyfunc(lambda k: Fraction(int(k), denominator), 1, 1)(numerators)


@cache  # held against the true bound and against a planted one
def rounding_effects() -> list[Fraction]:
    """|Q - Q~|/eps_0 and loss/(2 eps_0), the larger one, of random functions and of a nearly worst one for d = 1."""
    result = []
    rng = np.random.default_rng(np.random.SeedSequence(SEED))
    for size, resolution in product((1, 2, 3, 4), (Fraction(1, 3), Fraction(1, 50), Fraction(1, 10**20))):
        for _ in range(12):
            w, root = random_rational(rng, size, 997), random_rational(rng, (size, size), 31)
            rows = [row / max(1, covers.root_bounds(row @ row)[1]) for row in random_rational(rng, (5, size), 64)]
            distance, loss = covers.rounding_effect(w, root @ root.T, rows, resolution)
            result.append(max(distance, loss / 2))
    tiny = Fraction(1, 10**6)
    return [*result, covers.rounding_effect([tiny], [[tiny**2]], [[Fraction(1)]], Fraction(1, 3))[0]]


@claim("res-function-distance", method="stress", covers="random w and Sigma, d up to 4", gap="a sample",
       false={"bound scaled by 0.99: nearly attained for d = 1": {"scale": Fraction(99, 100)}})
def random_functions_are_covered(scale=Fraction(1)):
    """Random functions, rounded exactly: Largest of |Q - Q~|/eps_0 and loss/(2 eps_0) over random functions and a
    nearly worst one for d = 1."""
    result = rounding_effects()
    scope = f"{len(result)} functions, d up to 4, eps_0 from 1/3 to 1e-20, seed {SEED}"
    return Evidence(max(result), scale, "upper", scope)
