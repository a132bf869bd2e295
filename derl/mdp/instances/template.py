"""The hard template of Appendix B.1: a tabular MDP that hides one slightly better state."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from derl.inputs import shown
from derl.mdp.exact import ExactMDP
from derl.mdp.instances.parameters import count, fraction, indices, possible, size
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.validation import InvalidInstance

HALF = Fraction(1, 2)


def hard_template(d, horizon, optimal_layer, optimal_index, cores, epsilon, *,
                  unstated_rewards=(0, HALF), exact=False) -> LinearMDP | ExactMDP:
    """M(h#, i#, I_core) of Appendix B.1, with layers 0..H, so that `mdp.horizon` is H + 1.

    Every layer has d + 2 states and 2 d + 1 state-action pairs, each with its own unit vector as feature
    (dimension 2 d + 1):

    - one core state, where action i leads to state i of the next layer;
    - d - 1 normal states, state i with the single action i, leading to u1 or u2 with probability 1/2 each, except
      the optimal state: 1/2 - epsilon and 1/2 + epsilon;
    - the absorbing states u1 and u2 with one action each.

    States are numbered 0..d-1 (the paper's s^1..s^d), d (u1), d + 1 (u2); actions likewise. The trajectory starts
    in state 0 of layer 0, the core state s_0 there; the other states of layer 0 are never visited.

    Parameters
    ----------
    d : int >= 2
        Number of core and normal states per layer.
    horizon : int >= 2
        The paper's H; layers are 0..H, so the instance has one layer more: `mdp.horizon` = H + 1.
    optimal_layer : int in 1..H-1
        h#; this is also the array index of the layer.
    optimal_index : int in 0..d-1
        i#, counted from 0.
    cores : int, or H or H - 1 ints in 0..d-1
        i_1, i_2, ... counted from 0: the core states of layers 1..H. The one of layer H does not matter (all
        its states pay 1/2 and the trajectory ends), so it may be left out; an int is the same index in every layer.
        The optimal state must be a normal one: cores[h# - 1] != i#. A single int that equals i# is refused too.
    epsilon : number in [0, 1/2]
        The bias; 0 gives M_0, where all policies are worth the same.
    unstated_rewards : pair of numbers in [0, 1]
        Rewards that the text does not give: of s_0 in layer 0, and of u1, u2 in layer H - 1 (the text stops at
        H - 2). The default (0, 1/2) is the only pair that makes the optimal value H/2 + epsilon wherever the optimal
        state is.
    exact : bool
        Return the rational instance.

    Notes
    -----
    The features depend on which state is the core of a layer, so a learner that knows the features knows the
    cores. `lock` and `compact_bandit` are built to avoid that.

    Source: Appendix B.1. The printed sentence gives P(u1 | s, a) twice; the second one is read as P(u2 | s, a).
    """
    d, horizon = size("d", d, 2), size("horizon", horizon, 2)
    possible(horizon + 1, d, d, d)
    layer = count("optimal_layer", optimal_layer, 1, horizon - 1)
    index = count("optimal_index", optimal_index, 0, d - 1)
    epsilon = fraction("epsilon", epsilon)
    first, late = (fraction("unstated_rewards", reward, high=Fraction(1)) for reward in _pair(unstated_rewards))
    cores = _cores(cores, horizon, d)
    if cores[layer] == index:
        raise InvalidInstance(f"optimal_index is {index}, the core state of layer {layer}; "
                              "it must be one of the normal states of that layer")
    n, dim, u1, u2 = d + 2, 2 * d + 1, d, d + 1
    phi = np.zeros((horizon + 1, n, n, dim), dtype=object)
    mu = np.zeros((horizon + 1, dim, n), dtype=object)
    theta = np.full((horizon + 1, dim), HALF, dtype=object)
    for h in range(horizon + 1):
        core = cores[h]
        normal = [i for i in range(d) if i != core]
        pairs = [(core, i) for i in range(d)] + [(i, i) for i in normal] + [(u1, u1), (u2, u2)]
        for k, (s, a) in enumerate(pairs):
            phi[h, s, a, k] = 1
        for i in range(d):
            mu[h, i, i] = 1
        for k, i in enumerate(normal, start=d):
            bias = epsilon if (h, i) == (layer, index) else 0
            mu[h, k, [u1, u2]] = HALF - bias, HALF + bias
        mu[h, [-2, -1], [u1, u2]] = 1
    theta[0] = first
    theta[horizon - 1, -2:] = late
    theta[horizon, -2:] = 0, 1
    initial = np.eye(n, dtype=int)[0]
    names = (*(f"s{i}" for i in range(d)), "u1", "u2")
    info = {"family": "hard_template", "d": d, "horizon": horizon, "optimal_layer": layer, "optimal_index": index,
            "cores": list(cores[1:]), "epsilon": str(epsilon)}
    kind = ExactMDP if exact else LinearMDP
    return kind(phi, mu, theta, initial, phi.any(axis=3), state_names=names,
                action_names=tuple(f"to {name}" for name in names), info=info)


def _cores(cores, horizon, d):
    """Core states of layers 0..H."""
    cores = cores.tolist() if isinstance(cores, np.ndarray) else cores
    size = horizon - 1 if isinstance(cores, list | tuple) and len(cores) == horizon - 1 else horizon
    return (0, *indices("cores", cores, size, d), *[0] * (horizon - size))


def _pair(values):
    try:
        first, second = values
    except Exception:  # a foreign object may fail in any way at being taken apart
        raise InvalidInstance(f"unstated_rewards is {shown(values)}; it must be a pair of numbers") from None
    return first, second
