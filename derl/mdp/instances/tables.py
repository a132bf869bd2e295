"""Instances given by tables: any tabular MDP, and the toy-text environments of gymnasium."""

from __future__ import annotations

import sys

import numpy as np

from derl.boundary import shown
from derl.mdp.instances.parameters import count
from derl.mdp.limits import affordable
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.validation import InvalidInstance, as_numbers

TOY_TEXT = "gymnasium.envs.toy_text."


def tabular(transitions, rewards, initial, horizon=None, **names) -> LinearMDP:
    """A tabular MDP as a linear one: every pair (s, a) has its own unit vector, d = S A.

    Parameters
    ----------
    transitions : (H, S, A, S), or (S, A, S) when `horizon` says how often the layer is repeated
    rewards : (H, S, A) or (S, A)
        In [0, 1].
    initial : (S,)
    names : `state_names`, `action_names`, `info` of `LinearMDP`.
    """
    transitions, rewards = as_numbers("transitions", transitions), as_numbers("rewards", rewards)
    stationary = transitions.ndim == 3
    if not stationary and transitions.ndim != 4 or rewards.shape != transitions.shape[:-1]:
        raise InvalidInstance(f"transitions have shape {transitions.shape} and rewards {rewards.shape}; they must "
                              "have shapes (H, S, A, S) and (H, S, A), or (S, A, S) and (S, A)")
    if stationary:
        horizon = count("horizon", horizon, 1)
        transitions = np.broadcast_to(transitions, (horizon, *transitions.shape))
        rewards = np.broadcast_to(rewards, (horizon, *rewards.shape))
    horizon, n_states, n_actions, _ = transitions.shape
    dim = n_states * n_actions
    eye = np.eye(dim).reshape(n_states, n_actions, dim)
    return LinearMDP(np.broadcast_to(eye, (horizon, *eye.shape)), transitions.reshape(horizon, dim, -1),
                     rewards.reshape(horizon, dim), initial, **names)


def from_gymnasium(env, horizon, **options) -> LinearMDP:
    """A toy-text environment (FrozenLake, CliffWalking, Taxi, ...) with its first `horizon` steps as layers.

    States that an episode ends in become absorbing with raw reward 0. Rewards r(s, a) outside [0, 1] are mapped to
    (r - shift) / scale, the same in all states; a raw return over H steps is scale * J + shift * H, with
    `mdp.info["reward_scale"]` and `mdp.info["reward_shift"]`.

    Parameters
    ----------
    env : str or gymnasium.Env
        An id such as "FrozenLake-v1" or an environment; its `unwrapped.P` must be a table.
    horizon : int >= 1
    options
        Passed to `gymnasium.make` when `env` is an id.

    Raises
    ------
    InvalidInstance
        An id that gymnasium does not know as a toy text (nothing is imported for one), no table, no initial
        distribution, a state that ends some episodes and not others, or gymnasium is not installed.
    """
    horizon = count("horizon", horizon, 1)
    name, table, initial = _read(env, options)
    (s, a, t), p, r, ends = _columns(name, table)
    n_states, n_actions = len(table), max(len(table[state]) for state in table)
    affordable(name, horizon, n_states, n_actions, n_states * n_actions, layers=1)
    terminal = np.zeros(n_states, dtype=bool)
    terminal[t[ends]] = True
    visited = _visited(s[p > 0], t[p > 0], initial > 0, terminal)
    mixed = np.flatnonzero((p > 0) & visited[s] & terminal[t] & ~terminal[s] & ~ends)
    if mixed.size:
        raise InvalidInstance(f"{name}: state {t[mixed[0]]} ends some episodes, but not on the way from state "
                              f"{s[mixed[0]]}, action {a[mixed[0]]}; a terminal state must always end the episode")
    transitions = np.zeros((n_states, n_actions, n_states))
    rewards = np.zeros((n_states, n_actions))
    np.add.at(transitions, (s, a, t), p)
    np.add.at(rewards, (s, a), p * r)
    transitions[terminal] = np.eye(n_states)[terminal][:, None, :]
    rewards[terminal] = 0.0
    low, high = float(rewards.min()), float(rewards.max())
    shift, scale = (0.0, 1.0) if low >= 0 and high <= 1 else (low, high - low or 1.0)
    return tabular(transitions, (rewards - shift) / scale, initial, horizon,
                   info={"family": "gymnasium", "env": name, "reward_shift": shift, "reward_scale": scale})


def _columns(name, table):
    """The entries of a table: indices of state, action and next state; probability, reward, end of the episode."""
    wrong = InvalidInstance(f"{name}: the table P must be P[state][action] = [(probability, next state, reward, ends), "
                            "...] with states and actions counted from 0")
    try:
        rows = [(s, a, t, p, r, bool(ends)) for s in table for a in table[s] for p, t, r, ends in table[s][a]]
        s, a, t, p, r, ends = (np.array(column) for column in zip(*rows, strict=True))
        sizes = len(table), max(len(table[state]) for state in table), len(table)
    except Exception:  # a foreign table may fail in any way
        raise wrong from None
    for index, size in zip((s, a, t), sizes, strict=True):
        if index.dtype.kind not in "iu" or not ((0 <= index) & (index < size)).all():
            raise wrong
    return (s, a, t), as_numbers("probabilities", p), as_numbers("rewards", r), ends


def _visited(sources, targets, start, terminal):
    """States that some episode visits: reachable from the start without going on from a terminal state."""
    visited, size = start.copy(), 0
    while size < visited.sum():
        size = visited.sum()
        visited[targets[visited[sources] & ~terminal[sources]]] = True
    return visited


def _read(env, options):
    """Name, table and initial distribution of an environment."""
    try:
        import gymnasium
    except ImportError:
        raise InvalidInstance("toy-text instances need the package gymnasium (extra 'gym' of derl)") from None
    made = isinstance(env, str)
    if made:
        _demand_known(env, gymnasium.registry)
        try:
            env = gymnasium.make(env, **options)
        except Exception as error:
            reason = " ".join(str(error).split())[:200]
            raise InvalidInstance(f"gymnasium cannot make {shown(env)} ({reason}); use a toy-text id such as "
                                  "'FrozenLake-v1'") from None
    if not isinstance(env, gymnasium.Env):
        raise InvalidInstance(f"env is of type {type(env).__name__}; it must be a gymnasium.Env or an id")
    core = env.unwrapped
    name = env.spec.id if env.spec is not None else type(core).__name__
    table, initial = getattr(core, "P", None), getattr(core, "initial_state_distrib", None)
    if made:
        env.close()
    if not isinstance(table, dict) or not table or initial is None:
        raise InvalidInstance(f"{name} has no table P with an initial_state_distrib; use a toy-text environment "
                              "with a table, such as 'FrozenLake-v1'")
    return name, table, as_numbers("the initial distribution", initial, (len(table),))


def _demand_known(env, registry):
    """An id is data, not a wish to run code: making it must import nothing but gymnasium's own toy-text tables."""
    entry = registry[env].entry_point if env in registry else None
    module = entry.partition(":")[0] if isinstance(entry, str) else None
    if entry is None or module is not None and not module.startswith(TOY_TEXT) and module not in sys.modules:
        known = sorted(key for key, spec in registry.items() if str(spec.entry_point).startswith(TOY_TEXT))
        raise InvalidInstance(f"gymnasium id {shown(env)} is not one of {', '.join(known)}; make any other environment "
                              "yourself and hand it over")
