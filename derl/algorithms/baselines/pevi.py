r"""Pessimistic value iteration: plan on data that are there, and promise no more than they support.

Backwards from the last layer, with b = |phi|_{Lambda_h^{-1}} and w_h the ridge regression of the next values V_{h+1},

    Q_h = clip( w_h^T phi + r_h - beta b,  0,  H - h + 1 ),     V_h = max_a Q_h,     pi_h greedy.

Where |w_h^T phi - P_h V_{h+1}| <= beta b for all states and actions, in all layers:

    V_1 <= V_1^pi                                              the policy is worth at least what was promised;
    J(pi) >= J(pi') - 2 beta E_{pi'} sum_h |phi_h|_{Lambda_h^{-1}}      for every policy pi'.

The second line needs no coverage of the optimal policy. With pi' the policy that collected the data it says that the
new policy is hardly worse than the old one.

Source: the pessimistic part of Algorithm 7; the algorithm is that of Jin, Yang and Wang (2021), with known rewards.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from threadpoolctl import threadpool_limits

from derl.algorithms.outcome import InvalidParameter, require_positive
from derl.estimation.backup import greedy
from derl.estimation.design import fit


@dataclass(frozen=True, eq=False)
class Pessimistic:
    """A plan that is at least as good as it says, where every regression is right up to beta b.

    Attributes
    ----------
    policy : (H, S) int
        The lowest action index among ties; in particular where the data say nothing.
    values : (H + 1, S)
        Lower bounds V_1, ..., V_H of the policy's values, and a row of zeros.
    norms : (H, S, A)
        Elliptical norms b = |phi|_{Lambda^{-1}}.
    beta : float
    """

    policy: np.ndarray
    values: np.ndarray
    norms: np.ndarray
    beta: float


@threadpool_limits.wrap(limits=1)  # many small matrices: threads cost ten times what they bring
def pessimistic_value_iteration(phi: np.ndarray, rewards: np.ndarray, counts: np.ndarray, beta: float,
                                available: np.ndarray | None = None) -> Pessimistic:
    """Plan from transition counts; nothing is deployed and nothing is random.

    Parameters
    ----------
    phi : (H, S, A, d)
    rewards : (H, S, A)
        In [0, 1].
    counts : (H, S, A, S)
        Transition counts n_h(s, a, s') >= 0 of any policies.
    beta : float, > 0
        Scale of the penalty; bonus_scale of `derl.theory.constants` for the one of the exploring algorithms.
    available : (H, S, A) bool or None
        None: every action is available.

    Raises
    ------
    InvalidParameter
        Shapes that do not fit, a negative or non-finite count, beta <= 0.

    Notes
    -----
    The regression weights are one product with the operator of the design, Lambda^{-1} sum phi n(., .), as in the
    optimistic algorithms: both look at the same data in the same way and differ in one sign.
    """
    require_positive(beta, "beta")
    horizon, n_states, n_actions, _ = phi.shape
    for name, array, shape in (("rewards", rewards, (horizon, n_states, n_actions)),
                               ("counts", counts, (horizon, n_states, n_actions, n_states))):
        if np.shape(array) != shape:
            raise InvalidParameter(f"{name} has shape {np.shape(array)}; it must be {shape}")
    if not (np.isfinite(counts).all() and np.min(counts) >= 0):
        raise InvalidParameter("counts has entries that are negative or not finite; it must be >= 0")
    values = np.zeros((horizon + 1, n_states))
    policy = np.zeros((horizon, n_states), dtype=np.intp)
    norms = np.empty((horizon, n_states, n_actions))
    for h in reversed(range(horizon)):
        design = fit(phi[h], counts[h])
        norms[h] = design.norms(phi[h])
        q = phi[h] @ design.weights(values[h + 1]) + rewards[h] - beta * norms[h]
        q = np.clip(q, 0, horizon - h)
        if available is not None:
            q = np.where(available[h], q, -np.inf)
        values[h], policy[h] = q.max(axis=1), greedy(q)
    return Pessimistic(policy, values, norms, float(beta))
