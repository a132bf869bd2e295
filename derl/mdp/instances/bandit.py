"""The compact bandit: the repaired hard instance for deterministic policies."""

from __future__ import annotations

from numbers import Real

import numpy as np

from derl.boundary import shown
from derl.mdp.exact import ExactMDP
from derl.mdp.instances.combination_lock import HALF, STATES, gate_features, gate_measures, gate_rewards
from derl.mdp.instances.parameters import count, fraction
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.validation import InvalidInstance


def compact_bandit_arms(d, horizon) -> tuple[tuple[int, int], ...]:
    """All arms (layer, action) of `compact_bandit(d, horizon, ...)`: layers 0..H-1, actions 1..d-1.

    Their number is (d - 1) H = (D - 3)(T - 1), where D = d + 2 is the dimension and T = H + 1 the number of layers.
    """
    return tuple((h, a) for h in range(horizon) for a in range(1, d))


def compact_bandit(d, horizon, arm, bias, *, exact=False) -> LinearMDP | ExactMDP:
    """A bandit with (d - 1) H arms, written as a linear MDP of dimension D = d + 2 with `mdp.horizon` = H + 1.

    States g, u1, u2 in layers 0..H; u1 and u2 are absorbing. At g action 0 stays at g; the actions 1..d-1 are arms
    and lead to u1 or u2 with probability 1/2 each, except one hidden arm: 1/2 - bias and 1/2 + bias. A
    deterministic policy pulls at most one arm, that of the first layer where it leaves g, and learns nothing about the
    others: however large a batch is, finding the hidden arm is a search with one look per deployment. Rewards as in
    `lock`: the optimal value is H/2 + bias, and every other deterministic policy is worth H/2.

    The features are the same in all layers and do not depend on the arm.

    Parameters
    ----------
    d : int >= 2
        Number of actions; d - 1 of them are arms.
    horizon : int >= 1
        H; layers are 0..H and arms sit in layers 0..H-1.
    arm : int in 0..(d-1)H-1, or a pair (layer, action)
        The hidden arm; the integer is the position in `compact_bandit_arms(d, horizon)`.
    bias : number in [0, 1/2]
        How much better it is; 0 gives the instance without a hidden arm.
    exact : bool
        Return the rational instance.

    Source: repair of the instances of Theorem B.2.

    Examples
    --------
    >>> from derl import instances, planning
    >>> mdp = instances.compact_bandit(5, 4, (1, 2), 0.2)
    >>> mdp.dim, mdp.horizon, round(planning.optimal(mdp).value, 12)
    (7, 5, 2.2)
    """
    d, horizon, bias = count("d", d, 2), count("horizon", horizon, 1), fraction("bias", bias)
    layer, action = _arm(d, horizon, arm)
    mu = gate_measures(d, horizon)
    mu[:, 0] = 1, 0, 0
    mu[layer, action] = 0, HALF - bias, HALF + bias
    kind = ExactMDP if exact else LinearMDP
    return kind(gate_features(d, horizon + 1), mu, gate_rewards(d, horizon), np.array([1, 0, 0]),
                state_names=STATES, action_names=("stay", *(f"arm {a}" for a in range(1, d))),
                info={"family": "compact_bandit", "d": d, "horizon": horizon, "arm": [layer, action],
                      "bias": str(bias)})


def _arm(d, horizon, arm):
    if isinstance(arm, Real):
        position = count("arm", arm, 0, (d - 1) * horizon - 1)
        return position // (d - 1), 1 + position % (d - 1)
    try:
        layer, action = arm
    except Exception:  # a foreign object may fail in any way at being taken apart
        raise InvalidInstance(f"arm is {shown(arm)}; it must be a whole number or a pair (layer, action)") from None
    return count("layer of the arm", layer, 0, horizon - 1), count("action of the arm", action, 1, d - 1)
