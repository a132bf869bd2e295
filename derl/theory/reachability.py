r"""The reachability coefficient nu_h, with a certificate.

    nu_h = min over unit theta of max over policies of sqrt(E_pi[<phi_h, theta>^2])                  (Definition 4.3)

is the smallest value of a norm on the unit sphere: a minimum of a convex function over a set that is not convex. No
local search can be trusted with it. Every `Interval` here has both ends from exact arithmetic:

- from above, one direction theta in whole numbers and the best policy for it, by backward induction;
- from below, the first of these that applies:
  1. nothing to prove, where the reachable features do not span R^d and nu_h = 0;
  2. an exactly solved matrix game, where the features lie on the axes (`reachability_tabular`);
  3. all vertices of a polytope, where there is a fixed start and no chance before layer h (`reachability_facets`);
  4. one mixture of policies whose smallest eigenvalue suffices (`reachability_sdp`), because
     lambda* = max_pi lambda_min(E phi phi') <= nu_h^2 <= d lambda*;
  5. a cover of the sphere by cones, with a mixture for each (`reachability_cones`).

A certificate is data that `derl.claims.reachability_checker` re-checks with the standard library alone.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from derl.mdp.exact import ExactMDP
from derl.mdp.linear_mdp import LinearMDP
from derl.theory.reachability_algebra import grid, independent, null_vector
from derl.theory.reachability_cones import cover
from derl.theory.reachability_copositive import SecondMoments
from derl.theory.reachability_facets import SYSTEMS, systems, widest_vertex
from derl.theory.reachability_interval import Interval, Proof, written
from derl.theory.reachability_means import FirstMoments
from derl.theory.reachability_model import InvalidLayer, check_layer, layer_problem
from derl.theory.reachability_pool import Pool, lowest
from derl.theory.reachability_sdp import SOLVERS, Forms, balance, dual_certificate, mixture_certificate
from derl.theory.reachability_tabular import axis_game, on_axes

GAPS = {1: 1e-9, 2: 1e-9, 3: 1e-6, 4: 1e-4, 5: 1e-2, 6: 5e-2}  # default relative gap of nu^2 by dimension
WIDE = 0.1  # and beyond
LIMIT = 4000  # linear programmes; half as many for each dimension beyond 5
EIGENVALUE = 1e-3  # relative gap of lambda* where the cones have failed
STARTS = 8  # descents per dimension
SEED = 20220803
SUBSPACES = ("all", "reachable")


def nu(mdp: LinearMDP | ExactMDP, layer: int, *, relative: float | None = None, subspace: str = "all",
       limit: int | None = None) -> Interval:
    """The reachability coefficient of one layer.

    Parameters
    ----------
    layer : int
        h = 1..H, counted as in the paper.
    relative : float in (0, 1), optional
        Wanted relative gap of nu^2; by default 1e-9 for d <= 2, 1e-6, 1e-4, 1e-2, 5e-2 for d = 3 to 6, 0.1 beyond.
    subspace : {"all", "reachable"}
        Directions theta: all of R^d as in the definition, or only the span of the features that some policy meets.
    limit : int, >= 1, optional
        Linear programmes that the search for cones may use, 4000 by default for d <= 5 and half as many for each
        dimension more. When they run out the interval is wider, never wrong.

    Raises
    ------
    InvalidLayer

    Source: Definition 4.3.
    """
    problem, floats, relative = _task(mdp, layer, relative, subspace, limit)
    if problem.rank < problem.dim and subspace == "all":
        return written(problem, _unreached(problem), "nu", subspace)
    if on_axes(problem):
        proof = _on_axes(problem, Pool(floats, layer))
    elif problem.steerable and systems(problem) <= SYSTEMS:
        value, theta = widest_vertex(problem)
        proof = Proof(value, value, "vertices", None, {"direction": theta}, [])
    else:
        proof = _search(problem, Pool(floats, layer), subspace, relative, limit)
    return written(problem, proof, "nu", subspace)


def nu_min(mdp: LinearMDP | ExactMDP, **options) -> Interval:
    """The smallest nu_h over all layers; options as in `nu`.        Source: Definition 4.3."""
    layers = [nu(mdp, h, **options) for h in range(1, mdp.horizon + 1)]
    proofs = [found.certificate for found in layers]
    ends = {side: {"value": str(min(Fraction(proof[side]["value"]) for proof in proofs))}
            for side in ("lower", "upper")}
    return Interval(min(found.lower for found in layers), min(found.upper for found in layers),
                    {"layers": proofs, "horizon": mdp.horizon, **ends},
                    " ".join(dict.fromkeys(found.method for found in layers)))


def best_min_eigenvalue(mdp: LinearMDP | ExactMDP, layer: int, *, relative: float = 1e-7,
                        solver: str = "lp") -> Interval:
    """lambda* = max over policies of the smallest eigenvalue of E_pi[phi_h phi_h'], by primal and dual certificates.

    Parameters
    ----------
    layer, relative
        As in `nu`, for lambda* itself; the search may stop earlier, and then the interval says so.
    solver : {"lp", "sdp"}
        Linear programmes, or semidefinite ones (cvxpy, extra `sdp`). Either only proposes.

    Source: Appendix E.8, last display.
    """
    if solver not in SOLVERS:
        raise InvalidLayer(f"solver is {solver!r}; allowed are {', '.join(map(repr, SOLVERS))}")
    problem, floats, relative = _task(mdp, layer, relative, "all", None)
    if problem.rank < problem.dim:
        proof = _unreached(problem)
    elif on_axes(problem):  # the form of the game is linear in theta_i^2, so that rank one costs nothing
        proof = _on_axes(problem, Pool(floats, layer))
    else:
        pool, basis = Pool(floats, layer), np.eye(problem.dim)
        found = balance(pool, basis, relative / 4, solver=solver)
        upper, factor = dual_certificate(problem, found.factor)
        lower, mixture = mixture_certificate(Forms(problem, _identity(problem)), pool, found.weights, found.lower)
        proof = Proof(lower, upper, "mixture", mixture, {"factor": factor}, pool.policies)
    return written(problem, proof, "lambda", "all")


def explorability(mdp: LinearMDP | ExactMDP, layer: int, *, relative: float | None = None,
                  limit: int | None = None) -> Interval:
    """min over unit theta of max over policies of |E_pi[phi_h]' theta|, the coefficient that nu_h is compared with.

    Source: Appendix E.8, first display.
    """
    problem, floats, relative = _task(mdp, layer, relative, "all", limit)
    pool = Pool(floats, layer, "first")
    proof = _still(problem, pool) or _search(problem, pool, "all", relative, limit)
    return written(problem, proof, "explorability", "all")


def reach(mdp: LinearMDP, layer: int, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """max over policies of sqrt(E_pi[<phi_h, theta>^2]) for directions theta (n, d), in floats.

    Returns
    -------
    values : (n,)
    policies : (n, h, S) int
        A deterministic policy that attains each value.
    """
    theta = np.atleast_2d(np.asarray(theta, dtype=np.float64))
    values, policies = Pool(mdp, check_layer(mdp, layer)).answer(theta[:, :, None] * theta[:, None, :])
    return np.sqrt(values), policies


def _task(mdp, layer, relative, subspace, limit):
    if not isinstance(mdp, LinearMDP | ExactMDP):
        raise InvalidLayer(f"mdp is of type {type(mdp).__name__}; it must be a LinearMDP or an ExactMDP")
    if subspace not in SUBSPACES:
        raise InvalidLayer(f"subspace is {subspace!r}; allowed are {', '.join(map(repr, SUBSPACES))}")
    if relative is not None and not 0 < relative < 1:
        raise InvalidLayer(f"relative is {relative!r}; it must be a number in (0, 1)")
    if limit is not None and (isinstance(limit, bool) or not isinstance(limit, (int, np.integer)) or limit < 1):
        raise InvalidLayer(f"limit is {limit!r}; it must be an integer >= 1")
    problem = layer_problem(mdp, layer)
    floats = mdp.to_float() if isinstance(mdp, ExactMDP) else mdp
    return problem, floats, GAPS.get(problem.rank, WIDE) if relative is None else relative


def _identity(problem):
    return np.eye(problem.dim, dtype=int).astype(object)


def _unreached(problem):
    """nu_h = 0: a direction that no reachable feature sees."""
    return Proof(Fraction(0), Fraction(0), "nothing", None, {"direction": null_vector(problem.points)}, [])


def _still(problem, pool):
    """explorability = 0: a direction in which no policy moves the mean feature; None if there is none."""
    pool.peak(np.eye(problem.dim))
    policies = list(pool.policies)
    while True:
        means = np.array([problem.first_moment(policy) for policy in policies], dtype=object)
        if len(independent(means)) == problem.dim:
            return None
        theta = null_vector(means)
        moved = [sign * (problem.features @ theta) for sign in (1, -1)]
        fresh = [problem.best_policy(reward) for reward in moved if problem.best(reward) > 0]
        if not fresh:
            return Proof(Fraction(0), Fraction(0), "nothing", None, {"direction": theta}, [])
        policies += fresh


def _on_axes(problem, pool):
    game = axis_game(problem, pool)
    return Proof(game.lower, game.upper, "game", list(enumerate(game.weights)), {"squares": game.squares},
                  game.policies)


def _basis(problem, subspace):
    """A basis of the subspace in whole numbers (d, r), orthogonal up to rounding, and in floats."""
    if subspace == "all" or problem.rank == problem.dim:
        return _identity(problem), np.eye(problem.dim)
    spanning = problem.points[independent(problem.points)].T
    floats = (spanning / problem.feature_scale).astype(np.float64)
    exact = spanning @ grid(np.linalg.inv(np.linalg.qr(floats).R), 40)
    return exact, (exact / (problem.feature_scale << 40)).astype(np.float64)


def _search(problem, pool, subspace, relative, limit):
    """Descents for the upper end; eigenvalues, then cones, for the lower one."""
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


def _whitening(matrix):
    """Coordinates in which a typical matrix is round, so that the cones have the shape of the problem."""
    values, directions = np.linalg.eigh(matrix)
    return directions * np.sqrt(values[-1] / np.maximum(values, 1e-9 * values[-1]))


def _measure(problem, moment, basis):
    """The exact F(theta)/|theta|^2 at theta = basis x, and x in whole numbers."""

    def value(x):
        whole = grid(np.asarray(x, dtype=np.float64) / np.abs(x).max(), 40)
        return _value(problem, basis @ whole, moment), whole

    return value


def _value(problem, theta, moment):
    """F(theta)/|theta|^2 for a direction in whole numbers (d,)."""
    if moment == "second":
        return Fraction(problem.best(problem.quadratic(np.outer(theta, theta))),
                        problem.mass_scale * problem.feature_scale**2 * int(theta @ theta))
    reward = problem.features @ theta
    return Fraction(max(problem.best(reward), problem.best(-reward)) ** 2,
                    (problem.mass_scale * problem.feature_scale) ** 2 * int(theta @ theta))
