"""The junk lock: its dimension is the number of its actions, so that one deployment has to guess d digits per layer."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from derl.mdp.exact import ExactMDP
from derl.mdp.instances.parameters import fraction, indices, possible, size
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.validation import InvalidInstance

HALF = Fraction(1, 2)


def junk_lock(d, horizon, digits, bias, *, junk=None, exact=False) -> LinearMDP | ExactMDP:
    """A combination lock of dimension d with d actions, whose wrong digits lead to states with features of the gate.

    At the gate g the features of the d actions are e_1, ..., e_d. In layer t = 1, ..., H-1 the action digits[t]
    stays at g, and every other action leads to the junk state b^j of layer t+1, whose only feature is e_j. j is not
    the digit of layer t+1, so that junk leads to junk. After the last digit the whole code leads to z1 with
    probability 1/2 + bias and to z0 otherwise, and everything else leads to zh. In layer H their features are e_1,
    e_2 and (e_1 + e_2)/2 and theta = e_1: z1 pays 1, z0 pays 0, zh pays 1/2, and no other layer pays. So a policy
    that plays the code with probability p is worth 1/2 + bias p.

    The features are known, the same in all layers, and depend neither on the digits nor on the junk.

    Parameters
    ----------
    d : int >= 2
        Number of actions, and dimension.
    horizon : int >= 2
        H, the number of layers; there are H - 1 digits.
    digits : int, or H-1 ints in 0..d-1
        An int is the same digit every time.
    bias : number in [-1/2, 1/2]
        The optimal value is 1/2 + max(bias, 0).
    junk : int, H-2 ints in 0..d-1, or None
        j for the layers 2, ..., H-1, each different from the digit of its layer. None takes the next digit, modulo d.
    exact : bool
        Return the rational instance.

    Source: a result of this book.

    Examples
    --------
    >>> from derl import instances, planning
    >>> mdp = instances.junk_lock(3, 4, (1, 2, 0), 0.5)
    >>> mdp.dim, mdp.horizon, planning.optimal(mdp).value
    (3, 4, 1.0)
    """
    d, horizon = size("d", d, 2), size("horizon", horizon, 2)
    possible(horizon, d + 4, d, d)
    digits = indices("digits", digits, horizon - 1, d)
    bias = fraction("bias", bias, low=-HALF)
    if junk is None:
        junk = [(digit + 1) % d for digit in digits[1:]]
    junk = indices("junk", junk, horizon - 2, d)
    for t, (j, digit) in enumerate(zip(junk, digits[1:], strict=True)):
        if j == digit:
            raise InvalidInstance(f"junk[{t}] is {j}, the digit of layer {t + 2}; it must be another one of 0..{d - 1}")
    gate, junk_states, (z1, z0, zh) = 0, 1 + np.arange(d), range(d + 1, d + 4)
    phi = np.zeros((d + 4, d, d), dtype=object)
    phi[gate] = np.eye(d, dtype=int)
    phi[junk_states, 0] = np.eye(d, dtype=int)
    phi[z1, 0, 0] = phi[z0, 0, 1] = 1
    phi[zh, 0, :2] = HALF
    mu = np.zeros((horizon, d, d + 4), dtype=object)
    for t, j in enumerate(junk):
        mu[t, :, 1 + j] = 1
        mu[t, digits[t]] = 0
        mu[t, digits[t], gate] = 1
    mu[horizon - 2:, :, zh] = 1
    mu[horizon - 2, digits[-1]] = 0
    mu[horizon - 2, digits[-1], [z1, z0]] = HALF + bias, HALF - bias
    theta = np.zeros((horizon, d), dtype=object)
    theta[-1, 0] = 1
    kind = ExactMDP if exact else LinearMDP
    return kind(np.broadcast_to(phi, (horizon, *phi.shape)), mu, theta, np.eye(d + 4, dtype=int)[gate],
                np.broadcast_to(phi.any(axis=2), (horizon, d + 4, d)),
                state_names=("g", *(f"b{j}" for j in range(d)), "z1", "z0", "zh"),
                action_names=tuple(f"digit {j}" for j in range(d)),
                info={"family": "junk_lock", "d": d, "horizon": horizon, "digits": list(digits), "junk": list(junk),
                      "bias": str(bias)})
