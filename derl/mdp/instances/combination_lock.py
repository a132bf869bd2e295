"""The combination lock: the repaired hard instance for policies of any kind."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from derl.mdp.exact import ExactMDP
from derl.mdp.instances.parameters import fraction, indices, possible, size
from derl.mdp.linear_mdp import LinearMDP

HALF = Fraction(1, 2)
STATES = ("g", "u1", "u2")


def gate_features(d, n_layers):
    """phi(g, a_j) = e_j and phi(u_i, .) = e_{d+i}, the same in every layer, shape (n_layers, 3, d, d + 2)."""
    phi = np.zeros((3, d, d + 2))
    phi[0, :, :d] = np.eye(d)
    phi[1, :, d] = phi[2, :, d + 1] = 1.0
    return np.broadcast_to(phi, (n_layers, *phi.shape))


def gate_measures(d, horizon):
    """Measures of layers 0..H before anything is hidden: every action at g leads to u1 or u2 fairly."""
    mu = np.zeros((horizon + 1, d + 2, 3), dtype=object)
    mu[:, :d, 1:] = HALF
    mu[:, d, 1] = mu[:, d + 1, 2] = 1
    return mu


def gate_rewards(d, horizon):
    """1/2 everywhere, except: layer 0 pays 0; in layer H, u1 pays 0 and u2 pays 1."""
    theta = np.full((horizon + 1, d + 2), HALF, dtype=object)
    theta[0] = 0
    theta[horizon, d:] = 0, 1
    return theta


def lock(d, horizon, digits, bias, *, exact=False) -> LinearMDP | ExactMDP:
    """A combination lock with d actions and H hidden digits; dimension D = d + 2, `mdp.horizon` = H + 1.

    States g, u1, u2 in layers 0..H; u1 and u2 are absorbing. At g, in layer h <= H - 2, the action digits[h] stays at
    g and every other action leads to u1 or u2 with probability 1/2 each. In layer H - 1 the action digits[H - 1]
    leads to u2 with probability 1/2 + bias and the others are fair. Rewards are those of the hard template: 0 in
    layer 0, then 1/2, and in layer H u1 pays 0, u2 pays 1. The optimal value is H/2 + bias; a deterministic
    policy that errs in one layer is worth H/2.

    The features do not depend on the digits, unlike those of `hard_template`, and they are the same in all layers.

    Parameters
    ----------
    d : int >= 1
        Number of actions.
    horizon : int >= 1
        H; layers are 0..H, so the instance has one layer more: `lock(3, horizon=3, ...)` has `mdp.horizon` = 4.
    digits : int, or H ints in 0..d-1
        digits[h] is the right action of layer h = 0..H-1; an int is the same digit every time.
    bias : number in [0, 1/2]
        By how much the right combination is better.
    exact : bool
        Return the rational instance.

    Source: repair of the instances of Theorem B.3.

    Examples
    --------
    >>> from derl import instances, planning
    >>> mdp = instances.lock(3, 3, (1, 2, 0), 0.2)
    >>> mdp.dim, mdp.horizon, planning.optimal(mdp).value
    (5, 4, 1.7)
    """
    d, horizon = size("d", d, 1), size("horizon", horizon, 1)
    possible(horizon, d + 2, d)
    digits, bias = indices("digits", digits, horizon, d), fraction("bias", bias)
    mu = gate_measures(d, horizon)
    for h, digit in enumerate(digits[:-1]):
        mu[h, digit] = 1, 0, 0
    mu[horizon - 1, digits[-1]] = 0, HALF - bias, HALF + bias
    kind = ExactMDP if exact else LinearMDP
    return kind(gate_features(d, horizon + 1), mu, gate_rewards(d, horizon), np.array([1, 0, 0]),
                state_names=STATES, action_names=tuple(f"digit {j}" for j in range(d)),
                info={"family": "lock", "d": d, "horizon": horizon, "digits": list(digits), "bias": str(bias)})
