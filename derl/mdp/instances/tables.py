"""Instances given by tables: any tabular MDP."""

from __future__ import annotations

import numpy as np

from derl.mdp.instances.parameters import count
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.validation import TOLERANCE, InvalidInstance, as_numbers, where


def tabular(transitions, rewards, initial, horizon=None, **names) -> LinearMDP:
    """A tabular MDP as a linear one: every pair (s, a) has its own unit vector, d = S A.

    Parameters
    ----------
    transitions : (H, S, A, S), or (S, A, S) when `horizon` says how often the layer is repeated
    rewards : (H, S, A) or (S, A)
        In [0, 1].
    initial : (S,)
    names : `available`, `state_names`, `action_names`, `info` of `LinearMDP`.
        Where an action is not available its reward does not count, and may be -inf.

    Raises
    ------
    InvalidInstance
        The message names the layer, the state and the action.
    """
    transitions, rewards = as_numbers("transitions", transitions), as_numbers("rewards", rewards)
    stationary = transitions.ndim == 3
    if not stationary and transitions.ndim != 4 or rewards.shape != transitions.shape[:-1]:
        raise InvalidInstance(f"transitions have shape {transitions.shape} and rewards {rewards.shape}; they must "
                              "have shapes (H, S, A, S) and (H, S, A), or (S, A, S) and (S, A)")
    nowhere = ~np.isfinite(transitions).all(axis=-1)
    if nowhere.any():
        *layer, s, a = np.argwhere(nowhere)[0]
        raise InvalidInstance(f"{where(*layer, s=s, a=a)}: a transition probability is infinite or no number; every "
                              "entry must be finite")
    wrong = ~((rewards >= -TOLERANCE) & (rewards <= 1 + TOLERANCE))  # also where a reward is no number
    if "available" in names and np.shape(names["available"]) == wrong.shape:
        wrong &= np.asarray(names["available"]) != 0
    if wrong.any():
        *layer, s, a = np.argwhere(wrong)[0]
        raise InvalidInstance(f"{where(*layer, s=s, a=a)}: reward is {rewards[*layer, s, a]:.12g}; rewards must "
                              "be finite and lie in [0, 1], and an action that does not exist is left out by "
                              "`available`, a mask of shape (H, S, A)")
    rewards = np.where(np.isfinite(rewards), rewards, 0.0)  # of actions that are not available
    if stationary:
        horizon = count("horizon", horizon, 1)
        transitions = np.broadcast_to(transitions, (horizon, *transitions.shape))
        rewards = np.broadcast_to(rewards, (horizon, *rewards.shape))
    horizon, n_states, n_actions, _ = transitions.shape
    dim = n_states * n_actions
    eye = np.eye(dim).reshape(n_states, n_actions, dim)
    return LinearMDP(np.broadcast_to(eye, (horizon, *eye.shape)), transitions.reshape(horizon, dim, -1),
                     rewards.reshape(horizon, dim), initial, **names)
