"""Planning in many small MDPs at once: arrays with leading axes, the same backups as `derl.mdp.planning`.

One MDP of twenty states is planned in a fraction of a millisecond, and most of that is Python. Here numpy's stacked
products plan in all of them together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.inputs.arrays import as_array
from derl.mdp.planning import greedy
from derl.mdp.validation import InvalidInstance, as_numbers


@dataclass(frozen=True, eq=False)
class Plans:
    """Optimal plans.

    Attributes
    ----------
    values : (..., H + 1, S)
        V_1, ..., V_H of every MDP, and a row of zeros.
    policy : (..., H, S) int
        The lowest action index among ties.
    """

    values: np.ndarray
    policy: np.ndarray


def optimal(phi, mu, theta, available=None) -> Plans:
    """Backward induction in every MDP.

    Parameters
    ----------
    phi : (..., H, S, A, d)
        Features; any finite numbers are allowed.
    mu : (..., H, d, S)
    theta : (..., H, d)
    available : (..., H, S, A) bool, optional
        At least one action in every state.

    Raises
    ------
    InvalidInstance
        Shapes that do not fit together, entries that are not finite, a state without an action.
    """
    phi, mu, theta = _arrays(phi, mu, theta)
    if available is not None:
        available = as_array(available, "available", InvalidInstance)
        if available.dtype != bool or available.shape != phi.shape[:-1] or not available.any(axis=-1).all():
            raise InvalidInstance(f"available has shape {available.shape} and dtype {available.dtype}; it must be bool "
                                  f"of shape {phi.shape[:-1]}, with an action in every state")
    lead, (horizon, n_states) = phi.shape[:-4], phi.shape[-4:-2]
    values = np.zeros((*lead, horizon + 1, n_states))
    policy = np.empty((*lead, horizon, n_states), np.intp)
    _demand_finite(phi=phi, mu=mu, theta=theta)
    for h in reversed(range(horizon)):
        weights = mu[..., h, :, :] @ values[..., h + 1, :, None] + theta[..., h, :, None]
        q = (phi[..., h, :, :, :] @ weights[..., None, :, :])[..., 0]
        if available is not None:
            q[~available[..., h, :, :]] = -np.inf
        policy[..., h, :] = greedy(q)
        values[..., h, :] = q.max(axis=-1)
    return Plans(values, policy)


def _arrays(phi, mu, theta):
    phi, mu, theta = (as_numbers(name, array) for name, array in (("phi", phi), ("mu", mu), ("theta", theta)))
    if phi.ndim < 4:
        raise InvalidInstance(f"phi has shape {phi.shape}; it must have shape (..., H, S, A, d)")
    *lead, horizon, n_states, _, dim = phi.shape
    for name, array, shape in (("mu", mu, (*lead, horizon, dim, n_states)), ("theta", theta, (*lead, horizon, dim))):
        if array.shape != shape:
            raise InvalidInstance(f"{name} has shape {array.shape}; it must have shape {shape}")
    return phi, mu, theta


def _demand_finite(**arrays) -> None:
    for name, array in arrays.items():
        bad = np.argwhere(~np.isfinite(array))
        if len(bad):
            at = tuple(bad[0].tolist())
            raise InvalidInstance(f"{name}{list(at)} is {array[at]}; every entry must be finite")
