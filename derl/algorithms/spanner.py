r"""A robust spanner: few policies whose mean features span those of all policies, with coefficients of at most 3.

    columns m_i = gamma e_i for i = 1..d                     "phantoms": no policy has these means
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
from functools import cache

import numpy as np

from derl.inputs import display

FACTOR = 2.0

Oracle = Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]]


@dataclass(frozen=True, eq=False, repr=False)
class Spanner(display.Fields):
    """What was found.

    Attributes
    ----------
    policies : tuple of (h, S) int
        One for each column that is no phantom.
    columns : (d, d)
        M.
    replacements, calls : int
        Columns replaced, and questions to the oracle, those that come again included.
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
        Unit vector (d,) -> (policy, estimated mean feature (d,) in the unit ball); asked once for each.
    gamma : float in (0, 1)
    """
    gamma = float(gamma)

    @cache  # the row of a replaced column keeps its direction, so that many questions come again
    def answer(direction: bytes):
        return oracle(np.frombuffer(direction))

    columns, behind = gamma * np.eye(dim), [None] * dim
    inverse = np.linalg.inv(columns)
    replacements = calls = 0
    i = quiet = 0
    while quiet < dim:  # as many columns in a row as there are, all with the same M
        row, found = inverse[i], None
        if gamma * np.abs(row).max() > FACTOR:
            found = None, gamma * np.eye(dim)[np.abs(row).argmax()]
        for sign in (1.0, -1.0):
            if found is None:
                calls += 1
                policy, mean = answer((sign * row / np.linalg.norm(row)).tobytes())
                found = (policy, mean) if abs(row @ mean) > FACTOR else None
        quiet += 1
        if found is not None:
            behind[i], columns[:, i] = found
            inverse = np.linalg.inv(columns)
            replacements, quiet = replacements + 1, 0
        i = (i + 1) % dim
    return Spanner(tuple(policy for policy in behind if policy is not None), columns, replacements, calls)
