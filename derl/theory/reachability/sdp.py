r"""The largest smallest eigenvalue, lambda* = max_pi lambda_min(E_pi phi phi'), from both sides, exactly.

    primal: policies pi_k and weights w with  sum_k w_k Lambda_k - t I  positive semidefinite   =>  lambda* >= t
    dual:   rho >= 0 with  max_pi tr(Lambda_pi rho) <= t tr(rho)                              =>  lambda* <= t

The second holds because tr(Lambda rho) >= lambda_min(Lambda) tr(rho). The two values meet (Sion: a bilinear form, both
sets convex and compact). rho = theta theta' is allowed, so lambda* <= nu^2. Conversely the optimal rho is at least
theta theta'/d for its leading unit eigenvector theta, so nu^2 <= d lambda*.

The search is a matrix game that grows on both sides: rows are directions, columns are policies. The next column
answers the current rho by backward induction, the next rows are the weak directions of the current mixture. With
`solver="sdp"` the columns alone grow, and each round is a small semidefinite programme (cvxpy).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import scipy

from derl.exact.base import Unavailable
from derl.inputs.parts import demand, part
from derl.theory.reachability.algebra import grid, positive_semidefinite
from derl.theory.reachability.model import LayerProblem
from derl.theory.reachability.pool import Pool

BITS = 64  # exact matrices are rounded down to multiples of 2^-BITS
WEIGHT_BITS = 44
SHRINK = (1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-6, 1e-4, 1.0)  # tried in turn, relative to the level
COLUMNS = 120  # policies in the master programme: those that answer the last rho best, and those used before
SOLVERS = ("lp", "sdp")


class Forms:
    """Quadratic forms that are below those of policies, in whole numbers.

    `of(policy)` is an integer matrix A with B' Lambda B - A/2^BITS positive semidefinite, where B (d, r) is an
    integer basis: the exact matrix is rounded down entry by entry, and d units are taken off the diagonal.
    """

    def __init__(self, problem: LayerProblem, basis: np.ndarray):
        self.problem, self.basis, self._known = problem, basis, {}
        self.gram = basis.T @ basis

    def of(self, policy: np.ndarray) -> np.ndarray:
        """The form of a deterministic policy (h, S), integers (r, r)."""
        key = policy.tobytes()
        if key not in self._known:
            scale = self.problem.mass_scale * self.problem.feature_scale**2
            lowered = (self.problem.second_moment(policy) << BITS) // scale
            lowered = np.minimum(lowered, lowered.T)  # floor of equal numbers: already symmetric
            lowered[np.diag_indices(len(lowered))] -= len(lowered)
            self._known[key] = self.basis.T @ lowered @ self.basis
        return self._known[key]

    def excess(self, policies: Sequence[np.ndarray], weights: Sequence[int], level: int) -> np.ndarray:
        """sum_k w_k form_k - level sum_k w_k B'B: below the form of (mixture - level/2^BITS), integers (r, r)."""
        return sum(w * self.of(policy) for policy, w in zip(policies, weights, strict=True)) \
            - level * sum(weights) * self.gram


@dataclass(frozen=True)
class Balance:
    """Where the search for lambda* ended: floats, proposals for exact certificates.

    Attributes
    ----------
    lower, upper : float
    weights : (K,)
        Of the policies of the pool.
    factor : (d, m)
        rho = factor factor'.
    """

    lower: float
    upper: float
    weights: np.ndarray
    factor: np.ndarray


def balance(pool: Pool, basis: np.ndarray, relative: float = 1e-9, rounds: int = 80, enough: float = np.inf,
            solver: str = "lp") -> Balance:
    """Search lambda* on the span of an orthonormal basis (d, r).

    Parameters
    ----------
    relative : float
        Stop when upper - lower is at most this part of the upper value.
    enough : float
        Stop as soon as lower reaches it, or upper falls below it.

    Raises
    ------
    Unavailable
        The solver is not installed, or fails in the first round; where it fails later, the bounds reached so far are
        returned.
    """
    rows = list(np.eye(basis.shape[1]))
    pool.peak(basis.T)
    best_low, best_high = (-np.inf, None), (np.inf, None)
    rho, used = np.eye(basis.shape[1]), np.zeros(0, dtype=int)
    for _ in range(rounds):
        forms = basis.T @ pool.matrices @ basis
        active = np.union1d(used, np.argsort(-np.tensordot(forms, rho, axes=2))[:COLUMNS])
        step = _game(forms[active], np.array(rows)) if solver == "lp" else _semidefinite(forms[active])
        if step is None:
            break
        weights, factor = np.zeros(len(forms)), step[1]
        weights[active], rho = step[0], factor @ factor.T
        used = np.union1d(used, active[step[0] > 0])  # columns that mattered once stay
        low, directions = np.linalg.eigh(np.tensordot(weights, forms, axes=1))
        high, factor = _answer(pool, basis, factor, best_high[1], directions)
        best_low = max(best_low, (low[0], weights), key=lambda pair: pair[0])
        best_high = min(best_high, (high, factor), key=lambda pair: pair[0])
        gap = best_high[0] - best_low[0]
        if gap <= relative * best_high[0] or best_low[0] >= enough or best_high[0] < enough < np.inf:
            break
        rows += list(directions.T[low <= low[0] + 5 * gap])
    if best_low[1] is None:
        raise Unavailable(f"solver={solver!r} has failed before it reached a first bound; the other of "
                          f"{', '.join(map(repr, SOLVERS))} may do better")
    weights = np.zeros(len(pool.policies))
    weights[:len(best_low[1])] = best_low[1]
    return Balance(best_low[0], best_high[0], weights, basis @ best_high[1])


