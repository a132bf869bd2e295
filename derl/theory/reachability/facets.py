r"""nu_h exactly where every reachable pair can be reached with probability one: a fixed start and no chance before h.

Then max_pi E_pi[(phi' theta)^2] = max_x (x' theta)^2 over the reachable features x, a polyhedral norm squared, and nu_h
is the inradius of the convex hull of all +x and -x. Its polar body {theta : |x' theta| <= 1 for all x} is a polytope
when the features span R^d, and

    1/nu_h^2 = max { |theta|^2 : theta in the polar body }

is attained at a vertex: a solution of x_1' theta = s_1, ..., x_d' theta = s_d for d independent features and signs s_i.
All of them are enumerated in fractions. Where the features span less, the same is done for theta in their span.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb

import numpy as np

from derl.exact.matrices import InvalidMatrix, inverse
from derl.theory.reachability.algebra import in_integers, independent
from derl.theory.reachability.model import LayerProblem

SYSTEMS = 4000  # linear systems solved at most


def systems(problem: LayerProblem) -> int:
    """How many linear systems the enumeration takes."""
    return comb(len(problem.points), problem.rank) * 2 ** (problem.rank - 1)


def widest_vertex(problem: LayerProblem) -> tuple[Fraction, np.ndarray]:
    """nu_h^2 over the span of the features and a direction theta (d,) of int that attains it.

    The problem must be steerable. With a basis B (d, r) of the span and theta = B y, the equations are
    (B' x_i)' y = s_i, and |theta|^2 = y' B'B y.
    """
    rank = problem.rank
    basis = problem.points[independent(problem.points)].T if rank < problem.dim \
        else np.eye(problem.dim, dtype=int).astype(object)
    points, gram = problem.points @ basis, basis.T @ basis
    signs = [np.array((1, *rest), dtype=object) for rest in product((1, -1), repeat=rank - 1)]
    longest, direction = Fraction(0), None
    for chosen in combinations(range(len(points)), rank):
        try:
            corner = inverse(points[list(chosen)])
        except InvalidMatrix:
            continue
        for s in signs:
            y = corner @ s
            length = y @ gram @ y
            if length > longest and max(abs(points @ y)) <= 1:
                longest, direction = length, y
    return 1 / (longest * problem.feature_scale**2), in_integers(basis @ direction)[0]
