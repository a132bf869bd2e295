"""Planning in many small MDPs at once: arrays with leading axes, the same backups as `derl.mdp.planning`.

One MDP of twenty states is planned in a fraction of a millisecond, and most of that is Python. Here the loop over the
MDPs runs in compiled code, or in numpy's stacked products where numba is not installed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derl.inputs.arrays import as_array
from derl.inputs.compiled import COMPILED, call, works
from derl.mdp.planning import TIE, greedy
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


def optimal(phi, mu, theta, available=None, compiled: bool = COMPILED) -> Plans:
    """Backward induction in every MDP.

    Parameters
    ----------
    phi : (..., H, S, A, d)
        Features; any finite numbers are allowed. If one layer is broadcast to all H (`np.broadcast_to`), it is read
        once.
    mu : (..., H, d, S)
    theta : (..., H, d)
    available : (..., H, S, A) bool, optional
        At least one action in every state.
    compiled : bool
        Whether numba is used.

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
    (_compiled if compiled and works() else _stacked)(phi, mu, theta, available, values, policy)
    return Plans(values, policy)


def _stacked(phi, mu, theta, available, values, policy) -> None:
    """The readable loop over the layers."""
    _demand_finite(phi=phi, mu=mu, theta=theta)
    for h in reversed(range(policy.shape[-2])):
        weights = mu[..., h, :, :] @ values[..., h + 1, :, None] + theta[..., h, :, None]
        q = (phi[..., h, :, :, :] @ weights[..., None, :, :])[..., 0]
        if available is not None:
            q[~available[..., h, :, :]] = -np.inf
        policy[..., h, :] = greedy(q)
        values[..., h, :] = q.max(axis=-1)


def _compiled(phi, mu, theta, available, values, policy) -> None:
    def flat(array, axes):
        return np.ascontiguousarray(array).reshape(-1, *array.shape[array.ndim - axes:])

    def layers(array, axes):
        """One layer where all are the same memory: it stays in the cache."""
        axis = array.ndim - axes
        return flat(array[(slice(None),) * axis + (slice(1),)] if array.strides[axis] == 0 else array, axes)

    masked = available is not None
    mask = flat(available, 3) if masked else np.ones((1, 1, 1, 1), bool)
    read = call(_backward, layers(phi, 4), layers(mu, 3), flat(theta, 2), mask, masked, TIE,
                values.reshape(-1, *values.shape[-2:]), policy.reshape(-1, *policy.shape[-2:]))
    if not np.isfinite(read):  # looking beforehand would read everything twice
        _demand_finite(phi=phi, mu=mu, theta=theta)


def _backward():
    from derl.mdp._batch import backward

    return backward


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
