"""Exact planning, evaluation, occupancies and covariances, never forming P.

A backup is Q_h = phi_h (mu_h V_{h+1} + theta_h), a forward step is d_{h+1} = mu_h' E[phi_h]: both cost S A d instead of
S^2 A. The members of a mixture go through one pass together, so a mixture costs one matrix product per layer.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from derl.inputs import display
from derl.mdp.layers import sealed
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.policies import Mixture, Policy, described, stack
from derl.mdp.validation import SNAP, InvalidInstance, as_numbers, check_finite, demand, layers_of

__all__ = ["Plan", "evaluate", "feature_covariance", "gap", "greedy", "occupancy", "optimal"]

TIE = 1e-12  # symmetric instances have exact ties, and rounding must not break them


@dataclass(frozen=True, eq=False, repr=False)
class Plan(display.Shown):
    """A policy and what it is worth.

    Attributes
    ----------
    value : float
        J = sum_s initial(s) V_1(s).
    values : (H + 1, S)
        V_1, ..., V_H and a row of zeros; zero beyond the horizon asked for.
    policy : (H, S) int for an optimal policy; the policy as given for an evaluation.
    """

    value: float
    values: np.ndarray
    policy: Policy
    task: tuple | None = field(default=None, repr=False)  # instance, reward vectors, horizon: what `q` is made of

    @cached_property
    def q(self) -> np.ndarray | None:
        """Q_h(s, a) = r_h(s, a) + E[V_{h+1} | s, a], shape (H, S, A), made when it is first read.

        -inf where an action is not available, and 0 beyond the horizon of the task. None for a mixture, whose later
        `values` are no conditional values. Read-only.
        """
        if self.task is None or isinstance(self.policy, Mixture):
            return None
        mdp, theta, horizon = self.task
        q = np.where(mdp.available, 0.0, -np.inf)
        for h in range(horizon):
            q[h] = mdp.backup(h, self.values[h + 1], theta)
        return sealed(q)

    def _facts(self):
        return {"value": self.value, "policy": described(self.policy)}


def __dir__():
    return __all__


def greedy(q: np.ndarray) -> np.ndarray:
    """Index of the largest entry of each row; ties within 1e-12 (relative above 1) go to the lowest index."""
    return _greedy(q)[0]


def _greedy(q):
    """The index, and the largest entry itself."""
    best = q.max(axis=-1, keepdims=True)
    return (q >= best - TIE * np.maximum(1.0, np.abs(best))).argmax(axis=-1), best[..., 0]


def optimal(mdp: LinearMDP, horizon: int | None = None, theta: np.ndarray | None = None) -> Plan:
    """Backward induction: V*_h and a deterministic optimal policy, the lowest action index among ties.

    Parameters
    ----------
    horizon : int, optional
        Only the rewards of layers 1..horizon count; beyond, the policy takes the first available action.
    theta : (H, d), optional
        Reward vectors in place of the instance's own; any finite numbers.

    Returns
    -------
    Plan
        Its `q` is Q*_h(s, a), made when it is first read.

    Examples
    --------
    >>> from derl import instances, planning
    >>> plan = planning.optimal(instances.lock(2, 3, (0, 1, 0), 0.25))
    >>> plan.value, plan.policy.shape, plan.q.shape
    (1.75, (4, 3), (4, 3, 2))
    >>> bool((plan.q.max(axis=2) == plan.values[:-1]).all())
    True
    """
    horizon, theta = _task(mdp, horizon, theta)
    values = np.zeros((mdp.horizon + 1, mdp.n_states))
    policy = mdp.available.argmax(axis=2)
    for h in reversed(range(horizon)):
        q = mdp.backup(h, values[h + 1], theta)
        policy[h], values[h] = _greedy(q)
    return Plan(float(mdp.initial @ values[0]), values, policy, (mdp, theta, horizon))


def evaluate(mdp: LinearMDP, policy: Policy, horizon: int | None = None, theta: np.ndarray | None = None) -> Plan:
    """The exact value of a policy, Markov or mixture.

    For a mixture, `values` is the weighted average of the members' V_h: its first row gives the mixture's value; later
    rows are averages with the weights of the start, not conditional values.

    Parameters
    ----------
    horizon, theta : as in `optimal`; the policy needs the first `horizon` layers only.

    Examples
    --------
    >>> import numpy as np
    >>> from derl import instances, planning
    >>> mdp = instances.lock(2, 3, (0, 1, 0), 0.25)
    >>> always_first = np.zeros((mdp.horizon, mdp.n_states), dtype=int)
    >>> planning.evaluate(mdp, always_first).value
    1.5
    """
    horizon, theta = _task(mdp, horizon, theta)
    members, weights = stack(mdp, policy, horizon)
    values = np.zeros((mdp.horizon + 1, mdp.n_states))
    v = np.zeros((len(weights), mdp.n_states))
    for h in reversed(range(horizon)):
        features = mdp.phi[h].reshape(-1, mdp.dim)
        q = (v @ mdp.mu[h].T + theta[h]) @ features.T
        v = (members[:, h] * q.reshape(members[:, h].shape)).sum(axis=2)
        values[h] = weights @ v
    return Plan(float(mdp.initial @ values[0]), values, policy, (mdp, theta, horizon))


def occupancy(mdp: LinearMDP, policy: Policy) -> np.ndarray:
    """P(s_h = s, a_h = a), shape (H, S, A); every layer sums to one, impossible pairs are exact zeros.

    The state distribution is clipped and renormalised in every layer; in exact arithmetic that changes nothing.

    Examples
    --------
    >>> from derl import instances, planning
    >>> mdp = instances.random_simplex(n_states=4, n_actions=2, dim=3, horizon=2, seed=0)
    >>> planning.occupancy(mdp, planning.optimal(mdp).policy).sum(axis=(1, 2)).round(12)
    array([1., 1.])
    """
    demand(LinearMDP, mdp=mdp)
    members, weights = stack(mdp, policy)
    result = np.empty(mdp.phi.shape[:3])
    mass = np.broadcast_to(mdp.initial, (len(weights), mdp.n_states))
    for h in range(mdp.horizon):
        pairs = mass[:, :, None] * members[:, h]
        result[h] = np.tensordot(weights, pairs, axes=1)
        mass = pairs.reshape(len(weights), -1) @ mdp.phi[h].reshape(-1, mdp.dim) @ mdp.mu[h]
        mass[mass < SNAP] = 0.0
        mass /= mass.sum(axis=1, keepdims=True)
    return result


def feature_covariance(mdp: LinearMDP, policy: Policy) -> np.ndarray:
    """E[phi_h phi_h'] under the policy, shape (H, d, d); symmetric, positive semidefinite, trace at most one.

    Examples
    --------
    >>> import numpy as np
    >>> from derl import instances, planning
    >>> mdp = instances.random_simplex(n_states=4, n_actions=2, dim=3, horizon=2, seed=0)
    >>> covariance = planning.feature_covariance(mdp, planning.optimal(mdp).policy)
    >>> covariance.shape, bool((np.trace(covariance, axis1=1, axis2=2) <= 1).all())
    ((2, 3, 3), True)
    """
    roots = np.sqrt(occupancy(mdp, policy)).reshape(mdp.horizon, -1, 1)
    result = np.empty((mdp.horizon, mdp.dim, mdp.dim))
    for h in range(mdp.horizon):
        visited = roots[h, :, 0] > 0
        rows = mdp.phi[h].reshape(-1, mdp.dim)[visited] * roots[h, visited]
        result[h] = rows.T @ rows
    return result


def gap(mdp: LinearMDP, policy: Policy, horizon: int | None = None, theta: np.ndarray | None = None) -> float:
    """Suboptimality max J - J(policy), without sampling: >= 0 up to rounding.

    Examples
    --------
    >>> import numpy as np
    >>> from derl import instances, planning
    >>> mdp = instances.optimism_trap()
    >>> planning.gap(mdp, planning.optimal(mdp).policy)
    0.0
    >>> round(planning.gap(mdp, np.zeros((mdp.horizon, mdp.n_states), dtype=int)), 12)
    1.0
    """
    return optimal(mdp, horizon, theta).value - evaluate(mdp, policy, horizon, theta).value


def _task(mdp, horizon, theta):
    """The layers and the reward vectors that count."""
    demand(LinearMDP, mdp=mdp)
    horizon = layers_of(mdp, horizon)
    if theta is None:
        return horizon, mdp.theta
    theta = as_numbers("theta", theta)
    if theta.ndim != 2 or theta.shape[1] != mdp.dim or not horizon <= len(theta) <= mdp.horizon:
        raise InvalidInstance(f"theta has shape {theta.shape}; it must have shape {(mdp.horizon, mdp.dim)}")
    check_finite("theta", theta)
    return horizon, theta
