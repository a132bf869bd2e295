r"""A spanner of the mean features of all policies, by linear optimisation alone.

Vectors c_1, ..., c_r, each a small multiple of a basis vector ("dummy") or the estimated mean features of a policy, are
exchanged as long as the determinant can be made more than twice as large:

    c_i = dummy b_i
    while some coefficient of a dummy, or of what linear optimisation finds in the direction of a dual vector u_i,
          exceeds 2 in absolute value:   put it in the place of c_i

At the end every dummy has coefficients of at most 2, so the dual vectors are no larger than 4d/dummy, and what the
optimisation may have missed is at most 1: every policy has coefficients of at most 3.

Source: the theorem without reachability of the chapter "Beyond the paper". Spanners by linear optimisation are those of
Awerbuch and Kleinberg (2008).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.estimation.truncated import CutModel

WIDE = 2.0


@dataclass(frozen=True, eq=False)
class Spanner:
    """What a search has found.

    Attributes
    ----------
    policies : tuple of (m, S) int
        At most r.
    vectors : (r, r)
        Rows in the coordinates of the basis; those of the policies come first, then the dummies.
    optimisations, exchanges : int
    widest : float
        The largest coefficient that the last round has met, at most 2.
    """

    policies: tuple[np.ndarray, ...]
    vectors: np.ndarray
    optimisations: int
    exchanges: int
    widest: float


NOTHING = Spanner((), np.zeros((0, 0)), 0, 0, 0.0)  # in front of the first block there is nothing to choose


def robust_spanner(model: CutModel, mesh: float, dummy: float) -> Spanner:
    """Policies whose estimated mean features in the last layer of the model span those of all policies.

    Parameters
    ----------
    mesh : float
        Of the grid of policies.
    dummy : float
        Size of the vectors that the search starts from.
    """
    features = model.layers[-1].coefficients
    rank = features.shape[-1]
    vectors, policies, optimised, exchanged = dummy * np.eye(rank), [None] * rank, 0, 0
    while True:
        duals, widest = np.linalg.inv(vectors), 0.0  # column i: <c_j, u_i> = 1 where i = j, else 0
        for found, policy, count in _candidates(model, features, duals, mesh, dummy):
            optimised += count
            coefficients = np.abs(found @ duals)
            widest = max(widest, float(coefficients.max()))
            if widest > WIDE:
                at = int(coefficients.argmax())
                vectors[at], policies[at], exchanged = found, policy, exchanged + 1
                break
        else:
            order = sorted(range(rank), key=lambda i: policies[i] is None)
            return Spanner(tuple(policy for policy in policies if policy is not None), vectors[order], optimised,
                           exchanged, widest)


def _candidates(model: CutModel, features: np.ndarray, duals: np.ndarray, mesh: float, dummy: float):
    """Every dummy, then what linear optimisation finds in both directions of every dual vector."""
    for row in dummy * np.eye(len(duals)):
        yield row, None, 0
    for direction in (*duals.T, *-duals.T):
        policy = model.best(direction / np.abs(features @ direction).max(), mesh)
        yield model.mean_features(policy), policy, 1
