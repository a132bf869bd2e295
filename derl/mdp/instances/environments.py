"""Environments of gymnasium as instances, and instances as environments of gymnasium."""

from __future__ import annotations

import sys
from copy import deepcopy
from numbers import Integral

import numpy as np

from derl.inputs import shown
from derl.mdp.instances.parameters import count
from derl.mdp.instances.tables import tabular
from derl.mdp.layers import distinct
from derl.mdp.limits import affordable
from derl.mdp.linear_mdp import LinearMDP
from derl.mdp.validation import InvalidInstance, as_numbers, demand

TOY_TEXT = "gymnasium.envs.toy_text."
HARMLESS = ("HumanRendering", "OrderEnforcing", "PassiveEnvChecker", "RecordEpisodeStatistics", "RecordVideo",
            "RenderCollection")  # wrappers that change no law
PLAYED = 200  # steps in which an environment by hand is held to its table


def from_gymnasium(env, horizon, **options) -> LinearMDP:
    """A toy-text environment (FrozenLake, CliffWalking, Taxi, ...) with its first `horizon` steps as layers.

    A step that ends the episode is worth its reward once. States that only such steps lead to become absorbing with raw
    reward 0; where a state also occurs within an episode, one absorbing state is added, after all others. Rewards
    r(s, a) outside [0, 1] are mapped to (r - shift) / scale, the same in all states; a raw return over H steps is
    scale * J + shift * H, with `mdp.info["reward_scale"]` and `mdp.info["reward_shift"]`. Where a state has fewer
    actions than another, the others are not available there.

    Parameters
    ----------
    env : str or gymnasium.Env
        An id such as "FrozenLake-v1" or an environment whose `unwrapped.P` is a table that says all that `step` does.
    horizon : int >= 1
        It takes the place of the time limit of an id, unless `max_episode_steps` is among the options.
    options
        Passed to `gymnasium.make` when `env` is an id; with an environment no options are allowed.

    Raises
    ------
    InvalidInstance
        An id that gymnasium does not know as a toy text (nothing is imported for one), no table, states or actions that
        are not counted from 0, no initial distribution, dynamics that are not in the table, a wrapper that changes
        rewards, observations or actions or ends episodes before the horizon, or gymnasium is not installed.

    Notes
    -----
    The steps of toy texts are known to follow their table; a class that replaces one of them is refused. Any other
    environment whose observations are states is played on a copy for 200 steps, and refused when a step is not in the
    table. A rarer deviation is not noticed.

    Examples
    --------
    >>> from derl import instances, planning
    >>> lake = instances.from_gymnasium("FrozenLake-v1", horizon=20, is_slippery=False)
    >>> lake, planning.optimal(lake).value
    (LinearMDP(horizon=20, n_states=16, n_actions=4, dim=64), 1.0)
    """
    horizon = count("horizon", horizon, 1)
    name, table, initial = _read(env, options, horizon)
    (s, a, t), p, r, ends = _columns(name, table)
    n_states, number = len(table), np.array([len(table[state]) for state in range(len(table))])
    n_actions = int(number.max())
    affordable(name, horizon, n_states + 1, n_actions, (n_states + 1) * n_actions, layers=1)
    terminal = np.zeros(n_states, dtype=bool)
    terminal[t[ends]] = True
    visited = _visited(s[(p > 0) & ~ends], t[(p > 0) & ~ends], initial > 0)
    if (terminal & visited).any():  # a state of episodes that go on, too: they end elsewhere
        t, n_states = np.where(ends, n_states, t), n_states + 1
        initial, terminal = np.append(initial, 0.0), np.arange(n_states) == n_states - 1
    transitions = np.zeros((n_states, n_actions, n_states))
    rewards = np.zeros((n_states, n_actions))
    np.add.at(transitions, (s, a, t), p)
    np.add.at(rewards, (s, a), p * r)
    number = np.append(number, [n_actions] * (n_states - len(number)))
    number[terminal] = n_actions
    available = np.arange(n_actions) < number[:, None]
    transitions[terminal] = np.eye(n_states)[terminal][:, None, :]
    rewards[terminal] = 0.0
    low, high = float(rewards[available].min()), float(rewards[available].max())
    shift, scale = (0.0, 1.0) if low >= 0 and high <= 1 else (low, high - low or 1.0)
    return tabular(transitions, np.where(available, (rewards - shift) / scale, 0.0), initial, horizon,
                   available=np.broadcast_to(available, (horizon, n_states, n_actions)),
                   info={"family": "gymnasium", "env": name, "reward_shift": shift, "reward_scale": scale})


