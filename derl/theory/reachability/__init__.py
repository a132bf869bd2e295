r"""The reachability coefficient nu_h, with a certificate.

    nu_h = min over unit theta of max over policies of sqrt(E_pi[<phi_h, theta>^2])                  (Definition 4.3)

is the smallest value of a norm on the unit sphere: a minimum of a convex function over a set that is not convex. No
local search can be trusted with it. Every `Interval` here has both ends from exact arithmetic:

- from above, one direction theta in whole numbers and the best policy for it, by backward induction;
- from below, the first of these that applies:
  1. nothing to prove, where the reachable features do not span R^d and nu_h = 0;
  2. an exactly solved matrix game, where the features lie on the axes (`tabular`);
  3. all vertices of a polytope, where there is a fixed start and no chance before layer h (`facets`);
  4. one mixture of policies whose smallest eigenvalue suffices (`sdp`), because
     lambda* = max_pi lambda_min(E phi phi') <= nu_h^2 <= d lambda*;
  5. a cover of the sphere by cones, with a mixture for each (`cones`).

A certificate is data that `derl.certificates.check_reachability` re-checks with the standard library alone.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from derl.inputs import choice, real, whole
from derl.inputs.arrays import as_floats
from derl.mdp.exact import ExactMDP
from derl.mdp.linear_mdp import LinearMDP
from derl.theory.reachability.algebra import independent, null_vector
from derl.theory.reachability.facets import SYSTEMS, systems, widest_vertex
from derl.theory.reachability.interval import Interval, Proof, written
from derl.theory.reachability.model import InvalidLayer, check_layer, layer_problem
from derl.theory.reachability.pool import Pool
from derl.theory.reachability.sdp import SOLVERS, Forms, balance, dual_certificate, mixture_certificate
from derl.theory.reachability.sphere import identity, search
from derl.theory.reachability.tabular import axis_game, on_axes

GAPS = {1: 1e-9, 2: 1e-9, 3: 1e-6, 4: 1e-4, 5: 1e-2, 6: 5e-2}  # default relative gap of nu^2 by dimension
WIDE = 0.1  # and beyond
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

    Examples
    --------
    >>> from derl import instances
    >>> from derl.theory import reachability
    >>> found = reachability.nu(instances.hexagon(3), 1)
    >>> bool(found.lower <= found.upper), round(float(found.lower), 6)
    (True, 0.612372)
    """
    problem, floats, relative = _task(mdp, layer, relative, subspace, limit)
    if problem.rank < problem.dim and subspace == "all":
        return written(problem, _unreached(problem), "nu", subspace)
    if on_axes(problem):
        proof = _on_axes(problem, Pool(floats, problem.layer))
    elif problem.steerable and systems(problem) <= SYSTEMS:
        value, theta = widest_vertex(problem)
        proof = Proof(value, value, "vertices", None, {"direction": theta}, [])
    else:
        proof = search(problem, Pool(floats, problem.layer), subspace, relative, limit)
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

    Raises
    ------
    InvalidLayer
    Unavailable
        The solver is not installed, or fails before it reaches a first bound; where it fails later, the interval of the
        bounds reached so far is returned.

    Source: Appendix E.8, last display.
    """
    choice(solver, "solver", SOLVERS, InvalidLayer)
    problem, floats, relative = _task(mdp, layer, relative, "all", None)
    if problem.rank < problem.dim:
        proof = _unreached(problem)
    elif on_axes(problem):  # the form of the game is linear in theta_i^2, so that rank one costs nothing
        proof = _on_axes(problem, Pool(floats, problem.layer))
    else:
        pool, basis = Pool(floats, problem.layer), np.eye(problem.dim)
        found = balance(pool, basis, relative / 4, solver=solver)
        upper, factor = dual_certificate(problem, found.factor)
        lower, mixture = mixture_certificate(Forms(problem, identity(problem)), pool, found.weights, found.lower)
        proof = Proof(lower, upper, "mixture", mixture, {"factor": factor}, pool.policies)
    return written(problem, proof, "lambda", "all")


def explorability(mdp: LinearMDP | ExactMDP, layer: int, *, relative: float | None = None,
                  limit: int | None = None) -> Interval:
    """min over unit theta of max over policies of |E_pi[phi_h]' theta|, the coefficient that nu_h is compared with.

    Source: Appendix E.8, first display.
    """
    problem, floats, relative = _task(mdp, layer, relative, "all", limit)
    pool = Pool(floats, problem.layer, "first")
    proof = _still(problem, pool) or search(problem, pool, "all", relative, limit)
    return written(problem, proof, "explorability", "all")


def reach(mdp: LinearMDP, layer: int, theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """max over policies of sqrt(E_pi[<phi_h, theta>^2]) for directions theta (n, d), in floats.

    Returns
    -------
    values : (n,)
    policies : (n, h, S) int
        A deterministic policy that attains each value.
    """
    theta = np.atleast_2d(as_floats(theta, "theta", InvalidLayer))
    values, policies = Pool(mdp, check_layer(mdp, layer)).answer(theta[:, :, None] * theta[:, None, :])
    return np.sqrt(values), policies


def _task(mdp, layer, relative, subspace, limit):
    if not isinstance(mdp, LinearMDP | ExactMDP):
        raise InvalidLayer(f"mdp is of type {type(mdp).__name__}; it must be a LinearMDP or an ExactMDP")
    choice(subspace, "subspace", SUBSPACES, InvalidLayer)
    if relative is not None:
        real(relative, "relative", above=0, below=1, error=InvalidLayer)
    if limit is not None:
        whole(limit, "limit", error=InvalidLayer)
    problem = layer_problem(mdp, layer)
    floats = mdp.to_float() if isinstance(mdp, ExactMDP) else mdp
    return problem, floats, GAPS.get(problem.rank, WIDE) if relative is None else relative


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
