"""Hard instances for deterministic policies: the compact bandit, and bandits in series."""

from __future__ import annotations

from fractions import Fraction
from numbers import Real

import numpy as np

from derl.inputs import shown
from derl.mdp.exact import ExactMDP
from derl.mdp.instances.combination_lock import HALF, STATES, gate_features, gate_measures, gate_rewards
from derl.mdp.instances.parameters import count, fraction, listed, possible, size
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.validation import InvalidInstance


def compact_bandit_arms(d, horizon) -> tuple[tuple[int, int], ...]:
    """All arms (layer, action) of `compact_bandit(d, horizon, ...)`: layers 0..H-1, actions 1..d-1.

    Their number is (d - 1) H = (D - 3)(T - 1), where D = d + 2 is the dimension and T = H + 1 the number of layers.
    """
    return tuple((h, a) for h in range(horizon) for a in range(1, d))


def compact_bandit(d, horizon, arm, bias, *, exact=False) -> LinearMDP | ExactMDP:
    """A bandit with (d - 1) H arms, written as a linear MDP of dimension D = d + 2 with `mdp.horizon` = H + 1.

    States g, u1, u2 in layers 0..H; u1 and u2 are absorbing. At g action 0 stays at g; the actions 1..d-1 are arms and
    lead to u1 or u2 with probability 1/2 each, except one hidden arm: 1/2 - bias and 1/2 + bias. A deterministic policy
    pulls at most one arm, that of the first layer where it leaves g, and learns nothing about the others: however large
    a batch is, an algorithm that searches the hidden arm tries one arm per deployment. Rewards as in `lock`: the
    optimal value is H/2 + bias, and every other deterministic policy is worth H/2.

    The features are the same in all layers and do not depend on the arm.

    Parameters
    ----------
    d : int >= 2
        Number of actions; d - 1 of them are arms.
    horizon : int >= 1
        H; layers are 0..H and arms sit in layers 0..H-1, so the instance has one layer more: `mdp.horizon` = H + 1.
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
    d, horizon, bias = size("d", d, 2), size("horizon", horizon, 1), fraction("bias", bias)
    possible(horizon, d + 2, d)
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


def needle_gates(d, layers, needles, levels, rewards, *, exact=False) -> LinearMDP | ExactMDP:
    """Bandits in series, their best arms hidden among worse ones; dimension D = d + 2.

    There are t stages of T layers each, then R layers of reward: `mdp.horizon` = tT + R. States g, u1 (over) and u2
    (through), u1 absorbing. At g action 0 waits; the actions 1..d-1 are arms. Most arms are duds and lead to u1. The
    needle of level j leads to u2 with probability rho^(s-j), rho = 1 - 1/(ts), and else to u1. After the last layer of
    a stage, a trajectory in u2 continues at g of the next stage, or in the layers of reward, and a trajectory that
    waited ends in u1. Each layer of reward pays 1 at u2. A deterministic policy pulls one arm in every stage it
    reaches, so a deployment shows at most one dud, and the data do not show whether the highest needle found in a stage
    is the highest one.

    The features are the same in all layers and do not depend on the needles.

    Parameters
    ----------
    d : int >= 2
        Number of actions; d - 1 of them are arms.
    layers : int >= 1
        T.
    needles : for each stage, a sequence of 1..s different pairs (layer 0..T-1, action 1..d-1)
        In the order of their levels 1, 2, ...
    levels : int >= 1
        s.
    rewards : int >= 1
        R.
    exact : bool
        Return the rational instance.

    Source: `derl.theory.beyond.gates`.
    """
    d, layers, levels = size("d", d, 2), size("layers", layers, 1), size("levels", levels, 1)
    rewards = size("rewards", rewards, 1)
    stages = [_needles(stage, d, layers, levels) for stage in listed("needles", needles)]
    total = count("number of stages", len(stages), 1) * layers
    possible(total + rewards, d + 2, d)
    ratio = 1 - Fraction(1, max(2, len(stages) * levels))
    mu = np.zeros((total + rewards, d + 2, 3), dtype=object)
    mu[:, d, 1] = mu[:, d + 1, 2] = 1
    for i, stage in enumerate(stages):
        for h in range(i * layers, (i + 1) * layers):
            last = h == (i + 1) * layers - 1
            through = 0 if last and i + 1 < len(stages) else 2
            mu[h, 0, 1 if last else 0] = 1
            mu[h, 1:d, 1] = 1
            mu[h, d + 1] = np.eye(3, dtype=int)[through]
            for level, (layer, action) in enumerate(stage, 1):
                if i * layers + layer == h:
                    mu[h, action, through] = ratio ** (levels - level)
                    mu[h, action, 1] = 1 - ratio ** (levels - level)
    mu[total:, :d, 1] = 1
    theta = np.zeros((total + rewards, d + 2), dtype=object)
    theta[total:, d + 1] = 1
    kind = ExactMDP if exact else LinearMDP
    return kind(gate_features(d, total + rewards), mu, theta, np.array([1, 0, 0]), state_names=STATES,
                action_names=("wait", *(f"arm {a}" for a in range(1, d))),
                info={"family": "needle_gates", "d": d, "layers": layers, "levels": levels, "rewards": rewards,
                      "needles": [[list(arm) for arm in stage] for stage in stages]})


def _needles(stage, d, layers, levels):
    found = [_arm(d, layers, arm) for arm in listed("a stage of needles", stage)]
    if not 1 <= len(found) <= levels or len(set(found)) < len(found):
        raise InvalidInstance(f"a stage has the needles {shown(stage)}; it must have 1..{levels} different ones")
    return found
