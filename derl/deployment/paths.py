"""Whole trajectories of one deployment, each different one once, with how often every part of the batch has it.

A product along a trajectory, as of `res-evaluate-named-policy`, is no function of the counts by layer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from derl.deployment.binomials import multinomials
from derl.deployment.sizes import InvalidDeployment
from derl.inputs.display import Shown

MOST = 2**24  # cells of one layer: parts, trajectories so far, actions and next states


@dataclass(frozen=True, eq=False, repr=False)
class Paths(Shown):
    """What one deployment shows.

    Attributes
    ----------
    states : (P, H) int
        The states of each trajectory that occurs.
    actions : (P, H - 1) int
        Its actions before the last layer.
    counts : (parts, P) int64
        How often each part of the batch has it.
    exact : bool
    mode : str
    """

    states: np.ndarray
    actions: np.ndarray
    counts: np.ndarray
    exact: bool = True
    mode: str = "exact"

    def _facts(self):
        return {"trajectories": int(self.counts.sum()), "different": len(self.states), "parts": len(self.counts)}

    def layer(self, part: int, layer: int, n_states: int, n_actions: int) -> np.ndarray:
        """The counts n(s, a, s') of a part in a layer, from 0, before the last one: (S, A, S)."""
        found = np.zeros((n_states, n_actions, n_states), np.int64)
        at = (self.states[:, layer], self.actions[:, layer], self.states[:, layer + 1])
        np.add.at(found, at, self.counts[part])
        return found


def draw_paths(mdp, policy: np.ndarray, parts: Sequence[int], rng: np.random.Generator) -> Paths:
    """Draw the trajectories of a policy (H, S, A), part by part.

    Raises
    ------
    InvalidDeployment
        There are more different trajectories than fit into memory.
    """
    start = np.flatnonzero(mdp.initial)
    counts = multinomials(rng, np.asarray(parts, np.int64), np.tile(mdp.initial[start], (len(parts), 1)))
    states, actions = start[:, None], np.zeros((len(start), 0), int)
    for h in range(mdp.horizon - 1):
        state, every = states[:, -1], np.arange(mdp.n_actions)
        if len(parts) * len(state) * mdp.n_actions * mdp.n_states > MOST:
            raise InvalidDeployment(f"there are {len(state)} different trajectories up to layer {h + 1}; take a "
                                    "smaller instance")
        rows = mdp.transition_rows(h, np.repeat(state, len(every)), np.tile(every, len(state)))
        law = (policy[h, state].reshape(-1, 1) * rows).reshape(len(state), -1)
        drawn = multinomials(rng, counts.ravel(), np.tile(law, (len(parts), 1))).reshape(len(parts), *law.shape)
        path, cell = np.nonzero(drawn.any(axis=0))
        action, following = np.divmod(cell, mdp.n_states)
        counts = drawn[:, path, cell]
        states, actions = np.c_[states[path], following], np.c_[actions[path], action]
    return Paths(states, actions, counts)
