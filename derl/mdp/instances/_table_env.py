"""The environment of gymnasium that `to_gymnasium` returns, in its own module because gymnasium is optional."""

from __future__ import annotations

import gymnasium
import numpy as np

from derl.inputs import whole
from derl.mdp.validation import InvalidInstance


class TableEnv(gymnasium.Env):
    """Episodes of H steps in a table of transitions.

    Parameters
    ----------
    transitions : (L, S, A, S)
        L = 1 where all layers are the same, else L = H.
    rewards : (L, S, A)
    available : (L, S, A) bool
    initial : (S,)
    horizon : int >= 1
        H.

    Attributes
    ----------
    P : dict
        P[state][action] = [(probability, next state, reward, ends), ...], in the format of the toy texts.
    initial_state_distrib : (L S,)
    horizon : int
    """

    metadata = {"render_modes": []}

    def __init__(self, transitions, rewards, available, initial, horizon):
        layers, n_states, n_actions, _ = transitions.shape
        self.horizon, self._step, self._state = horizon, horizon, 0
        self._mask = available.reshape(-1, n_actions)
        self.observation_space = gymnasium.spaces.Discrete(layers * n_states)
        self.action_space = gymnasium.spaces.Discrete(n_actions)
        self.initial_state_distrib = np.append(initial, np.zeros((layers - 1) * n_states))
        first = available.argmax(axis=2)
        self.P = {h * n_states + s: {a: self._row(transitions, rewards, h, s, a if available[h, s, a] else first[h, s])
                                     for a in range(n_actions)} for h in range(layers) for s in range(n_states)}

    def _row(self, transitions, rewards, h, s, a) -> list[tuple[float, int, float, bool]]:
        layers, n_states = transitions.shape[:2]
        ends = layers > 1 and h == layers - 1
        begin = (h + 1) * n_states if layers > 1 and not ends else h * n_states
        row = transitions[h, s, a]
        return [(float(row[t]), begin + int(t), float(rewards[h, s, a]), ends) for t in np.flatnonzero(row)]

    def _info(self) -> dict:
        return {"layer": min(self._step + 1, self.horizon), "action_mask": self._mask[self._state].astype(np.int8)}

    def reset(self, *, seed=None, options=None):
        """The first state of an episode, and which actions it has."""
        super().reset(seed=seed)
        self._step = 0
        self._state = int(self.np_random.choice(len(self.initial_state_distrib), p=self.initial_state_distrib))
        return self._state, self._info()

    def step(self, action):
        """One step; the episode has ended after H of them."""
        if self._step == self.horizon:
            raise InvalidInstance(f"no episode is under way: reset() begins one, which ends after {self.horizon} steps")
        row = self.P[self._state][whole(action, "action", 0, int(self.action_space.n) - 1, InvalidInstance)]
        weights = np.array([entry[0] for entry in row])
        _, self._state, reward, _ = row[int(self.np_random.choice(len(row), p=weights / weights.sum()))]
        self._step += 1
        return self._state, reward, self._step == self.horizon, False, self._info()
