r"""Algorithm 5: the policy that meets the most uncertainty in layer h, by optimistic planning in the layers before it.

With R(s, a) = |phi_h(s, a)|_{Sigma^{-1}} as the only reward, in layer h,

    Q_h = R,     Q_t = clip( w_t^T phi_t + beta' |phi_t|_{Sigma_t^{-1}} ),     w_t = Sigma_t^{-1} sum phi_t V_{t+1}(s'),

and V_t = max_a Q_t. While |w_t^T phi - P_t V_{t+1}| <= beta' |phi|_{Sigma_t^{-1}}, the value V_1 is at least
that of the best policy, and exceeds that of the greedy policy by at most 2 beta' max_pi E_pi sum_t
|phi_t|_{Sigma_t^{-1}}.

Two readings of the paper meet here. Algorithm 2 starts its matrix at 2 I, and Algorithm 5 as printed inverts
2 I + Sigma_R: taken together 4 I. Here the matrix is inverted as it is handed over, and the caller says what
it is. Printed is V = min(., 1); the values are clipped to [0, 1] unless version = "as-printed".

**Discretisation.** The paper rounds w_t and beta'^2 Sigma_t^{-1} up to a grid of width epsilon_0 <= 1/N
before the greedy policy is taken, so that only finitely many policies can occur and a union bound is
possible. At N = 1e28 the grid is finer than float64 and rounding to it is no operation at all
(`derl.algorithms.discretisation` shows both). Float64 does the work of the grid: the greedy policy of a layer
is what this program computes from d + d(d+1)/2 doubles (w_t and the triangular factor of Sigma_t), so it is
one of at most 2^{64 (d + d(d+1)/2)} policies. Instead of the grid there is the resolution of `TIE`: values within
1e-12 of the best count as ties, so the greedy policy may lose 1e-12 per layer. The analysis allows beta' xi/(2H) per
layer, which is above 3e-12 in all runs of this book.
`derl.theory.arbitrary.constants` takes the larger of the two counts.

Source: Algorithm 5 (`alg:optQ_solution`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from derl.estimation.backup import TIE
from derl.estimation.bonus import bonus
from derl.estimation.design import Design

REWARDS = ("norm", "squared")


@dataclass(frozen=True, eq=False)
class Problem:
    """What stays the same while layer h is explored.

    Attributes
    ----------
    rows : tuple of (S A, d)
        Features of the layers 1..h.
    operators : tuple of (d, S)
        Regressions of the layers 1..h-1.
    bonuses : tuple of (S A,)
        beta' |phi_t|_{Sigma_t^{-1}} in the layers 1..h-1; -inf where the action is not available.
    closed : (S A,) bool or None
        Actions of layer h that are not available.
    initial : (S,)
    n_actions : int
    floor : float
        Values are clipped to [floor, 1]; -inf where the clip acts from above only.
    """

    rows: tuple[np.ndarray, ...]
    operators: tuple[np.ndarray, ...]
    bonuses: tuple[np.ndarray, ...]
    closed: np.ndarray | None
    initial: np.ndarray
    n_actions: int
    floor: float = 0.0


@dataclass(frozen=True, eq=False)
class Solution:
    """The optimistic value V_1 and the greedy policy (h, S) int of the layers 1..h."""

    value: float
    policy: np.ndarray


def prepare(phi: Sequence[np.ndarray], designs: Sequence[Design], beta_prime: float, initial: np.ndarray,
            available: np.ndarray | None = None, version: str = "repaired") -> Problem:
    """Collect what SolveOptQ needs for layer h = len(phi).

    Parameters
    ----------
    phi : h arrays (S, A, d)
    designs : h - 1 designs
    beta_prime : float, > 0
    initial : (S,)
    available : (h, S, A) bool or None
    version : {"repaired", "as-printed"}
        Clip to [0, 1], or from above only.
    """
    open_pairs = np.ones((len(phi), *phi[0].shape[:2]), bool) if available is None else np.asarray(available)
    open_pairs = open_pairs.reshape(len(phi), -1)
    bonuses = tuple(np.where(mask, bonus(design.norms(layer), beta_prime).ravel(), -np.inf)
                    for layer, design, mask in zip(phi, designs, open_pairs, strict=False))
    return Problem(
        rows=tuple(np.ascontiguousarray(layer).reshape(-1, layer.shape[-1]) for layer in phi),
        operators=tuple(design.operator for design in designs), bonuses=bonuses,
        closed=None if open_pairs[-1].all() else ~open_pairs[-1], initial=np.asarray(initial, float),
        n_actions=phi[0].shape[1], floor=-np.inf if version == "as-printed" else 0.0)


def uncertainty_reward(problem: Problem, matrix: np.ndarray, reward: str = "norm") -> np.ndarray:
    """|phi|_{Sigma^{-1}} ("norm") or its square ("squared") in layer h, shape (S A,), for the matrix Sigma (d, d)."""
    rows = problem.rows[-1]
    squares = np.einsum("nd,nd->n", rows @ np.linalg.inv(matrix), rows)
    return squares if reward == "squared" else np.sqrt(squares)


def solve_optq(problem: Problem, reward: np.ndarray) -> Solution:
    """Optimistic value iteration for a reward (S A,) in layer h; ties go to the lowest action within 1e-12."""
    q = reward if problem.closed is None else np.where(problem.closed, -np.inf, reward)
    values, actions = _greedy(q, problem.n_actions)
    policy = [actions]
    for rows, operator, added in zip(problem.rows[-2::-1], reversed(problem.operators), reversed(problem.bonuses),
                                     strict=True):
        q = rows @ (operator @ values)
        q += added
        values, actions = _greedy(np.minimum(q, 1.0, out=q), problem.n_actions)
        values = np.maximum(values, problem.floor)  # after the maximum, so that a closed action never looks like 0
        policy.append(actions)
    return Solution(float(problem.initial @ values), np.stack(policy[::-1]))


def _greedy(q: np.ndarray, n_actions: int) -> tuple[np.ndarray, np.ndarray]:
    table = q.reshape(-1, n_actions)
    best = table.max(axis=1)
    return best, (table >= (best - TIE * np.maximum(1.0, np.abs(best)))[:, None]).argmax(axis=1)
