r"""One step of optimistic value iteration, shared by all algorithms.

Printed in Algorithms 1, 3 and 4, with u = min(beta |phi|_{Lambda^{-1}}, H):

    Q = min( w^T phi + r + u, H ).                                                           "as-printed"

The regression w^T phi may be negative where there are no data, so a bonus that is capped at H before it is added can
leave Q below Q*. Two repairs keep optimism; both leave the rest of the analysis as it is:

    Q = min( w^T phi + r + beta |phi|_{Lambda^{-1}}, H )                                      "repaired"
    Q = min( max(w^T phi, 0) + r + u, H ).                                                    "clipped"
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.estimation.bonus import bonus
from derl.estimation.design import Design

BACKUP_VERSIONS = ("repaired", "as-printed", "clipped")
TIE = 1e-12  # relative; symmetric hard instances have exact ties, and rounding must not break them


@dataclass(frozen=True)
class Backup:
    """Optimistic values of one layer.

    Attributes
    ----------
    q : (S, A)
        Optimistic action values; -inf where the action is not available.
    values : (S,)
    policy : (S,) int
        The greedy action of each state, the lowest index among ties.
    norms : (S, A)
        Elliptical norms |phi|_{Lambda^{-1}}.
    """

    q: np.ndarray
    values: np.ndarray
    policy: np.ndarray
    norms: np.ndarray


def greedy(q: np.ndarray) -> np.ndarray:
    """Index of the first action within a relative 1e-12 of the best, shape (S,) for q of shape (S, A)."""
    best = q.max(axis=1, keepdims=True)
    return np.argmax(q >= best - TIE * np.maximum(1.0, np.abs(best)), axis=1)


def optimistic_backup(phi: np.ndarray, rewards: np.ndarray, next_values: np.ndarray, design: Design, beta: float,
                      cap: float, available: np.ndarray | None = None, version: str = "repaired",
                      norms: np.ndarray | None = None) -> Backup:
    """Back up optimistic values through one layer.

    Parameters
    ----------
    phi : (S, A, d)
    rewards : (S, A)
        In [0, 1].
    next_values : (S,)
        Optimistic values of the next layer.
    design : Design
        Regression of this layer.
    beta : float, > 0
        Scale of the bonus.
    cap : float, > 0
        Values are capped here (H in the paper).
    available : (S, A) bool or None
        None: every action is available.
    version : {"repaired", "as-printed", "clipped"}
    norms : (S, A) or None
        `design.norms(phi)` where it is at hand already.

    Notes
    -----
    Source: lines 6 to 9 of Algorithm 1.

    Examples
    --------
    >>> import numpy as np
    >>> from derl.estimation import fit, optimistic_backup
    >>> phi, rewards = np.eye(2).reshape(1, 2, 2), np.array([[0.5, 0.0]])
    >>> design = fit(phi, np.array([[[99.0], [0.0]]]))   # the second action is unknown
    >>> step = optimistic_backup(phi, rewards, np.zeros(1), design, beta=2.0, cap=1.0)
    >>> step.q, step.policy
    (array([[0.7, 1. ]]), array([1]))
    """
    norms = design.norms(phi) if norms is None else norms
    predicted = phi @ design.weights(next_values)
    if version == "clipped":
        predicted = np.maximum(predicted, 0.0)
    added = bonus(norms, beta) if version == "repaired" else bonus(norms, beta, cap)
    q = np.minimum(predicted + rewards + added, cap)
    if available is not None:
        q = np.where(available, q, -np.inf)
    return Backup(q, q.max(axis=1), greedy(q), norms)
