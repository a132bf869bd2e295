r"""A robust spanner: few policies whose mean features span those of all policies, with coefficients of at most 3.

    columns m_i = gamma e_i for i = 1..d                     "phantoms": no policy stands behind them
    while some |y_i' x| > 2, y_i the rows of M^{-1}, for x a phantom or the mean that the oracle finds towards +-y_i:
        replace column i by x                               |det M| more than doubles, from gamma^d to at most 1

When it ends, |y_i| <= 2 sqrt(d)/gamma, and with means and optima within gamma/(8d) every policy has

    x_pi = sum over the policies found of c_i x_i + e,       |c_i| <= 3,  |e| <= 3.375 sqrt(d) gamma

so what is reached with less than about gamma is left out instead of blowing up the inverse.

Source: barycentric spanners by Awerbuch and Kleinberg (2008); the phantoms make them robust to estimates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

FACTOR = 2.0

Oracle = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True, eq=False)
class Spanner:
    """What was found.

    Attributes
    ----------
    policies : tuple of (h, S) int
        One for each column that is no phantom.
    columns : (d, d)
        M.
    replacements, calls : int
        Columns replaced, and questions to the oracle.
    """

    policies: tuple[np.ndarray, ...]
    columns: np.ndarray
    replacements: int
    calls: int


def robust_spanner(oracle: Oracle, dim: int, gamma: float) -> Spanner:
    """A spanner of the means that an oracle can find.

    Parameters
    ----------
    oracle : callable
        Unit vector (d,) -> (policy, estimated mean feature (d,) in the unit ball).
    gamma : float in (0, 1)
    """
    gamma = float(gamma)
    columns, behind = gamma * np.eye(dim), [None] * dim
    replacements = calls = 0
    settled = False
    while not settled:
        settled = True
        for i in range(dim):
            row = np.linalg.inv(columns)[i]
            found = None
            if gamma * np.abs(row).max() > FACTOR:
                found = None, gamma * np.eye(dim)[np.abs(row).argmax()]
            for sign in (1.0, -1.0):
                if found is None:
                    calls += 1
                    policy, mean = oracle(sign * row / np.linalg.norm(row))
                    found = (policy, mean) if abs(row @ mean) > FACTOR else None
            if found is not None:
                behind[i], columns[:, i] = found
                replacements, settled = replacements + 1, False
    return Spanner(tuple(policy for policy in behind if policy is not None), columns, replacements, calls)
