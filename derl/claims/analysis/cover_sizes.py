"""These checks establish how many functions a grid makes (Appendix E.2), and that they are a cover (line 1405).

Printed numbers of grid points and of functions are refuted by listing them. The cover is established with the printed
grids, by a rounding away from zero that keeps matrices positive semidefinite, and tried on random functions.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import sympy

from derl.claims import Evidence, claim, steps
from derl.claims.analysis.covers import SUM_OF_SQUARES, random_rational
from derl.exact.compared import every, exactly
from derl.exact.symbolic import at_least, equal, same_operator
from derl.theory.analysis import covers
from derl.theory.reachability.algebra import positive_semidefinite

SEED = 20220815

t, u, x, y, z = sympy.symbols("t u x y z", nonnegative=True)
a, b, p, Q, S = sympy.symbols("a b p Q S", real=True)


@claim("text-cover-size", method="exhaustive", refutes=True,
       false={"epsilon_0 = 1/2 divides L: the printed grid has 2L/epsilon_0 points": {"resolution": Fraction(1, 2)}})
def printed_size_is_too_small(text, resolution=Fraction(2, 3)):
    """d = 1, 2, L = B = 1, epsilon_0 = 2/3: Lists the printed grid: 4 points, against 2L/epsilon_0 = 3; zero, which
    rounding needs, is not among them.

    The least number of points over the printed one, of vectors with d entries and matrices with d^2, d = 1, 2.
    """
    grid, eps = covers.printed_grid(Fraction(1), resolution), {r"\epsilon_0": sympy.Rational(resolution)}
    ratios = []
    for size in (1, 2):
        vectors = text(r"\log|\mathcal C_{w,L,\epsilon_0}|\le", eps, L=1, d=size)
        matrices = text(r"\log|\mathcal C_{\Sigma,B,\epsilon_0}|\le", eps, B=1, d=size)
        ratios += [len(grid) ** size / sympy.exp(vectors), len(grid) ** size**2 / sympy.exp(matrices)]
    return Evidence(min(ratios), Fraction(4, 3), "identity", f"d = 1, 2, L = B = 1, epsilon_0 = {resolution}",
                    detail="; ".join(map(str, sorted(grid))))


@claim("res-cover-size", false={"2L/eta + 2, one grid point less": {"fewer": 1}})
def grid_with_zero(text, fewer=0):
    """Ceilings and zero counted: ceil(z) = z + 1 - y with y > 0 gives 2 ceil(z) + 1 <= 2z + 3; small grids are listed,
    and reached by rounding."""
    key, one = r"2\lceil L/\eta\rceil+1\le", sympy.Integer(1)
    above = text(key, L=z, eta=one) - fewer
    several = text("", after="So vectors with entries in $[-L,L]$ need", L=z, eta=one, d=1)
    outcomes = ["number of points",
                ("2 ceil(z) + 1 <= 2z + 3", at_least(above, 2 * (z + 1 - y) + 1, z, y)),
                ("a vector of one entry has as many", equal(several, above))]
    for bound, eta in ((Fraction(1), Fraction(2, 3)), (Fraction(3), Fraction(1, 2)), (Fraction(5, 4), Fraction(1, 3))):
        fine = [Fraction(k, 300) for k in range(int(-300 * bound), int(300 * bound) + 1)]
        reached, full = set(covers.discretise(fine, eta)), covers.printed_grid(bound, eta) | {Fraction(0)}
        outcomes += [
            "grid points",
            (f"bound {bound}, eta {eta}: all rounded numbers are grid points", exactly(reached & full, reached)),
            (f"bound {bound}, eta {eta}: 2 ceil + 1 points", exactly(len(full), text.sides(key, L=bound, eta=eta)[0])),
            ("and the program counts as many", exactly(covers.grid_points(bound, eta), len(full))),
            (f"bound {bound}, eta {eta}: zero is one of them", exactly(reached & {0}, {0}))]
    return steps(outcomes, scope="all d, L, B, eta > 0; a vector has d entries, a symmetric matrix d(d+1)/2")


@claim("text-cover-cardinalities", method="exhaustive", refutes=True,
       false={"each pair i <= j once, and two matrices that do differ": {"symmetric": False}})
def equal_functions_from_different_parameters(text, symmetric=True):
    """Functions counted twice: phi_i phi_j = phi_j phi_i: for d = 2 three functions, not four; and Sigma, Sigma^T give
    the same function."""
    features = [(Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)), (Fraction(3, 5), Fraction(4, 5))]
    pairs = list(product(range(2), repeat=2)) if symmetric else [(0, 0), (0, 1), (1, 1)]
    last = {tuple((1 + phi[i] * phi[j]) / 2 for phi in features) for i, j in pairs}
    one = [[Fraction(2), Fraction(1)], [Fraction(3), Fraction(2)]]  # multiples of eta, none zero: in the printed grid
    other = [[Fraction(2), Fraction(3)], [Fraction(1 if symmetric else 2), Fraction(2)]]
    twins = one != other and all(covers.quadratic(one, phi) == covers.quadratic(other, phi) for phi in features)
    functions, parameters = text.sides(r"|\mathcal V_\phi\times\Pi|=", {
        r"|\mathcal V_\phi\times\Pi|": len(last), r"|\Pi|": 1}, d=2)
    different, listed = text.sides(r"|\bar{\mathcal V}_{L,B,\epsilon_0}\times\Pi|=", {
        r"|\bar{\mathcal V}_{L,B,\epsilon_0}\times\Pi|": 2 - twins, r"|\Pi|": 1, r"|\mathcal C_{w}|": 1,
        r"|\mathcal C_{\Sigma}|": 2})  # one vector, the two matrices
    return Evidence(parameters - functions + listed - different if symmetric else len(pairs) - len(last), 2, "identity",
                    "d = 2, one policy, three features; Sigma = [[2, 1], [3, 2]] and its transpose")


@claim("res-cover-cardinalities", method="exhaustive", false={"d^2 functions": {"power": True}})
def distinct_products(text, power=False):
    """d(d+1)/2 functions, and they differ: Counts the functions (1 + phi_i phi_j)/2 on the features (e_i + 2 e_j)/3,
    minus d(d+1)/2, up to d = 5."""
    off = 0
    for n in range(1, 6):
        unit = [[Fraction(int(i == j)) for j in range(n)] for i in range(n)]
        pairs = list(product(range(n), repeat=2))
        features = [[(a + 2 * b) / 3 for a, b in zip(unit[i], unit[j], strict=True)] for i, j in pairs]
        functions = {tuple((1 + phi[i] * phi[j]) / 2 for phi in features) for i, j in pairs}
        claimed = text(r"|\mathcal V_\phi\times\Pi|\le", {r"|\Pi|": 1}, d=n)
        off += abs(len(functions) - (n * n if power else claimed))
    return Evidence(off, 0, "identity", "d = 1, ..., 5, all pairs (i, j); two pairs involve at most 4 indices")


# --- covers ------------------------------------------------------------------------------------------------------

@claim("text-function-cover", false={"matrices from the grid epsilon_0^2/(2d)": {"matrix": 2}})
def every_function_has_a_neighbour(text, matrix=1):
    """A rounding that keeps matrices positive semidefinite: 0 <= E <= (2d-1) eta for the rounding away from zero, (2
    sqrt d - 1)^2 >= 2d - 1, and all entries in the grid."""
    n = 1 + t  # n = d
    root_d, one = 1 + t, {r"\epsilon_0": 1}
    vector, entry = text(r"\zeta=", one, d=root_d**2), matrix * text(r"\eta=", one, d=root_d**2)
    return steps([
        "rounding away from zero",
        SUM_OF_SQUARES,
        ("so sum_{i != j} |x_i x_j| = S^2 - Q <= (d-1) Q and E >= 0: (d-1) eta Q - eta (S^2 - Q) = eta (d Q - S^2)",
         same_operator((p - 1) * Q + Q + S**2, S**2 + p * Q)),
        "distance",
        ("sqrt d eps_0/(2d) + sqrt((2d-1) eps_0^2/(4d)) <= eps_0, squared",
         at_least((1 - root_d * vector) ** 2, (2 * root_d**2 - 1) * entry, t)),
        "grid points",
        ("diagonal: ceil(z + d-1) <= ceil(d z) for z = B/eta >= 1", at_least(n * (1 + x) + 1, 1 + x + n, t, x)),
        ("B < eta: eta (sum_i x_i)^2 >= 0, at most d eta, and max(d eta, B) <= (2d-1) eta",
         every(at_least(2 * n, 1 + n, t), at_least(n, 1 / (1 + x), t, x))),
    ], scope="all d, L, B, eps_0 > 0; printed grids, without zero; Sigma >= 0 (or its symmetric part)")


@claim("text-function-cover", method="stress", covers="random functions, d up to 4", gap="a sample",
       false={"bound scaled by 0.99: nearly attained for d = 1": {"scale": Fraction(99, 100)}})
def random_functions_have_neighbours(scale=Fraction(1)):
    """Neighbours in the printed grid: Neighbours in the printed grids, positive semidefinite; the largest
    distance/eps_0, nearly 1 for d = 1."""
    worst, outside, tried = Fraction(0), 0, 0
    rng = np.random.default_rng(np.random.SeedSequence(SEED, spawn_key=(1,)))
    cases = [(size, eps_0, small) for size in (1, 2, 3, 4) for eps_0 in (Fraction(1, 3), Fraction(1, 20))
             for small in (1, 20, 10**6) for _ in range(4)]
    for size, eps_0, small in cases:
        w, root = random_rational(rng, size, 997) / small, random_rational(rng, (size, size), 31)
        Sigma = root @ root.T / small**2
        L, B = sum(map(abs, w)) + Fraction(1, 10**9), Sigma.trace() + Fraction(1, 10**9)  # at least the norms
        grid = eps_0 / (2 * size), eps_0**2 / (4 * size)
        near = covers.away_from_zero(w, grid[0]), covers.definite_neighbour(Sigma, B, grid[1])
        limits = covers.grid_limit(L, grid[0]), covers.grid_limit(size * B, grid[1])
        outside += not positive_semidefinite(near[1])
        outside += any(not 0 < abs(x) <= end for array, end in zip(near, limits, strict=True) for x in array.ravel())
        rows = [row / max(1, covers.root_bounds(row @ row)[1]) for row in random_rational(rng, (5, size), 64)]
        for phi in [*rows, [Fraction(1)] + [Fraction(0)] * (size - 1)]:
            first, second = covers.q_bounds(w, Sigma, phi), covers.q_bounds(*near, phi)
            worst = max(worst, (first[1] - second[0]) / eps_0, (second[1] - first[0]) / eps_0)
        tried += 1
    scope = f"{tried} functions and their neighbours, d up to 4, none outside the grid or indefinite, seed {SEED}"
    return Evidence(worst + outside, scale, "upper", scope)
