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

Source: lines 3 to 12 of Algorithm 2 (`alg:DERL_with_arbitrary_policies`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from derl.algorithms.solve_optq import Problem, Solution, solve_optq, uncertainty_reward
from derl.boundary.compiled import COMPILED, call, works
from derl.estimation.backup import TIE

PATIENCE, BLOCK = 200, 4096  # passes before numba is worth its import, and in one go
OUT_OF_REACH = 1000  # iterations where the bonus alone exceeds the threshold, so that the loop cannot stop by itself


@dataclass(frozen=True, eq=False)
class Cover:
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


Estimator = Callable[[np.ndarray], np.ndarray]
Stop = Callable[[float, np.ndarray], bool]


def find_cover(problem: Problem, estimate: Estimator, stop: Stop, limit: int, reward: str = "norm",
               printed: bool = False, threshold: float = np.inf, compiled: bool = COMPILED) -> Cover:
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
    compiled : bool
        Whether numba takes over after 200 passes, where the rule is a threshold on V. It agrees to rounding.
    """
    dim = problem.rows[-1].shape[1]
    extra = 2 * np.eye(dim) if printed else np.zeros((dim, dim))
    loop = _Loop(problem, estimate, reward, 2 * np.eye(dim))
    floor = solve_optq(problem, np.zeros(len(problem.rows[-1]))).value
    if floor > threshold:
        limit = min(limit, OUT_OF_REACH)
    found = loop.optimum(extra)
    start, values, stopped = found.value, [], False
    if printed:
        loop.add(_first_policy(problem), listed=False)
    else:
        loop.add(found.policy)
    while True:
        fast = compiled and threshold < np.inf and len(values) >= PATIENCE and works()
        found = loop.forward(extra, threshold, limit, values) if fast else loop.step(extra, values)
        stopped = stop(found.value, loop.matrix)
        if stopped or len(values) >= limit:
            break
        loop.add(found.policy)
    if printed and not stopped:  # the last pass lists its policy too, and no pass is left to count its covariance
        loop.add(found.policy, counted=False)
    counts = np.array(loop.counts, np.int64)
    listed = counts > 0
    place = np.where(listed, np.cumsum(listed) - 1, -1)
    if printed:
        counts = np.minimum(counts, 1)
    return Cover(np.array(loop.policies)[listed], counts[listed], np.array(loop.estimates)[listed], place[loop.order],
                 loop.matrix, np.array(values), start, floor, stopped)


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

    def optimum(self, extra: np.ndarray) -> Solution:
        matrix = self.matrix + extra
        if self._lowest < 1:  # estimates from too few data: the true matrix is at least 2 I
            eigenvalues, vectors = np.linalg.eigh(matrix)
            matrix = (vectors * np.maximum(eigenvalues, 1.0)) @ vectors.T
        return solve_optq(self.problem, uncertainty_reward(self.problem, matrix, self.reward))

    def step(self, extra: np.ndarray, values: list[float]) -> Solution:
        """One pass; its value is put to the others."""
        found = self.optimum(extra)
        values.append(found.value)
        return found

    def forward(self, extra: np.ndarray, threshold: float, limit: int, values: list[float]) -> Solution:
        """Passes in compiled code, up to the next one that finds a new policy or ends the loop; see `_cover`."""
        passes = min(limit - len(values), BLOCK)
        order, worth, self.matrix = np.empty(passes, np.intp), np.empty(passes), self.matrix.copy()
        policy = np.empty_like(self.policies[0])
        done, why, self._lowest = call(
            _forward, *self._arrays, self.reward == "squared", self.problem.floor, TIE, extra, threshold, self._lowest,
            np.array(self.policies), np.array(self.estimates), np.array(self._dips), self.matrix, order, worth, policy,
            passes)
        counted = order[:done - why]
        self.order += counted.tolist()
        for index, times in zip(*np.unique(counted, return_counts=True), strict=True):
            self.counts[index] += int(times)
        values += worth[:done].tolist()
        return Solution(values[-1], policy) if why else self.step(extra, values)

    @cached_property
    def _arrays(self) -> tuple:
        """The problem as the compiled loop takes it: features column by column, layers on a leading axis."""
        problem = self.problem
        columns = np.ascontiguousarray(np.stack(problem.rows).transpose(0, 2, 1))
        layers, dim, pairs = columns.shape
        operators = np.array(problem.operators, float).reshape(layers - 1, dim, len(problem.initial))
        closed = np.zeros(pairs, bool) if problem.closed is None else problem.closed
        return (columns, operators, np.array(problem.bonuses, float).reshape(layers - 1, pairs), closed,
                problem.initial, problem.n_actions)

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


def _forward():
    from derl.algorithms._cover import forward

    return forward


def _first_policy(problem: Problem) -> np.ndarray:
    """The arbitrary pi_{h,1} of the printed loop: the first available action everywhere, (h, S)."""
    n_states = len(problem.initial)
    shut = [bonus == -np.inf for bonus in problem.bonuses]
    shut.append(np.zeros(len(problem.rows[-1]), bool) if problem.closed is None else problem.closed)
    return np.stack([(~mask).reshape(n_states, -1).argmax(axis=1) for mask in shut])