def to_gymnasium(mdp: LinearMDP):
    """An instance as an environment of gymnasium, whose episodes have H steps.

    Observations are the states 0..S-1 where all layers are the same. Otherwise they are (h - 1) S + s for state s in
    layer h, so that the environment is Markov. The environment has the table `P` and `initial_state_distrib` of toy
    texts, and `from_gymnasium(to_gymnasium(mdp), mdp.horizon)` is an instance with the same value, but without the
    features of `mdp`: its dimension is the number of states times the number of actions. Where layers differ, it also
    has H times as many states. Where they are the same, the layer is not observed, `info["layer"]` says it, and the
    table does not know when the episode ends.

    An action that is not available does what the first available one does, in `step` and in the table;
    `info["action_mask"]` says which are available. Rewards are those of `mdp`, in [0, 1].

    Returns
    -------
    gymnasium.Env

    Raises
    ------
    InvalidInstance
        gymnasium is not installed, or the table would be too large.

    Examples
    --------
    >>> from derl import instances
    >>> env = instances.to_gymnasium(instances.optimism_trap())
    >>> state, info = env.reset(seed=0)
    >>> state, reward, terminated, truncated, info = env.step(1)
    >>> terminated, truncated
    (False, False)
    """
    demand(LinearMDP, mdp=mdp)
    _gymnasium()
    from derl.mdp.instances._table_env import TableEnv

    alike = all((array == array[:1]).all() for array in map(distinct, (mdp.phi, mdp.mu, mdp.theta, mdp.available)))
    layers = mdp.truncate(1) if alike else mdp
    affordable("the table", layers.horizon, mdp.n_states, mdp.n_actions, mdp.n_states, layers=layers.horizon)
    return TableEnv(layers.transitions(), layers.rewards(), layers.available, mdp.initial, mdp.horizon)


def _gymnasium():
    try:
        import gymnasium
    except ImportError:
        raise InvalidInstance("environments need the package gymnasium (extra 'gym' of derl)") from None
    return gymnasium


def _columns(name, table):
    """The entries of a table: indices of state, action and next state; probability, reward, end of the episode."""
    for what, keys in (("states", table), *((f"actions of state {shown(state)}", table[state]) for state in table)):
        _demand_counted(name, what, keys)
    try:
        rows = [(s, a, t, p, r, bool(ends)) for s in table for a in table[s] for p, t, r, ends in table[s][a]]
        s, a, t, p, r, ends = (np.array(column) for column in zip(*rows, strict=True))
        sound = t.dtype.kind in "iu" and t.ndim == 1 and bool(((0 <= t) & (t < len(table))).all())
    except Exception:  # a foreign table may fail in any way
        sound = False
    if not sound:
        raise InvalidInstance(f"{name}: the table P must be P[state][action] = [(probability, next state, reward, ends)"
                              f", ...] with next states 0..{len(table) - 1}")
    return (s, a, t), as_numbers("probabilities", p), as_numbers("rewards", r), ends


def _demand_counted(name, what, keys):
    """The keys are 0, 1, 2, ... in any order."""
    try:
        wrong = [key for key in keys if not isinstance(key, Integral) or isinstance(key, bool)
                 or not 0 <= key < len(keys)]
    except Exception:  # a foreign table may fail in any way
        raise InvalidInstance(f"{name}: the table P must be P[state][action] = [...]; {what} cannot be read") from None
    if wrong or not len(keys):
        found = shown(wrong[0]) if wrong else "none"
        raise InvalidInstance(f"{name}: {what} are counted from 0 in the table P; found {found}")


def _visited(sources, targets, start):
    """States in which an episode that has not ended can be."""
    visited, size = start.copy(), 0
    while size < visited.sum():
        size = visited.sum()
        visited[targets[visited[sources]]] = True
    return visited