def _answer(pool, basis, factor, best, directions):
    """Best answers to rho, to its mean with the best rho so far, and to it tilted towards weak directions.

    Returns the lowest upper bound among them and its factor.
    """
    factor = factor / np.sqrt((factor**2).sum())
    trials = [factor] if best is None else [factor, np.c_[factor, best / np.sqrt((best**2).sum())]]
    trials += [np.c_[factor, u / 2] for u in directions.T]
    rho = np.array([basis @ trial @ trial.T @ basis.T for trial in trials])
    values = pool.price(rho) / np.trace(rho, axis1=1, axis2=2)
    return float(values.min()), trials[int(values.argmin())]


def _game(forms, rows):
    """Optimal mixture and rho of the game with payoffs r' A_k r, by linear programming."""
    payoff = np.einsum("krj,rj->rk", rows @ forms, rows)
    n, k = payoff.shape
    found = scipy.optimize.linprog(
        np.r_[np.zeros(k), -1.0], A_ub=np.c_[-payoff, np.ones(n)], b_ub=np.zeros(n),
        A_eq=np.r_[np.ones(k), 0.0][None], b_eq=[1.0], bounds=[(0, None)] * k + [(None, None)])
    if not found.success:
        return None
    shares = np.maximum(-found.ineqlin.marginals, 0.0)
    return np.maximum(found.x[:-1], 0.0), (rows * np.sqrt(shares)[:, None]).T


def _semidefinite(forms):
    """The same with all directions as rows: max t, sum_k w_k A_k - t I positive semidefinite; None where it fails.

    Raises
    ------
    Unavailable
        cvxpy or its solver clarabel is not installed, or broken.
    """
    cp = part("cvxpy", "solver='sdp'")
    weights, level = cp.Variable(len(forms), nonneg=True), cp.Variable()
    mixture = cp.reshape(weights @ forms.reshape(len(forms), -1), forms.shape[1:], order="C")
    slack = (mixture + mixture.T) / 2 - level * np.eye(forms.shape[1]) >> 0
    problem = cp.Problem(cp.Maximize(level), [slack, cp.sum(weights) == 1])
    try:
        problem.solve(solver=cp.CLARABEL)
    except cp.error.SolverError:
        demand("solver='sdp'", "clarabel")
        return None
    if weights.value is None:
        return None
    shares, directions = np.linalg.eigh(np.asarray(slack.dual_value))
    w = np.maximum(weights.value, 0.0)
    return w / w.sum(), directions * np.sqrt(np.maximum(shares, 0.0))


def mixture_certificate(forms: Forms, pool: Pool, weights: np.ndarray,
                        level: float) -> tuple[Fraction, list[tuple[int, int]]]:
    """The largest t just below `level` with a mixture that is exactly >= t I: (t, [(policy, weight), ...]).

    Falls back to t = 0, which every mixture certifies.
    """
    mixture = [(k, w) for k, w in enumerate(grid(weights, WEIGHT_BITS)) if w > 2**10]
    policies, shares = [pool.policies[k] for k, _ in mixture], [w for _, w in mixture]
    for shrink in SHRINK:
        units = int(Fraction(max(level, 0.0) * (1 - shrink)) * 2**BITS)
        if units == 0 or positive_semidefinite(forms.excess(policies, shares, units)):
            return Fraction(units, 2**BITS), mixture
    return Fraction(0), mixture


def dual_certificate(problem: LayerProblem, factor: np.ndarray) -> tuple[Fraction, np.ndarray]:
    """max_pi tr(Lambda_pi rho)/tr(rho) for rho = R R', R the factor (d, m) in whole numbers: (value, R)."""
    whole = grid(factor / np.abs(factor).max(), 40)
    whole = whole[:, (whole != 0).any(axis=0)]
    value = Fraction(problem.best(problem.quadratic(whole @ whole.T)),
                     problem.mass_scale * problem.feature_scale**2)
    return value / int((whole**2).sum()), whole
