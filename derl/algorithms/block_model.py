"""A linear model estimated from counts, one data set per layer: planning, and means of features under a policy.

No bonus. The data of a layer are used for that layer alone, so that what is regressed at a layer, a function of later
data, is independent of the noise there (`derl.theory.beyond.exchange`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from derl.algorithms.dataset import Collected
from derl.deployment.protocol import KnownPart
from derl.estimation.design import Design, fit
from derl.mdp.planning import greedy


@dataclass(frozen=True, eq=False)
class BlockModel(Collected):
    """What the counts of the first layers say of the dynamics.

    Attributes
    ----------
    known : KnownPart
    ridge : float
        lambda; Sigma_h = lambda I + sum phi phi^T.
    layers : tuple of Design
        Regressions on phi/sqrt(lambda) of the layers 0, 1, ...: predictions are the same.
    """

    known: KnownPart
    ridge: float
    layers: tuple[Design, ...]

    @classmethod
    def of(cls, known: KnownPart, counts: Sequence[np.ndarray], ridge: float,
           fitted: tuple[Design, ...] = ()) -> BlockModel:
        """Fit the layers to their counts, each (S, A, S), behind those that are fitted already."""
        phi = known.phi[: len(counts)] / np.sqrt(ridge)
        return cls(known, ridge, fitted + tuple(fit(phi[h], counts[h]) for h in range(len(fitted), len(counts))))

    def predicted(self, layer: int, values: np.ndarray) -> np.ndarray:
        """phi' w^ for every state and action: values (S,) -> (S, A), (S, m) -> (S, A, m)."""
        return self._scaled[layer] @ (self.layers[layer].operator @ values)

    @cached_property
    def _scaled(self) -> np.ndarray:
        return self.known.phi[: len(self.layers)] / np.sqrt(self.ridge)

    def plan_rewards(self, rewards: np.ndarray) -> np.ndarray:
        """The greedy policy (H, S) for rewards (H, S, A), values kept in [0, what is left]."""
        known, policy, values = self.known, [], np.zeros(self.known.n_states)
        for h in reversed(range(known.horizon)):
            q = rewards[h] + (self.predicted(h, values) if h < known.horizon - 1 else 0.0)
            actions, values = self._best(np.clip(q, 0.0, known.horizon - h), h)
            policy.append(actions)
        return np.stack(policy[::-1])

    def towards(self, theta: np.ndarray, layer: int) -> np.ndarray:
        """The policy (layer + 1, S) that is believed to make theta' E[phi] of a layer largest, |theta| <= 1."""
        actions, values = self._best(self.known.phi[layer] @ theta, layer)
        policy = [actions]
        for h in reversed(range(layer)):
            actions, values = self._best(in_unit(self.predicted(h, values)), h)
            policy.append(actions)
        return np.stack(policy[::-1])

    def mean_feature(self, policy: np.ndarray, layer: int, start: np.ndarray) -> np.ndarray:
        """E[phi] of a layer (d,) under a policy as the model believes, projected to the unit ball."""
        values = self.known.phi[layer][self._states, policy[layer]]
        for h in reversed(range(layer)):
            values = in_unit(self.predicted(h, values)[self._states, policy[h]])
        mean = start @ values
        return mean / max(1.0, float(np.linalg.norm(mean)))

    def _best(self, q: np.ndarray, h: int) -> tuple[np.ndarray, np.ndarray]:
        """The greedy actions (S,) among those that exist in a layer, and their values."""
        if not self._all_available:
            q = np.where(self.known.available[h], q, -np.inf)
        actions = greedy(q)
        return actions, q[self._states, actions]

    @cached_property
    def _all_available(self) -> bool:
        return bool(self.known.available.all())

    @cached_property
    def _states(self) -> np.ndarray:
        return np.arange(self.known.n_states)


def in_unit(values: np.ndarray) -> np.ndarray:
    """Values cut to [-1, 1]; `np.clip` takes three times as long for the few of a small instance."""
    return np.minimum(np.maximum(values, -1.0), 1.0)
