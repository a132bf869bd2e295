r"""nu_h exactly where every reachable feature lies on a coordinate axis: tabular instances, locks, hard templates.

Then phi_i phi_j = 0 for i != j, every Lambda_pi is diagonal, and with p_i = theta_i^2

    nu_h^2 = min_p max_pi sum_i p_i a_i(pi),   a_i(pi) = E_pi[phi_i^2],   p in the simplex,

a matrix game between coordinates and policies. For one-hot features a_i is the probability of the pair i, so that
nu_h^2 = max_pi min_i P_pi(pair i). The game is solved twice: in floats, to find the policies and coordinates that
matter, and on those in whole numbers by the simplex method. Its solution is exact when no coordinate falls below its
value and no policy at all exceeds it, by backward induction; otherwise the one that does joins.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import scipy

from derl.theory.reachability.algebra import grid, in_integers
from derl.theory.reachability.model import LayerProblem
from derl.theory.reachability.pool import Pool

ROUNDS = 200
SMALL = 1e-9  # weights below this do not make a policy matter
LARGE = 200  # entries of a game that is solved in whole numbers
NEGLIGIBLE = Fraction(1, 10**12)  # relative gap that is as good as none for an instance in floats


@dataclass(frozen=True)
class Game:
    """A solution of the game, measured without rounding.

    Attributes
    ----------
    lower, upper : Fraction
        Around nu_h^2; equal where the game was solved exactly.
    policies : list of (h, S) int
    weights : (K,) of int
        The mixture that attains `lower`, over its sum.
    squares : (d,) of int
        p that attains `upper`, over its sum; theta_i = sqrt(p_i) is a direction that is hardest to reach.
    """

    lower: Fraction
    upper: Fraction
    policies: list
    weights: np.ndarray
    squares: np.ndarray


def on_axes(problem: LayerProblem) -> bool:
    """Whether every reachable feature of the layer has at most one nonzero coordinate."""
    return bool(((problem.points != 0).sum(axis=1) <= 1).all())


def axis_game(problem: LayerProblem, pool: Pool) -> Game:
    """Solve the game over the coordinates that some policy reaches.

    Source: Definition 4.3 for features on the axes.
    """
    axes = np.flatnonzero((problem.points != 0).any(axis=0))
    policies, weights, shares = _support(pool, axes)
    game, missed = _measure(problem, axes, policies, grid(weights, 60), grid(shares, 60))
    rows, goal = np.flatnonzero(shares).tolist(), NEGLIGIBLE if problem.mass_radius else Fraction(0)
    for _ in range(ROUNDS):
        if game.upper - game.lower <= goal * game.upper or len(rows) * len(policies) > LARGE:
            break
        payoff = _payoff(problem, axes[rows], policies)
        _, weights, partial = solve_game(payoff)
        shares = np.zeros(len(axes), dtype=object)
        shares[rows] = in_integers(partial)[0]
        found, missed = _measure(problem, axes, policies, in_integers(weights)[0], shares)
        game = max(game, found, key=lambda g: g.lower - g.upper)
        rows = sorted({*rows, missed})
        policies = [*policies, problem.best_policy(problem.quadratic(np.diag(found.squares)))]
    return game


def _payoff(problem, axes, policies):
    return np.array([problem.second_moment(policy).diagonal()[axes] for policy in policies], dtype=object).T


def _measure(problem, axes, policies, weights, shares):
    """The exact value of a mixture and of a distribution over coordinates, and the coordinate reached least."""
    reached = _payoff(problem, axes, policies) @ weights
    squares = np.zeros(problem.dim, dtype=object)
    squares[axes] = shares
    scale = problem.mass_scale * problem.feature_scale**2
    game = Game(Fraction(min(reached), scale * sum(weights)),
                Fraction(problem.best(problem.quadratic(np.diag(squares))), scale * sum(shares)),
                policies, weights, squares)
    return game, int(reached.argmin())


def _support(pool, axes):
    """Policies and coordinates with positive weight in the float solution, by column generation."""
    pool.peak(np.eye(pool.dim)[axes])
    weights, shares = np.ones(len(pool.policies)), np.ones(len(axes))
    for _ in range(ROUNDS):
        payoff = pool.matrices[:, axes, axes].T
        n, k = payoff.shape
        found = scipy.optimize.linprog(
            np.r_[np.zeros(k), -1.0], A_ub=np.c_[-payoff, np.ones(n)], b_ub=np.zeros(n),
            A_eq=np.r_[np.ones(k), 0.0][None], b_eq=[1.0], bounds=[(0, None)] * k + [(None, None)])
        if not found.success:
            break
        weights, shares = found.x[:-1], np.maximum(-found.ineqlin.marginals, 0.0)
        rho = np.zeros((1, pool.dim, pool.dim))
        rho[0, axes, axes] = shares
        if pool.price(rho)[0] <= -found.fun * (1 + SMALL) or len(pool.policies) == k:
            break
    used = np.flatnonzero(weights > SMALL)
    return [pool.policies[k] for k in used], weights[used], np.where(shares > SMALL, shares, 0.0)


def solve_game(payoff: np.ndarray) -> tuple[Fraction, np.ndarray, np.ndarray]:
    """max over w, min over p of p' A w for an integer matrix A (n, K): value, w (K,), p (n,) as Fractions, exactly.

    With A shifted to be positive, y = p/v solves max sum y over A' y <= 1, y >= 0; the simplex method with Bland's
    rule ends, and its last row holds w/v. The tableau stays in integers: every entry has the last pivot as its
    denominator, and the division in each update has no remainder.
    """
    n, k = payoff.shape
    shift = 1 - min(int(payoff.min()), 1)
    table = np.zeros((k + 1, n + k + 1), dtype=object)
    table[:k, :n], table[:k, n:n + k], table[:k, -1] = payoff.T + shift, np.eye(k, dtype=int), 1
    table[k, :n] = -1
    basis, last = list(range(n, n + k)), 1
    while (entering := next((j for j in range(n + k) if table[k, j] < 0), None)) is not None:
        rows = [i for i in range(k) if table[i, entering] > 0]
        leaving = min(rows, key=lambda i: (Fraction(table[i, -1], table[i, entering]), basis[i]))
        pivot, row = table[leaving, entering], table[leaving].copy()
        table = (table * pivot - np.outer(table[:, entering], row)) // last
        table[leaving], basis[leaving], last = row, entering, pivot
    share = np.full(n + k, Fraction(0), dtype=object)
    for i, j in enumerate(basis):
        share[j] = Fraction(table[i, -1], last)
    inverse = Fraction(table[k, -1], last)
    weights = np.array([Fraction(x, last) for x in table[k, n:n + k]], dtype=object)
    return 1 / inverse - shift, weights / inverse, share[:n] / inverse
