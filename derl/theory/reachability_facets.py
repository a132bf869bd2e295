r"""nu_h exactly where every reachable pair can be reached with probability one: a fixed start and no chance before h.

Then max_pi E_pi[(phi' theta)^2] = max_x (x' theta)^2 over the reachable features x, a polyhedral norm squared, and nu_h
is the inradius of the convex hull of all +x and -x. Its polar body {theta : |x' theta| <= 1 for all x} is a polytope
when the features span R^d, and

    1/nu_h^2 = max { |theta|^2 : theta in the polar body }

is attained at a vertex: a solution of x_1' theta = s_1, ..., x_d' theta = s_d for d independent features and signs s_i.
All of them are enumerated in fractions.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np

from derl.theory.reachability_algebra import whole
from derl.theory.reachability_model import LayerProblem

SYSTEMS = 4000  # linear systems solved at most


def systems(problem: LayerProblem) -> int:
    """How many linear systems the enumeration takes."""
    return comb(len(problem.points), problem.dim) * 2 ** (problem.dim - 1)


def widest_vertex(problem: LayerProblem) -> tuple[Fraction, np.ndarray]:
    """nu_h^2 and a direction theta (d,) of int that attains it.

    The problem must be steerable and its features must span R^d.
    """
    d, points = problem.dim, problem.points
    signs = [np.array((1, *rest), dtype=object) for rest in product((1, -1), repeat=d - 1)]
    longest, direction = Fraction(0), None
    for chosen in combinations(range(len(points)), d):
        inverse = _inverse(points[list(chosen)])
        if inverse is None:
            continue
        for s in signs:
            theta = inverse @ s
            length = theta @ theta
            if length > longest and max(abs(points @ theta)) <= 1:
                longest, direction = length, theta
    return 1 / (longest * problem.feature_scale**2), whole(direction)[0]


def _inverse(matrix):
    """The inverse of an integer matrix in Fractions; None if it is singular."""
    d = len(matrix)
    rows = [[Fraction(int(x)) for x in row] + [Fraction(int(i == j)) for j in range(d)]
            for i, row in enumerate(matrix)]
    for i in range(d):
        pivot = next((k for k in range(i, d) if rows[k][i]), None)
        if pivot is None:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for k in range(d):
            if k != i and rows[k][i]:
                factor = rows[k][i]
                rows[k] = [x - factor * y for x, y in zip(rows[k], rows[i], strict=True)]
    return np.array([row[d:] for row in rows], dtype=object)
