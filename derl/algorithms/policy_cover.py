r"""The inner loop of Algorithm 2: policies that together reach every direction of layer h.

    Sigma~ = 2 I
    repeat   V, pi = SolveOptQ(Sigma~);   stop if V is small;   Pi_h += [pi];   Sigma~ += EstimateCovMatrix(pi)

Pi_h is a list: a policy that is found a hundred times counts a hundred times. Thousands of iterations find a
dozen different policies, so the list is stored as distinct policies with multiplicities, and the covariance
of a policy is estimated when it is met for the first time.

What the printed loop does differently (version "as-printed"), each a step at which its proof breaks:

- Sigma~ starts at 2 I and SolveOptQ inverts 2 I + Sigma~, so V belongs to 4 I + ..., not to 2 I + ...;
- pi_{h,1} is arbitrary and counted in Sigma~, but it is never put into Pi_h; the policy of the last pass,
  i = i_max, is put into Pi_h and never counted;
- Pi_h is a set, so that Sigma~ - 2 I is no longer |Pi_h| times the covariance of the mixture that is
  deployed.

Here the first policy is the greedy one for Sigma~ = 2 I, like all others.

**Algorithm 5** (SolveOptQ): the policy that meets the most uncertainty in layer h, by optimistic planning in the layers
before it. With R(s, a) = |phi_h(s, a)|_{Sigma^{-1}} as the only reward, in layer h,

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
(`derl.algorithms.arbitrary_exact` shows both). Float64 does the work of the grid: the greedy policy of a layer
is what this program computes from d + d(d+1)/2 doubles (w_t and the triangular factor of Sigma_t), so it is
one of at most 2^{64 (d + d(d+1)/2)} policies. Instead of the grid there is the resolution of `TIE`: values within
1e-12 of the best count as ties, so the greedy policy may lose 1e-12 per layer. The analysis allows beta' xi/(2H) per
layer, which is above 3e-12 in all runs of this book.
`derl.theory.arbitrary.constants` takes the larger of the two counts.

Source: lines 3 to 12 of Algorithm 2 (`alg:DERL_with_arbitrary_policies`), Algorithm 5 (`alg:optQ_solution`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from derl.estimation.backup import TIE
from derl.estimation.bonus import bonus
from derl.estimation.design import Design
from derl.inputs import display

OUT_OF_REACH = 1000  # iterations where the bonus alone exceeds the threshold, so that the loop cannot stop by itself

Estimator = Callable[[np.ndarray], np.ndarray]
Stop = Callable[[float, np.ndarray], bool]


@dataclass(frozen=True, eq=False, repr=False)
class Problem(display.Fields):
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


def solve_optq(problem: Problem, reward: np.ndarray) -> tuple[float, np.ndarray]:
    """Algorithm 5: optimistic value iteration for a reward (S A,) in layer h.

    Ties go to the lowest action within 1e-12.

    Returns
    -------
    value : float
        The optimistic value V_1.
    policy : (h, S) int
        Greedy in the layers 1..h.
    """
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
    return float(problem.initial @ values), np.stack(policy[::-1])


def _greedy(q: np.ndarray, n_actions: int) -> tuple[np.ndarray, np.ndarray]:
    table = q.reshape(-1, n_actions)
    best = table.max(axis=1)
    return best, (table >= (best - TIE * np.maximum(1.0, np.abs(best)))[:, None]).argmax(axis=1)


@dataclass(frozen=True, eq=False, repr=False)
class PolicyCover(display.Fields):
    """Pi_h and how it was found.

    Attributes
    ----------
    policies : (M, h, S) int
        The distinct policies of Pi_h, in the order in which they were found.
    counts : (M,) int
        How often each stands in the list Pi_h.
    estimates : (M, d, d)
        Their estimated covariances in layer h.
    order : (iterations,) int
        Which policy was added to Sigma~ in each iteration; -1 for the printed pi_{h,1}, unless it is in Pi_h too.
    matrix : (d, d)
        Sigma~ when the loop ended.
    values : (iterations,)
        The optimistic value V after each iteration; the last one is what the stopping rule saw.
    start : float
        V for Sigma~ = 2 I. Below the threshold it shows that nu_min was chosen too large.
    floor : float
        V for the reward 0: what the bonuses alone are worth. Above the threshold the loop cannot stop.
    stopped : bool
        Whether the loop ended by its own rule.
    """

    policies: np.ndarray
    counts: np.ndarray
    estimates: np.ndarray
    order: np.ndarray
    matrix: np.ndarray
    values: np.ndarray
    start: float
    floor: float
    stopped: bool

    @property
    def iterations(self) -> int:
        """i, the number of covariances in Sigma~ when the loop ended."""
        return len(self.values)

    @property
    def excess(self) -> np.ndarray:
        """Sigma~ - 2 I, the summed covariances, shape (d, d)."""
        return self.matrix - 2 * np.eye(len(self.matrix))


def find_cover(problem: Problem, estimate: Estimator, stop: Stop, limit: int, reward: str = "norm",
               printed: bool = False, threshold: float = np.inf) -> PolicyCover:
    """Run the loop of one layer.

    Parameters
    ----------
    problem : Problem
    estimate : callable
        Policy (h, S) -> estimated covariance (d, d).
    stop : callable
        (V, Sigma~) -> whether the loop ends.
    limit : int
        i_max.
    reward : {"norm", "squared"}
    printed : bool
        The loop as printed, see the module.
    threshold : float
        Where the rule is a threshold on V: used to see that it is out of reach, then the limit is 1000.
    """
    dim = problem.rows[-1].shape[1]
    extra = 2 * np.eye(dim) if printed else np.zeros((dim, dim))
    loop = _Loop(problem, estimate, reward, 2 * np.eye(dim))
    floor, _ = solve_optq(problem, np.zeros(len(problem.rows[-1])))
    if floor > threshold:
        limit = min(limit, OUT_OF_REACH)
    start, policy = loop.optimum(extra)
    values, stopped = [], False
    if printed:
        loop.add(_first_policy(problem), listed=False)
    else:
        loop.add(policy)
    while True:
        value, policy = loop.step(extra, values)
        stopped = stop(value, loop.matrix)
        if stopped or len(values) >= limit:
            break
        loop.add(policy)
    if printed and not stopped:  # the last pass lists its policy too, and no pass is left to count its covariance
        loop.add(policy, counted=False)
    counts = np.array(loop.counts, np.int64)
    listed = counts > 0
    place = np.where(listed, np.cumsum(listed) - 1, -1)
    if printed:
        counts = np.minimum(counts, 1)
    return PolicyCover(np.array(loop.policies)[listed], counts[listed], np.array(loop.estimates)[listed],
                       place[loop.order], loop.matrix, np.array(values), start, floor, stopped)


class _Loop:
    """Sigma~ and what has been found so far."""

    def __init__(self, problem: Problem, estimate: Estimator, reward: str, matrix: np.ndarray):
        self.problem, self.estimate, self.reward, self.matrix = problem, estimate, reward, matrix
        self.policies: list[np.ndarray] = []
        self.counts: list[int] = []
        self.estimates: list[np.ndarray] = []
        self.order: list[int] = []
        self._index: dict[bytes, int] = {}
        self._lowest = 2.0  # lower bound of the eigenvalues of Sigma~
        self._dips: list[float] = []

    def optimum(self, extra: np.ndarray) -> tuple[float, np.ndarray]:
        """V and the greedy policy for Sigma~ + `extra`."""
        matrix = self.matrix + extra
        if self._lowest < 1:  # estimates from too few data: the true matrix is at least 2 I
            eigenvalues, vectors = np.linalg.eigh(matrix)
            matrix = (vectors * np.maximum(eigenvalues, 1.0)) @ vectors.T
        return solve_optq(self.problem, uncertainty_reward(self.problem, matrix, self.reward))

    def step(self, extra: np.ndarray, values: list[float]) -> tuple[float, np.ndarray]:
        """One pass; its value is put to the others."""
        value, policy = self.optimum(extra)
        values.append(value)
        return value, policy

    def add(self, policy: np.ndarray, listed: bool = True, counted: bool = True) -> None:
        """Put a policy into Pi_h (`listed`) and its covariance into Sigma~ (`counted`)."""
        index = self._index.setdefault(policy.tobytes(), len(self.policies))
        if index == len(self.policies):
            estimate = self.estimate(policy)
            self.policies.append(policy)
            self.counts.append(0)
            self.estimates.append(estimate)
            self._dips.append(min(0.0, float(np.linalg.eigvalsh(estimate)[0])))
        self.counts[index] += listed
        if not counted:
            return
        self.order.append(index)
        self.matrix = self.matrix + self.estimates[index]
        self._lowest += self._dips[index]


def _first_policy(problem: Problem) -> np.ndarray:
    """The arbitrary pi_{h,1} of the printed loop: the first available action everywhere, (h, S)."""
    n_states = len(problem.initial)
    shut = [bonus == -np.inf for bonus in problem.bonuses]
    shut.append(np.zeros(len(problem.rows[-1]), bool) if problem.closed is None else problem.closed)
    return np.stack([(~mask).reshape(n_states, -1).argmax(axis=1) for mask in shut])