def _read(env, options, horizon):
    """Name, table and initial distribution of an environment."""
    gymnasium = _gymnasium()
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
    elif options:
        raise InvalidInstance(f"{name}: the option {next(iter(options))!r} is for an id; an environment that is handed "
                              "over takes none")
    _demand_bare(name, env, gymnasium, None if made and "max_episode_steps" not in options else horizon)
    if not isinstance(table, dict) or not table or initial is None:
        raise InvalidInstance(f"{name} has no table P with an initial_state_distrib; use a toy-text environment "
                              "with a table, such as 'FrozenLake-v1'")
    initial = as_numbers("the initial distribution", initial, (len(table),))
    _demand_whole(name, core, initial, horizon)
    return name, table, initial


def _demand_bare(name, env, gymnasium, horizon):
    """No wrapper changes what the table says, or ends episodes before the horizon (None: any limit will do)."""
    while isinstance(env, gymnasium.Wrapper):
        wrapper = type(env).__name__
        if type(env) is gymnasium.wrappers.TimeLimit:
            _demand_long(f"{name}: the wrapper TimeLimit", env._max_episode_steps, horizon,
                         ", or hand over env.unwrapped")
        elif wrapper not in HARMLESS or not type(env).__module__.startswith("gymnasium."):
            raise InvalidInstance(f"{name}: the wrapper {wrapper} is not in the table P; hand over env.unwrapped, or "
                                  "an environment whose table has what the wrapper does")
        env = env.env


def _demand_long(who, steps, horizon, otherwise=""):
    """Episodes do not end before the horizon."""
    if horizon is not None and steps < horizon:
        raise InvalidInstance(f"{who} ends episodes after {steps} steps; horizon is {horizon} and may be at most that"
                              f"{otherwise}")


def _demand_whole(name, core, initial, horizon):
    """The table says all that `reset` and `step` do, as far as one can see."""
    from derl.mdp.instances._table_env import TableEnv

    if isinstance(core, TableEnv):
        return _demand_long(f"{name}: the environment", core.horizon, horizon)
    if getattr(core, "fickle_passenger", False):
        raise InvalidInstance(f"{name}: with fickle_passenger=True a passenger changes the destination outside of the "
                              "table P; only fickle_passenger=False has a table that says all")
    homes = {method: next(kind for kind in type(core).__mro__ if method in vars(kind)) for method in ("reset", "step")}
    if any(base.__module__.startswith(TOY_TEXT) for base in type(core).__mro__):
        for method, kind in homes.items():
            if not kind.__module__.startswith(TOY_TEXT):
                raise InvalidInstance(f"{name}: {kind.__name__} has a {method} of its own, which may do other things "
                                      f"than the table P says; only the {method} of the toy text is known to follow it")
    elif not any(kind.__module__.startswith("gymnasium.") for kind in homes.values()):  # Env itself only raises
        _demand_played(name, core, initial)


def _demand_played(name, core, initial):
    """A copy of the environment starts and moves as its table says."""
    try:
        wrong = _contradiction(deepcopy(core), initial)
    except Exception:  # a foreign environment may fail in any way, and then its table is all there is
        return
    if wrong:
        raise InvalidInstance(f"{name}: {wrong}; the table P must say all that happens")


def _contradiction(env, initial) -> str | None:
    """What an environment does that its table does not have, if it is seen in a few episodes."""
    ends = True
    for k in range(PLAYED):
        if ends:
            state, _ = env.reset(seed=k)
            if not initial[state] > 0:
                return f"an episode began in state {state}, whose initial probability is 0"
        entries = env.P[state]
        action = (k + k // len(entries)) % len(entries)
        before, (state, reward, ends, cut, _) = state, env.step(action)
        known = {(t, float(r), bool(last)) for p, t, r, last in entries[action] if p > 0}
        if (int(state), float(reward), bool(ends)) not in known:
            return f"a step from state {before} by action {action} led to state {state} with reward {reward}"
        ends = ends or cut
    return None


def _demand_known(env, registry):
    """An id is data, not a wish to run code: making it must import nothing but gymnasium's own toy-text tables."""
    entry = registry[env].entry_point if env in registry else None
    module = entry.partition(":")[0] if isinstance(entry, str) else None
    if entry is None or module is not None and not module.startswith(TOY_TEXT) and module not in sys.modules:
        known = sorted(key for key, spec in registry.items() if str(spec.entry_point).startswith(TOY_TEXT))
        raise InvalidInstance(f"gymnasium id {shown(env)} is not one of {', '.join(known)}; make any other environment "
                              "yourself and hand it over")
