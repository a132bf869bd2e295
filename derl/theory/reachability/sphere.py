"""The minimum over the sphere: descents for the upper end; eigenvalues, then cones, for the lower one.

F(theta) is max over policies of E_pi[<phi, theta>^2], or the square of max over policies of |E_pi[phi]' theta|; the
result is its minimum over unit theta in a subspace. Floats only propose: each end is recomputed in whole numbers.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from derl.theory.reachability.algebra import grid, independent
from derl.theory.reachability.cones import cover
from derl.theory.reachability.copositive import SecondMoments
from derl.theory.reachability.interval import Proof
from derl.theory.reachability.means import FirstMoments
from derl.theory.reachability.pool import lowest
from derl.theory.reachability.sdp import Forms, balance, mixture_certificate

LIMIT = 4000  # linear programmes; half as many for each dimension beyond 5
EIGENVALUE = 1e-3  # relative gap of lambda* where the cones have failed
STARTS = 8  # descents per dimension
SEED = 20220803


def search(problem, pool, subspace, relative, limit) -> Proof:
    """Both ends of min over unit theta of F(theta), each by a proof of its own.

    Parameters
    ----------
    problem : LayerProblem
    pool : Pool
        Policies found so far; its moment says which F is meant.
    subspace : {"all", "reachable"}
    relative : float in (0, 1)
        Relative gap of the square at which the search may end.
    limit : int or None
        Linear programmes for the cones; by default `LIMIT`, half as many for each dimension beyond 5.
    """
    exact_basis, basis = _basis(problem, subspace)
    rank = basis.shape[1]
    rng = np.random.default_rng(np.random.SeedSequence(SEED))
    starts = np.concatenate([np.eye(rank), rng.standard_normal((STARTS * rank, rank))])
    start = lowest(pool, basis, starts)[1]
    measure = _measure(problem, pool.moment, exact_basis)
    upper, direction = measure(start)
    if upper <= 4 * Fraction(problem.mass_radius) + (100 * Fraction(problem.feature_radius)) ** 2:
        return Proof(Fraction(0), upper, "nothing", None, {"direction": exact_basis @ direction}, [])
    lower, mixture, typical = Fraction(0), [], pool.matrices.mean(axis=0)
    if pool.moment == "second":
        found = balance(pool, basis, relative / 4, rounds=40, enough=float(upper) * (1 - relative / 2))
        lower, mixture = mixture_certificate(Forms(problem, exact_basis), pool, found.weights, found.lower)
        typical = np.tensordot(found.weights, pool.matrices[:len(found.weights)], axes=1)
    if lower >= upper * (1 - Fraction(relative)):
        return Proof(lower, upper, "mixture", mixture, {"direction": exact_basis @ direction}, pool.policies)
    change = _whitening(basis.T @ typical @ basis)
    cone_basis = exact_basis @ grid(change, 40)
    bounds = SecondMoments(pool, Forms(problem, cone_basis)) if pool.moment == "second" \
        else FirstMoments(pool, problem, cone_basis)
    limit = max(LIMIT >> max(0, rank - 5), 1) if limit is None else limit
    proved = None
    if 2 ** (rank - 1) <= max(limit, 16):  # the cones to begin with
        proved = cover(bounds, basis @ change, _measure(problem, pool.moment, cone_basis),
                       np.linalg.solve(change, start), relative, limit)
    if pool.moment == "second" and (proved is None or not proved.complete):  # the eigenvalue may be the better bound
        found = balance(pool, basis, min(relative / 4, EIGENVALUE))
        lower, mixture = max((lower, mixture), mixture_certificate(Forms(problem, exact_basis), pool, found.weights,
                                                                   found.lower), key=lambda pair: pair[0])
    why_upper = {"direction": exact_basis @ direction}
    if proved is not None and proved.upper < upper:
        upper, why_upper = proved.upper, {"direction": cone_basis @ proved.direction}
    if proved is None or proved.level <= lower:
        return Proof(lower, upper, "mixture" if lower else "nothing", mixture, why_upper, pool.policies)
    return Proof(proved.level, upper, "cones", {"basis": cone_basis, "nodes": proved.nodes}, why_upper, pool.policies)


def identity(problem):
    """The unit vectors as a basis in whole numbers (d, d)."""
    return np.eye(problem.dim, dtype=int).astype(object)


def _basis(problem, subspace):
    """A basis of the subspace in whole numbers (d, r), orthogonal up to rounding, and in floats."""
    if subspace == "all" or problem.rank == problem.dim:
        return identity(problem), np.eye(problem.dim)
    spanning = problem.points[independent(problem.points)].T
    floats = (spanning / problem.feature_scale).astype(np.float64)
    exact = spanning @ grid(np.linalg.inv(np.linalg.qr(floats).R), 40)
    return exact, (exact / (problem.feature_scale << 40)).astype(np.float64)


def _whitening(matrix):
    """Coordinates in which a typical matrix is round, so that the cones have the shape of the problem."""
    values, directions = np.linalg.eigh(matrix)
    return directions * np.sqrt(values[-1] / np.maximum(values, 1e-9 * values[-1]))


def _measure(problem, moment, basis):
    """The exact F(theta)/|theta|^2 at theta = basis x, and x in whole numbers."""

    def value(x):
        integers = grid(np.asarray(x, dtype=np.float64) / np.abs(x).max(), 40)
        return _value(problem, basis @ integers, moment), integers

    return value


def _value(problem, theta, moment):
    """F(theta)/|theta|^2 for a direction in whole numbers (d,)."""
    if moment == "second":
        return Fraction(problem.best(problem.quadratic(np.outer(theta, theta))),
                        problem.mass_scale * problem.feature_scale**2 * int(theta @ theta))
    reward = problem.features @ theta
    return Fraction(max(problem.best(reward), problem.best(-reward)) ** 2,
                    (problem.mass_scale * problem.feature_scale) ** 2 * int(theta @ theta))
