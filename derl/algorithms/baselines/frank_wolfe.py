r"""D-optimal design over policies, by Frank-Wolfe with a planning oracle and the gap of Kiefer and Wolfowitz.

Maximise log det V over mixtures of policies, V = sum p_i M(pi_i), M(pi) the second moment of the features of pi. The
oracle finds the policy that maximises tr(V^{-1} M(pi)), by planning for the reward phi^T V^{-1} phi. At every mixture
max_pi tr(V^{-1} M(pi)) >= d, and it is d at the optimum alone: the difference is the gap, a certificate. The step to a
new policy is the exact one: with w the eigenvalues of V^{-1} M, the root of sum (w - 1)/(1 - t + t w) = 0.

Directions that no policy reaches make log det V worthless; a ridge keeps it finite there, and d becomes the sum of what
can be had.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from derl.inputs import display

HALVINGS = 60


@dataclass(frozen=True, eq=False, repr=False)
class PolicyDesign(display.Fields):
    """A mixture of policies.

    Attributes
    ----------
    policies : tuple of arrays
        Distinct.
    weights : (M,)
    matrix : (d, d)
        V.
    gap : float
        max_pi tr(V^{-1} M(pi)) - tr(V^{-1} (V - ridge)): 0 at the optimum.
    steps : int
    """

    policies: tuple
    weights: np.ndarray
    matrix: np.ndarray
    gap: float
    steps: int


def frank_wolfe(oracle: Callable[[np.ndarray], np.ndarray], moment: Callable[[np.ndarray], np.ndarray], dim: int,
                tolerance: float = 0.01, most: int = 2000, ridge: float = 0.0, start: np.ndarray | None = None
                ) -> PolicyDesign:
    """Run it to a gap of at most d times the tolerance.

    Parameters
    ----------
    oracle : callable
        V^{-1} (d, d) -> the policy, an integer array, that maximises tr(V^{-1} M).
    moment : callable
        policy -> M (d, d).
    ridge : float, >= 0
        Added to V as a multiple of I; 0 where the policies reach every direction.
    start : array or None
        The first policy; by default the oracle's for V = I.
    """
    floor, found = ridge * np.eye(dim), {}
    policy = oracle(np.eye(dim)) if start is None else start
    found[policy.tobytes()] = [policy, 1.0, moment(policy)]
    steps = 0
    while steps < most:
        steps += 1
        matrix = floor + sum(weight * part for _, weight, part in found.values())
        # until the policies span, a little of I stands for what has not been seen
        inverse = np.linalg.inv(matrix + 1e-12 * np.trace(matrix) * np.eye(dim))
        policy = oracle(inverse)
        part = found[policy.tobytes()][2] if policy.tobytes() in found else moment(policy)
        gap = float(np.trace(inverse @ (part - (matrix - floor))))
        if gap <= dim * tolerance:
            break
        step = _line(matrix, part + floor)
        for entry in found.values():
            entry[1] *= 1 - step
        entry = found.setdefault(policy.tobytes(), [policy, 0.0, part])
        entry[1] += step
    members = [entry for entry in found.values() if entry[1] > 0]
    weights = np.array([weight for _, weight, _ in members])
    return PolicyDesign(tuple(policy for policy, _, _ in members), weights / weights.sum(), matrix, gap, steps)


def _line(matrix: np.ndarray, part: np.ndarray) -> float:
    """The t in (0, 1) that maximises log det((1 - t) V + t M)."""
    root = np.linalg.cholesky(matrix + 1e-12 * np.trace(matrix) * np.eye(len(matrix)))
    half = np.linalg.solve(root, part)
    w = np.maximum(np.linalg.eigvalsh(np.linalg.solve(root, half.T)), 0.0)
    low, high = 0.0, 1.0 - 1e-9
    for _ in range(HALVINGS):
        t = (low + high) / 2
        low, high = (t, high) if ((w - 1) / (1 - t + t * w)).sum() > 0 else (low, t)
    return low
